"""What one exchange has come to so far."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from brain.activity import Draft, Journal
from brain.agent.exchange import Exchange
from brain.agent.failures import sentence_of
from brain.agent.loading import Loaded
from brain.agent.unasked import NOTE_TOOL
from brain.errors import ModelError
from brain.models import Picked, code_of
from brain.records import (
    Effect,
    Ended,
    Note,
    Observation,
    Receipt,
    Reply,
    Sensitivity,
    ToolCall,
)
from brain.store import NewTurn, Transaction
from brain.tools import Calls, Policy

__all__ = ["Running"]

_GAP = "\n\n"
SET_ASIDE: Final = "a note that nobody asked for was left out"
HOW_TO_KEEP_ONE: Final = (
    "; /notes add TEXT keeps one"  # said to the operator: to others it is refused
)


class Running:
    """The one thing that changes while an exchange runs; nothing of it outlives the exchange.

    `text` is the reply so far: all that was shown, the texts of several answers a blank line apart.
    `loaded` was read beforehand and serves the first prompt. `window_start` is where the history
    window begins from now on; 0 where it stays. `notes` are those that ride in the prompt,
    `receipt` what the last prompt was made of. `is_private`: something rides that was written under
    a private brain, so that what comes of it is private too.
    """

    def __init__(
        self,
        *,
        exchange: Exchange,
        brain: str,
        policy: Policy,
        journal: Journal,
        on_text: Callable[[str], None],
        model: str,
        loaded: Loaded | None = None,
    ) -> None:
        self.exchange = exchange
        self.brain = brain
        self.policy = policy
        self.journal = journal
        self.notices: list[str] = []
        self.notes: tuple[Note, ...] = ()
        self.receipt: Receipt | None = None
        self.calls: Calls | None = None
        self.model = model
        self.loaded = loaded
        self.window_start = 0
        self.is_tainted = False
        self.is_private = False
        self.has_asked = False
        self.has_acted = False
        self.prompt_tokens = 0
        self.reply_tokens = 0
        self.ended: Ended = "stop"
        self._on_text = on_text
        self._answers: list[str] = []
        self._current: list[str] = []

    @property
    def text(self) -> str:
        current = "".join(self._current)
        return _GAP.join([*self._answers, *([current] if current else [])])

    @property
    def has_shown(self) -> bool:
        """Tell whether the answer that is coming in has shown anything."""
        return bool(self._current)

    @property
    def is_bound(self) -> bool:
        """Tell whether another model can no longer take over: something was shown or done."""
        return self.has_acted or bool(self._current) or bool(self._answers)

    @property
    def has_taint(self) -> bool:
        """Tell whether something from outside was in the prompt, or was read by a tool since."""
        return self.is_tainted or (self.calls is not None and self.calls.is_tainted)

    @property
    def effects(self) -> tuple[Effect, ...]:
        return () if self.calls is None else self.calls.effects

    def show(self, text: str) -> None:
        """Let the channel have a further piece of the answer."""
        if not text:
            return
        gap = _GAP if self._answers and not self._current else ""
        self._current.append(text)
        self._on_text(gap + text)

    def end_answer(self, text: str) -> None:
        """Close an answer whose whole text, as it is kept, is `text`."""
        self._current.clear()
        if text:
            self._answers.append(text)

    def forget_text(self) -> None:
        self._current.clear()
        self._answers.clear()

    async def act(self, calls: Sequence[ToolCall]) -> tuple[Observation, ...]:
        """Run the calls of one answer; from here on no other model can take over."""
        if self.calls is None:
            raise RuntimeError("the calls of an exchange are opened when its prompt is composed")
        self.has_acted = True
        try:
            return await self.calls.run(calls)
        finally:
            self.exchange.on_effects(self.effects)

    def set_aside(self, tool: str) -> None:
        """Record and tell that a call was not made, since nobody had asked for it."""
        self.record("call_set_aside", tool=tool, model=self.model)
        if tool == NOTE_TOOL:
            is_operator = self.exchange.reader.is_operator
            self.notices.append(SET_ASIDE + (HOW_TO_KEEP_ONE if is_operator else ""))

    def pass_over(self, picked: Picked, *failed: tuple[str, ModelError]) -> None:
        """Record and tell that models before `picked` could not answer."""
        for name, error in (*failed, *picked.passed_over):
            self.record("model_fallback", model=name, outcome=code_of(error))
            self.notices.append(f"{sentence_of(error, model=name)} {picked.model.name} was asked.")

    def record(self, event_type: str, **fields: Any) -> None:
        """Let an event of this exchange ride in its next commit."""
        exchange = self.exchange
        self.journal.add(
            Draft(
                type=event_type,
                brain=self.brain,
                channel=exchange.channel,
                conversation=exchange.conversation_id or None,
                actor=exchange.actor_id,
                exchange=exchange.exchange_id,
                revision=exchange.revision,
                **fields,
            )
        )

    def last_change(
        self, sensitivity: Sensitivity, reply: Reply | None
    ) -> Callable[[Transaction], bool]:
        """Return what stores the reply, of a brain of this sensitivity, and moves the window.

        None stands for a reply that was cut off: what had come of it is stored, also where that is
        no text and only what became of notes. It tells whether anything was: nothing is once
        something of the talk was forgotten.
        """
        exchange = self.exchange
        if exchange.apart is not None:
            return _store_nothing
        turn = NewTurn(
            conversation_id=exchange.conversation_id,
            session=exchange.session,
            role="assistant",
            text=self.text,
            brain=self.brain,
            sensitivity="private" if self.is_private else sensitivity,
            exchange_id=exchange.exchange_id,
            is_tainted=self.has_taint,
            is_cut=reply is None or reply.outcome != "answered",
            effects=self.effects,
            truth="" if reply is None else reply.truth,
        )
        window_start, receipt = self.window_start, self.receipt

        def change(tx: Transaction) -> bool:
            if tx.talk_generation(exchange.conversation_id) != exchange.generation:
                return False
            if receipt is not None:
                tx.keep_receipt(exchange.conversation_id, receipt)
            if turn.text or turn.effects:
                tx.add_turn(turn)
            if window_start:
                tx.move_window(exchange.conversation_id, exchange.session, window_start)
            if reply is not None:
                exchange.keep(tx, reply)
            return True

        return change


def _store_nothing(_: Transaction) -> bool:
    """An exchange that stands apart leaves its events and nothing else, as it should."""
    return True
