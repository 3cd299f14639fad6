"""Which model of a brain answers, and what is on record of it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from brain.activity import Recorder
from brain.errors import LocalityBroken, ModelError, ModelMissing, ModelUnreachable, NotLocal
from brain.models import Lineup, ProofStep, ScriptedModel, Standing
from brain.store import EventFilter, Store, open_store
from tests.clocks import FakeClock

REMOTE = ProofStep(name="show", outcome="failed", detail="/api/show names a remote host")


@pytest.fixture
async def store(clock: FakeClock) -> AsyncIterator[Store]:
    async with open_store(None, clock=clock) as opened:
        yield opened


def line_up(
    *models: ScriptedModel, store: Store, clock: FakeClock, needs_local: bool = False
) -> Lineup:
    return Lineup(
        models=models,
        needs_local=needs_local,
        store=store,
        recorder=Recorder(run_id="run", revision="revision"),
        clock=clock,
        brain="assistant",
    )


async def events(store: Store) -> list[tuple[Any, ...]]:
    rows = await store.read(lambda snapshot: snapshot.events(EventFilter(), limit=100))
    return [(row["type"], row["model"], row["outcome"]) for row in rows]


async def test_the_first_model_answers_and_its_proof_is_on_record_once(
    store: Store, clock: FakeClock
) -> None:
    first = ScriptedModel(clock=clock, name="scripted/a")
    second = ScriptedModel(clock=clock, name="scripted/b")
    lineup = line_up(first, second, store=store, clock=clock)
    picked = [await lineup.pick() for _ in range(3)]
    assert {entry.model.name for entry in picked} == {"scripted/a"}
    assert len({entry.proof.proof_id for entry in picked}) == 1
    assert (first.proofs_given, second.proofs_given) == (1, 0)
    assert await events(store) == [("locality_proved", "scripted/a", None)]


async def test_an_exchange_with_a_proved_model_writes_nothing(
    store: Store, clock: FakeClock
) -> None:
    lineup = line_up(ScriptedModel(clock=clock), store=store, clock=clock)
    await lineup.pick()
    head = await store.read(lambda snapshot: snapshot.event_head())
    clock.advance(599)
    await lineup.pick()
    assert await store.read(lambda snapshot: snapshot.event_head()) == head


@pytest.mark.proves("P5")
async def test_a_proof_is_repeated_after_ten_minutes_in_use(store: Store, clock: FakeClock) -> None:
    model = ScriptedModel(clock=clock)
    lineup = line_up(model, store=store, clock=clock)
    first = await lineup.pick()
    clock.advance(600)
    second = await lineup.pick()
    assert model.proofs_given == 2
    # the same evidence keeps its id, so that nothing new is to be recorded
    assert second.proof.proof_id == first.proof.proof_id
    assert second.proof.at > first.proof.at


@pytest.mark.proves("P5")
async def test_a_changed_digest_is_a_new_proof_on_record(store: Store, clock: FakeClock) -> None:
    model = ScriptedModel(clock=clock)
    lineup = line_up(model, store=store, clock=clock)
    first = await lineup.pick()
    model.digest = "another"
    clock.advance(600)
    second = await lineup.pick()
    assert second.proof.proof_id != first.proof.proof_id
    assert [kind for kind, _, _ in await events(store)] == ["locality_proved", "locality_proved"]


@pytest.mark.proves("P5")
async def test_a_model_that_stops_being_local_is_found_at_its_next_proof(
    store: Store, clock: FakeClock
) -> None:
    model = ScriptedModel(clock=clock, findings=[None, REMOTE])
    lineup = line_up(model, store=store, clock=clock, needs_local=True)
    await lineup.pick()
    clock.advance(600)
    with pytest.raises(NotLocal, match="names a remote host"):
        await lineup.pick()
    assert await events(store) == [
        ("locality_proved", "scripted/test", None),
        ("locality_broken", "scripted/test", "proof"),
        ("model_out_of_service", "scripted/test", "not_local"),
    ]


async def test_the_next_model_answers_while_the_first_is_down_and_the_first_when_it_is_back(
    store: Store, clock: FakeClock
) -> None:
    down = ModelUnreachable("nothing answers")
    first = ScriptedModel(clock=clock, name="scripted/a", findings=[down, down])
    second = ScriptedModel(clock=clock, name="scripted/b")
    lineup = line_up(first, second, store=store, clock=clock)
    picked = [await lineup.pick() for _ in range(4)]
    assert [entry.model.name for entry in picked] == [
        "scripted/b", "scripted/b", "scripted/a", "scripted/a",
    ]  # fmt: skip
    assert [entry.passed_over for entry in picked] == [
        (("scripted/a", down),), (("scripted/a", down),), (), (),
    ]  # fmt: skip
    # transitions only: the second exchange without the first model adds nothing
    assert await events(store) == [
        ("model_out_of_service", "scripted/a", "unreachable"),
        ("locality_proved", "scripted/b", None),
        ("model_back", "scripted/a", None),
        ("locality_proved", "scripted/a", None),
    ]


async def test_the_error_of_the_first_model_is_raised_where_none_can_be_asked(
    store: Store, clock: FakeClock
) -> None:
    lineup = line_up(
        ScriptedModel(clock=clock, name="scripted/a", findings=[ModelMissing("not pulled")]),
        ScriptedModel(clock=clock, name="scripted/b", findings=[ModelUnreachable("down")]),
        store=store,
        clock=clock,
    )
    with pytest.raises(ModelMissing, match="not pulled"):
        await lineup.pick()


async def test_a_model_that_failed_in_an_exchange_is_passed_and_proved_before_its_next_use(
    store: Store, clock: FakeClock
) -> None:
    first = ScriptedModel(clock=clock, name="scripted/a")
    second = ScriptedModel(clock=clock, name="scripted/b")
    lineup = line_up(first, second, store=store, clock=clock)
    await lineup.pick()
    assert (await lineup.pick(after="scripted/a")).model is second
    with pytest.raises(ModelUnreachable, match="no further model"):
        await lineup.pick(after="scripted/b")
    assert first.proofs_given == 1
    assert (await lineup.pick()).model is first
    assert first.proofs_given == 2


@pytest.mark.proves("P5")
async def test_a_private_brain_never_gets_a_cloud_model(store: Store, clock: FakeClock) -> None:
    cloud = ScriptedModel(clock=clock, name="scripted/cloud", is_local=False)
    local = ScriptedModel(clock=clock, name="scripted/local")
    lineup = line_up(cloud, local, store=store, clock=clock, needs_local=True)
    assert (await lineup.pick()).model is local
    alone = line_up(cloud, store=store, clock=clock, needs_local=True)
    with pytest.raises(NotLocal, match="is a cloud model"):
        await alone.pick()


async def test_a_public_brain_gets_a_cloud_model_that_is_not_taken_for_a_local_one(
    store: Store, clock: FakeClock
) -> None:
    cloud = ScriptedModel(clock=clock, is_local=False)
    picked = await line_up(cloud, store=store, clock=clock).pick()
    assert picked.proof.is_local is False
    assert await events(store) == []


@pytest.mark.proves("P5")
async def test_a_false_claim_to_be_local_is_not_asked_even_by_a_public_brain(
    store: Store, clock: FakeClock
) -> None:
    liar = ScriptedModel(clock=clock, findings=[REMOTE])
    with pytest.raises(NotLocal):
        await line_up(liar, store=store, clock=clock).pick()


@pytest.mark.proves("P5")
async def test_a_model_that_lied_stays_out_until_it_is_released_also_after_a_restart(
    store: Store, clock: FakeClock
) -> None:
    model = ScriptedModel(clock=clock)
    lineup = line_up(model, store=store, clock=clock)
    await lineup.pick()
    await lineup.condemn("scripted/test", LocalityBroken("a chunk said remote"))
    with pytest.raises(NotLocal, match="a chunk said remote"):
        await lineup.pick()
    restarted = line_up(model, store=store, clock=clock)
    with pytest.raises(NotLocal) as refused:
        await restarted.pick()
    assert refused.value.fix.endswith("brain models release scripted/test")
    assert model.proofs_given == 1  # a passing re-check would not be enough: none is made
    await store.write(lambda tx: tx.release_model("scripted/test"))
    for each in (lineup, restarted):
        assert (await each.pick()).model is model
    assert await events(store) == [
        ("locality_proved", "scripted/test", None),
        ("locality_broken", "scripted/test", "answer"),
        ("model_back", "scripted/test", None),
        ("locality_proved", "scripted/test", None),
        ("model_back", "scripted/test", None),
        ("locality_proved", "scripted/test", None),
    ]


@pytest.mark.proves("P5")
async def test_a_break_by_another_process_is_known_within_a_second(
    store: Store, clock: FakeClock
) -> None:
    lineup = line_up(ScriptedModel(clock=clock), store=store, clock=clock)
    await lineup.pick()
    await store.write(lambda tx: tx.break_model("scripted/test", "it lied elsewhere"))
    clock.advance(1)
    with pytest.raises(NotLocal, match="it lied elsewhere"):
        await lineup.pick()


async def test_talks_that_arrive_together_wait_for_one_proof(
    store: Store, clock: FakeClock
) -> None:
    model = ScriptedModel(clock=clock)
    lineup = line_up(model, store=store, clock=clock)
    picked = await asyncio.gather(*(lineup.pick() for _ in range(20)))
    assert model.proofs_given == 1
    assert len({entry.proof.proof_id for entry in picked}) == 1


async def test_the_standings_say_how_each_model_stands(store: Store, clock: FakeClock) -> None:
    error = ModelUnreachable("nothing answers", fix="ollama serve")
    lineup = line_up(
        ScriptedModel(clock=clock, name="scripted/a"),
        ScriptedModel(clock=clock, name="scripted/b", findings=[error]),
        ScriptedModel(clock=clock, name="scripted/c", findings=[REMOTE]),
        ScriptedModel(clock=clock, name="scripted/d", is_local=False),
        store=store,
        clock=clock,
    )
    assert {standing.state for standing in await lineup.standings()} == {"unasked"}
    standings = await lineup.prove()
    assert [(standing.model, standing.state, standing.detail) for standing in standings] == [
        ("scripted/a", "ready", "proved local"),
        ("scripted/b", "out of service", "nothing answers"),
        ("scripted/c", "not local", "'scripted/c' is not local: /api/show names a remote host"),
        ("scripted/d", "ready", "a cloud model"),
    ]
    assert standings[1] == Standing(
        model="scripted/b",
        state="out of service",
        detail="nothing answers",
        fix="ollama serve",
        proof=None,
    )


async def test_every_model_is_closed(store: Store, clock: FakeClock) -> None:
    models = [ScriptedModel(clock=clock, name=f"scripted/{index}") for index in range(3)]
    await line_up(*models, store=store, clock=clock).close()
    assert all(model.is_closed for model in models)


async def test_without_a_store_a_break_holds_for_this_process(clock: FakeClock) -> None:
    lineup = Lineup(
        models=[ScriptedModel(clock=clock)],
        needs_local=False,
        store=None,
        recorder=None,
        clock=clock,
    )
    await lineup.pick()
    await lineup.condemn("scripted/test", LocalityBroken("a chunk said remote"))
    with pytest.raises(ModelError, match="lied about being local"):
        await lineup.pick()
