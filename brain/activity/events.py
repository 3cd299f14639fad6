"""What an event is: its fields in their fixed order, and its types with one sentence each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["EVENT_TYPES", "FIELDS", "VERSION", "Draft", "Facts"]

VERSION: Final = 1

FIELDS: Final = (
    "v", "seq", "id", "at", "run", "type", "brain", "channel", "conversation", "actor",
    "exchange", "tool", "mode", "outcome", "rule", "origin", "facts", "model", "proof",
    "tokens", "latency_ms", "ref", "counts", "revision", "revision_before", "paths", "codes",
    "prev", "hash",
)  # fmt: skip

EVENT_TYPES: Final[Mapping[str, str]] = {
    "runtime_started": "A process began to run this config.",
    "runtime_stopped": "A process ended as it should.",
    "config_applied": "A config came into force.",
    "config_rejected": "A changed config was refused; the one in force runs on.",
    "message_received": "A message came in; its turn is stored, unless it stands apart from every talk.",
    "message_dropped": "A message came in and was not answered: repeated, interrupted before, forgotten while it waited, or too many waited.",
    "reply_sent": "An exchange ended in a reply, which is stored.",
    "reply_delivered": "A reply was taken at the address where its channel's replies go.",
    "reply_delayed": "A reply could not be delivered at once; it is tried again.",
    "reply_undelivered": "A reply was given up after days of trying; it is kept for the operator.",
    "reply_retried": "The operator had a reply that was not delivered tried anew.",
    "reply_discarded": "What waited was removed: by the operator, or as the oldest of too many.",
    "exchange_failed": "An exchange ended without an answer; the user was told why.",
    "exchange_cancelled": "The person stopped an answer, or left while the message waited; what had come is stored and marked.",
    "model_called": "A model was asked; tokens and counts say what rode in the prompt.",
    "model_fallback": "A model could not be used and the next one of the brain was asked.",
    "model_out_of_service": "A model can't be asked for now.",
    "model_back": "A model that could not be asked can be asked again.",
    "locality_proved": "A model was proved to run on this machine or a trusted host.",
    "locality_broken": "An answer, or the proof, said that a model is not local.",
    "locality_released": "The operator put a model back into service.",
    "prompt_trimmed": "The oldest exchanges were left out so that the prompt fits.",
    "prompt_refused": "The prompt did not fit and was not sent.",
    "prompt_truncated": "The server cut a prompt.",
    "call_set_aside": "A call that nobody had asked for was not made; the model was asked for a reply.",
    "tool_decided": "A call with an effect outside was allowed and is about to run.",
    "tool_used": "A call was allowed and ran.",
    "tool_shadowed": "A call was rehearsed; nothing ran.",
    "tool_denied": "A call was refused by the policy or a limit.",
    "tool_interrupted": "A process died between a decision and the end of its call.",
    "command_run": "A system command was answered by the runtime; its name is among the codes.",
    "session_started": "A new session of a conversation began.",
    "recalled": "A quoted block of an earlier session was put into an empty one.",
    "note_stored": "A note was stored.",
    "note_refused": "A note was not stored; the outcome says why.",
    "note_dropped": "The operator dropped one note.",
    "notes_cleared": "The operator emptied a box.",
    "rehearsal_kept": "A would-be note was kept for the operator to judge.",
    "rehearsal_promoted": "The operator stored what a rehearsal had held.",
    "rehearsal_dropped": "The operator discarded a rehearsal.",
    "forgetting_begun": "The operator had rows removed for good; the files behind them are cleaned next.",
    "forgotten": "The files were cleaned of what was removed and searched for it; the outcome says what was found.",
    "store_recovered": "The database takes writes again; the count is what failed meanwhile.",
    "exported": "Rows were written to a file.",
    "imported": "Rows were read from a file.",
    "activity_pruned": "Events older than activity.retain_days were removed.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a decision was made from. None stands for not known or not asked."""

    local: bool | None = None
    sensitivity: str | None = None
    tainted: bool | None = None
    sensitive: bool | None = None
    network: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An event before it has a place in the chain.

    `conversation` and `actor` are random ids (`Transaction.open_conversation`, `open_actor`).
    Every text is from a closed set or the config; `ref` is the id of a row.
    """

    type: str
    brain: str | None = None
    channel: str | None = None
    conversation: str | None = None
    actor: str | None = None
    exchange: str | None = None
    tool: str | None = None
    mode: str | None = None
    outcome: str | None = None
    rule: str | None = None
    origin: str | None = None
    facts: Facts | None = None
    model: str | None = None
    proof: str | None = None
    tokens: Mapping[str, int] | None = None
    latency_ms: int | None = None
    ref: str | None = None
    counts: Mapping[str, int] | None = None
    revision: str | None = None
    revision_before: str | None = None
    paths: tuple[str, ...] | None = None
    codes: tuple[str, ...] | None = None
