"""One word for each way a model can fail: for events, receipts and scripts. Pure."""

from collections.abc import Mapping
from typing import Final

from brain.errors import (
    BadReply,
    LocalityBroken,
    ModelBusy,
    ModelError,
    ModelLoading,
    ModelMissing,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    NotLocal,
    PromptTooLong,
    ToolsUnsupported,
)

__all__ = ["ERRORS_BY_CODE", "code_of"]

ERRORS_BY_CODE: Final[Mapping[str, type[ModelError]]] = {
    "unreachable": ModelUnreachable,
    "missing": ModelMissing,
    "loading": ModelLoading,
    "timed_out": ModelTimedOut,
    "refused": ModelRefused,
    "busy": ModelBusy,
    "tools_unsupported": ToolsUnsupported,
    "prompt_too_long": PromptTooLong,
    "bad_reply": BadReply,
    "not_local": NotLocal,
    "locality_broken": LocalityBroken,
}


def code_of(error: ModelError) -> str:
    """Return the word for the kind of `error`; `failed` for one that has none."""
    return next((code for code, kind in ERRORS_BY_CODE.items() if type(error) is kind), "failed")
