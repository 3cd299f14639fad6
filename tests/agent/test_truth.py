"""The line `nothing was saved`: what it is judged by, and how well (docs/truth-line.md)."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.agent.asked import asks_to_remember, asks_what_is_kept, is_mere_question
from brain.agent.claims import claims_save
from brain.agent.languages import Language, sentence
from brain.agent.truth import truth_line
from tests.agent.framed_requests import FRAMED
from tests.agent.further_requests import FURTHER
from tests.agent.hard_requests import HARD
from tests.agent.labelled_claims import HELD, SEEN, TUNED
from tests.agent.read_claims import READ as READ_CLAIMS
from tests.agent.read_requests import READ as READ_REQUESTS
from tests.benchmarks import lane_messages, quality_held
from tests.benchmarks.quality_seen import SEEN as SEEN_MESSAGES
from tests.benchmarks.quality_seen_again import SEEN_AGAIN

LANGUAGES: tuple[Language, ...] = ("en", "es", "ja", "vi", "ko")

# Precision, then recall, as docs/truth-line.md publishes them.
CLAIMS: dict[Language, tuple[float, float]] = {
    "en": (1.0, 0.73),
    "es": (1.0, 0.8),
    "ja": (0.91, 0.73),
    "vi": (0.91, 0.73),
    "ko": (1.0, 0.73),
}
REQUESTS: dict[Language, tuple[float, float]] = {
    "en": (1.0, 0.87),
    "es": (1.0, 0.62),
    "ja": (1.0, 0.87),
    "vi": (1.0, 1.0),
    "ko": (1.0, 1.0),
}


def figures(
    judge: Callable[[str], bool], meant: Iterable[str], others: Iterable[str]
) -> tuple[float, float]:
    meant = tuple(meant)
    found = sum(map(judge, meant))
    wrong = sum(map(judge, others))
    return found / max(found + wrong, 1), found / len(meant)


def misjudged(
    judge: Callable[[str], bool], meant: Iterable[str], others: Iterable[str]
) -> list[str]:
    return [text for text in meant if not judge(text)] + [text for text in others if judge(text)]


def requests(cases: Iterable[lane_messages.Case]) -> tuple[list[str], list[str]]:
    cases = tuple(cases)
    return (
        [case.text for case in cases if case.kind == "note"],
        [case.text for case in cases if case.kind != "note"],
    )


@pytest.mark.proves("P13")
@pytest.mark.parametrize("language", LANGUAGES)
def test_claims_of_a_save_are_found_as_well_as_published(language: Language) -> None:
    precision, recall = figures(claims_save, *HELD[language])
    assert precision >= CLAIMS[language][0]
    assert recall >= CLAIMS[language][1]


@pytest.mark.proves("P13")
@pytest.mark.parametrize("language", LANGUAGES)
def test_requests_to_remember_are_found_as_well_as_published(language: Language) -> None:
    precision, recall = figures(asks_to_remember, *requests(quality_held.HELD[language]))
    assert precision >= REQUESTS[language][0]
    assert recall >= REQUESTS[language][1]


@pytest.mark.parametrize("labelled", [TUNED, SEEN, READ_CLAIMS], ids=["tuned", "seen", "read"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_reply_that_the_patterns_were_written_with_is_judged_right(
    labelled: dict[str, tuple[tuple[str, ...], tuple[str, ...]]], language: Language
) -> None:
    assert misjudged(claims_save, *labelled[language]) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_message_that_the_patterns_were_written_with_is_judged_right(
    language: Language,
) -> None:
    for read in (READ_REQUESTS, HARD, FRAMED, FURTHER):
        assert misjudged(asks_to_remember, *read[language]) == []
    assert misjudged(asks_to_remember, *requests(SEEN_MESSAGES[language])) == []
    assert misjudged(asks_to_remember, *requests(SEEN_AGAIN[language])) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_request_is_no_mere_question_however_politely_it_is_asked(language: Language) -> None:
    for read in (HARD, FRAMED, FURTHER):
        assert [text for text in read[language][0] if is_mere_question(text)] == []


@pytest.mark.parametrize("cases", [lane_messages.TUNED, lane_messages.HELD], ids=["tuned", "held"])
def test_each_message_that_the_lane_is_measured_with_is_judged_right(
    cases: tuple[lane_messages.Case, ...],
) -> None:
    assert misjudged(asks_to_remember, *requests(cases)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_runtimes_own_word_of_a_save_is_read_as_a_claim(language: Language) -> None:
    unsaved = ("rehearsed", "held", "full", "too_long", "denied", "refused", "nothing_saved")
    assert claims_save(sentence(language, "saved", number=3))
    assert [key for key in unsaved if claims_save(sentence(language, key))] == []


def test_what_was_asked_for_and_not_done_is_said_whatever_the_reply_says() -> None:
    asked = "Please remember that my dentist is Dr. Okafor."
    for reply in ("I remember Dr. Okafor as your dentist.", "Okay.", "I can't do that."):
        assert truth_line(asked, reply, has_notes=True) == "nothing was saved"
    reply = "I remember Dr. Okafor as your dentist."
    assert truth_line("Who is my dentist?", reply, has_notes=True) == ""


def test_a_claim_is_marked_where_nobody_asked_and_in_the_users_language() -> None:
    for said, reply, line in (
        ("My dentist is Dr. Okafor.", "Memory updated.", "nothing was saved"),
        ("Mi dentista es la doctora Rojas.", "Anotado.", "no se guardó nada"),
        ("The museum?", "It was recorded as opening in 1901.", ""),
    ):
        assert truth_line(said, reply, has_notes=True) == line


KEPT: dict[Language, tuple[str, str]] = {
    "en": ("Did you save my locker number?", "Yes, I have saved it: 52."),
    "es": ("¿Has guardado mi número de taquilla?", "Sí, lo he guardado: la 52."),
    "ja": ("ロッカーの番号を覚えていますか？", "はい、52番とメモしました。"),
    "vi": ("Bạn đã lưu số tủ của tôi chưa?", "Vâng, tôi đã lưu: số 52."),
    "ko": ("내 사물함 번호 저장했어?", "네, 52번이라고 저장했습니다."),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_on_an_earlier_note_is_denied_only_where_there_are_no_notes(
    language: Language,
) -> None:
    asked, reply = KEPT[language]
    assert truth_line(asked, reply, has_notes=True) == ""
    assert truth_line(asked, reply, has_notes=False) == sentence(language, "nothing_saved")


def test_what_a_reply_or_a_message_only_quotes_is_nobodys_word() -> None:
    assert not claims_save('You could write: "I have saved your address." Then sign it.')
    assert claims_save('"I have saved your address."')
    assert not asks_to_remember('What does "remember that I like tea" mean in Spanish?')
    assert not asks_to_remember("Translate into Spanish: remember that I like tea")


def test_the_middle_of_a_long_message_is_what_it_is_about_and_asks_for_nothing() -> None:
    pasted = "\n".join(["The office closes at five."] * 40)
    assert not asks_to_remember(f"Shorten this.\n{pasted}\nRemember that I am away.\n{pasted}")
    assert asks_to_remember(f"Remember this.\n{pasted}")
    assert asks_to_remember(f"{pasted}\nPlease remember that.")


@given(st.text())
def test_any_text_may_be_looked_at(text: str) -> None:
    assert claims_save(text) in (True, False)
    assert asks_to_remember(text) in (True, False)
    assert asks_what_is_kept(text) in (True, False)


@pytest.mark.parametrize(
    "row",
    [
        "ok ",
        "gracias, ",
        "được rồi, ",
        "네, ",
        "「",
        "if i will remember ",
        "xin hãy ",
        "your ",
        "do me a favour and ",
        "is it ok if ",
        "me ",
        "quiero que ",
        "có thể ",
        "nhờ bạn ",
        "메모에 ",
        "«",
    ],
)
@pytest.mark.parametrize("end", ["saved", "nota", "ghi", "記録", "기록"])
def test_a_long_row_of_words_that_may_begin_a_claim_is_read_once(row: str, end: str) -> None:
    """Were it read in each of the ways it can be divided, this would not end."""
    assert not asks_to_remember(row * (280 // len(row)) + end)
    text = row * (20_000 // len(row)) + end
    assert not asks_to_remember(text)
    assert not claims_save(text + " nobody")
