"""What an exchange costs in things that can be counted, whatever the machine: waits for the disk,
statements, requests. Figures in time are benchmarks (docs/speed.md).
"""

import asyncio
from pathlib import Path

from brain.clock import SystemClock
from brain.models.scripted import ScriptedModel
from brain.records import Inbound
from brain.runtime import open_runtime
from tests.commits import Statements, counted_statements
from tests.flows.world import World, open_world, sample, written
from tests.ollama_server import OllamaServer

AT_ONCE = 64


async def test_exchanges_of_64_conversations_share_their_waits_for_the_disk(
    tmp_path: Path,
) -> None:
    clock = SystemClock()
    model = ScriptedModel(["Hello."], clock=clock, name="ollama/llama3.2", repeats=True)
    config = written(tmp_path, sample())
    with counted_statements() as seen:
        async with open_runtime(
            config, clock=clock, environ={}, open_model=lambda _: model
        ) as runtime:

            async def say(talk: int) -> str:
                inbound = Inbound(
                    channel="console", conversation=f"talk-{talk}", sender="owner",
                    is_operator=True, text="hi",
                )  # fmt: skip
                return (await runtime.handle(inbound)).outcome

            for _ in range(2):
                seen.clear()
                outcomes = await asyncio.gather(*(say(talk) for talk in range(AT_ONCE)))
                assert outcomes == ["answered"] * AT_ONCE
                assert seen.commits <= AT_ONCE * 0.5


async def _statements(seen: Statements, world: World, text: str) -> list[str]:
    """Return the first word of each statement that answering `text` runs, reads included."""
    seen.clear()
    await world.say(text)
    return [statement.split()[0] for statement in seen.texts]


async def test_neither_an_exchange_nor_a_command_runs_more_statements_as_history_grows(
    tmp_path: Path,
) -> None:
    said = ("hello again", "/notes", "/recall 3", "/context")
    counts: list[dict[str, int]] = []
    with counted_statements() as seen:
        async with open_world(tmp_path, sample(), ["Hello."] * 200) as world:
            for exchanges in (30, 90):
                for number in range(exchanges):
                    await world.say(f"message {number}")
                counts.append({text: len(await _statements(seen, world, text)) for text in said})
    few, many = counts
    # A window that moves on in this exchange is one statement more.
    assert all(many[text] <= few[text] + 1 for text in said), counts


async def test_a_model_is_asked_with_one_request_for_each_call_and_nothing_beside_it(
    tmp_path: Path,
) -> None:
    async with OllamaServer(replies=["Hello."]) as server:
        document = sample()
        document["brains"][0]["models"][0]["base_url"] = server.url
        config = written(tmp_path, document)
        connections = 0
        async with open_runtime(config, clock=SystemClock(), environ={}) as runtime:
            for text in ("first", "second", "third"):
                if text == "second":
                    connections = server.connections
                    server.requests.clear()
                inbound = Inbound(
                    channel="console", conversation="main", sender="owner",
                    is_operator=True, text=text,
                )  # fmt: skip
                assert (await runtime.handle(inbound)).outcome == "answered"

    assert [request.path for request in server.requests] == ["/api/chat", "/api/chat"]
    assert server.connections == connections, "a connection is kept for the next call"
