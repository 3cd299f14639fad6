"""The executor: every call of every origin goes through here.

A name is resolved, the gate decides, and then:

- denied: recorded before the arguments are looked at. One event, `tool_denied`.
- shadowed: the arguments are checked and the tool rehearses; the rehearsal is kept in the same
  transaction as its events, `tool_shadowed` and `rehearsal_kept`.
- allowed: the arguments are checked and the tool runs. Of a tool that only answers, `tool_used`
  rides in the next commit of the exchange; of a tool whose effect is a row of our store, the row
  and `tool_used` are one commit; of a tool with an effect outside, `tool_decided` is committed
  before it runs and `tool_used` after.

A call that was not denied and could not be made (malformed, bad arguments, a tool that failed) has
the same event with outcome `error`, and a word for the reason among its `codes`. A name that no
tool of the brain has is content: the event says `unknown`.

What a tool with an effect outside returned taints the exchange from then on.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from brain.activity import Draft, Facts, Journal
from brain.clock import Clock
from brain.errors import BadArguments, StoreError, ToolError, ToolTimedOut
from brain.gate import Decision, Policy
from brain.log import get_log
from brain.memory import find_rehearsal, mark_promoted
from brain.names import resolve_name
from brain.records import Effect, Observation, Rehearsal, ToolCall, ToolSpec
from brain.store import Transaction
from brain.tools import sentences
from brain.tools.arguments import Schemas, plain_arguments
from brain.tools.context import CallContext, provenance_of
from brain.tools.court import Court
from brain.tools.failures import failure_of
from brain.tools.ports import OutsideTool, StoreTool, Tool, ToolOutcome
from brain.tools.recording import (
    UNKNOWN,
    Asked,
    OperatorCall,
    call_event,
    end_event,
    known_facts,
    refusal_event,
)
from brain.tools.rehearsing import Rehearsed, refuse_what_stays_rehearsed, rehearse

__all__ = ["MAX_CALLS_PER_REPLY", "MAX_SAME_CALLS", "Calls", "Executor", "OperatorCall"]

MAX_CALLS_PER_REPLY: Final = 8
MAX_SAME_CALLS: Final = 2
"""How often a tool runs with the same arguments in one exchange."""


class Calls:
    """The calls of one exchange: budgets, effects, and the road to the tools."""

    def __init__(
        self,
        *,
        court: Court,
        schemas: Schemas,
        clock: Clock,
        context: CallContext,
        journal: Journal,
    ) -> None:
        self._court = court
        self._tools = court.tools_of(context)
        self._schemas = schemas
        self._clock = clock
        self._context = context
        self._journal = journal
        self._effects: list[Effect] = []
        self._times_asked: dict[tuple[str, str], int] = {}
        self._began: float | None = None  # when the tool of the call began to run, once it does
        self._announced = _announced(court, context)

    @property
    def announced(self) -> tuple[ToolSpec, ...]:
        """The tools the model is told of: allowed and shadowed ones, alike, by name."""
        return self._announced

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What became of notes in this exchange, in order, each said once."""
        return tuple(self._effects)

    @property
    def is_tainted(self) -> bool:
        """Whether the exchange began tainted, or has been tainted by what a tool returned."""
        return self._context.is_tainted

    @property
    def is_private(self) -> bool:
        """Whether the brain is private, or has become so since the exchange began."""
        return self._court.tightened(self._context).sensitivity == "private"

    async def run(self, calls: Sequence[ToolCall]) -> tuple[Observation, ...]:
        """Run the calls of one model reply in order; one observation each. Raises StoreError."""
        taken = [await self._run_one(call) for call in calls[:MAX_CALLS_PER_REPLY]]
        return (*(call.observation for call in taken), *self._refuse(calls[MAX_CALLS_PER_REPLY:]))

    async def run_as_operator(self, call: ToolCall) -> OperatorCall:
        """Run one call of a context whose origin is the operator."""
        return await self._run_one(call)

    async def _run_one(self, call: ToolCall) -> OperatorCall:
        self._began = None
        name = resolve_name(call.name, self._tools)
        if name is None:
            return self._refuse_unknown(call)
        decision, facts = _decide(self._court, name, self._context)
        asked = Asked(call=call, name=name, tool=self._tools[name], decision=decision, facts=facts)
        if decision.effect == "deny":
            return self._deny(asked)
        self._context = self._court.tightened(self._context)
        try:
            return await self._check_and_run(asked)
        except StoreError:
            raise
        except Exception as error:
            outcome = self._failure(asked, error)
            self._journal.add(self._end(asked, outcome))
            return self._came_of(asked, outcome)

    async def _check_and_run(self, asked: Asked) -> OperatorCall:
        if asked.call.malformed:
            raise BadArguments(asked.call.malformed)
        is_judged = asked.decision.effect == "allow" and self._court.is_storing(asked.name)
        arguments, canonical = plain_arguments(asked.call.arguments, is_judged=is_judged)
        times = self._times_asked.get((asked.name, canonical), 0)
        self._times_asked[asked.name, canonical] = times + 1
        if times >= MAX_SAME_CALLS:
            return self._refuse_repeated(asked)
        self._schemas.check(asked.tool.spec, arguments)
        if asked.decision.effect == "shadow":
            return await self._rehearse(asked, arguments)
        return self._came_of(asked, await self._perform(asked, arguments))

    # What is allowed

    async def _perform(self, asked: Asked, arguments: Mapping[str, Any]) -> ToolOutcome:
        kinds = self._court.kinds
        self._began = self._clock.monotonic()
        if (storing := kinds.storing.get(asked.name)) is not None:
            return await self._apply(asked, storing, arguments)
        if (outside := kinds.outside.get(asked.name)) is not None:
            return await self._run_outside(asked, outside, arguments)
        outcome = kinds.answering[asked.name].answer(arguments)
        self._journal.add(self._end(asked, outcome))
        return outcome

    async def _apply(
        self, asked: Asked, tool: StoreTool, arguments: Mapping[str, Any]
    ) -> ToolOutcome:
        context, recorder = self._context, self._journal.recorder

        def change(tx: Transaction) -> ToolOutcome:
            promoted = context.promoted_from
            if promoted is not None:
                find_rehearsal(tx, box=promoted.box, number=promoted.number)
            outcome = tool.apply(tx, arguments, context)
            if promoted is not None and outcome.ref is not None:
                mark_promoted(tx, recorder, rehearsal=promoted, by=provenance_of(context))
            recorder.append(tx, self._end(asked, outcome))
            return outcome

        return await self._journal.commit(change, on_kept=lambda outcome: self._say(outcome.effect))

    async def _run_outside(
        self, asked: Asked, tool: OutsideTool, arguments: Mapping[str, Any]
    ) -> ToolOutcome:
        context = replace(self._context, shield=asked.decision.shield)
        self._journal.add(call_event(self._context, asked, "tool_decided"))
        await self._journal.commit(lambda _: None)
        self._began = self._clock.monotonic()
        limit = asyncio.timeout(context.tool_timeout_seconds)
        try:
            async with limit:
                outcome = await tool.run(arguments, context)
        except asyncio.CancelledError:
            cancelled = ToolOutcome(text="", code="cancelled", is_error=True)
            self._journal.add(self._end(asked, cancelled))
            raise
        except Exception as error:
            too_late = ToolTimedOut(f"no answer within {context.tool_timeout_seconds:g} s")
            outcome = self._failure(asked, too_late if limit.expired() else error)
        self._journal.add(self._end(asked, outcome))
        await self._journal.commit(lambda _: None)
        if not self._context.is_tainted:
            source = sentences.tainted_by(asked.name)
            self._context = replace(self._context, is_tainted=True, taint_source=source)
        return outcome

    def _failure(self, asked: Asked, error: Exception) -> ToolOutcome:
        if not isinstance(error, ToolError):
            get_log(__name__).error("tool_failed", tool=asked.name, exc_info=error)
        failure = failure_of(error, is_malformed=bool(asked.call.malformed))
        effect = self._refusal(asked, failure.why)
        return ToolOutcome(text=failure.text, code=failure.code, is_error=True, effect=effect)

    def _came_of(self, asked: Asked, outcome: ToolOutcome) -> OperatorCall:
        kind: Literal["ok", "error", "malformed"] = "error" if outcome.is_error else "ok"
        if outcome.code == "malformed":
            kind = "malformed"
        text = outcome.text if outcome.text.strip() else sentences.EMPTY
        return self._result(asked, text, kind, effect=outcome.effect)

    # What is shadowed

    async def _rehearse(self, asked: Asked, arguments: Mapping[str, Any]) -> OperatorCall:
        context, recorder = self._context, self._journal.recorder
        is_held = asked.decision.rule == "taint"
        held_for = (context.taint_source or sentences.UNKNOWN_TAINT) if is_held else ""

        def change(tx: Transaction) -> Rehearsed:
            return rehearse(
                tx,
                recorder,
                kinds=self._court.kinds,
                name=asked.name,
                arguments=arguments,
                context=context,
                shadowed=call_event(self._context, asked, "tool_shadowed"),
                held_for=held_for,
            )

        rehearsed = await self._journal.commit(
            change, on_kept=lambda kept: self._say(self._effect_of(asked, kept))
        )
        text = sentences.OUTDATED if rehearsed.is_outdated else sentences.REHEARSED
        return self._result(asked, text, "shadowed", effect=self._effect_of(asked, rehearsed))

    def _effect_of(self, asked: Asked, rehearsed: Rehearsed) -> Effect | None:
        if rehearsed.is_outdated:
            return self._refusal(asked, sentences.WHY_OUTDATED)
        if rehearsed.kept is None:
            return self._refusal(asked, sentences.WHY_NO_BOX)
        if not self._court.is_storing(asked.name):
            return None
        kept = rehearsed.kept
        if kept.held_for:
            return Effect(kind="held", number=kept.number, reason=kept.held_for)
        return Effect(kind="rehearsed", number=kept.number)

    # What is refused

    def _refuse_unknown(self, call: ToolCall) -> OperatorCall:
        outcome: Literal["malformed", "denied"] = "malformed" if call.malformed else "denied"
        self._journal.add(
            refusal_event(self._context, rule="unknown_tool", outcome=outcome, tool=UNKNOWN)
        )
        names = [spec.name for spec in self._announced]
        text = sentences.failed(call.malformed) if call.malformed else sentences.unknown(names)
        observation = Observation(call=call, text=text, outcome=outcome)
        return OperatorCall(observation=observation, effect=None, rule="unknown_tool")

    def _deny(self, asked: Asked) -> OperatorCall:
        self._journal.add(call_event(self._context, asked, "tool_denied", outcome="denied"))
        effect = self._refusal(asked, sentences.why_denied(asked.name))
        return self._result(asked, sentences.DENIED, "denied", effect=effect)

    def _refuse_repeated(self, asked: Asked) -> OperatorCall:
        decision = replace(asked.decision, effect="deny", rule="repeated_call")
        refused = replace(asked, decision=decision)
        self._journal.add(call_event(self._context, refused, "tool_denied", outcome="refused"))
        return self._result(refused, sentences.REPEATED, "refused")

    def _refuse(self, calls: Sequence[ToolCall]) -> list[Observation]:
        """Refuse what is over the budget of one reply, with one event for all of it."""
        if not calls:
            return []
        counts = {"calls": len(calls)}
        self._journal.add(
            refusal_event(self._context, rule="per_reply_budget", outcome="refused", counts=counts)
        )
        names = [resolve_name(call.name, self._tools) for call in calls]
        if any(name is not None and self._court.is_storing(name) for name in names):
            self._say(Effect(kind="refused", reason=sentences.WHY_OVER_BUDGET))
        text = sentences.OVER_BUDGET
        return [Observation(call=call, text=text, outcome="refused") for call in calls]

    # What is said and recorded

    def _result(
        self,
        asked: Asked,
        text: str,
        outcome: Literal["ok", "error", "shadowed", "denied", "malformed", "refused"],
        *,
        effect: Effect | None = None,
    ) -> OperatorCall:
        self._say(effect)
        observation = Observation(call=asked.call, text=text, outcome=outcome)
        return OperatorCall(observation=observation, effect=effect, rule=asked.decision.rule)

    def _say(self, effect: Effect | None) -> None:
        if effect is not None and effect not in self._effects:
            self._effects.append(effect)

    def _refusal(self, asked: Asked, why: str) -> Effect | None:
        """Return the effect of a call that stored nothing; only calls that would store have one."""
        return Effect(kind="refused", reason=why) if self._court.is_storing(asked.name) else None

    def _end(self, asked: Asked, outcome: ToolOutcome) -> Draft:
        """Return the event that ends a call which was not denied, with how long its tool ran."""
        ran = None if self._began is None else self._clock.monotonic() - self._began
        latency = None if ran is None else round(ran * 1000)
        return end_event(self._context, asked, outcome, latency_ms=latency)


def _decide(court: Court, name: str, context: CallContext) -> tuple[Decision, Facts]:
    """Ask the court; whatever fails while it decides is a no."""
    try:
        return court.decide(name, context)
    except Exception:
        get_log(__name__).exception("gate_error", tool=name, brain=context.brain)
        revision = context.policy.revision
        return Decision(effect="deny", rule="gate_error", revision=revision), known_facts(context)


def _announced(court: Court, context: CallContext) -> tuple[ToolSpec, ...]:
    """Return what the model is told of; where nothing can be decided, nothing is."""
    try:
        return court.announced(context, _decide)
    except Exception:
        get_log(__name__).exception("gate_error", brain=context.brain)
        return ()


class Executor:
    """Finds, decides, checks, records, runs, records.

    `policy_in_force(brain)` gives the policy of this moment: a call is decided by the stricter of
    it and the snapshot of its exchange.
    """

    def __init__(
        self,
        *,
        tools: Mapping[str, Tool],
        policy_in_force: Callable[[str], Policy],
        clock: Clock,
    ) -> None:
        self._tools = dict(tools)
        self._court = Court(tools=self._tools, policy_in_force=policy_in_force)
        self._schemas = Schemas()
        self._clock = clock

    def begin(self, context: CallContext, journal: Journal) -> Calls:
        """Open the calls of one exchange."""
        return Calls(
            court=self._court,
            schemas=self._schemas,
            clock=self._clock,
            context=context,
            journal=journal,
        )

    def decisions(self, context: CallContext) -> Mapping[str, Decision]:
        """Return for each tool of the brain what would be decided now, by name in order."""
        names = self._court.tools_of(context)
        return {name: _decide(self._court, name, context)[0] for name in names}

    def has_place(self, name: str, context: CallContext) -> bool:
        """Tell whether a call of `name` could leave what it does: a note needs a box."""
        return self._court.has_place(name, context)

    async def run_as_operator(
        self, call: ToolCall, context: CallContext, journal: Journal
    ) -> OperatorCall:
        """Run a call that the operator asked for: a deny binds, shadow and taint do not.

        No model reads what comes of it, so that a sensitive tool is not refused for a model's sake.
        """
        asked_by = replace(context, origin="operator", is_local=True, is_tainted=False)
        return await self.begin(asked_by, journal).run_as_operator(call)

    async def promote(
        self, rehearsal: Rehearsal, context: CallContext, journal: Journal
    ) -> OperatorCall:
        """Make the change that a rehearsal held: a new decision, a new write, under the cap.

        The rehearsal goes when its change was made, and stays otherwise. Raises NotFound where it
        is gone already, UsageError where its tool makes no change in our store or it is of another
        box.
        """
        is_storing = rehearsal.tool not in self._tools or self._court.is_storing(rehearsal.tool)
        refuse_what_stays_rehearsed(rehearsal, context.box, is_storing=is_storing)
        call = ToolCall(
            id=rehearsal.rehearsal_id, name=rehearsal.tool, arguments=rehearsal.arguments
        )
        return await self.run_as_operator(call, replace(context, promoted_from=rehearsal), journal)
