"""The one door: a parsed command goes in, a reply comes out; no model is asked."""

from brain.activity import Recorder
from brain.clock import Clock
from brain.commands.context import CommandContext
from brain.commands.parse import Parsed
from brain.memory import Opened
from brain.records import Reply
from brain.store import Store
from brain.tools import Executor

__all__ = ["Commands"]


class Commands:
    """Answers system commands. `store` and `recorder` are None where the config has no storage."""

    def __init__(
        self,
        *,
        store: Store | None,
        recorder: Recorder | None,
        executor: Executor,
        clock: Clock,
    ) -> None:
        self._store = store
        self._recorder = recorder
        self._executor = executor
        self._clock = clock

    async def run(self, parsed: Parsed, context: CommandContext) -> Reply:
        """Answer a trigger that stands alone, a command, or an unknown word of the console.

        The outcome of the reply is `session` for a trigger, else `command`. A failure of the store
        is told in the reply; nothing is half-done then.
        """
        raise NotImplementedError

    async def cut(self, context: CommandContext) -> Opened:
        """Open the next session, for a trigger with text after it; an empty one is kept as it is.

        Raises StoreError.
        """
        raise NotImplementedError
