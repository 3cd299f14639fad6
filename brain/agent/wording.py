"""How the words of a claim or of a request are put: the shapes that `claims` and `asked` read.

Pure, and no words of any language: those are in `claim_english`, `claim_words`, `asked_english` and
`asked_words`.
All is matched in lower case.
"""

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["AT_ONCE", "NEVER", "Asking", "Claiming", "after", "any_of"]

NEVER: Final = re.compile(r"(?!)")
AT_ONCE: Final = re.compile(r"\A")


def any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


def after(lead: str, *patterns: str) -> re.Pattern[str]:
    """What begins a clause, behind as many words of assent, address or politeness as there are.

    No word of `lead` may be two others together: how to read a row of them must not be a choice.
    """
    return re.compile(rf"\W*(?:(?:{lead})\b\W*)*(?:{'|'.join(patterns)})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claiming:
    """How one language claims a save.

    `stems`: a clause without any of them holds no claim; to look for them is cheap. `opening` claims
    one at the beginning of a clause (`begins` finds those), `claim` anywhere in it. `denial` undoes a
    claim from the clause's beginning, or its last `but`, to the claim's end; `afterwards` right
    behind it; `condition` behind it, up to where `content` begins: what it is that was saved.
    """

    stems: tuple[str, ...]
    begins: re.Pattern[str]
    opening: re.Pattern[str]
    claim: re.Pattern[str]
    denial: re.Pattern[str]
    afterwards: re.Pattern[str]
    condition: re.Pattern[str]
    content: re.Pattern[str]
    but: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How one language asks for it.

    `stems`: a clause without any of them asks for nothing; to look for them is cheap. `order` is a
    request at the beginning of a clause that is no question, or one only by the `tag` at its end
    ("save this, ok?"); `wish` one that may be put as one, `anywhere` one that may stand behind what it
    is about. A clause that holds `unless` is about something else. `kept` asks what is remembered already, or whether something is.
    """

    stems: tuple[str, ...]
    order: re.Pattern[str]
    wish: re.Pattern[str]
    anywhere: re.Pattern[str]
    tag: re.Pattern[str]
    unless: re.Pattern[str]
    kept: re.Pattern[str]
