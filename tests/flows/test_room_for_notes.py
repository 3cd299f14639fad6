"""A note that was stored is a note that fits, in any script."""

import asyncio
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.activity import Recorder
from brain.agent.composition import Composition
from brain.agent.lane import Lane, NativeLane, TextLane
from brain.agent.prompt import Parts, persona_block
from brain.config import Brain, Memory
from brain.memory import Verdict, add_note, notes_block
from brain.records import Effect, Note
from brain.store import Store, Transaction, open_store
from brain.tokens import estimate_tokens
from brain.tools.builtin.memory_note import MemoryNote
from brain.tools.builtin.utc_time import UtcTime
from tests.clocks import FakeClock
from tests.flows.test_first_conversation import noting
from tests.flows.world import Document, grant, open_world, sample, written
from tests.memory.shelf import BOX, BY

SCRIPTS = (
    "likes tea ",
    "김치찌개를 좋아한다",
    "🍵👩‍👩‍👧‍👦🎉",
    "любит чай и шахматы",
    "茶が好きです",
)


def config_of(*, num_ctx: int, max_notes: int, max_note_runes: int, persona: str) -> Document:
    document = grant(sample(), "memory_note", "allow")
    brain = document["brains"][0]
    brain["models"][0] |= {"num_ctx": num_ctx, "num_predict": 256}
    brain["models"].append({**brain["models"][0], "model_id": "larger", "num_ctx": num_ctx + 1000})
    brain["persona"] = {"instructions": persona}
    brain["agent"]["memory"] |= {"max_notes": max_notes, "max_note_runes": max_note_runes}
    return document


def smallest_room(brain: Brain) -> int:
    return min(model.num_ctx - model.num_predict for model in brain.models)


def longest(*, tokens: int) -> str:
    """A message that is counted as so many tokens."""
    return "x" * (3 * tokens)


def fits(brain: Brain, lane: Lane, notes: tuple[Note, ...]) -> bool:
    room = smallest_room(brain)
    composition = Composition(
        parts=Parts(
            persona=persona_block(brain.persona), lane=lane.block, notes=notes_block(notes)
        ),
        exchanges=(),
        text=longest(tokens=room // 4),
        room_tokens=room,
        tools_tokens=lane.tools_tokens,
        turn_tokens=lane.turn_tokens,
    )
    return composition.fit().tokens <= room


async def stored(store: Store, memory: Memory, texts: list[str]) -> tuple[Note, ...]:
    recorder = Recorder(run_id="run1", revision="r1")

    def add(text: str, tx: Transaction) -> Verdict:
        verdict = add_note(
            tx, recorder, box=BOX, memory=memory, text=text, note_origin="model", by=BY
        )
        return verdict.code

    codes = {await store.write(partial(add, text)) for text in texts}
    assert codes <= {"stored", "full", "no_room", "duplicate"}
    return await store.read(lambda rows: rows.notes(BOX, may_read_private=True))


async def judge(document: Document, texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        brain = written(Path(folder), document).brains[0]
    memory = brain.agent.memory if brain.agent else None
    if memory is None:
        raise AssertionError("the brain has memory")
    async with open_store(None, clock=FakeClock()) as store:
        notes = await stored(store, memory, texts)
    tools = (MemoryNote.spec, UtcTime.spec)
    for lane in (
        NativeLane(tools=tools),
        TextLane(tools=tools, constrained=True),
        TextLane(tools=tools, constrained=False),
    ):
        assert fits(brain, lane, notes)


@pytest.mark.proves("P4")
@settings(max_examples=60, deadline=None)
@given(
    scripts=st.lists(st.sampled_from(SCRIPTS), min_size=1, max_size=40),
    max_note_runes=st.integers(1, 300),
    max_notes=st.integers(1, 12),
    spare=st.integers(0, 4000),
    persona=st.sampled_from(["", "Sé breve. ", "친절하게 답한다. "]),
)
def test_whatever_was_stored_composes_into_a_prompt_that_fits(
    scripts: list[str], max_note_runes: int, max_notes: int, spare: int, persona: str
) -> None:
    """The context is what the check just accepts, and some: the tightest box there can be."""
    fixed = 40 + 150 + 58 + 1078 + estimate_tokens(persona) + 28 + max_notes * (max_note_runes + 4)
    document = config_of(
        num_ctx=2 * fixed + 256 + 2 + spare,
        max_notes=max_notes,
        max_note_runes=max_note_runes,
        persona=persona,
    )
    texts = [
        (str(number) + script * max_note_runes)[:max_note_runes]
        for number, script in enumerate(scripts)
    ]
    asyncio.run(judge(document, texts))


@pytest.mark.proves("P4", "P13")
async def test_a_box_of_long_korean_notes_refuses_in_time_and_the_talk_goes_on(tmp_path: Path):
    """Two hundred syllables cost 600 tokens; ten such notes were accepted once, and then no prompt fitted."""
    long = [f"{number}{'가' * 199}" for number in range(1, 7)]
    replies = [noting(long[3]), "No room.", noting("likes tea"), "Noted."]
    async with open_world(tmp_path, grant(sample(), "memory_note", "allow"), replies) as world:
        said = [(await world.say(f"/notes add {text}")).text for text in long[:3]]
        assert said == [f"Saved note {number}." for number in range(1, 4)]

        refused = await world.say("x" * 3 * 1792)
        assert (refused.outcome, refused.text) == ("answered", "No room.")
        [effect] = refused.effects
        assert effect.line == (
            "not saved: the notes would take 2428 tokens of a prompt and may take 2258, "
            "/notes drop N makes room"
        )
        assert (await world.say("remember: tea")).effects == (Effect(kind="saved", number=4),)
        assert "4 of 10" in (await world.say("/notes")).text
        codes = [
            codes for kind, codes in await world.events("type", "codes") if kind == "tool_used"
        ]
        assert codes == [*[["stored"]] * 3, ["no_room"], ["stored"]]


@pytest.mark.proves("P4")
async def test_a_note_that_no_box_has_room_for_is_told_that_a_shorter_one_fits(tmp_path: Path):
    document = grant(sample(), "memory_note", "allow")
    document["brains"][0]["agent"]["memory"] |= {"max_notes": 1, "max_note_runes": 2000}
    async with open_world(tmp_path, document) as world:
        reply = await world.say(f"/notes add {'가' * 2000}")
        assert reply.text == (
            "Not saved: the note would take 6035 tokens of a prompt and notes may take 2258, "
            "a shorter one fits."
        )
        assert (await world.say(f"/notes add {'가' * 700}")).text == "Saved note 1."


@pytest.mark.proves("P4")
async def test_a_box_that_a_narrower_config_has_no_room_for_says_that_it_is_the_notes(
    tmp_path: Path,
):
    narrow = grant(sample(), "memory_note", "allow")
    wide = grant(narrow, "memory_note", "allow")
    wide["brains"][0]["models"][0]["num_ctx"] = 16384
    narrow["brains"][0]["models"][0]["num_ctx"] = 3772
    narrow["brains"][0]["agent"]["memory"] |= {"max_notes": 1, "max_note_runes": 5}
    async with open_world(tmp_path, wide) as world:
        for number in range(1, 6):
            await world.say(f"/notes add {number}{'가' * 199}")
    async with open_world(tmp_path, narrow) as world:
        reply = await world.say("hello")
        assert (reply.outcome, reply.code) == ("failed", "prompt_too_long")
        assert "3021 of it are notes; drop some (/notes drop N)" in reply.text
