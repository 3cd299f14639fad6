"""What a server is handed: the doors of one running brain, for faces that speak in JSON.

Decides nothing of its own: each door asks the runtime, the desk, the judge, the feed or the reload.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

from brain import __version__
from brain.activity import Feed, FeedItem, list_events
from brain.clock import to_rfc3339
from brain.config import Config
from brain.errors import StoreError
from brain.models import Proof, Standing
from brain.records import Inbound, JSONValue, Reply
from brain.runtime.outcome import told
from brain.runtime.runtime import Runtime
from brain.store import EventFilter, EventRow

__all__ = ["Doors"]


class Doors:
    """The doors of `runtime`; `feed` follows its record."""

    def __init__(self, runtime: Runtime, feed: Feed) -> None:
        self._runtime = runtime
        self._feed = feed

    @property
    def config(self) -> Config:
        """The config in force."""
        return self._runtime.config

    async def handle(self, inbound: Inbound, on_text: Callable[[str], None] | None = None) -> Reply:
        """Answer one message; a failure is a reply."""
        return await self._runtime.handle(inbound, on_text)

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
            "last_reload": told(last) if last is not None else None,
        }

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
    ) -> AsyncGenerator[FeedItem, None]:
        """Yield each event behind `after`, and wait for more."""
        return self._feed.follow(after=after, wanted=EventFilter(types=types, brain=brain))

    async def _models(self) -> Mapping[str, list[dict[str, JSONValue]]]:
        standings = await self._runtime.standings()
        return {brain: [_model(each) for each in of] for brain, of in standings.items()}

    async def _store(self) -> Mapping[str, JSONValue]:
        if self.config.storage is None:
            return {"is_writable": False, "detail": "this config has no storage"}
        try:
            await self._runtime.store.write(lambda _: None)
        except StoreError as error:
            return {"is_writable": False, "detail": error.message}
        return {"is_writable": True, "detail": ""}


def _memory_of(config: Config, name: str) -> JSONValue:
    agent = config.brain(name).agent
    if agent is None or agent.memory is None:
        return None
    return {"scope": agent.memory.scope, "max_notes": agent.memory.max_notes}


def _model(standing: Standing) -> dict[str, JSONValue]:
    return {
        "model": standing.model,
        "state": standing.state,
        "detail": standing.detail,
        "fix": standing.fix,
        "proof": _proof(standing.proof) if standing.proof else None,
    }


def _proof(proof: Proof) -> JSONValue:
    return {
        "proof_id": proof.proof_id,
        "is_local": proof.is_local,
        "digest": proof.digest,
        "at": to_rfc3339(proof.at),
        "steps": [
            {"name": step.name, "outcome": step.outcome, "detail": step.detail}
            for step in proof.steps
        ],
    }
