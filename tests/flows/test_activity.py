from pathlib import Path

import pytest

from brain.activity import read_anchors, verify
from tests.clocks import FakeClock
from tests.flows.world import open_world, sample


@pytest.mark.proves("P9")
async def test_each_stop_leaves_an_anchor_that_the_next_run_is_verified_against(
    tmp_path: Path,
) -> None:
    anchor = tmp_path / "elsewhere.txt"
    document = sample(activity={"anchor_path": str(anchor)})

    for _ in range(2):
        async with open_world(tmp_path, document, ["Hello."]) as world:
            await world.say("hi")

    async with open_world(tmp_path, document) as world:
        found = await verify(world.runtime.store, read_anchors(anchor))
        types = [row[0] for row in await world.events("type")]
    stops = [seq for seq, name in enumerate(types, start=1) if name == "runtime_stopped"]
    assert found.first_bad is None
    assert found.anchors == 2
    assert list(read_anchors(anchor).hashes)[:2] == stops


@pytest.mark.proves("P9")
async def test_a_start_removes_events_older_than_are_kept_and_says_so(tmp_path: Path) -> None:
    document = sample(activity={"retain_days": 10})
    clock = FakeClock()
    async with open_world(tmp_path, document, ["Hello."], clock=clock) as world:
        await world.say("hi")
        before = len(await world.events("type"))
    clock.advance(11 * 86400)

    async with open_world(tmp_path, document, clock=clock) as world:
        events = await world.events("type", "counts")
        found = await verify(world.runtime.store)

    assert events[:2] == [
        ("runtime_started", None),
        ("activity_pruned", {"first": 1, "last": before + 1}),
    ]
    assert found.first_bad is None


async def test_a_full_disk_is_told_at_once_and_its_end_is_on_record_once(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        assert (await world.say("hi")).outcome == "answered"
        await world.runtime.store.write(lambda tx: tx._sql.row("PRAGMA max_page_count = 1"))
        for _ in range(2):
            reply = await world.say("x" * 200_000)
            assert (reply.outcome, reply.code) == ("failed", "store")
            assert "no room left" in reply.text
        await world.runtime.store.write(lambda tx: tx._sql.row("PRAGMA max_page_count = 1000000"))
        assert (await world.say("again")).outcome == "answered"
        recovered = [row for row in await world.events("type", "counts") if "recovered" in row[0]]
        found = await verify(world.runtime.store)

    assert recovered == [("store_recovered", {"writes_failed": 2})]
    assert found.first_bad is None
