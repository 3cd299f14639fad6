"""The loop by itself: who is asked what, and when it ends."""

from collections.abc import Sequence
from typing import Literal

from brain.agent.loop import Answer, Ending, run_loop
from brain.agent.riding import CALLS_RIDING, CUT_RUNES
from brain.records import Message, Observation, ToolCall

Outcome = Literal["ok", "error", "malformed"]

TIME = ToolCall(id="1", name="time")
BAD = ToolCall(id="2", name="time", malformed="no object")


class Talk:
    """A model with a list of answers, and tools that say `ok` unless the call is malformed."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.tails: list[tuple[Message, ...]] = []
        self.ran: list[ToolCall] = []
        self.outcomes: dict[str, Outcome] = {}
        self.was_asked_for_a_reply = False

    async def ask(self, tail: tuple[Message, ...]) -> Answer:
        self.tails.append(tail)
        return self.answers.pop(0)

    async def act(self, calls: Sequence[ToolCall]) -> tuple[Observation, ...]:
        self.ran.extend(calls)
        return tuple(
            Observation(call=call, text="ok", outcome=self._outcome(call)) for call in calls
        )

    def _outcome(self, call: ToolCall) -> Outcome:
        return "malformed" if call.malformed else self.outcomes.get(call.id, "ok")

    async def reply(self) -> Answer:
        self.was_asked_for_a_reply = True
        return self.answers.pop(0)

    async def run(
        self, *, max_iterations: int = 5, settles: bool = False, is_aside: bool = False
    ) -> Ending:
        return await run_loop(
            ask=self.ask,
            act=self.act,
            reply=self.reply,
            is_settled=lambda _: settles,
            is_aside=lambda _: is_aside,
            max_iterations=max_iterations,
        )


async def test_an_answer_without_calls_ends_it():
    talk = Talk(Answer(text="hello"))
    assert (await talk.run(), talk.tails) == ("answered", [()])


async def test_an_empty_answer_is_its_own_ending():
    assert await Talk(Answer(text="")).run() == "empty_reply"


async def test_the_next_question_holds_each_call_and_what_came_of_it():
    talk = Talk(Answer(text="Let me see.", calls=(TIME, TIME)), Answer(text="nine"))
    assert await talk.run() == "answered"
    observed = Message(role="tool", text="ok", call_id="1", tool_name="time")
    asked = Message(role="assistant", text="Let me see.", calls=(TIME, TIME))
    assert talk.tails == [(), (asked, observed, observed)]


async def test_calls_that_are_beside_the_point_do_not_run_and_a_reply_is_asked_for_and_ends_it():
    talk = Talk(Answer(text="", calls=(TIME,)), Answer(text="nine"))
    assert await talk.run(is_aside=True) == "answered"
    assert (talk.tails, talk.ran, talk.was_asked_for_a_reply) == ([()], [], True)

    silent = Talk(Answer(text="", calls=(TIME,)), Answer(text="", calls=(TIME,)))
    assert (await silent.run(is_aside=True), silent.ran) == ("empty_reply", [])


async def test_a_call_that_cant_be_read_is_told_once_and_ends_it_the_second_time():
    once = Talk(Answer(text="", calls=(BAD,)), Answer(text="sorry"))
    assert await once.run() == "answered"
    twice = Talk(
        Answer(text="", calls=(BAD,)),
        Answer(text="", calls=(TIME,)),
        Answer(text="", calls=(BAD,)),
    )
    assert await twice.run() == "malformed_calls"


async def test_of_a_huge_call_that_could_not_be_made_only_a_little_rides_back():
    words = "x" * 100_000
    huge = ToolCall(id="3", name=words, malformed=words)
    unfit = ToolCall(id="4", name="time", arguments={words: words, "list": [words], "n": 10**5000})
    ran = ToolCall(id="5", name="echo", arguments={"text": words})
    talk = Talk(Answer(text="", calls=(huge, unfit, ran, *[huge] * 100)), Answer(text="sorry"))
    talk.outcomes = {"4": "error"}
    assert await talk.run() == "answered"
    asked, *told = talk.tails[1]
    assert (len(asked.calls), len(told)) == (CALLS_RIDING, CALLS_RIDING)
    assert asked.calls[2] == ran
    cut_name = "x" * 64 + "…"
    assert asked.calls[0] == ToolCall(id="3", name=cut_name, malformed="x" * CUT_RUNES + "…")
    assert asked.calls[1].arguments == {cut_name: "x" * CUT_RUNES + "…", "list": "…", "n": "…"}
    assert told[0] == Message(role="tool", text="ok", call_id="3", tool_name=cut_name)


async def test_no_more_answers_are_asked_for_than_allowed():
    talk = Talk(*[Answer(text="", calls=(TIME,))] * 9)
    assert (await talk.run(max_iterations=3), len(talk.tails), len(talk.ran)) == (
        "iteration_cap",
        3,
        3,
    )


async def test_only_the_first_calls_may_settle_it():
    talk = Talk(Answer(text="", calls=(TIME,)))
    assert (await talk.run(settles=True), len(talk.tails)) == ("settled", 1)
