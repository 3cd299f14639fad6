"""What clients of OpenAI's API may ask for that would change the form of an answer. Pure.

An answer is one text. Who asks for another form and gets a text would read it wrongly, so that is
refused by name. What only tunes how a model samples changes nothing here: the config decides it.
"""

from collections.abc import Mapping
from typing import Any, Final

from brain.channels.http.bodies import Fields
from brain.channels.http.refusal import Refusal

__all__ = ["PLAIN", "refuse_other_forms"]

_TOOLS: Final = "tools are the brain's own, under its policy"
_TEXT: Final = "an answer is one plain text here"

PLAIN: Final[Mapping[str, tuple[str, tuple[Any, ...]]]] = {
    "n": ("one answer is given: n has to be 1", (1,)),
    "tools": (_TOOLS, ([],)),
    "functions": (_TOOLS, ([],)),
    "tool_choice": (_TOOLS, ("none", "auto")),
    "function_call": (_TOOLS, ("none", "auto")),
    "response_format": (f"{_TEXT}, not held to a format", ({"type": "text"},)),
    "logprobs": (f"{_TEXT}, without its probabilities", (False,)),
    "top_logprobs": (f"{_TEXT}, without its probabilities", (0,)),
    "stop": ("where an answer ends the model and the config decide", ([],)),
    "modalities": (_TEXT, (["text"],)),
    "audio": (_TEXT, ()),
    "web_search_options": ("brain searches no web for an answer", ()),
    "moderation": (f"{_TEXT}, without a moderator's report", ()),
}
"""By name: why no other form is given, and what asks for none. Null and absence ask for none too."""


def refuse_other_forms(fields: Fields) -> None:
    """Raise Refusal, with the name of the parameter, for what would change the answer's form."""
    for name, (why, plain) in PLAIN.items():
        value = fields.value(name)
        if value is not None and not any(_is_same(value, each) for each in plain):
            raise Refusal(400, "unsupported", f"{name!r} is not done here: {why}", path=name)


def _is_same(value: Any, other: Any) -> bool:
    """Tell whether they are the same JSON: true is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)
