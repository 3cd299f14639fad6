"""One exchange's prompt for one model: composed once, made to fit before every call.

Pure: rows and parts in, messages and their account out.
"""

from dataclasses import dataclass

from brain.agent.history import as_messages
from brain.agent.prompt import Parts, compose, prefix
from brain.agent.tokens import MESSAGE_TOKENS, estimate, estimate_message, oldest_to_drop
from brain.errors import PromptTooLong
from brain.records import Message, Turn

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

    def fit(self, tail: tuple[Message, ...] = ()) -> Fitted:
        """Return the prompt that ends in `tail`, without exchanges that do not fit.

        Raises PromptTooLong where what can't be left out does not fit by itself.
        """
        fixed = self.tools_tokens + self.turn_tokens
        fixed += sum(map(estimate_message, prefix(self.parts)))
        fixed += MESSAGE_TOKENS + estimate(self.text) + sum(map(estimate_message, tail))
        if fixed > self.room_tokens:
            raise PromptTooLong(
                f"the prompt without any history is about {fixed} tokens, "
                f"and there is room for {self.room_tokens}",
                fix=(
                    f"It is about {fixed} tokens and there is room for {self.room_tokens}: send "
                    "less at once, or raise `num_ctx`."
                ),
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

    def part_tokens(self) -> dict[str, int]:
        """Return what each part of the prompt is counted as, for the receipt."""
        return {
            "persona_tokens": estimate(self.parts.persona),
            "lane_tokens": estimate(self.parts.lane),
            "system_prompt_tokens": estimate(self.parts.system_prompt),
            "notes_tokens": estimate(self.parts.notes),
            "tools_tokens": self.tools_tokens,
            "message_tokens": estimate(self.text),
        }

    def _cost(self, turn: Turn) -> int:
        return MESSAGE_TOKENS + self.turn_tokens + estimate(turn.text)
