import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.agent.languages import (
    Language,
    language_of,
    note_answer,
    nothing_saved,
    sentence,
)
from brain.memory import notes
from brain.records import Effect

LANGUAGES: tuple[Language, ...] = ("en", "es", "ja", "vi", "ko")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Remember that my sister is called Ada.", "en"),
        ("hi", "en"),
        ("", "en"),
        ("4471", "en"),
        ("Recuerda que soy alérgico a las nueces.", "es"),
        ("¿Qué hora es?", "es"),
        ("Anota: el fontanero viene el viernes", "es"),
        ("hola", "es"),
        ("私の誕生日は3月5日だと覚えておいて。", "ja"),
        ("メモして", "ja"),
        ("Pythonの勉強が好き", "ja"),
        ("Hãy nhớ là tôi ăn chay.", "vi"),
        ("Xin chào", "vi"),
        (unicodedata.normalize("NFD", "Tôi ở Hà Nội"), "vi"),
        ("내 차 번호는 1234라고 기억해 줘.", "ko"),
        ("iPhone 비밀번호는 0000", "ko"),
        # most of it decides, not a word that is quoted
        ("Remember that 猫 means cat in Japanese", "en"),
        ("How do I say ありがとう to my boss at work?", "en"),
        ("Remember that Nguyễn is my neighbour", "en"),
        ("Please note that el Prado is in Madrid", "en"),
        # languages without a catalogue
        ("Souviens-toi que je suis allergique aux noix et que je suis végétarien", "en"),
        ("Lembre que eu sou alérgico e não como carne", "en"),
        ("Ricorda che io sono allergico e non mangio carne", "en"),
        ("Merke dir, dass ich nicht da bin", "en"),
        ("请记住我的生日", "en"),
    ],
)
def test_the_language_is_told_by_script_and_words(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text())
def test_any_text_has_a_language(text: str) -> None:
    assert language_of(text) in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_sentence_and_they_differ(language: Language) -> None:
    effects = (
        Effect(kind="saved", number=7),
        Effect(kind="duplicate", number=7),
        Effect(kind="rehearsed", number=7),
        Effect(kind="held", number=7, reason="this talk read cv.txt"),
        Effect(kind="refused", reason="the box is full (10 of 10)", fix="/notes clear empties it"),
        Effect(kind="refused", reason="the note has 300 characters, 200 are allowed"),
        Effect(kind="refused", reason="memory_note is not permitted here"),
        Effect(kind="refused", reason="the note is empty"),
    )
    answers = [note_answer(language, (effect,)) for effect in effects]
    assert len(set(answers)) == len(answers)
    assert ["7" in answer for answer in answers] == [True] * 4 + [False] * 4
    assert language_of(answers[0]) == language
    assert note_answer(language, ()) == sentence(language, "denied")


def test_the_reasons_that_have_a_sentence_are_those_of_the_note_box() -> None:
    reasons = notes._REASONS
    full = Effect(kind="refused", reason=reasons["full"].format(count=10, max_notes=10))
    long = Effect(kind="refused", reason=reasons["too_long"].format(runes=9, max_note_runes=8))
    crowded = Effect(
        kind="refused", reason=reasons["no_room"].format(block_tokens=9, budget_tokens=8)
    )
    alone = Effect(kind="refused", reason=notes._TOO_LONG_ALONE.format(tokens=9, budget_tokens=8))
    assert note_answer("en", (full,)) == sentence("en", "full")
    assert note_answer("en", (crowded,)) == sentence("en", "full")
    assert note_answer("en", (alone,)) == sentence("en", "too_long")
    assert note_answer("en", (long,)) == sentence("en", "too_long")


def test_the_truth_line_is_in_the_users_language() -> None:
    assert nothing_saved("en") == "nothing was saved"
    assert len({nothing_saved(language) for language in LANGUAGES}) == len(LANGUAGES)
