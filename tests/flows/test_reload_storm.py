"""A storm of saves, good, bad and half, while exchanges run: none is lost, none is judged by a half."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from brain.clock import Clock, SystemClock
from brain.config import load_config
from brain.models import CallDelta, ChatRequest, Delta, Done, ScriptedModel
from brain.records import Reply, ToolCall
from tests.flows.saving import (
    LIMIT_SECONDS,
    Outcomes,
    by_config_map,
    by_link,
    by_rename,
    following,
    in_place,
    over_itself,
    text_of,
    with_backup,
)
from tests.flows.world import Document, World, grant, open_world, sample

TALKS = 3
MODES = ("allow", "shadow", "deny")
RULES = {"tool_used": "allow", "tool_shadowed": "shadow", "tool_denied": "deny"}
Style = Callable[[Path, Any], None]
STYLES: tuple[Style, ...] = (
    by_rename, in_place, over_itself, with_backup, by_link, by_config_map,
)  # fmt: skip
MOUNTED = (by_config_map,)


@pytest.mark.proves("P10")
@pytest.mark.parametrize(
    ("saves", "seed"), [(30, 7), pytest.param(200, 11, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("styles", [STYLES, MOUNTED], ids=["in every way", "as a ConfigMap"])
async def test_a_storm_of_saves_ends_in_the_last_valid_one_and_no_exchange_is_lost(
    tmp_path: Path, saves: int, seed: int, styles: Sequence[Style]
):
    if styles is MOUNTED:
        by_config_map(tmp_path / "brain.json", numbered(0, "allow"))
    clock = SystemClock()
    model = ScriptedModel([asks_the_time], clock=clock, name="ollama/llama3.2", repeats=True)
    async with (
        open_world(tmp_path, numbered(0, "allow"), clock=clock, model=model) as world,
        following(world.runtime) as outcomes,
    ):
        first = world.runtime.config.revision
        storm = Storm(tmp_path / "brain.json", first, seed=seed, styles=styles)
        is_over = asyncio.Event()
        talks = [asyncio.create_task(talk(world, f"talk-{n}", is_over)) for n in range(TALKS)]
        await storm.rage(saves, clock)
        await until_in_force(world, outcomes, storm.last)
        is_over.set()
        replies = [reply for talked in await asyncio.gather(*talks) for reply in talked]
        rows = await world.events("type", "rule", "revision", "revision_before", "exchange")

    assert Counter(reply.outcome for reply in replies) == {"answered": len(replies)}
    ended = [row[4] for row in rows if row[0] == "reply_sent"]
    assert sorted(ended) == sorted(reply.exchange_id for reply in replies)
    decisions = [row for row in rows if row[0] in RULES]
    assert len(decisions) == len(replies)
    for event, _, revision, _, _ in decisions:
        assert storm.modes[revision] == RULES[event]
    applied = [row for row in rows if row[0] == "config_applied"]
    revisions = [storm.first, *(row[2] for row in applied)]
    assert [row[3] for row in applied] == revisions[:-1]
    assert revisions[-1] == storm.last
    assert set(revisions) <= set(storm.modes)
    assert {row[2] for row in rows} <= set(storm.modes)
    assert len(applied) > saves // 15, "so few were noticed that nothing was tried"


class Storm:
    """Saves one file in every way there is. `modes` gives for each whole revision its mode."""

    def __init__(self, path: Path, first: str, *, seed: int, styles: Sequence[Style]) -> None:
        self._path = path
        self._styles = styles
        self._random = random.Random(seed)  # noqa: S311 - a storm that can be had again
        self._elsewhere = path.with_name("elsewhere.json")
        self.first = self.last = first
        self.modes = {first: "allow"}

    async def rage(self, saves: int, clock: Clock) -> None:
        """Save so many files, the last of them a valid one."""
        for number in range(1, saves + 1):
            kind = self._random.choice(["valid", "valid", "valid", "invalid", "cut", "halves"])
            document = numbered(number, self._random.choice(MODES))
            if kind == "valid" or number == saves:
                self._save(self._valid(document))
            elif kind == "invalid":
                self._save(grant(document, "time", "alow"))
            elif kind == "cut":
                self._save(text_of(document)[: self._random.randrange(200)])
            else:
                await self._in_halves(self._valid(document), clock)
            await clock.sleep(self._random.choice([0, 0.005, 0.05]))

    def _save(self, document: Any) -> None:
        self._random.choice(self._styles)(self._path, document)

    def _valid(self, document: Document) -> Document:
        in_place(self._elsewhere, document)
        self.last = load_config(self._elsewhere, environ={}).config.revision
        self.modes[self.last] = document["brains"][0]["agent"]["governance"][-1]["mode"]
        return document

    async def _in_halves(self, document: Document, clock: Clock) -> None:
        text = text_of(document)
        half = self._random.randrange(1, len(text) - 1)
        in_place(self._path, text[:half])
        await clock.sleep(0.02)
        in_place(self._path, text)


def numbered(number: int, mode: str) -> Document:
    """A config that no other round has: its prompt says its number."""
    document: Document = json.loads(json.dumps(grant(sample(), "time", mode)))
    document["brains"][0]["agent"]["system_prompt"] = f"This is round {number:04}."
    return document


async def talk(world: World, conversation: str, is_over: asyncio.Event) -> list[Reply]:
    """Say one thing after the other until the storm is over."""
    replies = []
    for number in count():
        replies.append(await world.say(f"What time is it? ({number})", conversation=conversation))
        if is_over.is_set():
            return replies
    raise AssertionError("counting has no end")


def asks_the_time(request: ChatRequest) -> str | tuple[Delta, ...]:
    """Ask for the time, which tool or not is announced; answer when told what came of it."""
    if request.messages[-1].role == "tool":
        return "That is all I know."
    return (CallDelta(call=ToolCall(id="c1", name="time", arguments={})), Done(reason="stop"))


async def until_in_force(world: World, outcomes: Outcomes, revision: str) -> None:
    if world.runtime.config.revision != revision:
        async with asyncio.timeout(LIMIT_SECONDS):
            await outcomes.until(lambda each: each.revision == revision)
