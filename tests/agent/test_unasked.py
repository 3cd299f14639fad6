"""When a note is a model's own idea, and when it was asked for."""

import pytest

from brain.agent.unasked import unasked_tool
from brain.records import ToolCall


def note(text: str) -> tuple[ToolCall, ...]:
    return (ToolCall(id="1", name="memory_note", arguments={"note": text}),)


def sum_of(expression: str) -> tuple[ToolCall, ...]:
    return (ToolCall(id="1", name="calc", arguments={"expression": expression}),)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("Do you remember who painted the night sky?", "Van Gogh painted the night sky"),
        ("¿Cómo se memoriza un poema?", "Un poema se memoriza"),
        ("私について何を覚えていますか？", "私について覚えています"),
        ("Bạn có nhớ mật khẩu không?", "mật khẩu"),
        ("내 생일이 언제인지 기억해?", "내 생일"),
        ("Where does my sister live?", "My sister lives in Porto"),
    ],
)
def test_a_question_asks_for_no_note_whatever_the_note_says(said: str, noted: str) -> None:
    assert unasked_tool(note(noted), said)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("Could you keep in mind that I hate olives?", "I hate olives"),
        ("Remember that I like tea.", "The user likes tea"),
        ("¿Puedes anotar que mi perro se llama Toby?", "Mi perro se llama Toby"),
        ("猫が苦手なんだ、忘れないでね。", "猫が苦手"),
        ("나는 왼손잡이야. 기억해 줘.", "I am left-handed"),
    ],
)
def test_what_was_asked_for_in_words_that_are_known_is_asked_for_whatever_the_note_says(
    said: str, noted: str
) -> None:
    assert not unasked_tool(note(noted), said)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("Save: the rent is due on Friday", "The rent is due on Friday"),
        ("Kannst du dir merken, dass ich keine Nüsse esse?", "Ich esse keine Nüsse."),
        ("Tu peux noter que mon médecin est le docteur Petit ?", "Mon médecin est le Dr Petit"),
        ("帮我记一下，钥匙在花盆下面", "钥匙在花盆下面"),
        ("Could this stay with you? My bus leaves at 7:40.", "My bus leaves at 7:40"),
        ("Запомни: код от двери 4471", "Код от двери 4471"),
    ],
)
def test_elsewhere_a_note_in_the_words_of_the_talk_is_taken_for_asked_for(
    said: str, noted: str
) -> None:
    assert not unasked_tool(note(noted), said)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("Remind me what photosynthesis is.", "Plants turn light into sugar and breathe oxygen"),
        ("Erinnerst du dich, wer Faust schrieb?", "Johann Wolfgang von Goethe war es"),
        ("你记得谁写了红楼梦吗？", "曹雪芹是一位作家"),
        ("Как запомнить длинный текст?", "Пожалуйста, повторяйте его вслух"),
        ("Hm.", ""),
        ("…", "!"),
    ],
)
def test_elsewhere_a_note_of_what_nobody_said_is_the_models_own_idea(said: str, noted: str) -> None:
    assert unasked_tool(note(noted), said)


def test_what_was_said_before_is_said() -> None:
    said, noted = "Merk dir das bitte", "Das Treffen ist um neun im Rathaus"
    assert unasked_tool(note(noted), said)
    assert not unasked_tool(note(noted), said, talk=["Das Treffen ist um neun.", "Im Rathaus?"])


def test_only_a_note_alone_is_looked_at() -> None:
    said, [mine] = "What is Faust?", note("A play by Goethe")
    time = ToolCall(id="2", name="time")
    assert not unasked_tool((), said)
    assert not unasked_tool((time,), said)
    assert not unasked_tool((mine, time), said)
    by_another_name = ToolCall(id="1", name="functions.memory_note")
    assert unasked_tool((by_another_name,), said) == "memory_note"


@pytest.mark.parametrize(
    ("said", "expression"),
    [
        ("How many bones does a person have?", "206"),
        ("¿Quién aparece en el billete de mil pesos?", "1000000/100"),
        ("半熟のゆで卵は何分？", "1/2 * 30"),
        ("lưu file word thành pdf kiểu gì vậy", "word2pdf"),
        ("Is a hundred a big number?", "7*6"),
        ("한글 파일을 어떻게 저장해?", "100*0.7"),
        ("How is nothing made?", "0"),
    ],
)
def test_a_sum_none_of_whose_numbers_was_said_is_the_models_own_idea(
    said: str, expression: str
) -> None:
    assert unasked_tool(sum_of(expression), said) == "calc"


@pytest.mark.parametrize(
    ("said", "expression"),
    [
        ("What is 12 times 34?", "12*34"),
        ("twelve times thirty-four", "12 * 34"),
        ("half of ninety", "90/2"),
        ("veintiocho entre siete", "28/7"),
        ("treinta y cuatro por dos", "34*2"),
        ("三十四かける二は？", "34*2"),
        ("１２０円を３つ", "120*3"),
        ("ba mươi bốn nhân hai", "34*2"),
        ("áo 500 nghìn giảm 20%", "500000*(1-0.2)"),
        ("서른넷 더하기 둘", "34+2"),
        ("5만원에서 20% 할인", "50000*0.8"),
        ("4.300 trừ 1.865", "4300-1865"),
        ("15% of that", "x*0.15"),
    ],
)
def test_a_sum_with_a_number_that_was_said_in_digits_or_words_is_asked_for(
    said: str, expression: str
) -> None:
    assert unasked_tool(sum_of(expression), said) == ""


def test_a_number_that_was_said_before_is_said() -> None:
    assert unasked_tool(sum_of("408/4"), "And a quarter of that?", talk=["12*34 = 408"]) == ""


def test_a_sum_that_can_not_be_read_is_told_to_the_model_as_ever() -> None:
    assert unasked_tool((ToolCall(id="1", name="calc", malformed="no object"),), "Hi") == ""
