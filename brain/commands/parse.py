"""What an inbound message is: a trigger, a command, a word nobody knows, or text for the model."""

from dataclasses import dataclass
from typing import Final, Literal

__all__ = [
    "COMMANDS",
    "DEFAULT_TRIGGERS",
    "RESERVED",
    "Parsed",
    "after_first_word",
    "parse",
    "trigger_words",
    "words_of",
]

RESERVED: Final = ("notes", "recall", "tools", "memories", "pages", "help", "activity", "why")
"""Never reach the model, whether or not the feature is configured; no trigger may take their name."""

DEFAULT_TRIGGERS: Final = ("new", "reset")
"""Answered even where no session is configured: a cut that does nothing must say so."""

COMMANDS: Final = RESERVED + DEFAULT_TRIGGERS

_ZERO_WIDTH: Final = "\ufeff\u200b\u2060"
_DROP_ZERO_WIDTH: Final = {ord(character): None for character in _ZERO_WIDTH}
_SLASHES: Final = ("/", "\uff0f")
_LONGEST_WORD: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a message is. `name` has no slash and is case-folded; it is empty for text.

    `rest` is what follows the first token and the one white space after it, further lines
    included; it is empty when nothing but white space follows. For text it is the whole message.
    """

    kind: Literal["trigger", "command", "unknown", "text"]
    name: str
    rest: str


def parse(text: str, *, triggers: tuple[str, ...], channel_type: str) -> Parsed:
    """Read the first token of `text`. Never raises.

    An unknown `/word` is told apart from text on the console alone, and there white space before
    it makes it text. A path (`/var/log`), a quote and anything embedded are text everywhere.
    """
    start = _first_visible(text)
    end = _token_end(text, start)
    word = _word(text[start:end])
    as_text = Parsed(kind="text", name="", rest=text)
    if not word:
        return as_text
    rest = text[end + 1 :]
    if _is_blank(rest):
        rest = ""
    if word in trigger_words(triggers):
        return Parsed(kind="trigger", name=word, rest=rest)
    if word in COMMANDS:
        return Parsed(kind="command", name=word, rest=rest)
    is_indented = any(character.isspace() for character in text[:start])
    if channel_type != "console" or is_indented or not _could_be_meant(word):
        return as_text
    return Parsed(kind="unknown", name=word, rest=rest)


def trigger_words(triggers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the configured triggers as `Parsed.name` writes them: without slash, case-folded."""
    return tuple(_word(trigger) for trigger in triggers)


def words_of(rest: str) -> list[str]:
    """Split what follows a command into words, without the characters that nobody sees."""
    return rest.translate(_DROP_ZERO_WIDTH).split()


def after_first_word(rest: str) -> str:
    """Return what follows the first word of `rest`, as it was typed."""
    return rest[_token_end(rest, _first_visible(rest)) :]


def _first_visible(text: str) -> int:
    return next((at for at, character in enumerate(text) if not _is_skipped(character)), len(text))


def _token_end(text: str, start: int) -> int:
    return next((at for at in range(start, len(text)) if text[at].isspace()), len(text))


def _is_skipped(character: str) -> bool:
    return character.isspace() or character in _ZERO_WIDTH


def _is_blank(text: str) -> bool:
    return _first_visible(text) == len(text)


def _word(token: str) -> str:
    """Return the bare word of a token that starts with a slash, or an empty text."""
    if not token.startswith(_SLASHES):
        return ""
    return token[1:].split("@", 1)[0].translate(_DROP_ZERO_WIDTH).casefold()


def _could_be_meant(word: str) -> bool:
    is_path = any(slash in word for slash in _SLASHES)
    return (
        not is_path
        and len(word) <= _LONGEST_WORD
        and any(character.isalpha() for character in word)
    )
