"""The model of one exchange, asked as often as its loop needs."""

from contextlib import aclosing

from brain import config
from brain.agent.asked import asks_to_remember
from brain.agent.composition import Composition, Fitted
from brain.agent.lane import Expected, Lane, Reader
from brain.agent.loop import Answer
from brain.agent.running import Running
from brain.agent.tokens import estimate_message, was_cut
from brain.agent.unasked import NOTE_TOOL
from brain.clock import Clock
from brain.counts import counted
from brain.errors import ModelError, ModelRefused, NotLocal, PromptTooLong
from brain.models import CallDelta, ChatRequest, Done, Picked, TextDelta, ThinkingDelta, code_of
from brain.records import Message, Receipt, ToolCall

__all__ = ["Asking"]


class Asking:
    """Composes, asks, streams, and asks once more where that is known to help.

    Every call of the model leaves a `model_called` event that says what rode in the prompt, which
    proof the model stood on, and what came of it. `moves_window`: what does not fit this model is
    left out from now on; else only this time.
    """

    def __init__(
        self,
        *,
        running: Running,
        picked: Picked,
        settings: config.Model,
        lane: Lane,
        composition: Composition,
        clock: Clock,
        moves_window: bool,
    ) -> None:
        self._running = running
        self._picked = picked
        self._settings = settings
        self._lane = lane
        self._composition = composition
        self._clock = clock
        self._moves_window = moves_window
        self._think = _wanted_thinking(picked, settings)
        self._called = 0
        self._counts: dict[str, int] = {}
        self._dropped = 0

    async def ask(self, tail: tuple[Message, ...]) -> Answer:
        """Return the model's answer to the prompt that ends in `tail`.

        What can be shown of it was shown when it returns. Raises ModelError.
        """
        return await self._answer(tail, "any" if tail or not self._wants_note() else "note")

    async def reply(self) -> Answer:
        """Return the model's answer to the prompt where it has to be a reply. Raises ModelError."""
        return await self._answer((), "reply")

    def _wants_note(self) -> bool:
        """Tell whether the message plainly asks for a note, and a note can be kept.

        A reply keeps nothing. A small model gives one all the same now and then, and repeats in it
        what it was to keep, or reckons with a number in it.
        """
        if self._lane.kind != "text":
            return False  # no other lane can hold an answer to anything
        has_notes = any(tool.name == NOTE_TOOL for tool in self._lane.tools)
        return has_notes and asks_to_remember(self._running.exchange.text)

    async def _answer(self, tail: tuple[Message, ...], expects: Expected) -> Answer:
        messages = self._fit(tail)
        answer = await self._ask_once_more(messages, expects)
        may_have_thought = self._picked.capabilities.thinking and self._think is not False
        if not answer.text and not answer.calls and may_have_thought:
            self._think = False
            answer = await self._ask_once_more(messages, expects)
        self._running.end_answer(answer.text)
        return answer

    def _fit(self, tail: tuple[Message, ...]) -> tuple[Message, ...]:
        try:
            fitted = self._composition.fit(tail)
        except PromptTooLong:
            self._running.receipt = self._receipt(tail, None)
            raise
        self._running.receipt = self._receipt(tail, fitted)
        exchanges = self._composition.exchanges
        if fitted.dropped > self._dropped:
            self._running.record(
                "prompt_trimmed",
                model=self._picked.model.name,
                counts={"exchanges": fitted.dropped - self._dropped, "estimate": fitted.tokens},
            )
            self._dropped = fitted.dropped
            if not tail and self._moves_window:
                kept = exchanges[fitted.dropped :]
                first = kept[0][0].turn_id if kept else self._running.exchange.turn_id
                self._running.window_start = first
        self._counts = {
            "notes": len(self._running.notes),
            "exchanges": len(exchanges) - fitted.dropped,
            "turns": sum(map(len, exchanges[fitted.dropped :])),
            "tools": len(self._lane.tools),
            "estimate": fitted.tokens,
            **{f"{part}_tokens": n for part, n in self._composition.part_tokens().items()},
            "history_tokens": fitted.history_tokens,
        }
        return fitted.messages

    def _receipt(self, tail: tuple[Message, ...], fitted: Fitted | None) -> Receipt:
        """Return what the prompt is made of; without `fitted`, of one that was not sent."""
        running, composition = self._running, self._composition
        exchanges = len(composition.exchanges)
        dropped = fitted.dropped if fitted else exchanges
        return Receipt(
            exchange_id=running.exchange.exchange_id,
            model=self._picked.model.name,
            proof_id=self._picked.proof.proof_id,
            is_local=self._picked.proof.is_local,
            lane=self._lane.kind,
            parts={
                **composition.part_tokens(),
                "history": fitted.history_tokens if fitted else 0,
                "calls": sum(map(estimate_message, tail)),
            },
            estimated_tokens=fitted.tokens if fitted else composition.fixed_tokens(tail),
            room_tokens=composition.room_tokens,
            notes=tuple(note.number for note in running.notes),
            note_ids=tuple(note.note_id for note in running.notes),
            tools=tuple(tool.name for tool in self._lane.tools),
            exchanges=exchanges - dropped,
            dropped=dropped,
        )

    async def _ask_once_more(self, messages: tuple[Message, ...], expects: Expected) -> Answer:
        """Ask; once more without tools where the server refused."""
        request = self._lane.request(
            messages,
            think=self._think,
            config_runes=self._composition.config_runes,
            expects=expects,
        )
        try:
            return await self._listen(request)
        except ModelRefused:
            # Servers answer so when they can't parse the call their own model wrote.
            if not request.tools or self._running.has_shown:
                raise
        return await self._listen(self._lane.request(messages, think=self._think, expects="reply"))

    async def _listen(self, request: ChatRequest) -> Answer:
        """Ask once, show the answer as it comes, and record the call."""
        self._refuse_turned_private()
        self._called += 1
        self._running.has_asked = True
        reader = self._lane.reader(
            f"call-{self._called}",
            may_begin_thinking=self._picked.capabilities.opens_thinking,
        )
        calls: list[ToolCall] = []
        done = Done(reason="stop")
        began = self._clock.monotonic()
        outcome = "cancelled"
        try:
            async with aclosing(self._picked.model.chat(request)) as deltas:
                async for delta in deltas:
                    if isinstance(delta, TextDelta):
                        self._running.show(reader.feed(_storable(delta.text)))
                    elif isinstance(delta, ThinkingDelta):
                        reader.thinks_apart()
                    elif isinstance(delta, CallDelta):
                        calls.append(delta.call)
                    elif isinstance(delta, Done):
                        done = delta
            outcome = "ok" if done.reason == "stop" else "length"
        except ModelError as error:
            outcome = code_of(error)
            raise
        finally:
            self._record(outcome, done, began)
        return self._conclude(reader, tuple(calls), done)

    def _refuse_turned_private(self) -> None:
        """Raise NotLocal where the brain has turned private since this model was picked."""
        calls = self._running.calls
        if calls is not None and calls.is_private and not self._picked.proof.is_local:
            raise NotLocal(
                f"{self._picked.model.name!r} is not proved local, and this brain is private now",
                fix="ask again: a model that runs here answers, if the config names one",
            )

    def _conclude(self, reader: Reader, calls: tuple[ToolCall, ...], done: Done) -> Answer:
        reading = reader.finish(is_cut=done.reason == "length")
        self._running.show(reading.rest)
        self._running.ended = done.reason
        if done.reason == "length" and reading.text:
            self._running.notices.append(self._why_cut(done))
        self._note_a_cut_prompt(done)
        return Answer(text=reading.text, calls=calls or reading.calls)

    def _why_cut(self, done: Done) -> str:
        settings = self._settings
        if 0 < done.reply_tokens < settings.num_predict:  # some servers do not count
            return (
                f"the answer was cut off after {counted(done.reply_tokens, 'token')}, "
                f"where the context was full (num_ctx {settings.num_ctx})"
            )
        return (
            f"the answer was cut off after {counted(settings.num_predict, 'token')} (num_predict)"
        )

    def _note_a_cut_prompt(self, done: Done) -> None:
        """Record and tell that the server cut the prompt in silence, where its counts show it."""
        estimated, num_ctx = self._counts["estimate"], self._settings.num_ctx
        read = done.prompt_tokens
        if not done.is_first or not was_cut(counted=read, estimated=estimated, num_ctx=num_ctx):
            return
        self._running.record(
            "prompt_truncated",
            model=self._picked.model.name,
            tokens={"prompt": read},
            counts={"estimate": estimated, "num_ctx": num_ctx},
        )
        self._running.notices.append(
            f"the server read {read} tokens of a prompt of about {estimated}: it does not take "
            f"the num_ctx of {num_ctx} that it is sent, and cut what was over"
        )

    def _record(self, outcome: str, done: Done, began: float) -> None:
        self._running.prompt_tokens += done.prompt_tokens
        self._running.reply_tokens += done.reply_tokens
        has_counts = bool(done.prompt_tokens or done.reply_tokens)
        self._running.record(
            "model_called",
            outcome=outcome,
            model=self._picked.model.name,
            proof=self._picked.proof.proof_id,
            tokens={"prompt": done.prompt_tokens, "reply": done.reply_tokens}
            if has_counts
            else None,
            latency_ms=round((self._clock.monotonic() - began) * 1000),
            counts=self._counts,
        )


def _storable(text: str) -> str:
    """Return the text with U+FFFD for each half of a surrogate pair: no file can hold one."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _wanted_thinking(picked: Picked, settings: config.Model) -> bool | None:
    """Return whether the model shall think; None leaves it to the model, or it can't."""
    if not picked.capabilities.thinking or settings.think == "auto":
        return None
    return settings.think == "on"
