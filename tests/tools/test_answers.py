"""Tools that only answer, through the executor."""

from pathlib import Path

from brain.records import Effect, Mode, Observation
from tests.clocks import FakeClock
from tests.tools.kit import FACTS, Desk, call, calls_of, event, flush, open_desk


async def test_time_is_told_in_utc_as_rfc_3339(desk: Desk) -> None:
    calls, _ = desk.begin()
    asked = call("time")
    assert await calls.run([asked]) == (
        Observation(call=asked, text="2026-03-02T09:00:00Z", outcome="ok"),
    )


async def test_calc_and_echo_answer_in_the_order_they_were_asked(desk: Desk) -> None:
    calls, _ = desk.begin()
    asked = [call("calc", expression="2 + 3 * 4"), call("echo", text="hello")]
    assert [observation.text for observation in await calls.run(asked)] == ["14", "hello"]


async def test_an_empty_result_says_that_it_is_empty(desk: Desk) -> None:
    calls, _ = desk.begin()
    [observation] = await calls.run([call("echo", text=" ")])
    assert (observation.text, observation.outcome) == ("The tool ran and returned nothing.", "ok")


async def test_a_shadowed_answer_is_kept_with_what_would_have_been_answered(
    tmp_path: Path, clock: FakeClock
) -> None:
    modes: dict[str, Mode] = {"calc": "shadow", "echo": "shadow", "time": "shadow"}
    async with open_desk(tmp_path, clock, modes=modes) as desk:
        calls, _ = desk.begin()
        asked = [call("calc", expression="6 * 7"), call("echo", text="hello"), call("time")]
        observations = await calls.run(asked)
        assert [observation.outcome for observation in observations] == ["shadowed"] * 3
        assert "42" not in observations[0].text
        assert [kept.would for kept in await desk.rehearsals()] == [
            "would have answered 42",
            "would have answered hello",
            "would have answered 2026-03-02T09:00:00Z",
        ]
        assert calls.effects == ()


async def test_an_answer_that_could_not_be_rehearsed_is_told_and_not_kept(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"calc": "shadow"}) as desk:
        calls, journal = desk.begin()
        [observation] = await calls.run([call("calc", expression="1 / 0")])
        await flush(journal)
        assert observation.text == "The call failed: it divides by zero."
        assert await desk.rehearsals() == ()
        assert await desk.events() == [
            event(
                "tool_shadowed",
                tool="calc",
                mode="shadow",
                rule="shadow",
                facts=FACTS,
                outcome="error",
                codes=["bad_arguments"],
            )
        ]


async def test_too_many_answers_in_one_reply_say_nothing_about_notes(desk: Desk) -> None:
    calls, _ = desk.begin()
    observations = await calls.run(calls_of("echo", [str(number) for number in range(9)], "text"))
    assert [observation.outcome for observation in observations] == ["ok"] * 8 + ["refused"]
    assert calls.effects == ()


async def test_a_note_where_there_is_no_memory_fails_in_words(desk: Desk) -> None:
    calls, _ = desk.begin(memory=None)
    [observation] = await calls.run([call("memory_note", note="likes tea")])
    assert observation.text == "The call failed: there is no note box here."
    assert calls.effects == (Effect(kind="refused", reason="there is no note box here"),)
