"""One exchange's prompt for one model: composed once, made to fit before every call.

Pure: rows and parts in, messages and their account out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from brain.agent.history import as_messages
from brain.agent.prompt import Parts, compose, prefix
from brain.agent.tokens import MESSAGE_TOKENS, estimate_message, oldest_to_drop
from brain.errors import PromptTooLong
from brain.records import Message, Turn
from brain.tokens import estimate_tokens

__all__ = ["Composition", "Fitted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A prompt that fits: its messages, and how many of the oldest exchanges it does without.

    `tokens` is what it is counted as, `history_tokens` the part of it that is history.
    """

    messages: tuple[Message, ...]
    dropped: int
    tokens: int
    history_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """What a prompt is made of. `room_tokens` is what the model can read and still answer.

    `exchanges` are the earlier ones, oldest first; `tools_tokens` rides beside the messages and
    `turn_tokens` on each turn of the history.
    """

    parts: Parts
    exchanges: tuple[tuple[Turn, ...], ...]
    text: str
    room_tokens: int
    tools_tokens: int = 0
    turn_tokens: int = 0

    @property
    def config_runes(self) -> int:
        """How much of the first message the config alone decides."""
        return len(self.parts.of_config())

    def said(self) -> Iterator[str]:
        """Return the texts of the turns that stand before the message."""
        return (turn.text for exchange in self.exchanges for turn in exchange)

    def fit(self, tail: tuple[Message, ...] = ()) -> Fitted:
        """Return the prompt that ends in `tail`, without exchanges that do not fit.

        Raises PromptTooLong where what can't be left out does not fit by itself.
        """
        fixed = self.fixed_tokens(tail)
        if fixed > self.room_tokens:
            raise PromptTooLong(
                f"the prompt without any history is about {fixed} tokens, "
                f"and there is room for {self.room_tokens}",
                fix=self._how_to_fit(fixed),
            )
        costs = [sum(map(self._cost, exchange)) for exchange in self.exchanges]
        dropped = oldest_to_drop(costs, room=self.room_tokens - fixed)
        history = [turn for exchange in self.exchanges[dropped:] for turn in exchange]
        history_tokens = sum(costs[dropped:])
        return Fitted(
            messages=(*compose(self.parts, as_messages(history, self.text)), *tail),
            dropped=dropped,
            tokens=fixed + history_tokens,
            history_tokens=history_tokens,
        )

    def fixed_tokens(self, tail: tuple[Message, ...] = ()) -> int:
        """Return what the prompt that ends in `tail` is counted as without any history."""
        fixed = self.tools_tokens + self.turn_tokens
        fixed += sum(map(estimate_message, prefix(self.parts)))
        fixed += MESSAGE_TOKENS + estimate_tokens(self.text)
        return fixed + sum(map(estimate_message, tail))

    def _how_to_fit(self, fixed: int) -> str:
        told = f"It is about {fixed} tokens and there is room for {self.room_tokens}: "
        notes = estimate_tokens(self.parts.notes)
        if notes > self.room_tokens // 2:
            # They were stored under a config that had more room for them.
            return f"{told}{notes} of it are notes; drop some (/notes drop N), or raise `num_ctx`."
        return f"{told}send less at once, or raise `num_ctx`."

    def part_tokens(self) -> dict[str, int]:
        """Return what each part of the prompt but history and calls is counted as."""
        return {
            "persona": estimate_tokens(self.parts.persona),
            "lane": estimate_tokens(self.parts.lane),
            "system_prompt": estimate_tokens(self.parts.system_prompt)
            + estimate_tokens(self.parts.client_prompt),
            "notes": estimate_tokens(self.parts.notes),
            "tools": self.tools_tokens,
            "message": estimate_tokens(self.text),
        }

    def _cost(self, turn: Turn) -> int:
        return MESSAGE_TOKENS + self.turn_tokens + estimate_tokens(turn.text)
