"""The port of a chat model, spoken to Ollama through its official client."""

import asyncio
import os
import random
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from brain.clock import Clock
from brain.config import Model, secret_in
from brain.errors import BadReply, ModelLoading, ModelTimedOut
from brain.models.ollama.address import (
    Resolve,
    parse_endpoint,
    resolve_host,
)
from brain.models.ollama.capabilities import read_capabilities
from brain.models.ollama.durations import keep_alive_seconds
from brain.models.ollama.messages import read_message, write_messages, write_tools
from brain.models.ollama.proof import ask_show, gather_evidence
from brain.models.ports import Capabilities, ChatRequest, Delta, Done, Proof
from brain.models.retry import retrying
from brain.records import JSONValue

if TYPE_CHECKING:
    import ollama

    from brain.models.ollama.road import Road

__all__ = ["OllamaModel"]

_KEEP_ALIVE_MARGIN_SECONDS: Final = 5.0  # so long before its end a model may be gone already
_MOST_TOKENS: Final = 2**31 - 1  # what a server counts with
_LOAD_ONLY: Final[Mapping[str, JSONValue]] = {"messages": []}
_WARM_TOKENS: Final = 1  # the least that a server computes after it has read a prompt


class OllamaModel:
    """One model of one Ollama server, as the config describes it.

    Nothing is opened before the first question. `resolve` looks host names up; `jitter` gives a
    number in [0, 1) for the pauses between retries.
    """

    def __init__(
        self,
        settings: Model,
        *,
        clock: Clock,
        resolve: Resolve = resolve_host,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._resolve = resolve
        self._jitter = jitter
        self._road: Road | None = None
        self._client: ollama.AsyncClient | None = None
        self._capabilities: Capabilities | None = None
        self._loaded_until = float("-inf")
        self._loading = asyncio.Lock()
        self._kept_seconds = keep_alive_seconds(settings.keep_alive)
        self._has_read_nothing = True  # since it was loaded

    @property
    def name(self) -> str:
        return self._settings.name

    async def prove(self) -> Proof:
        evidence = await gather_evidence(
            self._open_road(),
            model=self.name,
            model_id=self._settings.model_id,
            is_claimed_local=self._settings.locality == "local",
            at=self._clock.now(),
        )
        if evidence.show:
            self._keep_capabilities(evidence.show)
        return evidence.proof

    async def describe(self) -> Capabilities:
        if self._capabilities is not None:
            return self._capabilities
        return self._keep_capabilities(await ask_show(self._open_road(), self._settings.model_id))

    def _keep_capabilities(self, show: Mapping[str, Any]) -> Capabilities:
        self._capabilities = read_capabilities(show, num_ctx=self._settings.num_ctx)
        return self._capabilities

    async def warm(self, request: ChatRequest | None = None) -> None:
        options, fields = self._options(), _LOAD_ONLY
        if request is not None and request.messages:
            options["num_predict"] = _WARM_TOKENS
            fields = self._fields(request)  # a template writes the tools before the talk
        try:
            await self._ask_whole(fields, options)
        except ModelTimedOut as error:
            raise ModelLoading(
                f"the model {self._settings.model_id!r} was not loaded within "
                f"{self._settings.load_timeout_seconds:g} s",
                fix="wait and try again, raise load_timeout, or use a smaller model",
            ) from error
        self._has_read_nothing = fields is _LOAD_ONLY
        self._was_used()

    async def _ask_whole(
        self, fields: Mapping[str, JSONValue], options: Mapping[str, JSONValue]
    ) -> None:
        from brain.models.ollama.call import CALL, Call
        from brain.models.ollama.translate import model_errors

        road, client = self._open()
        token = CALL.set(Call(fields=fields, read_seconds=self._settings.load_timeout_seconds))
        try:
            with model_errors(model_id=self._settings.model_id, endpoint=road.endpoint):
                await client.chat(
                    model=self._settings.model_id,
                    stream=False,
                    options=options,
                    keep_alive=self._settings.keep_alive,
                )
        finally:
            CALL.reset(token)

    def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        if not self._settings.max_retries:
            return self._answer(request)
        return retrying(
            lambda: self._answer(request),
            max_retries=self._settings.max_retries,
            clock=self._clock,
            jitter=self._jitter,
        )

    async def _answer(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        """Ask once. The end is yielded after the server's last byte: no part goes unlooked at."""
        from brain.models.ollama.translate import model_errors

        await self._load_where_needed()
        done: Done | None = None
        is_first, self._has_read_nothing = self._has_read_nothing, not self._is_kept()
        road, client = self._open()
        with model_errors(model_id=self._settings.model_id, endpoint=road.endpoint):
            parts = await self._ask(client, request)
            async with aclosing(parts):
                part = await self._first_part(parts, request)
                while part is not None:
                    if done is None:  # what comes after the end is looked at, and is no answer
                        for delta in _deltas_of(part):
                            yield delta
                        done = _read_done(part) if part.done else None
                    part = await anext(parts, None)
        self._was_used()
        if done is None:
            raise BadReply(f"the answer of {self._settings.model_id!r} was cut off before its end")
        yield replace(done, is_first=is_first)

    async def _ask(self, client: "ollama.AsyncClient", request: ChatRequest) -> Any:
        return await client.chat(
            model=self._settings.model_id,
            stream=True,
            options=self._options(),
            format=_schema(request),
            keep_alive=self._settings.keep_alive,
        )

    async def _first_part(self, parts: Any, request: ChatRequest) -> "ollama.ChatResponse | None":
        """Send the request, which the first step does and only it."""
        from brain.models.ollama.call import CALL, Call

        call = Call(fields=self._fields(request), head_seconds=self._head_seconds())
        token = CALL.set(call)
        try:
            return await anext(parts, None)
        finally:
            CALL.reset(token)

    def _fields(self, request: ChatRequest) -> Mapping[str, JSONValue]:
        """Return the body fields that the client's types have not, or hold only in part."""
        fields: dict[str, JSONValue] = {"messages": write_messages(request.messages)}
        if request.tools:
            fields["tools"] = write_tools(request.tools)
        think = request.think
        if think is None and self._settings.think != "auto":
            think = self._settings.think == "on"
        if think is not None and (self._capabilities is None or self._capabilities.thinking):
            fields["think"] = think
        return fields

    def _options(self) -> dict[str, JSONValue]:
        return {
            **self._settings.options,
            "num_ctx": self._settings.num_ctx,
            "num_predict": self._settings.num_predict,
        }

    def _head_seconds(self) -> float:
        settings = self._settings
        if self._is_kept():
            return settings.request_timeout_seconds
        return settings.load_timeout_seconds + settings.request_timeout_seconds

    async def _load_where_needed(self) -> None:
        """Load a model that the server may have unloaded, under a time-out of its own."""
        if not self._is_kept() or self._is_loaded():
            return
        async with self._loading:  # talks that arrive together wait for one load
            if not self._is_loaded():
                await self.warm()

    def _is_kept(self) -> bool:
        """Tell whether the server keeps the model for long enough to be asked again."""
        return self._kept_seconds > _KEEP_ALIVE_MARGIN_SECONDS

    def _is_loaded(self) -> bool:
        return self._clock.monotonic() < self._loaded_until

    def _was_used(self) -> None:
        until = self._clock.monotonic() + self._kept_seconds
        self._loaded_until = until - _KEEP_ALIVE_MARGIN_SECONDS

    def _open_road(self) -> "Road":
        if self._road is None:
            from brain.models.ollama.road import Road

            settings = self._settings
            self._road = Road(
                endpoint=parse_endpoint(settings.base_url),
                model_id=settings.model_id,
                is_local=settings.locality == "local",
                trusted_hosts=settings.trusted_hosts,
                resolve=self._resolve,
                api_key=self._api_key,
            )
        return self._road

    def _open(self) -> tuple["Road", "ollama.AsyncClient"]:
        road = self._open_road()
        if self._client is None:
            from brain.models.ollama.client import open_client
            from brain.models.ollama.transport import OllamaTransport

            self._client = open_client(
                OllamaTransport(road), read_seconds=self._settings.request_timeout_seconds
            )
        return road, self._client

    def _api_key(self) -> str:
        return secret_in(os.environ, self._settings.api_key_env)

    async def close(self) -> None:
        road, self._road, self._client = self._road, None, None
        if road is not None:
            await road.close()


def _schema(request: ChatRequest) -> dict[str, Any] | None:
    return None if request.answer_schema is None else dict(request.answer_schema)


def _deltas_of(part: "ollama.ChatResponse") -> list[Delta]:
    message = part.message
    calls = [call.function.arguments for call in message.tool_calls or ()]
    return list(read_message(message.content, message.thinking, calls))


def _read_done(part: "ollama.ChatResponse") -> Done:
    return Done(
        reason="length" if part.done_reason == "length" else "stop",
        prompt_tokens=_count(part.prompt_eval_count),
        reply_tokens=_count(part.eval_count),
    )


def _count(told: int | None) -> int:
    """Return a count as the server told it, 0 for one that no answer can have."""
    return told if told is not None and 0 <= told <= _MOST_TOKENS else 0
