"""The receipt of an exchange: what rode in its prompt, kept with its reply, told by `/why`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from brain.commands import account_data, last_account
from brain.records import JSONValue, Receipt
from brain.store import Snapshot
from tests.clocks import FakeClock
from tests.flows.test_first_conversation import DENTIST, noting
from tests.flows.world import World, grant, open_world, sample


async def kept(world: World) -> Receipt:
    def look(snapshot: Snapshot) -> Receipt | None:
        return snapshot.receipt(snapshot.conversation_id("console", "main") or "")

    found = await world.runtime.store.read(look)
    if found is None:
        raise AssertionError("there is no receipt")
    return found


async def as_data(world: World) -> JSONValue:
    def look(snapshot: Snapshot) -> JSONValue:
        account = last_account(snapshot, snapshot.conversation_id("console", "main") or "")
        return None if account is None else account_data(account)

    return await world.runtime.store.read(look)


@pytest.mark.proves("P14")
async def test_a_receipt_names_the_notes_that_rode_the_tools_and_the_size_of_each_part(
    tmp_path: Path,
):
    document = grant(sample(), "memory_note", "allow")
    document["brains"][0]["persona"] = {"display_name": "Ada"}
    replies = [noting(DENTIST), "I will remember.", "Dr. Alvarez."]
    async with open_world(tmp_path, document, replies) as world:
        await world.say("Remember that my dentist is Dr. Alvarez.")
        await world.say("/notes add has a cat")
        await world.say("/notes drop 2")
        await world.say("/notes add plays chess")
        reply = await world.say("Who is my dentist?")

        receipt = await kept(world)
        assert replace(receipt, note_ids=(), parts={}, estimated_tokens=0, proof_id="") == Receipt(
            exchange_id=reply.exchange_id,
            model="ollama/llama3.2",
            proof_id="",
            is_local=True,
            lane="native",
            parts={},
            estimated_tokens=0,
            room_tokens=7168,
            notes=(1, 3),
            note_ids=(),
            tools=("memory_note", "time"),
            exchanges=1,
            dropped=0,
        )
        assert {name for name, tokens in receipt.parts.items() if tokens} == {
            "persona", "notes", "tools", "message", "history",
        }  # fmt: skip
        assert sum(receipt.parts.values()) <= receipt.estimated_tokens <= receipt.room_tokens
        told = (await world.say("/why")).text
        assert "In the prompt: notes 1, 3; 1 exchange before this one (2 turns); " in told
        assert "announced memory_note, time." in told
        assert f"proof {receipt.proof_id} (local), asked once" in told
        assert f"{receipt.estimated_tokens} in all, room for 7168." in told
        assert "dentist" not in json.dumps(await as_data(world)) + told


@pytest.mark.proves("P14")
async def test_what_calls_and_their_answers_cost_and_how_they_were_decided_is_on_the_receipt(
    tmp_path: Path,
):
    async with open_world(tmp_path, sample(), [noting(DENTIST), "A rehearsal."]) as world:
        await world.say("Remember that my dentist is Dr. Alvarez.")

        assert (await kept(world)).parts["calls"] > 0
        found = await as_data(world)
        assert isinstance(found, dict)
        assert (found["asked"], found["notes"], found["tools"]) == (2, [], ["memory_note", "time"])
        [call] = found["calls"]
        assert {**call, "ref": None} == {
            "tool": "memory_note",
            "mode": "shadow",
            "rule": "shadow",
            "outcome": "ok",
            "codes": ["stored"],
            "ref": None,
        }


@pytest.mark.proves("P14")
async def test_a_prompt_that_was_refused_has_a_receipt_that_shows_why(tmp_path: Path):
    async with open_world(tmp_path, sample()) as world:
        reply = await world.say("word " * 5000)

        assert reply.code == "prompt_too_long"
        receipt = await kept(world)
        assert receipt.estimated_tokens > receipt.room_tokens == 7168
        assert receipt.parts["message"] == 8334
        told = (await world.say("/why")).text
        assert "message 8334" in told
        assert "The prompt did not fit and was not sent." in told


@pytest.mark.proves("P14")
async def test_dropped_history_is_on_the_receipt(
    tmp_path: Path,
):
    document = sample()
    document["brains"][0]["models"][0] |= {"num_ctx": 2872, "num_predict": 100}
    document["brains"][0]["agent"]["memory"] |= {"max_notes": 1, "max_note_runes": 5}
    clock = FakeClock()
    async with open_world(tmp_path, document, ["ok"] * 8, clock=clock) as world:
        earlier = -1
        while await trimmed(world) == 0:
            await world.say("word " * 330)
            earlier += 1

        receipt = await kept(world)
        assert (receipt.dropped, receipt.exchanges) == (await trimmed(world), 1)
        assert receipt.exchanges + receipt.dropped == earlier
        dropped = f"Left out so that the prompt fits: {receipt.dropped} exchanges, the oldest."
        assert dropped in (await world.say("/why")).text


async def trimmed(world: World) -> int:
    rows = await world.events("type", "counts")
    return sum(counts["exchanges"] for kind, counts in rows if kind == "prompt_trimmed")
