"""Tools that only answer, through the executor."""

from brain.records import Observation
from tests.tools.kit import Desk, call


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
