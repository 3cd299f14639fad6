"""One map of errors around the ollama client: whatever it raises becomes a ModelError."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpx
import ollama
import pydantic

from brain.errors import (
    BadReply,
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    PromptTooLong,
    ToolsUnsupported,
)
from brain.models.ollama.address import Endpoint, nothing_answers

__all__ = ["FOREIGN", "model_errors", "refusal", "translate"]

FOREIGN: Final = (
    ollama.ResponseError,
    ollama.RequestError,
    pydantic.ValidationError,
    httpx.HTTPError,
    httpx.InvalidURL,
    httpx.CookieConflict,
    httpx.StreamError,
    json.JSONDecodeError,
    OSError,
    # what the client itself stumbles into when an answer is of another shape than its types
    AttributeError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
"""All that the client raises, for answers that are as they should be and for those that are not."""

_TOO_LONG: Final = re.compile(r"context (length|window|size)|prompt (is )?too long", re.IGNORECASE)
_UNPUBLISHED: Final = re.compile(r"manifest: (file does not exist|not found)", re.IGNORECASE)
_NO_MEMORY: Final = re.compile(r"system memory|out of memory|\bOOM\b", re.IGNORECASE)


@contextmanager
def model_errors(*, model_id: str, endpoint: Endpoint) -> Iterator[None]:
    """Let nothing but ModelErrors out of the calls of the client inside."""
    try:
        yield
    except FOREIGN as error:
        raise translate(error, model_id=model_id, endpoint=endpoint) from error


def translate(error: Exception, *, model_id: str, endpoint: Endpoint) -> ModelError:
    """Return the ModelError that says in our words what `error` says in the client's.

    The server's own text is looked at and not passed on: it may hold what the model wrote.
    """
    if isinstance(error, ollama.ResponseError):
        return refusal(error.status_code, error.error, model_id=model_id, endpoint=endpoint)
    if isinstance(error, ollama.RequestError):
        return ModelRefused(f"the request to {model_id!r} is not one that can be sent")
    if isinstance(error, httpx.TransportError | httpx.InvalidURL | OSError):
        return _of_connection(error, endpoint)
    return BadReply(f"the answer of {model_id!r} is malformed")


def _of_connection(error: Exception, endpoint: Endpoint) -> ModelError:
    match error:
        case httpx.DecodingError() | httpx.RemoteProtocolError():
            return BadReply(f"the answer from {endpoint.shown} does not follow HTTP")
        case httpx.TimeoutException() | TimeoutError():
            return ModelTimedOut(f"no answer from {endpoint.shown} in time")
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return ModelUnreachable(f"{endpoint.shown} can't be used as an address")
        case _:
            return nothing_answers(endpoint)


def refusal(status: int, text: str, *, model_id: str, endpoint: Endpoint) -> ModelError:
    """Return what an error answer means. `status` is -1 for one in the middle of a stream."""
    if status == httpx.codes.NOT_FOUND or _UNPUBLISHED.search(text):
        return _missing(text, model_id, endpoint)
    if status in (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE):
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
