"""One exchange from its stored user turn to its stored reply."""

from collections.abc import Callable

from brain.activity import Recorder
from brain.agent.exchange import Exchange
from brain.clock import Clock
from brain.config import Brain
from brain.models import Lineup
from brain.records import Reply
from brain.store import Store
from brain.tools import Executor, Policy

__all__ = ["Agent"]


class Agent:
    """Answers the exchanges of one brain: load, pick, compose, loop, commit.

    Holds nothing between exchanges but its models and its executor. `policy` gives the snapshot
    that an exchange keeps from its beginning.
    """

    def __init__(
        self,
        *,
        brain: Brain,
        lineup: Lineup,
        executor: Executor,
        store: Store,
        recorder: Recorder,
        clock: Clock,
        policy: Callable[[], Policy],
    ) -> None:
        self._brain = brain
        self._lineup = lineup
        self._executor = executor
        self._store = store
        self._recorder = recorder
        self._clock = clock
        self._policy = policy

    async def answer(self, exchange: Exchange, on_text: Callable[[str], None]) -> Reply:
        """Answer, store the reply with its events in one commit, and return it.

        `on_text` gets the reply as it comes: what it was given, joined, is the text of a reply of
        outcome `answered`. A failure is a Reply too (outcome `failed`, its sentence in `text`, not
        given to `on_text`). Raises CancelledError after what had come was stored and marked, and
        StoreError where even a failure can't be recorded.
        """
        raise NotImplementedError

    async def warm(self, exchange: Exchange | None = None) -> None:
        """Load the model and read the prompt into its cache, while nobody waits.

        Without an exchange (at start) that is the part every prompt begins with; after an exchange
        that stored a note it is the prompt its conversation goes on with. A model that can't be
        asked is logged, not raised.
        """
        raise NotImplementedError
