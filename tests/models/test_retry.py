"""When a model is asked again."""

from collections.abc import AsyncGenerator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import (
    BadReply,
    LocalityBroken,
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelTimedOut,
    ModelUnreachable,
)
from brain.models import Delta, Done, TextDelta
from brain.models.ollama import OllamaModel
from brain.models.retry import pause_before_retry, retrying
from tests.clocks import FakeClock
from tests.models.asking import ask, text_of
from tests.models.conftest import OpenModel
from tests.ollama_server import Answer, OllamaServer, document

DOWN = ModelUnreachable("down")


@given(
    error=st.sampled_from(
        [DOWN, ModelBusy("busy"), ModelBusy("busy", retry_after_seconds=12), BadReply("bad")]
    ),
    retries_made=st.integers(0, 2000),
    max_retries=st.integers(0, 10),
    has_output=st.booleans(),
    jitter=st.floats(0, 1, exclude_max=True),
)
def test_a_pause_is_bounded_and_nothing_is_repeated_after_output(
    error: ModelError, retries_made: int, max_retries: int, has_output: bool, jitter: float
) -> None:
    pause = pause_before_retry(
        error,
        retries_made=retries_made,
        max_retries=max_retries,
        has_output=has_output,
        jitter=jitter,
    )
    may_retry = (
        isinstance(error, ModelUnreachable | ModelBusy)
        and not has_output
        and retries_made < max_retries
    )
    assert (pause is not None) is may_retry
    if pause is not None:
        wish = error.retry_after_seconds if isinstance(error, ModelBusy) else 0
        assert wish <= pause <= max(wish, 0.2 * 2**retries_made, 30)


@pytest.mark.parametrize(
    ("error", "retries_made", "expected"),
    [
        (DOWN, 0, 0.1),
        (DOWN, 1, 0.2),
        (DOWN, 2, 0.4),
        (ModelBusy("busy", retry_after_seconds=30), 0, 30),
        (ModelBusy("busy", retry_after_seconds=31), 0, None),
        (ModelTimedOut("late"), 0, None),
        (ModelMissing("none"), 0, None),
        (LocalityBroken("lied"), 0, None),
    ],
)
def test_pauses_double_and_retry_after_is_honoured_up_to_half_a_minute(
    error: ModelError, retries_made: int, expected: float | None
) -> None:
    pause = pause_before_retry(
        error, retries_made=retries_made, max_retries=9, has_output=False, jitter=0.5
    )
    assert pause == expected


class InstantClock(FakeClock):
    """Sleeps by moving on at once, and keeps how long."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)


def failing(times: int, error: ModelError, *, after: str = "") -> "list[list[Delta | ModelError]]":
    start: list[Delta | ModelError] = [TextDelta(text=after)] if after else []
    return [[*start, error]] * times + [[TextDelta(text="Yes"), Done(reason="stop")]]


async def run(
    tries: "list[list[Delta | ModelError]]", *, max_retries: int
) -> tuple[str, list[float]]:
    clock = InstantClock()
    left = list(tries)

    async def ask_once() -> AsyncGenerator[Delta, None]:
        for step in left.pop(0):
            if isinstance(step, ModelError):
                raise step
            yield step

    answer = retrying(ask_once, max_retries=max_retries, clock=clock, jitter=lambda: 0.5)
    return text_of([delta async for delta in answer]), clock.slept


async def test_a_server_that_comes_back_is_asked_again() -> None:
    assert await run(failing(2, DOWN), max_retries=2) == ("Yes", [0.1, 0.2])


async def test_it_is_given_up_after_max_retries() -> None:
    with pytest.raises(ModelUnreachable):
        await run(failing(3, DOWN), max_retries=2)


async def test_it_is_never_asked_again_after_output() -> None:
    with pytest.raises(ModelUnreachable):
        await run(failing(1, DOWN, after="We"), max_retries=5)


async def test_a_busy_server_is_waited_for_and_asked_again(server: OllamaServer) -> None:
    from brain.config import Model

    clock = InstantClock()
    settings = Model(
        provider="ollama", model_id="llama3.2", locality="local", base_url=server.url, max_retries=2
    )
    model = OllamaModel(settings, clock=clock, jitter=lambda: 0.5)
    await model.warm()
    busy = document({"error": "busy"}, status=503, headers={"Retry-After": "3"})
    server.replies.extendleft([Answer(raw=[b""]), Answer(raw=[b""]), busy])
    assert text_of(await ask(model)) == "Hello."
    assert clock.slept == [3.0, 0.2]
    await model.close()


async def test_without_max_retries_nothing_is_repeated(
    server: OllamaServer, open_model: OpenModel
) -> None:
    server.replies.appendleft(document({"error": "busy"}, status=503))
    with pytest.raises(ModelBusy):
        await ask(open_model())
    assert len(server.chats) == 1
