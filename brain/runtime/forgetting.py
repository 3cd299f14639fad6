"""The operator's doors to forgetting: what goes, what would go, and what came of it."""

from collections.abc import Callable

from brain.activity import Journal, Recorder
from brain.config import Config
from brain.memory import Forgotten, Provenance, Target, forget, plan_forgetting
from brain.runtime.cleaning import Cleaner
from brain.store import Forgetting, Snapshot, Store, Transaction

__all__ = ["ForgettingDesk"]


class ForgettingDesk:
    """The part of the operator's desk that removes for good. The files are cleaned by `cleaner`."""

    def __init__(
        self, *, config: Config, store: Store, recorder: Recorder, cleaner: Cleaner, sender: str
    ) -> None:
        self.config = config
        self.store = store
        self._recorder = recorder
        self._cleaner = cleaner
        self._sender = sender

    async def forget(self, target: Target) -> Forgotten:
        """Remove what is meant and record it; the files are cleaned by whoever runs. Raises NotFound."""
        by = await self._provenance_of(target)
        gone = await self._journal().commit(lambda tx: forget(tx, self._recorder, target, by=by))
        self._cleaner.wake()
        return gone

    async def finish_forgetting(
        self, *, tell: Callable[[str], None], patience_seconds: float
    ) -> bool:
        """Clean the files behind all that was forgotten, or wait for who does; False if that is long.

        Raises StoreError: then it is finished later.
        """
        return await self._cleaner.clean_or_wait(tell=tell, patience_seconds=patience_seconds)

    async def forgetting(self, forgetting_id: str = "") -> Forgetting | None:
        """Return one forgetting with its receipt, or the newest."""
        if not forgetting_id:
            return await self.store.read(lambda rows: rows.newest_forgetting())
        return await self.store.read(lambda rows: rows.forgetting(forgetting_id))

    async def plan_forgetting(self, target: Target) -> Forgotten:
        """Return what `forget` would remove, having removed nothing. Raises NotFound."""

        def change(tx: Transaction) -> None:
            raise _TakenBackError(plan_forgetting(tx, target))

        try:
            await self.store.write(change)
        except _TakenBackError as plan:
            return plan.forgotten
        raise RuntimeError("a plan ends with what takes its transaction back")

    async def forget_talk(self, conversation_id: str) -> Forgotten:
        """Forget a conversation by its random id. Raises NotFound."""
        return await self.forget(Target(kind="conversation", conversation_id=conversation_id))

    async def _provenance_of(self, target: Target) -> Provenance:
        """Return who forgets, by ids that are there already: none is made for what is about to go."""
        box = target.box

        def look(rows: Snapshot) -> tuple[str, str, str]:
            talk = rows.conversation(target.conversation_id) if target.conversation_id else None
            named = talk or box or target
            talk_id = target.conversation_id or rows.conversation_id(
                named.channel, named.conversation
            )
            actor_id = rows.actor_id(named.channel, self._sender)
            return named.channel, talk_id or "", actor_id or ""

        channel, talk_id, actor_id = await self.store.read(look)
        return Provenance(
            brain=box.brain if box is not None else "",
            sensitivity="public",
            channel=channel,
            origin="operator",
            revision=self.config.revision,
            conversation_id=talk_id,
            actor_id=actor_id,
            sender=self._sender,
        )

    def _journal(self) -> Journal:
        return Journal(store=self.store, recorder=self._recorder)


class _TakenBackError(Exception):
    """Carries a plan out of the transaction that it takes back."""

    def __init__(self, forgotten: Forgotten) -> None:
        super().__init__()
        self.forgotten = forgotten
