"""A pipe and a terminal: what is printed where, and how one leaves."""

import os
import signal
from collections.abc import AsyncIterator

import pytest

from brain.cli.exits import DONE, FAILED, INTERRUPTED
from brain.cli.piped import talk_piped
from brain.cli.terminal import Look, talk_at_terminal
from brain.cli.waiting import Sign
from brain.errors import Interrupted
from brain.records import Effect, Reply
from tests.cli.faces import CONSOLE, Answers, NeverEnds, TakesLong, Types
from tests.clocks import FakeClock

CTRL_C = Interrupted("Ctrl-C")
PLAIN = Look(is_dimmed=False)
STILL = Sign(clock=FakeClock(), is_moving=False)


async def each(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


def answered(text: str, *effects: Effect) -> Reply:
    return Reply(text=text, outcome="answered", effects=effects)


async def test_a_pipe_prints_replies_effects_and_truth_to_stdout_and_notices_to_stderr(
    capsys: pytest.CaptureFixture[str],
) -> None:
    saved = Effect(kind="saved", number=1)
    noticed = Reply(
        text="Two, noted.",
        outcome="answered",
        truth="nothing was saved",
        notices=("asked the second model",),
    )
    runtime = Answers(answered("One.", saved), noticed)

    code = await talk_piped(runtime, CONSOLE, each("first", "  ", "", "second "))

    assert code == DONE
    assert capsys.readouterr() == (
        "One.\n[brain] saved note 1\nTwo, noted.\n[brain] nothing was saved\n",
        "asked the second model\n",
    )
    assert [inbound.text for inbound in runtime.heard] == ["first", "second "]


@pytest.mark.parametrize(
    ("outcome", "code_of_reply"),
    [("failed", "timed_out"), ("busy", "busy"), ("command", "store_failed")],
)
async def test_a_pipe_goes_on_after_a_failed_exchange_and_ends_in_1(
    outcome: str, code_of_reply: str, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = Reply(text="No model answered.", outcome=outcome, code=code_of_reply)  # type: ignore[arg-type]
    runtime = Answers(failed, answered("Now."))

    code = await talk_piped(runtime, CONSOLE, each("first", "second"))

    assert code == FAILED
    assert capsys.readouterr().out == "No model answered.\nNow.\n"


async def test_a_notice_is_said_again_only_after_an_answer_without_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, second = "the first model is not here", "the second is busy"
    runtime = Answers(
        noticed(first),
        Reply(text="help", outcome="command"),
        noticed(first),
        noticed(first, second),
        Reply(text="help", outcome="command", notices=("it is not on record",)),
        Reply(text="help", outcome="command", notices=("it is not on record",)),
        noticed(),
        noticed(first),
    )

    await talk_piped(runtime, CONSOLE, each(*"12345678"))

    assert capsys.readouterr().err.splitlines() == [
        first,
        second,
        "it is not on record",
        "it is not on record",
        first,
    ]


async def test_the_first_answer_does_not_repeat_what_was_said_before_the_talk(
    capsys: pytest.CaptureFixture[str],
) -> None:
    here, away = "ollama/a can't be reached.", "ollama/a was asked, and is busy."
    runtime = Answers(noticed(here), noticed(here), noticed(here, away), noticed(), noticed(here))

    await talk_piped(runtime, CONSOLE, each(*"12345"), told=("ollama/a",))

    assert capsys.readouterr().err.splitlines() == [away, here]


async def test_at_a_terminal_too(capsys: pytest.CaptureFixture[str]) -> None:
    runtime = Answers(
        noticed("the first model is not here"), noticed("the first model is not here")
    )

    await talk_at_terminal(runtime, CONSOLE, editor=Types("1", "2", None), look=PLAIN, sign=STILL)

    assert capsys.readouterr().err == "the first model is not here\n"


def noticed(*notices: str) -> Reply:
    return Reply(text="Yes.", outcome="answered", notices=notices)


@pytest.mark.proves("P13")
async def test_a_reply_that_writes_an_effects_line_of_its_own_does_not_pass_for_the_runtime(
    capsys: pytest.CaptureFixture[str],
) -> None:
    forged = answered(
        "Sure!\n[brain] saved note 9", Effect(kind="refused", reason="the box is full")
    )

    await talk_piped(Answers(forged), CONSOLE, each("remember this"))

    assert capsys.readouterr().out == (
        "Sure!\n [brain] saved note 9\n[brain] not saved: the box is full\n"
    )


async def test_a_terminal_shows_a_reply_as_it_comes_and_its_effects_below(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runtime = Answers(
        answered("Hello there.", Effect(kind="saved", number=3)), pieces=("Hello ", "there.")
    )

    code = await talk_at_terminal(
        runtime, CONSOLE, editor=Types("hi", None), look=Look(is_dimmed=True), sign=STILL
    )

    assert code == DONE
    assert capsys.readouterr().out == "Hello there.\n\x1b[2m[brain] saved note 3\x1b[0m\n"


async def test_a_terminal_says_why_an_answer_ended_that_had_begun(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runtime = Answers(
        Reply(text="The model did not answer in time.", outcome="failed"), pieces=("Once ", "upon")
    )

    await talk_at_terminal(runtime, CONSOLE, editor=Types("hi", None), look=PLAIN, sign=STILL)

    assert capsys.readouterr().out == "Once upon\nThe model did not answer in time.\n"


async def test_a_terminal_shows_a_report_that_was_not_streamed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runtime = Answers(Reply(text="0 of 10 notes\x1b[2J", outcome="command"))

    await talk_at_terminal(runtime, CONSOLE, editor=Types("/notes", None), look=PLAIN, sign=STILL)

    assert capsys.readouterr().out == "0 of 10 notes\n"


async def test_ctrl_c_cancels_the_answer_and_the_talk_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runtime = NeverEnds(presses=1)

    code = await talk_at_terminal(
        runtime, CONSOLE, editor=Types("hi", None), look=PLAIN, sign=STILL
    )

    assert runtime.was_cancelled
    assert code == DONE
    assert capsys.readouterr().out == "Let me th\n(cancelled)\n"


async def test_ctrl_c_twice_while_an_answer_comes_leaves() -> None:
    code = await talk_at_terminal(
        NeverEnds(presses=2), CONSOLE, editor=Types("hi"), look=PLAIN, sign=STILL
    )

    assert code == INTERRUPTED


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        pytest.param((CTRL_C, CTRL_C), INTERRUPTED, id="twice leaves"),
        pytest.param((CTRL_C, "hi", CTRL_C, None), DONE, id="once, and a message between, stays"),
        pytest.param((None,), DONE, id="ctrl-d leaves"),
    ],
)
async def test_ctrl_c_at_the_prompt(keys: tuple[str | Interrupted | None, ...], code: int) -> None:
    left = await talk_at_terminal(
        Answers(answered("Hello.")), CONSOLE, editor=Types(*keys), look=PLAIN, sign=STILL
    )

    assert left == code


async def test_ctrl_c_between_an_answer_and_a_prompt_ends_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class PressesBeforeIt(Types):
        async def ask(self) -> str | None:
            os.kill(os.getpid(), signal.SIGINT)
            return await super().ask()

    editor = PressesBeforeIt("hi", None)

    code = await talk_at_terminal(
        Answers(answered("Hello.")), CONSOLE, editor=editor, look=PLAIN, sign=STILL
    )

    assert code == DONE
    assert capsys.readouterr().out == "Hello.\n"


def visible(written: str) -> str:
    """Return what is left on the lines of a terminal: what was erased is gone."""
    return "\n".join(line.rpartition("\r\x1b[K")[2] for line in written.split("\n"))


async def test_while_an_answer_is_awaited_something_moves_and_it_leaves_no_trace(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = FakeClock()
    runtime = TakesLong(answered("Hello."), clock=clock, seconds=40)

    await talk_at_terminal(
        runtime,
        CONSOLE,
        editor=Types("hi", None),
        look=PLAIN,
        sign=Sign(clock=clock, is_moving=True),
    )

    written = capsys.readouterr().out
    assert "\r\x1b[K⠋" in written
    assert "39 s  Ctrl-C cancels" in written
    assert visible(written) == "Hello.\n"


async def test_nothing_moves_before_an_answer_that_comes_at_once_nor_behind_its_first_piece(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = FakeClock()
    sign = Sign(clock=clock, is_moving=True)
    at_once = Answers(answered("Hello."))
    begun = TakesLong(answered("Hello."), clock=clock, seconds=40, pieces=("Hel",))

    for runtime in (at_once, begun):
        await talk_at_terminal(runtime, CONSOLE, editor=Types("hi", None), look=PLAIN, sign=sign)

    assert capsys.readouterr().out == "Hello.\nHel\n"


async def test_for_a_screen_reader_nothing_moves(capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    runtime = TakesLong(answered("Hello."), clock=clock, seconds=40)

    await talk_at_terminal(
        runtime,
        CONSOLE,
        editor=Types("hi", None),
        look=PLAIN,
        sign=Sign(clock=clock, is_moving=False),
    )

    assert capsys.readouterr().out == "Hello.\n"
