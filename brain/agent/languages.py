"""The runtime's own sentences in five languages, and which of them a person writes in.

Pure. The languages: English (also for all others), Spanish, Japanese, Vietnamese, Korean. So far the
catalogue holds English alone.
"""

import re
from typing import Final, Literal

from brain.records import Effect

__all__ = ["Language", "claims_save", "language_of", "note_answer", "nothing_saved", "sentence"]

Language = Literal["en", "es", "ja", "vi", "ko"]

_CLAIM: Final = re.compile(
    r"\b(?:i(?:'ve| have)?|it(?:'s| is| has been)?|that(?:'s| is| has been)?)\s+(?:now\s+)?"
    r"(?:been\s+)?(?:saved|stored|noted|remembered)\b",
    re.IGNORECASE,
)


def language_of(text: str) -> Language:  # noqa: ARG001 - the catalogue holds English alone so far
    """Return the language a text is written in, by script and common words; "en" where unsure."""
    return "en"


def sentence(language: Language, key: str, **fields: object) -> str:
    """Return one sentence of the catalogue with its fields filled in."""
    raise NotImplementedError


def note_answer(language: Language, effects: tuple[Effect, ...]) -> str:  # noqa: ARG001 - see above
    """Return the runtime's reply to an exchange whose only call was `memory_note`.

    `effects` is what the exchange did to the box; empty: the call was denied.
    """
    if not effects:
        return "I may not keep notes here."
    match effects[0].kind:
        case "saved":
            return f"I have saved that as note {effects[0].number}."
        case "duplicate":
            return f"I had that already, as note {effects[0].number}."
        case "rehearsed":
            return "This was a rehearsal: nothing was saved."
        case "held":
            return "I have not saved that; it is held for you to decide."
        case "refused":
            return f"I have not saved that: {effects[0].reason}."


def claims_save(text: str) -> bool:
    """Tell whether a reply says that something was saved, by its words: best effort (P13)."""
    return _CLAIM.search(text) is not None


def nothing_saved(language: Language) -> str:  # noqa: ARG001 - see above
    """Return the truth line that follows a reply which claims a save that did not happen."""
    return "nothing was saved"
