"""What `/api/show` says that a model can do. Pure."""

import re
from collections.abc import Mapping
from typing import Any, Final

from brain.models.ports import Capabilities

__all__ = ["read_capabilities"]


def read_capabilities(show: Mapping[str, Any], *, num_ctx: int) -> Capabilities:
    """Read the raw answer. `context` is what both the model and `num_ctx` allow, in tokens.

    Servers before 0.6 list no capabilities: there a template that prints tools takes them. Without a
    template, a model that thinks may begin with it.
    """
    listed = show.get("capabilities")
    template = show.get("template")
    template = template if isinstance(template, str) else ""
    names = {str(name) for name in listed} if isinstance(listed, list) else None
    if names is None:
        names = {"tools"} if ".Tools" in template else set()
    trained = _context_length(show.get("model_info"))
    return Capabilities(
        tools="tools" in names,
        thinking="thinking" in names,
        constrained=True,
        context=min(num_ctx, trained) if trained else num_ctx,
        embeds="embedding" in names,
        opens_thinking=_opens_thinking(template) if template.strip() else "thinking" in names,
    )


_THINKING_TAG: Final = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_ACTIONS: Final = re.compile(r"(?:\s|\{\{[^{}]*\}\})*")
_WHERE_ASKED: Final = re.compile(r"\{\{-?\s*(?:else )?if [^{}]*\.Think\b[^{}]*\}\}\s*\Z")


def _opens_thinking(template: str) -> bool:
    """Tell whether a template ends with a tag that opens thinking, so that no answer has it.

    Where it does so only if thinking was asked for, the server takes the thinking out of the answer.
    """
    tags = list(_THINKING_TAG.finditer(template))
    if not tags or tags[-1][1]:
        return False
    last = tags[-1]
    is_at_end = _ACTIONS.fullmatch(template, last.end()) is not None
    return is_at_end and not _WHERE_ASKED.search(template, 0, last.start())


def _context_length(model_info: Any) -> int:
    """Return `<architecture>.context_length`, 0 where it is not given."""
    for key, value in model_info.items() if isinstance(model_info, dict) else ():
        if str(key).endswith(".context_length") and isinstance(value, int) and value > 0:
            return value
    return 0
