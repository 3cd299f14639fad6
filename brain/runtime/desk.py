"""The operator's desk: what the command line does to the store beside a running assistant.

No model is loaded or asked here. What a chat's `/notes …` does, the desk does with the same parts:
a note added or promoted is a call through the executor, under the policy in force.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from brain.activity import Draft, Recorder
from brain.clock import Clock
from brain.config import Brain, Config, Memory, Storage
from brain.errors import NotFound, UsageError
from brain.gate import Policy, compile_policy
from brain.ids import new_id
from brain.memory import (
    BoxDiff,
    Forgotten,
    Moved,
    Provenance,
    Target,
    Wanted,
    box_for,
    diff_rehearsals,
    discard_rehearsals,
    move_notes,
    rehearsal_box_for,
    sight_of,
)
from brain.records import Box, Note, Rehearsal, Scope, ToolCall
from brain.runtime.cleaning import Cleaner
from brain.runtime.forgetting import ForgettingDesk
from brain.runtime.outbox import Outbox
from brain.store import ModelBreak, Snapshot, Store, Transaction
from brain.tools import CallContext, Executor, OperatorCall

if TYPE_CHECKING:  # a talk needs none of it, and begins sooner without
    from brain.transfer import Header, Import, Selection

__all__ = ["BoxView", "Desk", "Place"]

_PAGE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which box is meant. `conversation` counts for scope conversation alone."""

    brain: str
    channel: str
    conversation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxView:
    """A box as one sees it. One that may not be seen is empty here.

    `not_shown` counts the notes in it that are not theirs to see, though the box is.
    """

    box: Box
    may_be_seen: bool
    notes: tuple[Note, ...]
    not_shown: int
    max_notes: int
    rehearsals: tuple[Rehearsal, ...]


class Desk(ForgettingDesk):
    """The operator's doors to one store, opened by `open_desk`.

    The files behind what was forgotten are cleaned by `cleaner`.
    """

    def __init__(
        self,
        *,
        config: Config,
        store: Store,
        recorder: Recorder,
        executor: Executor,
        clock: Clock,
        sender: str,
        cleaner: Cleaner,
    ) -> None:
        super().__init__(
            config=config, store=store, recorder=recorder, cleaner=cleaner, sender=sender
        )
        self._executor = executor
        self._clock = clock

    @property
    def outbox(self) -> Outbox:
        """What waits on channels whose senders do not wait."""
        return Outbox(config=self.config, store=self.store, recorder=self._recorder)

    def place(self, *, brain: str = "", channel: str = "", conversation: str = "main") -> Place:
        """Return the place that is meant; what is left open is the first that the config has.

        Raises UsageError for a brain or channel that the config does not name.
        """
        names = [each.name for each in self.config.brains]
        channels = [each.name for each in self.config.channels]
        if brain and brain not in names:
            raise UsageError(f"there is no brain {brain!r}; there are: {', '.join(names)}")
        if channel and channel not in channels:
            raise UsageError(f"there is no channel {channel!r}; there are: {', '.join(channels)}")
        if not brain:
            brain = self.config.brain_of(channel).name if channel else names[0]
        if not channel:
            channel = self._channel_of(brain, channels)
        return Place(brain=brain, channel=channel, conversation=conversation)

    async def view(self, place: Place, *, is_operator: bool) -> BoxView:
        """Return what the operator, or another, sees of the box."""
        memory, box = self._box(place)
        sensitivity = self.config.brain(place.brain).sensitivity
        sight = sight_of(box, sensitivity=sensitivity, is_operator=is_operator)

        def look(snapshot: Snapshot) -> BoxView:
            notes = snapshot.notes(box, may_read_private=sight.private, limit=_PAGE)
            waiting = snapshot.rehearsals(box, now=self._clock.now(), limit=_PAGE)
            return BoxView(
                box=box,
                may_be_seen=sight.notes,
                notes=notes if sight.notes else (),
                not_shown=min(snapshot.note_count(box), _PAGE) - len(notes),
                max_notes=memory.max_notes,
                rehearsals=waiting if sight.rehearsals else (),
            )

        return await self.store.read(look)

    async def add(self, place: Place, text: str) -> OperatorCall:
        """Store the operator's own note: same text rules, same cap; a deny binds."""
        context = await self._context(place)
        call = ToolCall(id=new_id(), name="memory_note", arguments={"note": text})
        journal = self._journal()
        outcome = await self._executor.run_as_operator(call, context, journal)
        await journal.commit(lambda _: None)
        return outcome

    async def forget_note(self, place: Place, number: int) -> Forgotten:
        """Forget one note. Raises NotFound, or UsageError for a brain without notes."""
        return await self.forget(self.meant(place, kind="note", number=number))

    async def forget_box(self, place: Place) -> Forgotten:
        """Forget what is in a box, its rehearsals with it."""
        return await self.forget(self.meant(place, kind="box"))

    def meant(
        self,
        place: Place,
        *,
        kind: Literal["note", "box"],
        number: int = 0,
        has_transcript: bool = False,
    ) -> Target:
        """Return the box of a place, or a note in it. Raises UsageError for a brain without notes."""
        _, box = self._box(place)
        return Target(kind=kind, box=box, number=number, has_transcript=has_transcript)

    async def promote(self, place: Place, number: int) -> OperatorCall:
        """Store what a rehearsal held: a new decision and a new write. Raises NotFound."""
        _, box = self._box(place)
        rehearsal = await self.store.read(
            lambda snapshot: snapshot.rehearsal(box, number, now=self._clock.now())
        )
        if rehearsal is None:
            raise NotFound(
                f"there is no rehearsal {number} here; nothing was changed",
                fix="brain notes rehearsals list shows them with their numbers",
            )
        context = await self._context(place)
        journal = self._journal()
        outcome = await self._executor.promote(rehearsal, context, journal)
        await journal.commit(lambda _: None)
        return outcome

    async def discard(self, place: Place, numbers: Sequence[int]) -> tuple[Rehearsal, ...]:
        """Discard rehearsals: all of these numbers, or NotFound and none."""
        _, box = self._box(place)
        by = self._provenance(await self._context(place))
        return await self._journal().commit(
            lambda tx: discard_rehearsals(tx, self._recorder, box=box, numbers=numbers, by=by)
        )

    async def diff(self, place: Place) -> BoxDiff:
        """Return the box as it is beside the box as it would be."""
        memory, _ = self._box(place)
        view = await self.view(place, is_operator=True)
        return diff_rehearsals(view.notes, view.rehearsals, memory)

    async def move(
        self,
        *,
        from_brain: str,
        to_brain: str,
        scope: Scope | None = None,
        channel: str = "",
        conversation: str = "",
        numbers: tuple[int, ...] = (),
        is_to_public: bool = False,
    ) -> tuple[Moved, ...]:
        """Take notes over into the boxes of a brain of the config, or make them public.

        All that is meant, or none. Empty brains are the first of the config and the target. Raises
        BrainError.
        """
        place = self.place(brain=to_brain, channel=channel)
        memory, _ = self._box(place)
        if is_to_public and scope is None and from_brain in ("", place.brain):
            scope = memory.scope  # where they are, and no move besides
        wanted = Wanted(
            from_brain=from_brain or place.brain,
            to_brain=place.brain,
            to_scope=memory.scope,
            scope=scope,
            channel=channel,
            conversation=conversation,
            numbers=numbers,
            is_to_public=is_to_public,
        )
        by = self._provenance(await self._context(place))
        return await self.store.write(
            lambda tx: move_notes(tx, self._recorder, wanted, memory=memory, by=by)
        )

    async def export(self, target: Path | BinaryIO, *, selection: "Selection") -> "Header":
        """Write what is selected to a new file, or into a stream. Raises BrainError."""
        from brain.transfer import write_export

        return await write_export(
            self.store,
            self._recorder,
            self._storage(),
            target,
            selection=selection,
            now=self._clock.now(),
        )

    async def plan_import(self, path: Path, *, what: tuple[str, ...]) -> "Import":
        """Return what an import of the file would do, having changed nothing. Raises BrainError."""
        from brain.transfer import plan_import

        self._storage()
        return await plan_import(self.store, self._recorder, self.config, path, what=what)

    async def import_file(
        self, path: Path, *, what: tuple[str, ...], without_refused: bool
    ) -> "Import":
        """Take up the file, all of it or nothing. Raises BrainError."""
        from brain.transfer import import_file

        self._storage()
        return await import_file(
            self.store,
            self._recorder,
            self.config,
            path,
            what=what,
            without_refused=without_refused,
        )

    def _storage(self) -> Storage:
        if self.config.storage is None:
            raise UsageError(
                "this config keeps nothing: it has no storage block",
                fix='add "storage": {} to it',
            )
        return self.config.storage

    async def broken_models(self) -> tuple[ModelBreak, ...]:
        """Return the models that are out of service until they are released."""
        return await self.store.read(lambda snapshot: snapshot.model_breaks())

    async def release(self, model: str) -> None:
        """Put a model back that had lied about being local. Raises NotFound."""

        def change(tx: Transaction) -> bool:
            was_broken = tx.release_model(model)
            if was_broken:
                draft = Draft(type="locality_released", model=model, origin="operator")
                self._recorder.append(tx, draft)
            return was_broken

        if not await self._journal().commit(change):
            raise NotFound(
                f"the model {model!r} is not out of service; nothing was changed",
                fix="brain models list shows how each model stands",
            )

    def _channel_of(self, brain: str, channels: Sequence[str]) -> str:
        routed = [route.channel for route in self.config.routes if route.brain == brain]
        return routed[0] if routed else channels[0]

    def _box(self, place: Place) -> tuple[Memory, Box]:
        brain = self.config.brain(place.brain)
        memory = brain.agent.memory if brain.agent else None
        box = box_for(brain.name, memory, place.channel, place.conversation)
        if memory is None or box is None:
            raise UsageError(
                f"the brain {brain.name!r} keeps no notes: its config has no agent.memory",
                fix='list the tool memory_note, grant it, and add "memory": {} to the agent',
            )
        return memory, box

    async def _context(self, place: Place) -> CallContext:
        brain = self.config.brain(place.brain)
        memory = brain.agent.memory if brain.agent else None

        def names(tx: Transaction) -> tuple[str, str]:
            return (
                tx.open_conversation(place.channel, place.conversation),
                tx.open_actor(place.channel, self._sender),
            )

        conversation_id, actor_id = await self.store.write(names)
        return CallContext(
            exchange_id=new_id(),
            brain=brain.name,
            sensitivity=brain.sensitivity,
            channel=place.channel,
            conversation=place.conversation,
            conversation_id=conversation_id,
            actor_id=actor_id,
            sender=self._sender,
            session=0,
            turn_id=0,
            policy=_policy(self.config, brain),
            origin="operator",
            memory=memory,
            box=rehearsal_box_for(brain.name, memory, place.channel, place.conversation),
        )

    def _provenance(self, context: CallContext) -> Provenance:
        return Provenance(
            brain=context.brain,
            sensitivity=context.sensitivity,
            channel=context.channel,
            origin="operator",
            revision=self.config.revision,
            conversation_id=context.conversation_id,
            actor_id=context.actor_id,
            exchange_id=context.exchange_id,
            sender=self._sender,
        )


def _policy(config: Config, brain: Brain) -> Policy:
    return compile_policy(brain, revision=config.revision)
