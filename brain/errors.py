"""Every failure that brain names, in one family.

BrainError                    a message for people; every subclass says who can mend it
├─ ConfigError                the owner of the config file            -> exit 2
├─ UsageError                 whoever typed the command               -> exit 2
├─ RefusedByPolicy            the operator, by changing the policy    -> exit 3
├─ StoreError                 the owner of the machine
│  ├─ StoreBusy               another process holds the database
│  ├─ StoreUnusable           corrupt, read-only, of a newer version, disk full
│  ├─ MigrationFailed         nothing was changed; the archive is named
│  └─ NotFound                the thing named does not exist
├─ ChannelError               whoever set the channel up, or whoever asked over it
├─ ModelError                 whoever runs the model                  -> exit 4 where it ends a command
│  ├─ ModelUnreachable        nothing answers at the address
│  ├─ ModelMissing            the server is there, the model is not
│  ├─ ModelLoading            not ready within load_timeout
│  ├─ ModelTimedOut           no answer within request_timeout
│  ├─ ModelRefused            the server answered with an error of its own
│  ├─ ModelBusy               429 or 503: may be tried again
│  ├─ ToolsUnsupported        the model has no native tool calls
│  ├─ PromptTooLong           the prompt does not fit the context
│  ├─ BadReply                the answer is malformed or was cut off
│  ├─ NotLocal                the proof of locality failed before the call
│  └─ LocalityBroken          a chunk of the answer said remote: the server lied
├─ ToolError                  becomes an observation, never reaches the user as an exception
│  ├─ BadArguments
│  │  └─ ArgumentsTooLong
│  ├─ ToolFailed
│  └─ ToolTimedOut
└─ Interrupted                asked to stop                           -> exit 130
(a denial is not an error: it is a Decision)

A message says where, what was found, what was expected, what to do, and what happened meanwhile.
It may name files of this machine, which is the operator's to read: to everybody else an error is told
by the `public` sentence of its class (`told`).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

__all__ = [
    "ArgumentsTooLong",
    "BadArguments",
    "BadReply",
    "BrainError",
    "ChannelError",
    "ConfigError",
    "Interrupted",
    "LocalityBroken",
    "MigrationFailed",
    "ModelBusy",
    "ModelError",
    "ModelLoading",
    "ModelMissing",
    "ModelRefused",
    "ModelTimedOut",
    "ModelUnreachable",
    "NotFound",
    "NotLocal",
    "Problem",
    "PromptTooLong",
    "RefusedByPolicy",
    "StoreBusy",
    "StoreError",
    "StoreUnusable",
    "ToolError",
    "ToolFailed",
    "ToolTimedOut",
    "ToolsUnsupported",
    "UsageError",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with a config file, told so that its owner can mend it.

    `code` is from a closed set and may stand in an event; the texts may not.
    `line` and `column` count from 1; 0 means the problem has no place in the file.
    """

    code: str
    path: str
    pointer: str
    found: str
    expected: str
    fix: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    severity: Literal["problem", "warning"] = "problem"


class BrainError(Exception):
    """A failure with a message written for people. `fix` is what mends it, or empty.

    `public` says as much of it as anybody may read.
    """

    public: ClassVar[str] = "this can't be done now; the operator's log says why"

    def __init__(self, message: str, *, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix

    def __str__(self) -> str:
        return self.message

    def told(self, *, is_operator: bool) -> str:
        """Return what went wrong, and to the operator what mends it, in sentences."""
        parts = (self.message, self.fix) if is_operator else (self.public,)
        return " ".join(_sentence(part) for part in parts if part)


def _sentence(text: str) -> str:
    ended = text if text.endswith((".", "?", "!")) else f"{text}."
    return ended[:1].upper() + ended[1:]


class ConfigError(BrainError):
    """The config cannot be used; `problems` holds every reason, in file order."""

    def __init__(self, message: str, *, problems: tuple[Problem, ...] = (), fix: str = "") -> None:
        super().__init__(message, fix=fix)
        self.problems = problems


class UsageError(BrainError):
    """The command line does not say what to do."""


class RefusedByPolicy(BrainError):
    """The operator asked for what the policy denies."""


class StoreError(BrainError):
    """The database could not do what it was asked; nothing was half-written."""

    public = "the database can't do this now; the operator's log says why, nothing is half-stored"


class StoreBusy(StoreError):
    """Another process held the database for longer than the busy time-out."""


class StoreUnusable(StoreError):
    """The file is corrupt, read-only, gone, full, or written by a newer version."""


class MigrationFailed(StoreError):
    """An upgrade of the database was given up; the file is as it was."""


class NotFound(StoreError):
    """What was named does not exist."""

    public = "what was named does not exist"


class ChannelError(BrainError):
    """A way in can't be opened, or what came in over it can't be taken."""


class ModelError(BrainError):
    """A model gave no usable answer."""


class ModelUnreachable(ModelError):
    """Nothing answers at the model's address."""


class ModelMissing(ModelError):
    """The server answers but does not have the model, or the weights are not on this machine."""


class ModelLoading(ModelError):
    """The model was not ready within `load_timeout`."""


class ModelTimedOut(ModelError):
    """No (further) answer came within `request_timeout`."""


class ModelRefused(ModelError):
    """The server answered with an error of its own."""


class ModelBusy(ModelError):
    """The server asked to come back later (429, 503). `retry_after_seconds` is its wish, or 0."""

    def __init__(self, message: str, *, fix: str = "", retry_after_seconds: float = 0) -> None:
        super().__init__(message, fix=fix)
        self.retry_after_seconds = retry_after_seconds


class ToolsUnsupported(ModelError):
    """The server said that this model takes no tools."""


class PromptTooLong(ModelError):
    """The prompt does not fit into the model's context."""


class BadReply(ModelError):
    """The answer was malformed, or was cut off before its end."""


class NotLocal(ModelError):
    """The model claims to be local and the proof says otherwise; it was not called."""


class LocalityBroken(ModelError):
    """A part of an answer said that it came from another machine; it was cut off there."""


class ToolError(BrainError):
    """A call went wrong. The message may be read by the model: short, true, no paths, no secrets."""


class BadArguments(ToolError):
    """The arguments do not fit the tool's schema."""


class ArgumentsTooLong(BadArguments):
    """The arguments are more than any call, or a rehearsal of one, may hold."""


class ToolFailed(ToolError):
    """The tool ran and could not do it."""


class ToolTimedOut(ToolError):
    """The tool did not end within `tool_timeout`."""


class Interrupted(BrainError):
    """The person or the system asked to stop."""
