"""The one door: a parsed command goes in, a reply comes out; no model is asked."""

from collections.abc import Callable
from dataclasses import replace

from brain.activity import Recorder
from brain.clock import Clock
from brain.commands.answer import Answer, Ask, Step
from brain.commands.context import CommandContext
from brain.commands.forms import Command
from brain.commands.help import HOW_TO_NAME_ONE, answer_unknown
from brain.commands.parse import DEFAULT_TRIGGERS, Parsed
from brain.commands.record import KeepAnswer, take
from brain.commands.table import TABLE, command_named
from brain.commands.triggers import answer_without_trigger, plan_cut
from brain.records import Reply
from brain.store import Store
from brain.tools import Executor

__all__ = ["Commands"]


class Commands:
    """Answers system commands. `store` and `recorder` are None where the config has no storage.

    `forgot` is told of each command that removed rows for good.
    """

    def __init__(
        self,
        *,
        store: Store | None,
        recorder: Recorder | None,
        executor: Executor,
        clock: Clock,
        forgot: Callable[[], None],
    ) -> None:
        self._store = store
        self._recorder = recorder
        self._executor = executor
        self._clock = clock
        self._forgot = forgot

    async def run(self, parsed: Parsed, context: CommandContext) -> Reply:
        """Answer a trigger that stands alone, a command, or an unknown word of the console.

        The outcome of the reply is `session` for a trigger, else `command`; its code is the outcome
        that the event carries. A failure of the store is told in the reply, and nothing is
        half-done then. Raises ValueError for text, which is the model's.
        """
        ask = self._ask(parsed.rest, context)
        name, step = _plan(parsed, ask)

        def reply(answer: Answer) -> Reply:
            return Reply(
                text=answer.text,
                outcome="session" if parsed.kind == "trigger" else "command",
                exchange_id=context.exchange_id,
                code=answer.outcome,
            )

        answer, notices = await self._take(
            step, ask, name, lambda tx, answer: context.keep(tx, reply(answer))
        )
        if answer.has_forgotten:
            self._forgot()
        return replace(reply(answer), notices=notices)

    def _ask(self, rest: str, context: CommandContext) -> Ask:
        return Ask(
            context=context,
            rest=rest,
            executor=self._executor,
            now=self._clock.now(),
            zone=self._clock.zone(),
            has_store=self._store is not None,
        )

    async def _take(
        self, step: Step, ask: Ask, name: str, keep: KeepAnswer
    ) -> tuple[Answer, tuple[str, ...]]:
        if self._store is not None and self._recorder is not None:
            return await take(
                step, ask, name, store=self._store, recorder=self._recorder, keep=keep
            )
        if isinstance(step, Answer):
            return step, ()
        raise LookupError(f"the command {name!r} needs a store and did not say so")


def _plan(parsed: Parsed, ask: Ask) -> tuple[str, Step]:
    """Return the name under which the command is recorded, and what it has to do."""
    match parsed.kind:
        case "trigger":
            return "trigger", _without_talk(parsed.name) if ask.is_apart else plan_cut(ask)
        case "unknown":
            return "unknown", answer_unknown(ask, parsed.name, TABLE)
        case "command" if parsed.name in DEFAULT_TRIGGERS:
            return parsed.name, answer_without_trigger(ask, parsed.name)
        case "command":
            return parsed.name, _step_of(command_named(parsed.name), ask)
        case "text":
            raise ValueError("text is for the model, not for a command")


def _step_of(command: Command, ask: Ask) -> Step:
    if ask.is_apart and command.is_about_talk(ask) and not command.why_off(ask):
        return _without_talk(command.name)
    return command.plan(ask)


def _without_talk(name: str) -> Answer:
    return Answer(
        text=f"/{name} is about a conversation, and this message names none. {HOW_TO_NAME_ONE}",
        outcome="no_conversation",
    )
