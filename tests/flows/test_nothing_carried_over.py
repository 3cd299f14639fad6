"""What a config does not ask for is not remembered: nothing rides from one talk into another."""

from pathlib import Path

import pytest

from tests.flows.world import Document, open_world, sample

FACT = "the bicycle is under the stairs"


def without_memory() -> Document:
    document = sample()
    del document["session"]
    brain = document["brains"][0]
    brain["agent"] = {"tools": ["time"], "governance": [{"tool": "time", "mode": "allow"}]}
    return document


@pytest.mark.proves("P6")
async def test_without_its_blocks_nothing_said_in_one_conversation_reaches_another(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, without_memory(), ["Fine.", "I don't know."]) as world:
        await world.say(f"Remember: {FACT}.", conversation="one")
        await world.say("Where is the bicycle?", conversation="two")

        asked = [[message.text for message in each.messages] for each in world.model.requests]

    assert FACT in " ".join(asked[0])
    assert FACT not in " ".join(asked[1])
    assert asked[1][-1] == "Where is the bicycle?"


@pytest.mark.proves("P6")
async def test_a_new_session_begins_with_nothing_of_the_one_before(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["Fine.", "I don't know."]) as world:
        await world.say(f"By the way, {FACT}.")
        await world.say("/new")
        await world.say("Where is the bicycle?")

        asked = [message.text for message in world.model.requests[-1].messages]

    assert FACT not in " ".join(asked)
    assert asked[-1] == "Where is the bicycle?"


@pytest.mark.proves("P6")
async def test_no_model_is_asked_beyond_the_answer_itself(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["Fine."]) as world:
        await world.say(f"By the way, {FACT}.")
        await world.say("/new")

        assert len(world.model.requests) == 1, "no summary, no extraction"
