"""Whether a call that a model wants is its own idea, which nobody asked for: best effort, by words.

Pure. A note never is where a message plainly asks to remember something (`asked`). Else it is in two
cases: the message asks a question, in a language whose words are read here, and does not tell beside
it what the note says; or the note says what nobody in the talk said, since a small model notes the answer that it should give. A sum is its own
idea where nobody said any of its numbers.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from brain.agent.asked import asks_to_remember, is_mere_question
from brain.agent.languages import known_language
from brain.agent.native_lane import is_announced
from brain.agent.numerals import any_number_said
from brain.records import ToolCall

__all__ = ["NOTE_TOOL", "is_note_alone", "unasked_tool"]

NOTE_TOOL: Final = "memory_note"
SUM_TOOL: Final = "calc"

_RUNES: Final = 3
"""How long the pieces are that are looked for: a word of Japanese or Korean, a syllable of others."""

_SAID_AT_LEAST: Final = 0.5
"""The share of a note's pieces that stand in the talk. Right notes have nearly all of them there."""

_SENTENCE: Final = re.compile(r"[^.!?。！？;\n]+[.!?。！？;\n]*")
_QUESTION: Final = re.compile(r"[?？]")

_NOT_SAID_ALOUD: Final = re.compile(r"[\W_]+")


def is_note_alone(calls: Sequence[ToolCall]) -> bool:
    """Tell whether one note is all that a model asks for."""
    return len(calls) == 1 and is_announced(calls[0].name, frozenset({NOTE_TOOL}))


def unasked_tool(calls: Sequence[ToolCall], said: str, *, talk: Iterable[str] = ()) -> str:
    """Return the tool of `calls` where they are one note, or one sum, that nobody asked for; else "".

    `said` is the message that is answered, `talk` the texts of the turns before it.
    """
    if is_note_alone(calls):
        note = str(calls[0].arguments.get("note", ""))
        return NOTE_TOOL if _is_unasked(note, said, talk) else ""
    if len(calls) == 1 and is_announced(calls[0].name, frozenset({SUM_TOOL})):
        expression = calls[0].arguments.get("expression")
        is_own = isinstance(expression, str) and not any_number_said(expression, (said, *talk))
        return SUM_TOOL if is_own else ""
    return ""


def _is_unasked(note: str, said: str, talk: Iterable[str]) -> bool:
    if asks_to_remember(said):
        return False
    if is_mere_question(said) and known_language(said) is not None:
        return not _is_said(note, _told(said))
    return not _is_said(note, (said, *talk))


def _told(said: str) -> list[str]:
    """Return the sentences of a message that ask nothing: what stands there is no answer."""
    return [sentence for sentence in _SENTENCE.findall(said) if not _QUESTION.search(sentence)]


def _is_said(note: str, talk: Iterable[str]) -> bool:
    pieces = _pieces(note)
    known = frozenset(piece for text in talk for piece in _pieces(text))
    return bool(pieces) and sum(map(known.__contains__, pieces)) >= _SAID_AT_LEAST * len(pieces)


def _pieces(text: str) -> list[str]:
    plain = _NOT_SAID_ALOUD.sub("", unicodedata.normalize("NFKC", text).casefold())
    return [plain[at : at + _RUNES] for at in range(max(1, len(plain) - _RUNES + 1)) if plain]
