"""Whether a reply says that something was saved: best effort, by its words (P13).

Pure. It reads English, Spanish, Japanese, Vietnamese and Korean (`claim_words`), each clause for
itself; a clause that denies, asks or offers is no claim. A promise to remember is one: nothing would
be remembered. Where the user asked for it, no look at the reply is needed: see `asked`.
`docs/truth-line.md` publishes precision and recall per language.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from brain.agent.claim_words import LANGUAGES
from brain.agent.wording import Claiming

__all__ = ["claims_save"]

_CLAUSE: Final = re.compile(r"[^.!?。！？;\n]{1,400}[.!?。！？;\n]*")
_QUESTION: Final = re.compile(r"[?？]|(?:ですか|ますか|でしょうか|까요|습니까|ㄹ까)\s*[.。]?\s*\Z")
_QUOTED: Final = re.compile(
    r'"[^"\n]{0,300}"|“[^”\n]{0,300}”|«[^»\n]{0,300}»|「[^」\n]{0,300}」|```.*?(?:```|\Z)|`[^`\n]*`',
    re.DOTALL,
)
_QUOTES: Final = ('"', "“", "«", "「", "`")


def claims_save(text: str) -> bool:
    """Tell whether a reply says that something was saved, or promises to remember it."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    lowered = text.lower()
    spoken = [words for words in LANGUAGES if any(stem in lowered for stem in words.stems)]
    if not spoken:
        return False
    clauses = _CLAUSE.findall(_without_quotes(lowered))
    return any(_claims(clause, words) for words in spoken for clause in clauses)


def _without_quotes(text: str) -> str:
    """Return the text without what it only quotes; a text that is one quote is taken at its word."""
    if not any(quote in text for quote in _QUOTES):
        return text
    return _QUOTED.sub(" ", text) if _QUOTED.fullmatch(text.strip()) is None else text


def _claims(clause: str, words: Claiming) -> bool:
    if not any(stem in clause for stem in words.stems):
        return False
    return any(_holds(clause, claim, words) for claim in _found(clause, words))


def _found(clause: str, words: Claiming) -> Iterator[re.Match[str]]:
    for begin in words.begins.finditer(clause):
        if opening := words.opening.match(clause, begin.end()):
            yield opening
    yield from words.claim.finditer(clause)


def _holds(clause: str, claim: re.Match[str], words: Claiming) -> bool:
    """Tell whether what claims a save is neither denied, nor put under a condition, nor asked."""
    start = max((but.end() for but in words.but.finditer(clause, 0, claim.start())), default=0)
    if words.denial.search(clause, start, claim.end()):
        return False
    if words.afterwards.match(clause, claim.end()):
        return False
    rest = words.content.split(clause[claim.end() :], maxsplit=1)[0]
    if words.condition.search(rest):
        return False
    return "," in clause[claim.end() :] or not _QUESTION.search(clause)
