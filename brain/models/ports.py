"""The port of a chat model and the values that pass through it."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from brain.records import Ended, JSONValue, Message, ToolCall, ToolSpec

__all__ = [
    "CallDelta",
    "Capabilities",
    "ChatModel",
    "ChatRequest",
    "Delta",
    "Done",
    "Proof",
    "ProofStep",
    "StepName",
    "TextDelta",
    "ThinkingDelta",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a model can do. `constrained`: its output can be held to a JSON Schema.

    `opens_thinking`: its answers may begin inside their thinking, without a tag that opens it.
    """

    tools: bool
    thinking: bool
    constrained: bool
    context: int
    embeds: bool = False
    opens_thinking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One request. `tools` is for the native lane, `answer_schema` for the constrained text lane.

    `config_runes` is how much of the first message the config alone decides: no note, no word of a
    talk or of a client is in that part.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    answer_schema: Mapping[str, JSONValue] | None = None
    think: bool | None = None
    config_runes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """A further piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingDelta:
    """A further piece of thinking: never shown, never kept."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDelta:
    """One whole native call, parsed; `call.malformed` where it could not be."""

    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The end of the answer. A stream without it was cut off and ends in BadReply.

    `is_first`: the prompt was the first since the model was loaded, so that `prompt_tokens` counts
    all of it; later ones may leave out what was read before.
    """

    reason: Ended
    prompt_tokens: int = 0
    reply_tokens: int = 0
    is_first: bool = field(default=False, compare=False)  # of the moment, not of what was said


Delta = TextDelta | ThinkingDelta | CallDelta | Done


StepName = Literal["claim", "name", "address", "route", "show", "tags", "status", "weights"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofStep:
    """One step of a proof: what was looked at, what came of it, in words for `brain doctor`."""

    name: StepName
    outcome: Literal["passed", "failed", "noted"]
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The evidence that a model is local, or what spoke against it. Cloud claims prove nothing."""

    proof_id: str
    model: str
    is_local: bool
    steps: tuple[ProofStep, ...]
    digest: str
    at: datetime


class ChatModel(Protocol):
    """One model behind one adapter. Errors are ModelErrors; foreign exceptions never leave it."""

    @property
    def name(self) -> str:
        """`provider/model_id`, as configured."""
        ...

    async def prove(self) -> Proof:
        """Gather the evidence afresh. Returns it also where it failed (`is_local` False).

        Raises ModelUnreachable, ModelMissing, ModelLoading or ModelTimedOut where nothing can be
        asked: that is no proof either way.
        """
        ...

    async def describe(self) -> Capabilities:
        """Return what the model can do, asking once."""
        ...

    async def warm(self, request: ChatRequest | None = None) -> None:
        """Load the model within load_timeout, and read what `request` begins with into its cache."""
        ...

    def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        """Answer, streaming. Leave early only through `contextlib.aclosing`."""
        ...

    async def close(self) -> None: ...
