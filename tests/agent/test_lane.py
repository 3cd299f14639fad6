"""The text lane's reader, with thinking in the way."""

from brain.agent.lane import TextLane
from brain.agent.stream import Reading
from brain.records import ToolCall, ToolSpec

TIME = ToolSpec(name="time", description="The time.", parameters={"type": "object"})
LANE = TextLane(tools=(TIME,), constrained=True)


def read(*pieces: str) -> tuple[str, Reading]:
    reader = LANE.reader("c1")
    shown = "".join([reader.feed(piece) for piece in pieces])
    return shown, reader.finish()


def test_thinking_whose_beginning_the_template_wrote_is_not_read_as_the_answer():
    thought = '{"do": "reply", "reply": "secret"}'
    answer = '{"do": "reply", "reply": "Hello."}'
    assert read(thought, "</think>", answer)[1] == Reading(rest="", text="Hello.")
    assert read(thought, "</think>", '{"do": "time"}')[1] == Reading(
        rest="", text="", calls=(ToolCall(id="c1", name="time"),)
    )


def test_a_reply_is_shown_while_it_is_decoded_and_blanks_around_it_are_not():
    shown, reading = read('{"do": "reply", "reply": "\\n Hel', "lo.\\n", '"}')
    assert (shown, reading) == ("Hello.", Reading(rest="", text="Hello."))
