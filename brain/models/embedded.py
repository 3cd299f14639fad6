"""A model in this process: the ChatModel over xllamacpp, for a first conversation without a server.

Local by construction. Weights are found, and loaded when they are first needed; none are fetched.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from brain.clock import Clock
from brain.config import Model, install_command
from brain.errors import (
    BadReply,
    ModelLoading,
    ModelMissing,
    ModelRefused,
    ModelTimedOut,
    PromptTooLong,
)
from brain.ids import new_id
from brain.models.engine import Chunk, Engine, Engines
from brain.models.fitness import Memory, read_memory, refuse_unfit
from brain.models.kept_prompts import KeptPrompts, key_of
from brain.models.ports import (
    Capabilities,
    ChatRequest,
    Delta,
    Done,
    Proof,
    ProofStep,
    TextDelta,
    ThinkingDelta,
)
from brain.models.weights import Weights, digest_of, find_weights, models_folder
from brain.records import JSONValue

__all__ = ["EmbeddedModel", "Engines"]

_LIBRARY = "xllamacpp"
_KEPT_FOLDER = "prompts"
_WORTH_KEEPING_RUNES = 500  # what is read in a second or two is not worth a file
_LENGTH = "exceed_context_size_error"


class EmbeddedModel:
    """One configured embedded model. `environ` says where weights may lie, `memory` what is free."""

    def __init__(
        self,
        model: Model,
        *,
        clock: Clock,
        engines: Engines,
        environ: Mapping[str, str],
        memory: Callable[[], Memory | None] = read_memory,
    ) -> None:
        self._model = model
        self._clock = clock
        self._engines = engines
        self._environ = environ
        self._memory = memory
        self._engine: Engine | None = None

    @property
    def name(self) -> str:
        return self._model.name

    async def prove(self) -> Proof:
        """Say which file answers. A model in this process is local by construction.

        Raises ModelRefused for weights that can't be loaded as the config asks.
        """
        weights = self._weights()
        await asyncio.to_thread(self._refuse_unfit, weights)
        digest = await digest_of(weights, folder=models_folder(self._environ))
        is_local = self._model.locality == "local"
        claim = ProofStep(
            name="claim",
            outcome="passed" if is_local else "failed",
            detail="claims local" if is_local else "claims cloud: never treated as local",
        )
        pinned = "as pinned" if weights.pinned else "nothing to compare it with"
        found = ProofStep(
            name="weights",
            outcome="passed",
            detail=f"{weights.path} ({weights.source}), SHA-256 {digest}, {pinned}; "
            "it runs in this process and opens no port",
        )
        return Proof(
            proof_id=new_id(),
            model=self.name,
            is_local=is_local,
            steps=(claim, found),
            digest=f"sha256:{digest}",
            at=self._clock.now(),
        )

    async def describe(self) -> Capabilities:
        return Capabilities(
            tools=False, thinking=False, constrained=True, context=self._model.num_ctx
        )

    async def warm(self, request: ChatRequest | None = None) -> None:
        """Load the weights, and read the messages of `request` into the cache, within load_timeout.

        Raises ModelLoading where that takes longer; loading goes on and serves the next request.
        """
        try:
            async with asyncio.timeout(self._model.load_timeout_seconds):
                engine = await self._loaded()
                if request is not None and request.messages:
                    await self._begin(engine, request)
                    body = {**self._body(request), "max_tokens": 0}
                    async with contextlib.aclosing(engine.chunks(body)) as chunks:
                        async for chunk in chunks:
                            _refuse_errors(chunk, self._model)
        except TimeoutError as error:
            raise self._still_loading() from error

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        """Answer, streaming. Leaving early (aclosing) stops the model after the batch it is in."""
        try:
            async with asyncio.timeout(self._model.load_timeout_seconds):
                engine = await self._loaded()
        except TimeoutError as error:
            raise self._still_loading() from error
        await self._begin(engine, request)
        reason = ""
        usage: Mapping[str, int] = {}
        async with contextlib.aclosing(engine.chunks(self._body(request))) as chunks:
            while (chunk := await self._next(chunks)) is not None:
                _refuse_errors(chunk, self._model)
                usage = chunk.get("usage") or usage
                for choice in chunk.get("choices", ()):
                    reason = choice.get("finish_reason") or reason
                    for delta in _deltas(choice.get("delta", {})):
                        yield delta
        if not reason:
            raise BadReply(f"the answer of {self.name} ended in its middle", fix="ask again")
        yield Done(
            reason="length" if reason == "length" else "stop",
            prompt_tokens=usage.get("prompt_tokens", 0),
            reply_tokens=usage.get("completion_tokens", 0),
        )

    async def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            await self._engines.release(engine)

    def _weights(self) -> Weights:
        if find_spec(_LIBRARY) is None:
            raise ModelMissing(
                f"{self.name} needs the extra 'embedded', which is not installed",
                fix=install_command("embedded"),
            )
        return find_weights(self._model, environ=self._environ)

    async def _loaded(self) -> Engine:
        weights = self._weights()
        if self._engine is None:
            self._engine = self._engines.lease(weights.path, self._model.num_ctx)
        await self._engine.load(partial(self._refuse_unfit, weights))
        return self._engine

    async def _begin(self, engine: Engine, request: ChatRequest) -> None:
        """Have the part that the config decides read first, which other starts have read before."""
        text = request.messages[0].text[: request.config_runes]
        if engine.has_begun or len(text) < _WORTH_KEEPING_RUNES:
            return
        folder = models_folder(self._environ)
        digest = await digest_of(self._weights(), folder=folder)
        key = key_of(digest, version(_LIBRARY), str(self._model.num_ctx), text)
        first = replace(request.messages[0], text=text)
        body = self._body(replace(request, messages=(first,), answer_schema=None))
        kept = KeptPrompts(folder / _KEPT_FOLDER)
        seconds = self._model.request_timeout_seconds
        try:
            await engine.begin({**body, "max_tokens": 0}, kept, key, seconds=seconds)
        except TimeoutError as error:
            raise self._said_nothing(seconds) from error

    def _refuse_unfit(self, weights: Weights) -> None:
        """Raise ModelRefused for weights that can't be loaded; memory that they have is theirs."""
        has_loaded = self._engines.has_loaded(weights.path, self._model.num_ctx)
        refuse_unfit(weights, self._model, None if has_loaded else self._memory())

    async def _next(self, chunks: AsyncIterator[Chunk]) -> Chunk | None:
        """Return the next chunk, or None after the last. Reading on in the prompt is one too."""
        seconds = self._model.request_timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                return await anext(chunks, None)
        except TimeoutError as error:
            raise self._said_nothing(seconds) from error

    def _said_nothing(self, seconds: float) -> ModelTimedOut:
        return ModelTimedOut(
            f"{self.name} said nothing for {seconds:g} s",
            fix="raise request_timeout, or use a smaller model",
        )

    def _still_loading(self) -> ModelLoading:
        return ModelLoading(
            f"{self.name} was not ready within load_timeout "
            f"({self._model.load_timeout_seconds:g} s); it goes on loading",
            fix="wait and ask again, or raise load_timeout",
        )

    def _body(self, request: ChatRequest) -> dict[str, JSONValue]:
        """Return the request in the library's words. What the lane needs is not for `options`."""
        messages = [{"role": item.role, "content": item.text} for item in request.messages]
        body: dict[str, JSONValue] = {
            "temperature": 0,  # a decision about a tool should not be a matter of luck
            **self._model.options,
            "messages": messages,
            "max_tokens": self._model.num_predict,
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
            "chat_template_kwargs": {"enable_thinking": bool(request.think)},
        }
        if request.answer_schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": request.answer_schema},
            }
        return body


def _deltas(delta: Mapping[str, Any]) -> list[Delta]:
    found: list[Delta] = []
    if thinking := delta.get("reasoning_content"):
        found.append(ThinkingDelta(text=thinking))
    if text := delta.get("content"):
        found.append(TextDelta(text=text))
    return found


def _refuse_errors(chunk: Chunk, model: Model) -> None:
    error = chunk.get("error")
    if error is None:
        return
    if error.get("type") == _LENGTH:
        raise PromptTooLong(
            f"the prompt has {error.get('n_prompt_tokens')} tokens and {model.name} takes "
            f"{error.get('n_ctx')}",
            fix="raise num_ctx, or begin a new session with /new",
        )
    raise ModelRefused(
        f"{model.name} refused the request: {error.get('message', 'no reason given')}",
        fix="look at the model's options in the config",
    )
