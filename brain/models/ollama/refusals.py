"""What an error answer of an Ollama server means. Pure."""

import re
from typing import Final

from brain.errors import (
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelRefused,
    PromptTooLong,
    ToolsUnsupported,
)
from brain.models.ollama.address import Endpoint

__all__ = ["refusal"]

_NOT_FOUND: Final = 404
_BUSY: Final = (429, 503)
_TOO_LONG: Final = re.compile(r"context (length|window|size)|prompt (is )?too long", re.IGNORECASE)
_UNPUBLISHED: Final = re.compile(r"manifest: (file does not exist|not found)", re.IGNORECASE)
_NO_MEMORY: Final = re.compile(r"system memory|out of memory|\bOOM\b", re.IGNORECASE)


def refusal(status: int, text: str, *, model_id: str, endpoint: Endpoint) -> ModelError:
    """Return what an error answer means. `status` is -1 for one in the middle of a stream."""
    if status == _NOT_FOUND or _UNPUBLISHED.search(text):
        return _missing(text, model_id, endpoint)
    if status in _BUSY:
        return ModelBusy(f"the model's server is busy ({status})", fix="try again in a moment")
    if "does not support tools" in text:
        return ToolsUnsupported(f"the model {model_id!r} takes no tools")
    if _TOO_LONG.search(text):
        return PromptTooLong(
            f"the prompt does not fit into the context of {model_id!r}",
            fix="raise num_ctx, or begin a new session with /new",
        )
    return _refused(status, text, model_id, endpoint)


def _missing(text: str, model_id: str, endpoint: Endpoint) -> ModelError:
    if _UNPUBLISHED.search(text):
        return ModelMissing(
            f"nobody publishes a model named {model_id!r}",
            fix="the names are at https://ollama.com/library",
        )
    if "model" in text.lower():
        return ModelMissing(
            f"the server at {endpoint.shown} does not have the model {model_id!r}",
            fix=f"pull it with: brain pull, or: ollama pull {model_id}",
        )
    return ModelRefused(
        f"what answers at {endpoint.shown} is not Ollama",
        fix="correct base_url in the config, or OLLAMA_HOST",
    )


def _refused(status: int, text: str, model_id: str, endpoint: Endpoint) -> ModelRefused:
    if _NO_MEMORY.search(text):
        return ModelRefused(
            f"the machine has too little memory for {model_id!r}",
            fix="use a smaller model, or lower num_ctx",
        )
    where = "in the middle of its answer" if status < 0 else f"with status {status}"
    return ModelRefused(
        f"the server at {endpoint.shown} refused {where}", fix="the log of ollama serve says why"
    )
