"""The sets that figures are published from: whole, and made of lines that nobody looked at."""

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

from tests.agent import labelled_claims as claims
from tests.benchmarks.quality_held import ASKED, HELD
from tests.benchmarks.quality_seen import SEEN
from tests.benchmarks.quality_seen_again import SEEN_AGAIN

LANGUAGES = ("en", "es", "ja", "vi", "ko")
Replies = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]


def replies(labelled: Replies) -> list[str]:
    return [reply for claimed, others in labelled.values() for reply in (*claimed, *others)]


def repeated(lines: Iterable[str]) -> list[str]:
    """Those that are there twice, letter case and punctuation aside."""
    counts = Counter("".join(filter(str.isalnum, line.casefold())) for line in lines)
    return [line for line, count in counts.items() if count > 1]


def test_no_held_out_message_was_looked_at() -> None:
    cases = [*HELD.values(), *SEEN.values(), *SEEN_AGAIN.values()]
    asked = [
        text for each in ASKED.values() for fact, question, _ in each for text in (fact, question)
    ]

    assert repeated([*asked, *(case.text for each in cases for case in each)]) == []


def test_no_held_out_reply_was_looked_at() -> None:
    held, seen = replies(claims.HELD), replies(claims.SEEN) + replies(claims.TUNED)

    assert repeated([*held, *set(seen)]) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_held_out_messages_are_of_every_kind(language: str) -> None:
    kinds = Counter(case.kind for case in HELD[language])

    assert kinds == {"note": 8, "time": 2, "calc": 2, "talk": 4, "trap": 4}
    assert len(ASKED[language]) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_of_the_held_out_replies_are_claims(language: str) -> None:
    assert [len(each) for each in claims.HELD[language]] == [15, 15]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_note_must_keep_is_in_its_message(language: str) -> None:
    lost = [
        (case.text, word)
        for case in (*HELD[language], *SEEN[language], *SEEN_AGAIN[language])
        if case.kind == "note"
        for word in case.keeps or ("(nothing to keep)",)
        if word.casefold() not in case.text.casefold()
    ]

    assert lost == []
