"""How long Ollama keeps a model loaded, as `keep_alive` says it. Pure."""

import math
import re
from typing import Final

__all__ = ["keep_alive_seconds"]

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")


def keep_alive_seconds(text: str) -> float:
    """Read `5m`, `1h30m`, `300` (seconds) or a negative value (for ever, infinity).

    What can't be read counts as 0: the model may be unloaded at any time.
    """
    text = text.strip().lower()
    if text.startswith("-"):
        return math.inf
    if text.isascii() and text.isdigit():
        return float(text)
    parts = _PART.findall(text)
    if "".join(number + unit for number, unit in parts) != text:
        return 0.0
    return sum(float(number) * _UNITS[unit] for number, unit in parts)
