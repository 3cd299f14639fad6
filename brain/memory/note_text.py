"""What the text of a note may be: normalised to one line, and refused where it could deceive.

Pure. The same text gives the same answer wherever it comes from: the model, the operator, a
promoted rehearsal or a file.
"""

import re
import unicodedata
from typing import Final, Literal

__all__ = ["Refusal", "fold_note", "normalise_note", "refusal_of", "spellings"]

Refusal = Literal["empty", "too_long", "characters", "template_token"]

_WHITESPACE: Final = re.compile(
    "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
"""Characters with the Unicode property White_Space. `\\s` would also take U+001C to U+001F, which
are control characters and are refused."""

_REFUSED_CHARACTERS: Final = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # control characters that are no whitespace
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidi controls: text that reads otherwise
    "\ud800-\udfff"  # lone surrogates: no text at all
    "\U000e0000-\U000e007f"  # tag characters: text that nobody sees
    "]"
)

_TEMPLATE_TOKENS: Final = re.compile(
    r"<[|｜][^<>|｜]{1,60}[|｜]?>"  # <|im_start|>, <|eot_id|>, <|end|>, <｜User｜>, <|turn>
    r"|<[^<>|｜]{1,60}[|｜]>"  # <turn|>
    r"|\[\|[^\[\]|]{1,60}\|\]"  # [|user|]
    r"|<</?SYS>>"
    r"|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT"
    r"|MODEL_SETTINGS|THINK|ARGS|CALL_ID|PREFIX|MIDDLE|SUFFIX|IMG|IMG_BREAK|IMG_END|gMASK)\]"
    r"|</?(?:s|bos|eos|pad|unk|sop|eop|mask|start_of_turn|end_of_turn|start_of_image|end_of_image"
    r"|tool_call|tool_response|tools|think|channel|function_call|start_function_call"
    r"|end_function_call|start_function_response|end_function_response)>",
    re.IGNORECASE,
)
"""What chat templates of ChatML, Llama, Gemma, Mistral, Phi, DeepSeek and their kin read as the
end of one speaker and the start of another, or as a call."""

_INVISIBLE: Final = frozenset({"Cf", "Cc", "Zs", "Zl", "Zp"})


def normalise_note(text: str) -> str:
    """Return `text` in NFC, every run of whitespace made one space, trimmed."""
    return _WHITESPACE.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def fold_note(normalised: str) -> str:
    """Return what two notes share that say the same, whatever their case."""
    return unicodedata.normalize("NFC", normalised.casefold())


def spellings(normalised: str) -> tuple[str, ...]:
    """Return how the words of a note may stand elsewhere: a model gives them a capital, or takes it."""
    first, rest = normalised[:1], normalised[1:]
    every = (normalised, first.lower() + rest, first.upper() + rest, fold_note(normalised))
    return tuple(dict.fromkeys(every))


def refusal_of(normalised: str, *, max_runes: int) -> Refusal | None:
    """Return why a normalised text is no note, or None. `max_runes` counts code points."""
    if all(unicodedata.category(rune) in _INVISIBLE for rune in normalised):
        return "characters" if _REFUSED_CHARACTERS.search(normalised) else "empty"
    if len(normalised) > max_runes:
        return "too_long"
    if _REFUSED_CHARACTERS.search(normalised):
        return "characters"
    if _TEMPLATE_TOKENS.search(normalised):
        return "template_token"
    return None
