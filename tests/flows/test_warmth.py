"""Prompts read ahead while nobody waits: at start, after a note, after a reload that changed them."""

import asyncio
import json
from pathlib import Path

from brain.models import ChatRequest, ScriptedModel
from tests.clocks import FakeClock
from tests.flows.test_reload import PausedModel, Pausing
from tests.flows.world import Document, World, grant, open_world, sample

LIMIT_SECONDS = 20
MODEL = "ollama/llama3.2"


class SlowToRead(ScriptedModel):
    """Never comes to the end of a prompt that it reads ahead, and says when it was cut off."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(["Hello."], clock=clock, name=MODEL)
        self.has_begun = asyncio.Event()
        self.was_cut = False

    async def warm(self, request: ChatRequest | None = None) -> None:
        self.has_begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cut = True
            raise


async def until_read(world: World, times: int) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        while len(world.model.warmed) < times:
            await asyncio.to_thread(len, "")  # it is read in the background


def begun(world: World) -> list[ChatRequest]:
    return [request for request in world.model.warmed if request is not None]


async def offer(world: World, document: Document) -> str:
    return (await world.runtime.reload.apply(json.dumps(document).encode())).kind


async def test_what_a_talk_begins_with_is_read_ahead_and_is_how_its_prompt_begins(tmp_path: Path):
    async with open_world(tmp_path, sample(), ["Hello."]) as world:
        world.runtime.keep_warm()
        await until_read(world, 1)
        await world.say("hi")

        (read,) = begun(world)
        (asked,) = world.model.requests
        assert (read.messages, read.tools) == (asked.messages[:-1], asked.tools)


async def test_a_reload_that_changes_the_prompt_has_the_new_one_read_ahead(tmp_path: Path):
    async with open_world(tmp_path, sample(), ["Hello."]) as world:
        world.runtime.keep_warm()
        await until_read(world, 1)
        assert await offer(world, grant(sample(), "memory_note", "deny")) == "applied"
        await until_read(world, 2)
        await world.say("hi")

        before, after = begun(world)
        (asked,) = world.model.requests
        assert before.tools != after.tools
        assert (after.messages, after.tools) == (asked.messages[:-1], asked.tools)


async def test_a_reload_that_leaves_the_brain_as_it_was_has_nothing_read_again(tmp_path: Path):
    async with open_world(tmp_path, sample()) as world:
        world.runtime.keep_warm()
        await until_read(world, 1)
        assert await offer(world, sample(session={"recall_max": 3})) == "applied"
        assert await offer(world, grant(sample(), "memory_note", "deny")) == "applied"
        await until_read(world, 2)

        assert len(world.model.warmed) == 2


async def test_a_pipe_that_asks_for_no_reading_ahead_gets_none_after_a_reload_either(
    tmp_path: Path,
):
    async with open_world(tmp_path, sample(), ["Hello."]) as world:
        assert await offer(world, grant(sample(), "memory_note", "deny")) == "applied"
        await world.say("hi")

        assert world.model.warmed == []


async def test_a_message_does_not_wait_for_what_is_being_read_ahead(tmp_path: Path):
    clock = FakeClock()
    model = SlowToRead(clock)
    async with open_world(tmp_path, sample(), model=model, clock=clock) as world:
        world.runtime.keep_warm()
        async with asyncio.timeout(LIMIT_SECONDS):
            await model.has_begun.wait()
            reply = await world.say("hi")

        assert (reply.text, model.was_cut) == ("Hello.", True)


async def test_nothing_is_read_ahead_while_an_exchange_is_being_answered(tmp_path: Path):
    clock = FakeClock()
    model = PausedModel(["Hello."], clock=clock, name=MODEL)
    model.pausing = Pausing()
    async with open_world(tmp_path, sample(), model=model, clock=clock) as world:
        exchange = asyncio.create_task(world.say("hi"))
        async with asyncio.timeout(LIMIT_SECONDS):
            await model.pausing.is_asked.wait()
            world.runtime.keep_warm()
            assert await offer(world, grant(sample(), "memory_note", "deny")) == "applied"
            model.pausing.goes_on.set()
            await exchange

        assert model.warmed == []
