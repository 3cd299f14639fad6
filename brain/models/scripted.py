"""A model that says what a script says: for tests and demonstrations, without any server."""

import json
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from brain.clock import Clock
from brain.config import Model
from brain.errors import BadReply, ConfigError, ModelError, ModelRefused
from brain.ids import new_id
from brain.models.codes import ERRORS_BY_CODE
from brain.models.ports import (
    CallDelta,
    Capabilities,
    ChatRequest,
    Delta,
    Done,
    Proof,
    ProofStep,
    TextDelta,
    ThinkingDelta,
)
from brain.records import ToolCall

__all__ = ["Script", "ScriptedModel", "read_script"]

Script = str | ModelError | Sequence[Delta] | Callable[[ChatRequest], "Script"]
"""One reply: a text (streamed by words), an error, the deltas themselves, or what makes one."""

_DEFAULT_CAPABILITIES: Final = Capabilities(
    tools=True, thinking=False, constrained=True, context=8192
)


class ScriptedModel:
    """Gives its replies in turn and keeps the requests it was given.

    A script that ends in no `Done` is one that was cut off. After the last reply the model refuses,
    unless `repeats`. `findings` are what `prove` meets, in turn: a failed step, an error, or None
    for a proof that passes, as all do when they are used up.
    """

    def __init__(
        self,
        replies: Sequence[Script] = (),
        *,
        clock: Clock,
        name: str = "scripted/test",
        is_local: bool = True,
        capabilities: Capabilities = _DEFAULT_CAPABILITIES,
        findings: Sequence[ProofStep | ModelError | None] = (),
        repeats: bool = False,
    ) -> None:
        self.replies: deque[Script] = deque(replies)
        self.findings: deque[ProofStep | ModelError | None] = deque(findings)
        self.requests: list[ChatRequest] = []
        self.warmed: list[ChatRequest | None] = []
        self.proofs_given = 0
        self.digest = "scripted"
        self.is_closed = False
        self._clock = clock
        self._name = name
        self._is_local = is_local
        self._capabilities = capabilities
        self._repeats = repeats

    @classmethod
    def from_settings(cls, settings: Model, *, clock: Clock) -> "ScriptedModel":
        """Build the model of a config. `options`: `replies`, `tools` [true], `repeats` [false].

        Raises ConfigError where `options` is no script.
        """
        options = settings.options
        replies = options.get("replies", ())
        if isinstance(replies, str) or not isinstance(replies, Sequence):
            raise ConfigError(f"options.replies of {settings.name!r} is not a list")
        return cls(
            [read_script(reply) for reply in replies],
            clock=clock,
            name=settings.name,
            is_local=settings.locality == "local",
            capabilities=Capabilities(
                tools=options.get("tools", True) is True,
                thinking=options.get("thinking", False) is True,
                constrained=True,
                context=settings.num_ctx,
            ),
            repeats=options.get("repeats", False) is True,
        )

    @property
    def name(self) -> str:
        return self._name

    async def prove(self) -> Proof:
        self.proofs_given += 1
        finding = self.findings.popleft() if self.findings else None
        if isinstance(finding, ModelError):
            raise finding
        detail = "its replies are a script in this process"
        steps = (
            (ProofStep(name="route", outcome="passed", detail=detail),)
            if self._is_local
            else (ProofStep(name="claim", outcome="noted", detail="it plays a cloud model"),)
        )
        if finding is not None:
            steps = (finding,)
        return Proof(
            proof_id=new_id(),
            model=self._name,
            is_local=self._is_local and all(step.outcome != "failed" for step in steps),
            steps=steps,
            digest=self.digest,
            at=self._clock.now(),
        )

    async def describe(self) -> Capabilities:
        return self._capabilities

    async def warm(self, request: ChatRequest | None = None) -> None:
        self.warmed.append(request)

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        self.requests.append(request)
        script = self._next_script(request)
        if isinstance(script, ModelError):
            raise script
        last: Delta | None = None
        for delta in _deltas_of(script):
            last = delta
            yield delta
        if not isinstance(last, Done):
            raise BadReply(f"the answer of {self._name!r} was cut off before its end")

    def _next_script(self, request: ChatRequest) -> "str | ModelError | Sequence[Delta]":
        if not self.replies:
            raise ModelRefused(f"the script of {self._name!r} has no further reply")
        script = self.replies[0]
        if not self._repeats or len(self.replies) > 1:
            self.replies.popleft()
        while callable(script):
            script = script(request)
        return script

    async def close(self) -> None:
        self.is_closed = True


def _deltas_of(script: str | Sequence[Delta]) -> Iterator[Delta]:
    if not isinstance(script, str):
        yield from script
        return
    for index, word in enumerate(script.split(" ")):
        yield TextDelta(text=word if index == 0 else f" {word}")
    yield Done(reason="stop", prompt_tokens=0, reply_tokens=0)


def read_script(reply: Any) -> Script:
    """Read one reply of a config: a text, or an object.

    Its keys: `text` or `chunks`, `thinking`, `calls` (`name`, `arguments` as an object or as a
    string for a malformed call, `id`), `done_reason`, `is_cut`, or `error` with a code of
    `ERRORS_BY_CODE`. Raises ConfigError.
    """
    if isinstance(reply, str):
        return reply
    if not isinstance(reply, Mapping):
        raise ConfigError("a scripted reply is a text or an object")
    if "error" in reply:
        return _read_error(reply)
    deltas: list[Delta] = []
    if reply.get("thinking"):
        deltas.append(ThinkingDelta(text=str(reply["thinking"])))
    chunks = reply.get("chunks", [reply["text"]] if reply.get("text") else [])
    deltas += [TextDelta(text=str(chunk)) for chunk in chunks]
    deltas += [CallDelta(call=_read_call(call)) for call in reply.get("calls", ())]
    if reply.get("is_cut") is not True:
        deltas.append(Done(reason="length" if reply.get("done_reason") == "length" else "stop"))
    return tuple(deltas)


def _read_error(reply: Mapping[str, Any]) -> ModelError:
    kind = ERRORS_BY_CODE.get(str(reply["error"]))
    if kind is None:
        raise ConfigError(
            f"a scripted error is one of {', '.join(sorted(ERRORS_BY_CODE))}, "
            f"not {reply['error']!r}"
        )
    return kind(str(reply.get("message", "the script says so")))


def _read_call(call: Any) -> ToolCall:
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
        raise ConfigError("a scripted call is an object with a name")
    arguments = call.get("arguments", {})
    malformed = ""
    if not isinstance(arguments, Mapping):
        arguments, malformed = {}, f"the arguments were not a JSON object: {json.dumps(arguments)}"
    return ToolCall(
        id=str(call.get("id") or new_id()),
        name=call["name"],
        arguments=dict(arguments),
        malformed=malformed,
    )
