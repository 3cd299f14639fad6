"""`/why`: the receipt of the last exchange, read from its events."""

from dataclasses import replace
from typing import get_args

import pytest

from brain.activity import RULES, Draft
from brain.config import Memory
from brain.gate import Rule
from brain.store import Store, Transaction
from tests.clocks import FakeClock
from tests.commands.talk import ALLOW_NOTES, Talk, brain, config
from tests.store.test_contract import a_receipt


@pytest.fixture
def talk(store: Store, clock: FakeClock) -> Talk:
    return Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES, memory=Memory())))


async def record(talk: Talk, *drafts: Draft) -> None:
    """Record the events of one exchange as the agent and the executor do."""
    context = await talk.context()

    def write(tx: Transaction) -> None:
        for draft in drafts:
            talk.recorder.append(
                tx,
                replace(
                    draft,
                    brain="assistant",
                    channel="console",
                    conversation=context.conversation_id,
                    exchange=context.exchange_id,
                ),
            )

    await talk.open_store.write(write)


def called(*, prompt: int, reply: int, notes: int = 0) -> Draft:
    return Draft(
        type="model_called",
        outcome="ok",
        model="ollama/llama3.2",
        proof="p1",
        tokens={"prompt": prompt, "reply": reply},
        latency_ms=500,
        counts={
            "notes": notes,
            "exchanges": 1,
            "turns": 2,
            "tools": 2,
            "estimate": 90,
            "persona_tokens": 12,
            "lane_tokens": 0,
            "system_prompt_tokens": 30,
        },
    )


async def why(talk: Talk) -> str:
    return (await talk.type("/why")).text


@pytest.mark.proves("P14")
async def test_the_receipt_says_what_rode_in_the_prompt_and_what_came_of_it(talk: Talk) -> None:
    await record(talk, called(prompt=1, reply=1), Draft(type="reply_sent", outcome="answered"))
    await record(
        talk,
        Draft(type="model_fallback", model="ollama/big", outcome="unreachable"),
        Draft(type="prompt_trimmed", model="ollama/llama3.2", counts={"exchanges": 3}),
        called(prompt=100, reply=7, notes=2),
        Draft(
            type="tool_denied", tool="unknown", mode="deny", rule="unknown_tool", outcome="denied"
        ),
        Draft(
            type="tool_used",
            tool="memory_note",
            mode="allow",
            rule="allow",
            outcome="ok",
            codes=("stored",),
        ),
        called(prompt=120, reply=9, notes=2),
        Draft(type="reply_sent", outcome="answered", model="ollama/llama3.2"),
    )
    await talk.type("/notes")
    await record(talk, called(prompt=3, reply=3))

    assert await why(talk) == (
        "The last exchange: it was answered.\n"
        "Passed over: ollama/big (unreachable).\n"
        "Model: ollama/llama3.2, proof p1, asked 2 times, 1000 ms, 220 tokens read, 16 written.\n"
        "In the prompt: 2 notes, 1 exchange before this one (2 turns), 2 tools announced.\n"
        "Estimated tokens: persona 12, system prompt 30, 90 in all.\n"
        "Left out so that the prompt fits: 3 exchanges, the oldest.\n"
        "Calls:\n"
        "- unknown: deny, there is no such tool; denied\n"
        "- memory_note: allow, a grant allows it; ok (stored)\n"
        "Events 3 to 9 of the record say so."
    )


@pytest.mark.parametrize("is_of_this", [True, False])
async def test_a_receipt_is_told_of_its_own_exchange_and_of_no_other(
    talk: Talk, is_of_this: bool
) -> None:
    await record(talk, called(prompt=1, reply=1), Draft(type="reply_sent", outcome="answered"))
    [ended, *_] = [row["exchange"] for row in await talk.events("exchange") if row["exchange"]]
    receipt = a_receipt(str(ended) if is_of_this else "another")
    talk_id = (await talk.context()).conversation_id
    await talk.open_store.write(lambda tx: tx.keep_receipt(talk_id, receipt))

    told = await why(talk)

    assert ("notes 1, 3;" in told) is is_of_this
    assert ("0 notes," in told) is not is_of_this


async def test_a_failed_exchange_has_its_receipt_too(talk: Talk) -> None:
    await record(
        talk,
        Draft(type="prompt_refused", model="ollama/llama3.2"),
        Draft(type="exchange_failed", outcome="prompt_too_long"),
    )

    assert await why(talk) == (
        "The last exchange: it failed (prompt_too_long).\n"
        "No model was asked.\n"
        "The prompt did not fit and was not sent.\n"
        "No tool was called.\n"
        "Events 1 to 2 of the record say so."
    )


async def test_a_stopped_exchange_without_counts_says_what_it_knows(talk: Talk) -> None:
    await record(
        talk,
        Draft(type="model_called", outcome="cancelled", model="scripted/scripted"),
        Draft(type="exchange_cancelled"),
    )

    assert await why(talk) == (
        "The last exchange: it was stopped.\n"
        "Model: scripted/scripted, proof none, asked once, 0 ms, 0 tokens read, 0 written.\n"
        "No tool was called.\n"
        "Events 1 to 2 of the record say so."
    )


async def test_before_any_exchange_there_is_no_receipt(talk: Talk) -> None:
    reply = await talk.type("/why")

    assert (reply.text, reply.code) == (
        "No exchange has ended in this conversation yet.",
        "nothing",
    )


async def test_a_receipt_is_the_operators_and_of_this_conversation(talk: Talk) -> None:
    await record(talk, called(prompt=1, reply=1), Draft(type="reply_sent", outcome="answered"))
    talk.conversation = "other"
    assert (await talk.type("/why")).code == "nothing"

    talk.conversation, talk.is_operator = "main", False
    assert (await talk.type("/why")).code == "not_permitted"
    talk.is_operator = True
    assert (await talk.type("/why not")).code == "usage"


def test_every_rule_of_the_gate_has_its_words() -> None:
    assert set(RULES) == set(get_args(Rule))
