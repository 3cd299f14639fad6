"""What `/api/show` says that a model can do. Pure."""

from collections.abc import Mapping
from typing import Any

from brain.models.ports import Capabilities

__all__ = ["read_capabilities"]


def read_capabilities(show: Mapping[str, Any], *, num_ctx: int) -> Capabilities:
    """Read the raw answer. `context` is what both the model and `num_ctx` allow, in tokens.

    Servers before 0.6 list no capabilities: there a template that prints tools takes them.
    """
    listed = show.get("capabilities")
    names = {str(name) for name in listed} if isinstance(listed, list) else None
    if names is None:
        names = {"tools"} if ".Tools" in str(show.get("template", "")) else set()
    trained = _context_length(show.get("model_info"))
    return Capabilities(
        tools="tools" in names,
        thinking="thinking" in names,
        constrained=True,
        context=min(num_ctx, trained) if trained else num_ctx,
        embeds="embedding" in names,
    )


def _context_length(model_info: Any) -> int:
    """Return `<architecture>.context_length`, 0 where it is not given."""
    for key, value in model_info.items() if isinstance(model_info, dict) else ():
        if str(key).endswith(".context_length") and isinstance(value, int) and value > 0:
            return value
    return 0
