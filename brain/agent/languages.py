"""The runtime's own sentences in five languages, and which of them a person writes in.

Pure. The languages: English (also for all others), Spanish, Japanese, Vietnamese, Korean.
"""

from typing import Literal

from brain.records import Effect

__all__ = ["Language", "claims_save", "language_of", "note_answer", "nothing_saved", "sentence"]

Language = Literal["en", "es", "ja", "vi", "ko"]


def language_of(text: str) -> Language:
    """Return the language a text is written in, by script and common words; "en" where unsure."""
    raise NotImplementedError


def sentence(language: Language, key: str, **fields: object) -> str:
    """Return one sentence of the catalogue with its fields filled in."""
    raise NotImplementedError


def note_answer(language: Language, effects: tuple[Effect, ...]) -> str:
    """Return the runtime's reply to an exchange whose only call was `memory_note`.

    `effects` is what the exchange did to the box; empty: the call was denied.
    """
    raise NotImplementedError


def claims_save(text: str) -> bool:
    """Tell whether a reply says that something was saved, by its words: best effort (P13)."""
    raise NotImplementedError


def nothing_saved(language: Language) -> str:
    """Return the truth line that follows a reply which claims a save that did not happen."""
    raise NotImplementedError
