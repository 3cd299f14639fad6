"""How often an exchange waits for the disk: each commit is one wait."""

from pathlib import Path

from tests.commits import counted_statements
from tests.flows.test_first_conversation import DENTIST, noting
from tests.flows.world import grant, open_world, sample


async def test_a_plain_exchange_waits_twice_for_the_disk_and_one_with_a_note_three_times(
    tmp_path: Path,
) -> None:
    document = grant(sample(), "memory_note", "allow")
    replies = ["Hello.", "Hello again.", noting(DENTIST), "I will remember."]
    with counted_statements() as seen:
        async with open_world(tmp_path, document, replies) as world:
            await world.say("hi")
            seen.clear()
            assert (await world.say("hi again")).outcome == "answered"
            plain = seen.commits
            seen.clear()
            reply = await world.say("Remember that my dentist is Dr. Alvarez.")
            noted = seen.commits

    assert [effect.kind for effect in reply.effects] == ["saved"]
    assert plain <= 2, "the user's turn before the model, the answer after it"
    assert noted <= 3, "and the note with its events"
