"""What a server is handed: the doors of one running brain, for faces that speak in JSON.

Decides nothing of its own: each door asks the runtime, the desk, the judge, the feed or the reload.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime

from brain import __version__
from brain.activity import Feed, FeedItem, decision_words, list_events
from brain.agent import Apart
from brain.config import Config, Report, check_config, see
from brain.errors import ChannelError, NotFound, StoreError
from brain.log import get_log
from brain.records import Inbound, JSONValue, Message, Reply, Turn
from brain.runtime.desk import Desk
from brain.runtime.judging import Explanation
from brain.runtime.mailroom import Acceptance, Mailroom
from brain.runtime.outcome import Outcome, told
from brain.runtime.replaying import Replay, read_calls, replay
from brain.runtime.runtime import Runtime
from brain.runtime.wiring import judge_of
from brain.store import (
    EventFilter,
    EventRow,
    MessageState,
    SessionRow,
    Snapshot,
    TalkMark,
    TalkRow,
)

__all__ = ["Doors"]


class Doors:
    """The doors of `runtime`; `feed` follows its record, `mailroom` takes what nobody waits for."""

    def __init__(self, runtime: Runtime, feed: Feed, mailroom: Mailroom) -> None:
        self._runtime = runtime
        self._feed = feed
        self._mailroom = mailroom

    @property
    def config(self) -> Config:
        """The config in force."""
        return self._runtime.config

    async def handle(self, inbound: Inbound, on_text: Callable[[str], None] | None = None) -> Reply:
        """Answer one message; a failure is a reply."""
        return await self._runtime.handle(inbound, on_text)

    async def accept(self, inbound: Inbound) -> Acceptance:
        """Keep a message whose sender does not wait. Raises StoreError where it can't be kept."""
        return await self._mailroom.accept(inbound)

    async def handle_apart(
        self,
        inbound: Inbound,
        history: Sequence[Message],
        prompt: str,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Answer a message that brings its history and a prompt along and leaves no turn."""
        apart = Apart(history=tuple(history), prompt=prompt)
        return await self._runtime.handle(inbound, on_text, apart=apart)

    async def ready(self) -> Mapping[str, JSONValue]:
        """Return whether messages can be answered now, and what each part says."""
        store = await self._store()
        brains = await self.brains()
        last = self._runtime.reload.last
        can_answer = all(
            any(model["state"] in ("ready", "unasked") for model in models)
            for models in (await self._models()).values()
        )
        is_ready = bool(store["is_writable"] or self.config.storage is None) and can_answer
        return {
            "status": "ready" if is_ready else "not_ready",
            "version": __version__,
            "revision": self.config.revision,
            "store": store,
            "brains": brains,
            "webhooks": list(await self.waiting()),
            "last_reload": told(last) if last is not None else None,
        }

    async def waiting(self) -> Sequence[Mapping[str, JSONValue]]:
        """Return how much waits on each webhook channel; nothing where the store can't be read."""
        try:
            return await self._runtime.waiting()
        except StoreError:
            return ()

    async def brains(self) -> Sequence[Mapping[str, JSONValue]]:
        """Return each brain of the config in force with its channels and models."""
        models = await self._models()
        return [
            {
                "name": brain.name,
                "sensitivity": brain.sensitivity,
                "channels": [
                    route.channel for route in self.config.routes if route.brain == brain.name
                ],
                "tools": list(brain.agent.tools) if brain.agent else [],
                "memory": _memory_of(self.config, brain.name),
                "models": models.get(brain.name, []),
            }
            for brain in self.config.brains
        ]

    async def events(
        self, *, after: int | None, types: tuple[str, ...], brain: str, limit: int
    ) -> tuple[tuple[EventRow, ...], int]:
        """Return events and the seq of the head: the first behind `after`, or the newest ones."""
        store = self._runtime.store
        wanted = EventFilter(after=after or 0, types=types, brain=brain)
        rows = await list_events(store, wanted, limit=limit, newest=after is None)
        head, _ = await store.read(lambda snapshot: snapshot.event_head())
        return rows, head

    async def head(self) -> int:
        """Return the seq of the newest event, 0 for none."""
        seq, _ = await self._runtime.store.read(lambda snapshot: snapshot.event_head())
        return seq

    def follow(
        self, *, after: int, types: tuple[str, ...] = (), brain: str = ""
    ) -> AsyncGenerator[Sequence[FeedItem], None]:
        """Yield the events behind `after`, all that are there together, and wait for more."""
        return self._feed.batches(after=after, wanted=EventFilter(types=types, brain=brain))

    def desk(self, sender: str) -> Desk:
        """Return the operator's doors to the boxes."""
        return self._runtime.desk(sender)

    def tools(self, brain: str) -> Sequence[Mapping[str, JSONValue]]:
        """Return what is decided about each tool of a brain on each of its channels, and why."""
        judge, config = self._runtime.judge(), self.config
        agent = config.brain(brain).agent
        channels = [route.channel for route in config.routes if route.brain == brain]
        found = [
            judge.explain(tool, brain=brain, channel=channel)
            for tool in (agent.tools if agent else ())
            for channel in channels
        ]
        return [_explained(each) for each in found]

    async def talks(
        self, *, limit: int, before: tuple[datetime | None, str] | None = None
    ) -> Sequence[TalkRow]:
        """Return the conversations, the one with the newest turn first, or those that follow one.

        That one is named by its `last_at` and its id.
        """
        mark = None if before is None else TalkMark(last_at=before[0], conversation_id=before[1])
        return await self._runtime.store.read(lambda rows: rows.talks(limit=limit, before=mark))

    async def sessions(
        self, conversation_id: str, *, limit: int, before: int | None = None
    ) -> Sequence[SessionRow]:
        """Return the newest sessions of a conversation, oldest first. Raises NotFound."""

        def read(rows: Snapshot) -> Sequence[SessionRow]:
            if rows.active_session(conversation_id) is None:
                raise NotFound("there is no such conversation, or nothing was said in it")
            end = {} if before is None else {"before": before}
            return rows.sessions(conversation_id, limit=limit, **end)

        return await self._runtime.store.read(read)

    async def turns(
        self, conversation_id: str, session: int | None, *, limit: int, before: int | None = None
    ) -> tuple[int, Sequence[Turn]]:
        """Return the newest turns of a session, by default the active one, and its number.

        Oldest first; with `before`, those before the turn of this id. Raises NotFound.
        """

        def read(rows: Snapshot) -> tuple[int, Sequence[Turn]]:
            if (active := rows.active_session(conversation_id)) is None:
                raise NotFound("there is no such conversation, or nothing was said in it")
            number = active.number if session is None else session
            if rows.session(conversation_id, number) is None:
                raise NotFound("there is no such session of this conversation")
            end = {} if before is None else {"before_turn_id": before}
            return number, rows.turns(
                conversation_id, number, limit=limit, may_read_private=True, **end
            )

        return await self._runtime.store.read(read)

    async def message_states(self, exchange_ids: Sequence[str]) -> Mapping[str, MessageState]:
        """Return the last that is on record of the messages of these exchanges."""
        found = await self._runtime.store.read(
            lambda rows: {each: rows.message_state(each) for each in exchange_ids}
        )
        return {each: state for each, state in found.items() if state is not None}

    async def note_counts(self) -> Mapping[str, int]:
        """Return how many notes there are by kind of scope."""
        counted = await self._runtime.store.read(lambda rows: rows.boxes())
        return {
            scope: sum(count for box, count in counted if box.scope == scope)
            for scope in ("conversation", "brain")
        }

    async def read_config(self) -> bytes:
        """Return what stands in the config file. Raises ChannelError."""
        content = (await asyncio.to_thread(see, self.config.path)).content
        if isinstance(content, OSError):
            raise ChannelError(
                f"the config file can't be read: {content.strerror}",
                fix="the config in force runs on; look at the file",
            )
        return content

    async def put_config(self, content: bytes, *, expected: str) -> Outcome | None:
        """Write the config file and put it in force; None where `expected` is not its digest."""
        try:
            return await self._runtime.reload.put(content, expected=expected)
        except OSError as error:
            raise ChannelError(
                f"the config file can't be written: {error.strerror}; nothing was changed",
                fix="change the rights of its folder, or edit the file itself",
            ) from error

    async def replay_config(self, content: bytes) -> Report | Replay:
        """Return what the calls on record would have come to under another config, or its problems."""
        wired = self._runtime
        report = await asyncio.to_thread(
            check_config, wired.config.path, environ={}, static=True, content=content
        )
        if report.config is None:
            return report
        calls = await read_calls(wired.store, since=None)
        return replay(calls, judge_of(report.config, clock=wired.clock))

    async def _models(self) -> Mapping[str, list[dict[str, JSONValue]]]:
        standings = await self._runtime.standings()
        return {brain: [each.data() for each in of] for brain, of in standings.items()}

    async def _store(self) -> Mapping[str, JSONValue]:
        if self.config.storage is None:
            return {"is_writable": False, "detail": "this config has no storage"}
        try:
            await self._runtime.store.write(lambda _: None)
        except StoreError as error:
            get_log("runtime").error("store_failed", error=error.message)
            return {"is_writable": False, "detail": error.message}
        return {"is_writable": True, "detail": ""}


def _explained(found: Explanation) -> Mapping[str, JSONValue]:
    first = found.cases[0].decision
    return {
        "tool": found.tool,
        "channel": found.channel,
        "effect": first.effect,
        "rule": first.rule,
        "words": decision_words(first.effect, first.rule, has_shield=first.shield),
        "grant": found.grant,
        "otherwise": [
            {
                "when": case.when,
                "effect": case.decision.effect,
                "rule": case.decision.rule,
                "words": decision_words(
                    case.decision.effect, case.decision.rule, has_shield=case.decision.shield
                ),
            }
            for case in found.cases[1:]
        ],
    }


def _memory_of(config: Config, name: str) -> JSONValue:
    agent = config.brain(name).agent
    if agent is None or agent.memory is None:
        return None
    return {"scope": agent.memory.scope, "max_notes": agent.memory.max_notes}
