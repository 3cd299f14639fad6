"""Whether a user asks to have something remembered: best effort, by the words of the message (P13).

Pure. It reads English, Spanish, Japanese, Vietnamese and Korean (`asked_words`), each clause for
itself. Who asks what is remembered, how to save a file, or that nothing be saved, does not ask for it.
Where such a request stored nothing that is said, whatever the reply says.
"""

import re
import unicodedata
from typing import Final

from brain.agent.asked_words import LANGUAGES
from brain.agent.wording import Asking

__all__ = ["asks_to_remember", "asks_what_is_kept", "is_mere_question"]

_END_RUNES: Final = 300
"""A request stands at either end of a message; what is between is what it is about, or was pasted."""

_QUOTED: Final = re.compile(
    r'"[^"\n]*"|“[^“”\n]*”|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|‘[^‘’\n]*’|```.*?(?:```|\Z)|`[^`\n]*`'
    # An apostrophe is no quotation mark.
    r"|(?<!\w)'[^'\n]*'(?![a-z])",
    re.DOTALL,
)
_SENTENCE: Final = re.compile(r"[^.!?。！？;\n]+[.!?。！？;\n]*")
_CLAUSE: Final = re.compile(r"(?:[^,、，–—()\s]|\s(?!-\s))+(?:[,、，–—()]|\s-)?")
# A word of politeness between commas does not part what it stands in.
_ASIDE: Final = re.compile(
    r",\s*(please|pls|if you (?:can|could|would|don['’]t mind)|if possible|por ?fa(?:vor)?|si puedes?|si no te importa|"
    r"si es posible|làm ơn|vui lòng)\s*,"
)
_QUESTION: Final = re.compile(r"[?？]")

# What is to be done with a text: the rest of the sentence is that text.
_TASK: Final = re.compile(
    r"\W*(?:(?:please|can you|could you|por favor|hãy)\W+)*(?:translate|summari[sz]e|rewrite|rephrase|"
    r"paraphrase|proofread|correct|explain|spell|compose|draft|write (?:me )?an? (?!note)|what does|"
    r"how (?:do|would|can) (?:you|i)|traduce|traduzca|resume|corrige|reescribe|redacta|explica|"
    r"qué significa|cómo se dice|dịch|tóm tắt|giải thích)\b"
    r"|[^。]*(?:翻訳|要約|訳し|英語に|日本語に|校正|添削)|[^.]*(?:번역|요약|영어로|교정)"
)


def asks_to_remember(text: str) -> bool:
    """Tell whether a message asks that something be remembered, noted or saved for later."""
    return any(
        _asks(clause, asking)
        for sentence in _sentences(text)
        if not _TASK.match(sentence)
        for clause in _CLAUSE.findall(sentence)
        for asking in LANGUAGES
    )


def asks_what_is_kept(text: str) -> bool:
    """Tell whether a message asks what is remembered already, or whether something is."""
    return any(
        asking.kept.search(sentence) for sentence in _sentences(text) for asking in LANGUAGES
    )


def is_mere_question(text: str) -> bool:
    """Tell whether a message asks something, and not that anything be remembered."""
    return _QUESTION.search(_QUOTED.sub(" ", text)) is not None and not asks_to_remember(text)


def _sentences(text: str) -> list[str]:
    ends = _QUOTED.sub(" ", _ends(unicodedata.normalize("NFC", text).lower()))
    return _SENTENCE.findall(_ASIDE.sub(r" \1", ends))


def _ends(text: str) -> str:
    """Return the whole sentences at both ends of a long text."""
    if len(text) <= 2 * _END_RUNES:
        return text
    _, *whole = _SENTENCE.findall(text[-_END_RUNES:]) or [""]
    return "\n".join((text[:_END_RUNES], *whole))


def _asks(clause: str, asking: Asking) -> bool:
    if not any(stem in clause for stem in asking.stems) or asking.unless.search(clause):
        return False
    if asking.wish.match(clause) or asking.anywhere.search(clause):
        return True
    if _QUESTION.search(clause) and not asking.tag.search(clause):
        return False
    return asking.order.match(clause) is not None
