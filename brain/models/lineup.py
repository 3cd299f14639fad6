"""The models of one brain, in order: which of them answers now (policy `priority`)."""

from collections.abc import Sequence
from dataclasses import dataclass

from brain.activity import Recorder
from brain.clock import Clock
from brain.errors import ModelError
from brain.models.ports import Capabilities, ChatModel, Proof
from brain.store import Store

__all__ = ["Lineup", "Picked", "Standing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """A model that may be asked now, with what is known of it. `passed_over`: those before it."""

    model: ChatModel
    capabilities: Capabilities
    proof: Proof
    passed_over: tuple[tuple[str, ModelError], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a model stands: for `brain models`, `brain doctor` and the first line of output."""

    model: str
    state: str
    detail: str
    fix: str
    proof: Proof | None


class Lineup:
    """Holds the models of one brain and their standing.

    A model is proved before its first use, again every 10 minutes while in use, and when its digest
    changes. One whose answer lied is out of service until the operator releases it, also across
    restarts. One that can't be asked is asked again before the next exchange.
    """

    def __init__(
        self,
        *,
        models: Sequence[ChatModel],
        needs_local: bool,
        store: Store | None,
        recorder: Recorder | None,
        clock: Clock,
    ) -> None:
        raise NotImplementedError

    async def pick(self, *, after: str = "") -> Picked:
        """Return the first model that may be asked now, from after the model named `after`.

        Raises the ModelError of the first model where none can be.
        """
        raise NotImplementedError

    async def condemn(self, model: str, error: ModelError) -> None:
        """Take a model out of service that lied in an answer, durably and on record."""
        raise NotImplementedError

    async def standings(self) -> tuple[Standing, ...]:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError
