"""Who does it, and from where: what the row of a note and its events carry."""

from dataclasses import dataclass
from typing import Any

from brain.activity import Draft
from brain.records import Origin, Sensitivity

__all__ = ["Provenance", "draft_event"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a change to a box comes from.

    `origin` is who asked for it now. `conversation_id` and `actor_id` are the random ids that
    events carry; `sender`, `session` and `turn_id` stand in the row only.
    """

    brain: str
    sensitivity: Sensitivity
    channel: str
    origin: Origin
    revision: str
    conversation_id: str = ""
    actor_id: str = ""
    exchange_id: str = ""
    model: str = ""
    sender: str = ""
    session: int = 0
    turn_id: int = 0
    is_tainted: bool = False


def draft_event(by: Provenance, event_type: str, **fields: Any) -> Draft:
    """Return an event of `event_type` that carries where it comes from; `fields` are a Draft's."""
    return Draft(
        type=event_type,
        brain=by.brain or None,
        channel=by.channel or None,
        conversation=by.conversation_id or None,
        actor=by.actor_id or None,
        exchange=by.exchange_id or None,
        origin=by.origin,
        model=by.model or None,
        revision=by.revision,
        **fields,
    )
