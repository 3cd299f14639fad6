"""One exchange from its stored user turn to its stored reply."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from brain import config
from brain.activity import Journal, Recorder
from brain.agent import failures, languages
from brain.agent.asking import Asking
from brain.agent.composition import Composition
from brain.agent.exchange import Exchange
from brain.agent.failures import Failure, Unanswered
from brain.agent.lane import Lane, Lanes, TextLane
from brain.agent.loading import Loaded, load
from brain.agent.loop import Ending, run_loop
from brain.agent.prompt import Parts, persona_block
from brain.agent.running import Running
from brain.agent.truth import truth_line
from brain.agent.unasked import NOTE_TOOL, is_note_alone, unasked_tool
from brain.clock import Clock
from brain.errors import LocalityBroken, ModelError, PromptTooLong, StoreError, ToolsUnsupported
from brain.log import get_log
from brain.memory import box_for, notes_block
from brain.models import Lineup, Picked, code_of
from brain.records import Box, Observation, Reader, Reply, ToolCall
from brain.store import Snapshot, Store
from brain.tools import CallContext, Executor, Policy

__all__ = ["Agent"]

TAINT_SOURCE: Final = "this talk holds text from outside"
NO_TALK: Final = "(none)"  # a talk that nobody has: its box is empty, its tools are announced
FORGOTTEN: Final = "Something of this talk was forgotten meanwhile, so this answer is not kept."
CUT_SECONDS: Final = 2.0  # how long a cancelled exchange may hold up whoever cancelled it


class Agent:
    """Answers the exchanges of one brain: load, pick, compose, loop, commit.

    Holds nothing between exchanges but its models, its executor, and how tools were last put.
    `policy` gives the snapshot that an exchange keeps from its beginning.
    """

    def __init__(
        self,
        *,
        brain: config.Brain,
        lineup: Lineup,
        executor: Executor,
        store: Store,
        recorder: Recorder,
        clock: Clock,
        policy: Callable[[], Policy],
    ) -> None:
        self._brain = brain
        self._settings = brain.agent or config.Agent(tools=(), governance=())
        self._lineup = lineup
        self._executor = executor
        self._store = store
        self._recorder = recorder
        self._clock = clock
        self._policy = policy
        self._lanes = Lanes()

    def loading(self) -> Callable[[Snapshot, Exchange], Loaded] | None:
        """Return what reads the rows of an exchange for the model that is asked next.

        So they can be read in the transaction that stores the user's turn, and not in one of their
        own. None where it is not known which model that is.
        """
        proof = self._lineup.at_hand()
        return None if proof is None else partial(self._load, may_read_private=proof.is_local)

    async def answer(
        self,
        exchange: Exchange,
        on_text: Callable[[str], None],
        loaded: Loaded | None = None,
    ) -> Reply:
        """Answer, store the reply with its events in one commit, and return it.

        `on_text` gets the reply as it comes: what it was given, joined, is the text of a reply of
        outcome `answered`. A failure is a Reply too (outcome `failed`, its sentence in `text`, not
        given to `on_text`). `loaded` is what `loading` read. Raises CancelledError after what had
        come was stored and marked, and StoreError where the exchange can't be stored.
        """
        running = self._begin(exchange, on_text, loaded)
        try:
            failure = await self._attempt(running)
        except asyncio.CancelledError:
            await self._keep_cut(running)
            raise
        return await self._close(running, failure)

    async def warm(
        self, *, channel: str, conversation: str = "", conversation_id: str = "", session: int = 0
    ) -> None:
        """Load the model and read a talk's prompt into its cache, while nobody waits.

        Without a conversation that is the part every prompt on `channel` begins with; with one (it
        goes on, or one of its exchanges stored a note) its history as well. A model or a store that
        fails is logged, not raised.
        """
        talk = Exchange(
            exchange_id="", channel=channel, conversation=conversation or NO_TALK,
            conversation_id=conversation_id, actor_id="", sender="", session=session,
            turn_id=sys.maxsize, text="", reader=Reader(), revision=self._recorder.revision,
        )  # fmt: skip
        running = self._begin(talk, lambda _: None)
        try:
            try:
                await self._read_ahead(running)
            except LocalityBroken as error:
                await self._condemn(running, error)
                raise
        except (ModelError, StoreError) as error:
            code = code_of(error) if isinstance(error, ModelError) else "store_failed"
            get_log(__name__).warning("warm_failed", brain=self._brain.name, code=code)

    async def _read_ahead(self, running: Running) -> None:
        picked = await self._lineup.pick()
        lane, composition = await self._compose(
            running, picked, is_native=picked.capabilities.tools
        )
        prompt = composition.fit().messages[:-1]
        running.has_asked = True
        await picked.model.warm(
            lane.request(prompt, think=None, config_runes=composition.config_runes)
        )

    def _begin(
        self,
        exchange: Exchange,
        on_text: Callable[[str], None],
        loaded: Loaded | None = None,
    ) -> Running:
        return Running(
            exchange=exchange,
            brain=self._brain.name,
            policy=self._policy(),
            journal=Journal(store=self._store, recorder=self._recorder),
            on_text=on_text,
            model=self._brain.models[0].name,
            loaded=loaded,
        )

    async def _attempt(self, running: Running) -> Failure | None:
        """Converse until there is a reply (None), or a failure that the user is told."""
        try:
            async with asyncio.timeout(self._settings.exchange_timeout_seconds):
                return await self._converse(running)
        except TimeoutError:
            return self._unanswered(running, "exchange_timeout")
        except StoreError:
            get_log(__name__).exception("exchange_not_stored", brain=self._brain.name)
            return self._unanswered(running, "store_failed")
        except ModelError as error:
            return await self._failed(running, error)

    async def _converse(self, running: Running) -> Failure | None:
        """Let the first model that can answer do so; None where it did."""
        picked = await self._lineup.pick()
        running.pass_over(picked)
        is_native = picked.capabilities.tools
        while True:
            try:
                return await self._run(running, picked, is_native=is_native)
            except ToolsUnsupported:
                if not is_native or running.is_bound:
                    raise
                is_native = False
            except ModelError as error:
                if running.is_bound or not failures.can_fall_back(error):
                    raise
                picked = await self._next_model(running, error)
                is_native = picked.capabilities.tools

    async def _next_model(self, running: Running, error: ModelError) -> Picked:
        failed = running.model
        try:
            picked = await self._lineup.pick(after=failed)
        except ModelError:
            raise error from None
        running.pass_over(picked, (failed, error))
        return picked

    async def _run(self, running: Running, picked: Picked, *, is_native: bool) -> Failure | None:
        """Compose anew for this model and run the loop with it."""
        lane, composition = await self._compose(running, picked, is_native=is_native)
        asking = Asking(
            running=running,
            picked=picked,
            settings=self._model_settings(picked),
            lane=lane,
            composition=composition,
            clock=self._clock,
            moves_window=picked.model.name == self._brain.models[0].name,
        )

        has_text_lane = isinstance(lane, TextLane)

        def is_aside(calls: Sequence[ToolCall]) -> bool:
            said, talk = running.exchange.text, composition.said()
            if tool := unasked_tool(calls, said, talk=talk) if has_text_lane else "":
                running.set_aside(tool)
            return bool(tool)

        # Asking such a model what came of a note costs seconds, and it is no good at saying it.
        ending = await run_loop(
            ask=asking.ask,
            act=running.act,
            reply=asking.reply,
            is_settled=lambda observations: has_text_lane and _is_settled(observations),
            is_aside=is_aside,
            max_iterations=self._settings.max_iterations,
        )
        return self._judge(running, ending)

    def _judge(self, running: Running, ending: Ending) -> Failure | None:
        """Return what the user is told of an ending that is none; None where there is a reply."""
        is_empty = ending == "empty_reply" and not running.text
        if ending == "settled" or (is_empty and running.effects):
            language = languages.language_of(running.exchange.text)
            sentence = languages.note_answer(language, running.effects)
            running.show(sentence)
            running.end_answer(sentence)
            running.ended = "stop"
            return None
        if ending == "answered" or (ending == "empty_reply" and not is_empty):
            return None
        return self._unanswered(running, ending)

    async def _compose(
        self, running: Running, picked: Picked, *, is_native: bool
    ) -> tuple[Lane, Composition]:
        """Load what rides in the prompt of this model, and open the calls it may make."""
        exchange = running.exchange
        running.model = picked.model.name
        loaded, running.loaded = running.loaded, None
        may_read_private = picked.proof.is_local
        if loaded is None or loaded.may_read_private != may_read_private:
            loaded = await self._store.read(
                lambda snapshot: self._load(snapshot, exchange, may_read_private=may_read_private)
            )
        context = self._context(running, picked, self._box(exchange), loaded)
        running.calls = self._executor.begin(context, running.journal)
        running.window_start = loaded.window.moved_to
        running.is_tainted = loaded.is_tainted
        running.is_private = loaded.is_private
        tools = running.calls.announced
        lane = self._lanes.lane(
            tools, is_native=is_native, constrained=picked.capabilities.constrained
        )
        has_notes = any(tool.name == NOTE_TOOL for tool in tools)
        running.notes = loaded.notes if has_notes else ()
        return lane, Composition(
            parts=Parts(
                persona=persona_block(self._brain.persona),
                lane=lane.block,
                system_prompt=self._settings.system_prompt,
                client_prompt=loaded.client_prompt,
                notes=notes_block(running.notes),
            ),
            exchanges=loaded.window.exchanges,
            text=exchange.text,
            room_tokens=self._room_tokens(picked),
            tools_tokens=lane.tools_tokens,
            turn_tokens=lane.turn_tokens,
        )

    def _load(self, snapshot: Snapshot, exchange: Exchange, *, may_read_private: bool) -> Loaded:
        return load(
            snapshot,
            exchange,
            self._box(exchange),
            history_turns=self._settings.history_turns,
            may_read_private=may_read_private,
        )

    def _box(self, exchange: Exchange) -> Box | None:
        memory = self._settings.memory
        return box_for(self._brain.name, memory, exchange.channel, exchange.conversation)

    def _context(
        self, running: Running, picked: Picked, box: Box | None, loaded: Loaded
    ) -> CallContext:
        exchange = running.exchange
        return CallContext(
            exchange_id=exchange.exchange_id,
            brain=self._brain.name,
            sensitivity=self._brain.sensitivity,
            channel=exchange.channel,
            conversation=exchange.conversation,
            conversation_id=exchange.conversation_id,
            actor_id=exchange.actor_id,
            sender=exchange.sender,
            session=exchange.session,
            turn_id=exchange.turn_id,
            talk_generation=exchange.generation,
            policy=running.policy,
            model=picked.model.name,
            is_local=picked.proof.is_local,
            is_tainted=loaded.is_tainted,
            taint_source=TAINT_SOURCE if loaded.is_tainted else "",
            has_private=loaded.is_private,
            memory=self._settings.memory,
            box=box,
            generation=loaded.generation,
            tool_timeout_seconds=self._settings.tool_timeout_seconds,
        )

    def _model_settings(self, picked: Picked) -> config.Model:
        name = picked.model.name
        return next(model for model in self._brain.models if model.name == name)

    def _room_tokens(self, picked: Picked) -> int:
        """Return what the model can read and still have room to answer in."""
        settings = self._model_settings(picked)
        context = picked.capabilities.context or settings.num_ctx
        return min(context, settings.num_ctx) - settings.num_predict

    def _unanswered(self, running: Running, reason: Unanswered) -> Failure:
        limits = {
            "iteration_cap": float(self._settings.max_iterations),
            "exchange_timeout": self._settings.exchange_timeout_seconds,
        }
        return failures.tell_unanswered(reason, model=running.model, limit=limits.get(reason, 0.0))

    async def _failed(self, running: Running, error: ModelError) -> Failure:
        """Take the consequences of a model's failure, and return what the user is told."""
        if isinstance(error, PromptTooLong):
            running.record("prompt_refused", model=running.model)
        if isinstance(error, LocalityBroken):
            await self._condemn(running, error)
        return failures.tell(error, model=running.model, has_asked=running.has_asked)

    async def _condemn(self, running: Running, error: LocalityBroken) -> None:
        """Take a model out of service whose answer lied, where it was an answer and no proof."""
        if not running.has_asked:
            return
        # What came from elsewhere is not kept, and the owner must know which notes went there.
        running.forget_text()
        await self._lineup.condemn(
            running.model,
            error,
            exchange_id=running.exchange.exchange_id,
            note_ids=[note.note_id for note in running.notes],
        )

    async def _close(self, running: Running, failure: Failure | None) -> Reply:
        """Store the reply, or what was shown before it failed, with all events: one commit."""
        text = running.text
        is_silent = failure is None and not running.effects
        said, has_notes = running.exchange.text, bool(running.notes)
        truth = truth_line(said, text, has_notes=has_notes) if is_silent else ""
        if failure is None:
            running.record("reply_sent", outcome="answered", model=running.model)
        else:
            running.record("exchange_failed", outcome=failure.code, model=running.model)
        reply = Reply(
            text=text if failure is None else failure.text,
            outcome="answered" if failure is None else "failed",
            effects=running.effects,
            reader=running.exchange.reader,
            truth=truth,
            notices=tuple(running.notices),
            exchange_id=running.exchange.exchange_id,
            model=running.model,
            code="" if failure is None else failure.code,
            prompt_tokens=running.prompt_tokens,
            reply_tokens=running.reply_tokens,
            ended=running.ended,
        )
        is_kept = await running.journal.commit(running.last_change(self._brain.sensitivity, reply))
        return reply if is_kept else replace(reply, notices=(*reply.notices, FORGOTTEN))

    async def _keep_cut(self, running: Running) -> None:
        """Store what had come of a cancelled reply, whoever cancels meanwhile, for a while at most."""
        running.record("exchange_cancelled", model=running.model)
        change = running.last_change(self._brain.sensitivity, None)
        task = asyncio.create_task(running.journal.commit(change))
        task.add_done_callback(_log_failure)
        await asyncio.wait({task}, timeout=CUT_SECONDS)


def _is_settled(observations: tuple[Observation, ...]) -> bool:
    """Tell whether one note was all that was asked for, and something came of it."""
    calls = [one.call for one in observations if one.outcome != "malformed"]
    return len(observations) == 1 and is_note_alone(calls)


def _log_failure(task: asyncio.Task[bool]) -> None:
    """Say that a cut reply was not stored; its caller may be gone by then."""
    if not task.cancelled() and (error := task.exception()) is not None:
        get_log(__name__).error("cut_reply_not_stored", error=type(error).__name__)
