"""The whole assistant over the official client and real HTTP, with servers that serve and that lie."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.errors import ConfigError
from brain.records import Effect, Inbound, Reply
from brain.runtime import Runtime, open_desk, open_runtime
from brain.store import EventFilter
from tests.clocks import FakeClock
from tests.flows.world import Document, grant, sample, written
from tests.ollama_server import HostedModel, OllamaServer, chunk, last_chunk, ndjson

DENTIST = "My dentist is Dr. Alvarez."
REMOTE = {"remote_host": "https://ollama.com:443", "remote_model": "gpt-oss:120b"}


def at(server: OllamaServer, document: Document, **model: Any) -> Document:
    changed: Document = json.loads(json.dumps(document))
    first = changed["brains"][0]["models"][0]
    first.update({"base_url": server.url, **model})
    return changed


@asynccontextmanager
async def running(
    folder: Path, document: Document, clock: FakeClock | None = None
) -> AsyncIterator[Runtime]:
    config = written(folder, document)
    async with open_runtime(config, clock=clock or FakeClock(), environ={}) as runtime:
        yield runtime


async def say(runtime: Runtime, text: str) -> Reply:
    return await runtime.handle(
        Inbound(channel="console", conversation="main", sender="owner", is_operator=True, text=text)
    )


async def event_types(runtime: Runtime, *fields: str) -> list[tuple[Any, ...]]:
    rows = await runtime.store.read(lambda snapshot: snapshot.events(EventFilter(), limit=1000))
    return [tuple(row[field] for field in ("type", *fields)) for row in rows]


def noting(text: str) -> Mapping[str, Any]:
    return {"calls": [{"name": "memory_note", "arguments": {"note": text}}]}


async def test_a_native_call_is_stored_and_the_note_rides_in_the_next_request(tmp_path: Path):
    replies = [noting(DENTIST), "I will remember that.", "Dr. Alvarez."]
    async with OllamaServer(replies=replies) as server:
        document = at(server, grant(sample(), "memory_note", "allow"))
        async with running(tmp_path, document) as runtime:
            stored = await say(runtime, "Remember that my dentist is Dr. Alvarez.")
            answered = await say(runtime, "Who is my dentist?")

        assert stored.effects == (Effect(kind="saved", number=1),)
        assert answered.text == "Dr. Alvarez."
        assert {chat["options"]["num_ctx"] for chat in server.chats} == {8192}
        assert all(chat["truncate"] is False for chat in server.chats)
        system = server.chats[-1]["messages"][0]
        assert system["role"] == "system"
        assert system["content"].endswith(f"\n1. {DENTIST}")


@pytest.mark.parametrize("in_one_chunk", [True, False])
async def test_calls_that_all_say_index_0_run_in_their_order_in_one_chunk_or_in_several(
    tmp_path: Path, in_one_chunk: bool
):
    notes = ("Likes tea", "Lives in Hue", "Has a cat")
    calls = [
        {"function": {"index": 0, "name": "memory_note", "arguments": {"note": note}}}
        for note in notes
    ]
    groups = [calls] if in_one_chunk else [[call] for call in calls]
    asked = ndjson([*(chunk(message={"tool_calls": group}) for group in groups), last_chunk()])
    async with OllamaServer(replies=[asked, "Done."]) as server:
        document = at(server, grant(sample(), "memory_note", "allow"))
        async with running(tmp_path, document) as runtime:
            reply = await say(runtime, "Remember that I like tea, live in Hue and have a cat.")
            used = [
                (kind, tool, outcome)
                for kind, tool, outcome in await event_types(runtime, "tool", "outcome")
                if kind.startswith("tool_")
            ]

        assert reply.text == "Done."
        assert reply.effects == tuple(Effect(kind="saved", number=n) for n in (1, 2, 3))
        assert used == [("tool_used", "memory_note", "ok")] * 3
        answered = [chat for chat in server.chats if chat["options"].get("num_predict") != 1]
        made, *told = answered[1]["messages"][-4:]
        assert [call["function"]["arguments"] for call in made["tool_calls"]] == [
            {"note": note} for note in notes
        ]
        assert [message["content"] for message in told] == [
            f"Stored as note {number}." for number in (1, 2, 3)
        ]


@pytest.mark.parametrize("capabilities", [("completion",), ("completion", "tools", "thinking")])
async def test_thinking_that_the_template_opened_is_neither_shown_nor_kept(
    tmp_path: Path, capabilities: tuple[str, ...]
):
    template = "{{ range .Messages }}{{ .Content }}{{ end }}<|im_start|>assistant\n<think>\n"
    models = {"llama3.2": HostedModel(capabilities=capabilities, template=template)}
    thought = "They greet me, so I greet them.\n</think>\n\n"
    replies = [f"{thought}Good morning.", f"{thought}And to you."]
    shown: list[str] = []
    async with OllamaServer(models=models, replies=replies) as server:
        document = at(server, grant(sample(), "memory_note", "deny"))
        async with running(tmp_path, document) as runtime:
            inbound = Inbound(
                channel="console", conversation="main", sender="owner", is_operator=True, text="Hi"
            )
            first = await runtime.handle(inbound, shown.append)
            await say(runtime, "Good day.")

        assert first.text == "".join(shown) == "Good morning."
        assert not any(
            request.path == "/api/chat" and b"greet" in request.body for request in server.requests
        )


async def test_a_model_without_tools_is_asked_once_and_the_runtime_says_what_was_saved(
    tmp_path: Path,
):
    spoken = json.dumps({"do": "memory_note", "note": "Mi dentista es el Dr. Álvarez."})
    models = {"llama3.2": HostedModel(capabilities=("completion",))}
    async with OllamaServer(models=models, replies=[spoken]) as server:
        document = at(server, grant(sample(), "memory_note", "allow"))
        async with running(tmp_path, document) as runtime:
            reply = await say(runtime, "Recuerda que mi dentista es el Dr. Álvarez.")

        assert reply.outcome == "answered"
        assert reply.effects == (Effect(kind="saved", number=1),)
        assert "{" not in reply.text
        asked = [chat for chat in server.chats if chat["options"].get("num_predict") != 1]
        assert "format" in asked[0]
        assert sum(chat["messages"][-1]["role"] == "user" for chat in asked) == 1


@pytest.mark.proves("P5")
@pytest.mark.parametrize(
    ("model_id", "hosted"),
    [
        ("gpt-oss:120b-cloud", HostedModel()),
        ("kimi:cloud", HostedModel()),
        ("llama3.2", HostedModel(show=REMOTE)),
        ("llama3.2", HostedModel(entry=REMOTE)),
    ],
    ids=["cloud name", "cloud tag", "show says remote", "tags say remote"],
)
async def test_a_private_brain_does_not_start_on_a_model_that_is_not_local(
    tmp_path: Path, model_id: str, hosted: HostedModel
):
    async with OllamaServer(models={model_id: hosted}) as server:
        document = at(server, sample(), model_id=model_id)
        with pytest.raises(ConfigError) as refused:
            async with running(tmp_path, document):
                pass

        assert [problem.path for problem in refused.value.problems] == [
            "brains[0].models[0].locality"
        ]
        assert server.chats == []


@pytest.mark.proves("P5")
async def test_a_server_that_lies_in_its_third_chunk_is_cut_off_there_and_stays_out(
    tmp_path: Path,
):
    document = grant(sample(), "memory_note", "allow")
    lie = ndjson([chunk("It "), chunk("is "), chunk("remote", **REMOTE), last_chunk()])
    async with OllamaServer(replies=[lie]) as server:
        document = at(server, document)
        async with running(tmp_path, document) as runtime:
            await say(runtime, f"/notes add {DENTIST}")
            caught = await say(runtime, "Who is my dentist?")
            again = await say(runtime, "And now?")

            assert (caught.outcome, caught.code) == ("failed", "locality_broken")
            assert "remote" not in caught.text.split()
            assert again.outcome == "failed"
            assert len(server.chats) == 1
            notes = await runtime.store.read(
                lambda snapshot: snapshot.notes(
                    snapshot.boxes()[0][0], may_read_private=True, limit=10
                )
            )
            broken = [
                row for row in await event_types(runtime, "model", "ref") if "broken" in row[0]
            ]
            assert broken == [("locality_broken", "ollama/llama3.2", notes[0].note_id)]

        server.replies.clear()
        server.replies.append("Dr. Alvarez.")
        async with running(tmp_path, document) as runtime:
            assert (await say(runtime, "After a restart?")).outcome == "failed"
            assert len(server.chats) == 1
            config = runtime.config
            async with open_desk(config, clock=FakeClock(), environ={}, sender="ada") as desk:
                await desk.release("ollama/llama3.2")
            assert (await say(runtime, "And after the release?")).text == "Dr. Alvarez."


@pytest.mark.proves("P5")
async def test_a_model_whose_definition_turns_remote_is_found_out_before_it_gets_a_note(
    tmp_path: Path,
):
    clock = FakeClock()
    async with OllamaServer(replies=["Hello."]) as server:
        document = at(server, grant(sample(), "memory_note", "allow"))
        async with running(tmp_path, document, clock) as runtime:
            assert (await say(runtime, "Hello")).outcome == "answered"
            await say(runtime, f"/notes add {DENTIST}")
            server.models["llama3.2"].show = REMOTE
            clock.advance(601)
            refused = await say(runtime, "Who is my dentist?")

        assert refused.outcome == "failed"
        assert not server.received("Alvarez")


async def test_a_server_that_is_down_stops_nothing_and_is_asked_again(tmp_path: Path):
    async with OllamaServer() as server:
        port = server.port
        document = at(server, sample())
    async with running(tmp_path, document) as runtime:
        down = await say(runtime, "Hello?")
        assert (down.outcome, down.code) == ("failed", "unreachable")
        assert "ollama serve" in down.text
        assert (await say(runtime, "/tools")).outcome == "command"
        async with OllamaServer(replies=["Here I am."], port=port):
            assert (await say(runtime, "And now?")).text == "Here I am."


async def test_a_model_that_is_not_pulled_is_told_with_the_command_that_pulls_it(tmp_path: Path):
    async with (
        OllamaServer(models={}) as server,
        running(tmp_path, at(server, sample())) as runtime,
    ):
        missing = await say(runtime, "Hello?")
        assert (missing.outcome, missing.code) == ("failed", "missing")
        assert "pull" in missing.text


@pytest.mark.proves("P5")
async def test_private_rows_stay_out_of_the_prompt_of_a_model_that_is_not_proved_local(
    tmp_path: Path,
):
    """Whatever is changed in the config afterwards."""
    async with OllamaServer(replies=["Fine.", "I do not know."]) as server:
        private = at(server, grant(sample(), "memory_note", "allow"))
        async with running(tmp_path, private) as runtime:
            await say(runtime, f"/notes add {DENTIST}")
            await say(runtime, "My secret is the canary.")
        assert server.received("Alvarez") is True
        server.requests.clear()

        public = at(server, grant(sample(), "memory_note", "allow"), locality="cloud")
        public["brains"][0]["sensitivity"] = "public"
        async with running(tmp_path, public) as runtime:
            answered = await say(runtime, "Who is my dentist?")

        assert answered.outcome == "answered"
        assert not server.received("Alvarez")
        assert not server.received("canary")


async def test_a_stream_that_breaks_off_is_no_answer(tmp_path: Path):
    cut = ndjson([chunk("Half an ")], is_cut=True)
    async with (
        OllamaServer(replies=[cut, "Whole."]) as server,
        running(tmp_path, at(server, sample())) as runtime,
    ):
        broken = await say(runtime, "Hello?")
        assert (broken.outcome, broken.code) == ("failed", "bad_reply")
        assert (await say(runtime, "Again?")).text == "Whole."
