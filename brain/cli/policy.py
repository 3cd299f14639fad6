"""`brain policy`: what would be decided about a tool, now and under another config."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

from brain.activity import decision_words
from brain.cli.interrupts import run_to_end
from brain.cli.line import TEXT, config_option, json_option
from brain.cli.moments import parse_since
from brain.cli.place import config_at, config_in_force
from brain.cli.table import columns
from brain.cli.talk import say, say_json, warn
from brain.clock import SystemClock
from brain.config import BUILT_TOOLS, Config, Storage
from brain.counts import counted
from brain.errors import UsageError
from brain.records import JSONValue
from brain.runtime import Explanation, Replay, judge_of, read_calls, replay
from brain.store import open_store

__all__ = ["policy"]

_OTHERWISE: Final = {
    "not_local": "from a model that is not proved local",
    "tainted": "when the talk holds text from outside",
    "operator": "when the operator asks",
}


@click.group()
@config_option
def policy() -> None:
    """Say what would be decided about a tool, now or under another config."""


@policy.command()
@click.argument("tool", type=TEXT)
@click.option("--brain", type=TEXT, default="", metavar="NAME", help="Only of this brain.")
@click.option("--channel", type=TEXT, default="", metavar="NAME", help="Only on this channel.")
@json_option
@config_option
@click.pass_context
def explain(ctx: click.Context, /, *, tool: str, brain: str, channel: str, as_json: bool) -> None:
    """Show what would be decided about a call of TOOL, and why. No model is loaded."""
    config = config_in_force(ctx, static=True)
    judge = judge_of(config, clock=SystemClock())
    _check_tool(config, tool)
    found = [
        judge.explain(tool, brain=each, channel=where)
        for each, where in _places(config, brain=brain, channel=channel)
    ]
    if as_json:
        say_json([_explained(each) for each in found])
        return
    for each in found:
        for line in explanation_lines(each):
            say(line)


@policy.command("replay")
@click.option("--since", metavar="WHEN", help="Only calls since then: 2h, 7d, 2026-03-02T09:30.")
@click.option(
    "--record",
    metavar="FILE",
    help="The config whose record is replayed, where it is not the one that --config names.",
)
@json_option
@config_option
@click.pass_context
def replay_record(
    ctx: click.Context, /, *, since: str | None, record: str | None, as_json: bool
) -> None:
    """Decide the calls on record again under the config that --config names.

    Prints what would change. Nothing is run and nothing is written.
    """
    clock = SystemClock()
    moment = parse_since(since, now=clock.now(), zone=clock.zone()) if since is not None else None
    candidate = config_in_force(ctx, static=True)
    recorded = config_at(Path(record).expanduser(), static=True) if record else candidate
    storage = _storage_of(recorded)

    async def read() -> Replay:
        async with open_store(storage, clock=clock) as store:
            calls = await read_calls(store, since=moment)
        return replay(calls, judge_of(candidate, clock=clock))

    found = run_to_end(read())
    if as_json:
        say_json(_replayed(candidate, found))
        return
    for line in replay_lines(found):
        say(line)
    if found.homeless:
        warn(f"{found.homeless} are of a brain or channel that this config does not have")


def explanation_lines(found: Explanation) -> Iterator[str]:
    """Yield what would be decided, and below it the circumstances in which it would differ."""
    first = found.cases[0].decision
    grant = f" ({found.grant})" if found.grant else ""
    told = decision_words(first.effect, first.rule, has_shield=first.shield)
    yield f"{found.tool} of {found.brain!r} on channel {found.channel!r}: {told}{grant}"
    for case in found.cases[1:]:
        decision = case.decision
        if (decision.effect, decision.rule) == (first.effect, first.rule):
            continue
        told = decision_words(decision.effect, decision.rule, has_shield=decision.shield)
        if case.when == "operator":
            told = "allow, a shadow does not bind the operator"
        yield f"  {_OTHERWISE[case.when]}: {told}"


def replay_lines(found: Replay) -> Iterator[str]:
    """Yield how many calls would be decided otherwise, of which kinds, and each of them."""
    yield f"{counted(found.calls, 'call')} on record, {len(found.changed)} would be decided otherwise"
    for tool, was, would_be, count in found.kinds():
        yield f"  {count} of {tool}: {was} -> {would_be}"
    if found.other_rule:
        yield f"  {found.other_rule} as before, for another reason"
    if not found.changed:
        return
    rows = [
        (
            str(each.call.seq),
            each.call.at,
            f"{each.call.asked.brain}/{each.call.asked.channel}",
            each.call.tool,
            f"{each.call.mode} ({each.call.rule})",
            decision_words(each.would.effect, each.would.rule),
        )
        for each in found.changed
    ]
    yield from columns(("event", "at", "where", "tool", "was", "would be"), rows)


def _check_tool(config: Config, tool: str) -> None:
    listed = {name for brain in config.brains if brain.agent for name in brain.agent.tools}
    known = sorted({*BUILT_TOOLS, *listed})
    if tool not in known:
        near = get_close_matches(tool, known, n=1)
        raise UsageError(
            f"there is no tool {tool!r}",
            fix=f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}",
        )


def _places(config: Config, *, brain: str, channel: str) -> list[tuple[str, str]]:
    """Return the brains and channels that are meant; without options all that are routed."""
    brains = [each.name for each in config.brains]
    channels = [each.name for each in config.channels]
    for what, name, names in (("brain", brain, brains), ("channel", channel, channels)):
        if name and name not in names:
            raise UsageError(f"there is no {what} {name!r}; there are: {', '.join(names)}")
    if brain and channel:
        return [(brain, channel)]
    routed = [
        (route.brain, route.channel)
        for route in config.routes
        if brain in ("", route.brain) and channel in ("", route.channel)
    ]
    return routed or [(brain or brains[0], where) for where in channels]


def _storage_of(config: Config) -> Storage:
    storage = config.storage
    if storage is None or not storage.path.exists():
        raise UsageError(
            "there is no record: this config has no storage block"
            if storage is None
            else f"there is no record: nothing is stored at {str(storage.path)!r} yet",
            fix="--record FILE names the config whose calls are to be decided again",
        )
    return storage


def _explained(found: Explanation) -> JSONValue:
    return {
        "tool": found.tool,
        "brain": found.brain,
        "channel": found.channel,
        "grant": found.grant or None,
        "cases": [
            {
                "when": case.when,
                "effect": case.decision.effect,
                "rule": case.decision.rule,
                "shield": case.decision.shield,
                "words": decision_words(
                    case.decision.effect, case.decision.rule, has_shield=case.decision.shield
                ),
            }
            for case in found.cases
        ],
    }


def _replayed(candidate: Config, found: Replay) -> JSONValue:
    return {
        "revision": candidate.revision,
        "calls": found.calls,
        "changed": len(found.changed),
        "other_rule": found.other_rule,
        "homeless": found.homeless,
        "kinds": [
            {"tool": tool, "was": was, "would": would, "calls": count}
            for tool, was, would, count in found.kinds()
        ],
        "changes": [
            {
                "seq": each.call.seq,
                "at": each.call.at,
                "brain": each.call.asked.brain,
                "channel": each.call.asked.channel,
                "origin": each.call.asked.origin,
                "tool": each.call.tool,
                "was": {"effect": each.call.mode, "rule": each.call.rule},
                "would": {"effect": each.would.effect, "rule": each.would.rule},
            }
            for each in found.changed
        ],
    }
