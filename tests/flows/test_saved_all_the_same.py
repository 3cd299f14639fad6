"""What was done to notes is said however an exchange ends: cancelled, not stored, broken off."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import pytest

from brain.cli.exits import DONE
from brain.cli.piped import talk_piped
from brain.cli.terminal import talk_at_terminal
from brain.models import ChatRequest, Delta, ScriptedModel
from brain.records import Effect, Reply, Turn
from brain.runtime import Attendance
from brain.store.sqlite import opening
from brain.tools.builtin import memory_note
from tests.cli.faces import CONSOLE, Types
from tests.cli.test_faces import PLAIN, STILL, each
from tests.clocks import FakeClock
from tests.flows.test_reload import TEA, noting
from tests.flows.test_store_in_trouble import lock_held_elsewhere
from tests.flows.world import Document, World, grant, open_world, sample

ALLOWED = grant(sample(), "memory_note", "allow")
SAVED = (Effect(kind="saved", number=1),)

Meanwhile = Callable[[], Awaitable[object]]


class ThenModel(ScriptedModel):
    """Notes the tea, and at its second request lets something happen before it answers."""

    def __init__(self, meanwhile: Meanwhile, *replies: Any) -> None:
        super().__init__(
            [noting(TEA), *(replies or ("I will remember.",)), "Yes?"],
            clock=FakeClock(),
            name="ollama/llama3.2",
        )
        self.meanwhile = meanwhile

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        if len(self.requests) == 1:
            await self.meanwhile()
        async with aclosing(super().chat(request)) as deltas:
            async for delta in deltas:
                yield delta


async def turns(world: World) -> tuple[Turn, ...]:
    """Return what stands in the first session of the main talk."""

    def read(rows: Any) -> tuple[Turn, ...]:
        (talk,) = rows.talks(limit=2)
        found: tuple[Turn, ...] = rows.turns(
            talk.conversation_id, 1, limit=20, may_read_private=True
        )
        return found

    return await world.runtime.store.read(read)


async def cut_while(
    folder: Path, document: Document, model: ScriptedModel, is_time: asyncio.Event
) -> tuple[list[Reply], tuple[Turn, ...], str, str]:
    """Cancel an answer; return what was told, what is stored, the notes, and the next prompt's end."""
    told: list[Reply] = []
    async with open_world(folder, document, model=model) as world:
        inbound = CONSOLE.inbound("Remember my tea.")
        attendance = Attendance(on_cut=told.append)
        asked = asyncio.create_task(world.runtime.handle(inbound, attendance=attendance))
        await is_time.wait()
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked
        stored = await turns(world)
        notes = (await world.say("/notes")).text
        await world.say("Go on.")
        prompt = [(one.role, one.text) for one in world.model.requests[-1].messages[1:]]
    return told, stored, notes, repr(prompt)


@pytest.mark.proves("P13")
async def test_a_cancelled_answer_that_stored_a_note_says_so_in_its_reply_and_in_its_turn(
    tmp_path: Path,
) -> None:
    is_asked = asyncio.Event()

    async def never_end() -> None:
        if not is_asked.is_set():
            is_asked.set()
            await asyncio.Event().wait()

    told, stored, notes, prompt = await cut_while(tmp_path, ALLOWED, ThenModel(never_end), is_asked)

    assert [(reply.outcome, reply.effects) for reply in told] == [("cancelled", SAVED)]
    assert [(turn.role, turn.text, turn.effects) for turn in stored] == [
        ("user", "Remember my tea.", ()),
        ("assistant", "", SAVED),
    ]
    assert TEA in notes
    assert prompt == repr([("user", "Remember my tea.\n\nGo on.")])


@pytest.mark.proves("P13")
@pytest.mark.parametrize("mode", ["allow", "shadow"])
async def test_a_note_whose_commit_was_under_way_when_its_answer_was_cancelled_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    is_storing, loop = asyncio.Event(), asyncio.get_running_loop()
    name = "apply" if mode == "allow" else "rehearse"
    real = getattr(memory_note.MemoryNote, name)

    def tell_and_do(*given: Any) -> Any:
        loop.call_soon_threadsafe(is_storing.set)
        for _ in range(3):  # the one that waits for it cancels the answer before this is committed
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result()
        return real(*given)

    monkeypatch.setattr(memory_note.MemoryNote, name, tell_and_do)

    async def go_on() -> None:
        """Nothing happens: the answer was cancelled before."""

    model = ThenModel(go_on)
    document = grant(sample(), "memory_note", mode)

    told, stored, _, _ = await cut_while(tmp_path, document, model, is_storing)

    kind = "saved" if mode == "allow" else "rehearsed"
    assert [effect.kind for reply in told for effect in reply.effects] == [kind]
    assert [effect.kind for turn in stored for effect in turn.effects] == [kind]


@pytest.mark.proves("P13")
async def test_a_reply_that_could_not_be_stored_says_what_was_stored_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)
    lock = lock_held_elsewhere(tmp_path)

    async def lock_it() -> None:
        lock.__enter__()

    async with open_world(tmp_path, ALLOWED, model=ThenModel(lock_it)) as world:
        reply = await world.say("Remember my tea.")
        lock.__exit__(None, None, None)
        notes = await world.say("/notes")

    assert (reply.outcome, reply.code, reply.effects) == ("failed", "store", SAVED)
    assert reply.text.endswith("What is told of notes below is so all the same.")
    assert TEA in notes.text


@pytest.mark.proves("P13")
async def test_a_fault_of_brain_behind_a_stored_note_does_not_hide_it(tmp_path: Path) -> None:
    async def break_off() -> None:
        raise ZeroDivisionError

    async with open_world(tmp_path, ALLOWED, model=ThenModel(break_off)) as world:
        reply = await world.say("Remember my tea.")

    assert (reply.outcome, reply.code, reply.effects) == ("failed", "internal", SAVED)


@pytest.mark.proves("P13")
async def test_ctrl_c_after_a_note_leaves_its_line_on_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def press() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    async with open_world(tmp_path, ALLOWED, model=ThenModel(press)) as world:
        code = await talk_at_terminal(
            world.runtime,
            CONSOLE,
            editor=Types("Remember my tea.", "/notes", None),
            look=PLAIN,
            sign=STILL,
        )

    shown = capsys.readouterr().out
    assert code == DONE
    assert shown.startswith("(cancelled)\n[brain] saved note 1\n")
    assert shown.count("(cancelled)") == 1
    assert TEA in shown


@pytest.mark.proves("P13")
async def test_a_pipe_that_is_interrupted_after_a_note_prints_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    is_asked = asyncio.Event()

    async def never_end() -> None:
        is_asked.set()
        await asyncio.Event().wait()

    async with open_world(tmp_path, ALLOWED, model=ThenModel(never_end)) as world:
        lines = each("Remember my tea.")
        talk = asyncio.create_task(talk_piped(world.runtime, CONSOLE, lines))
        await is_asked.wait()
        talk.cancel()
        with suppress(asyncio.CancelledError):
            await talk

    assert capsys.readouterr().out == "[brain] saved note 1\n"
