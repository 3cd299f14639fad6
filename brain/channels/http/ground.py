"""What every route stands on."""

import asyncio
from dataclasses import dataclass

from starlette.requests import Request

from brain.channels.http.access import Caller
from brain.channels.http.ports import Doors
from brain.channels.http.refusal import Refusal
from brain.clock import Clock

__all__ = ["Ground", "caller_of", "operator_only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The brain's doors, the clock, and what is set when the server stops."""

    doors: Doors
    clock: Clock
    stopping: asyncio.Event


def caller_of(request: Request) -> Caller:
    """Return who asks; every request that reaches a guarded route has a caller."""
    caller = request.scope.get("caller")
    if not isinstance(caller, Caller):
        raise Refusal(401, "no_token", "show a token: Authorization: Bearer …")
    return caller


def operator_only(request: Request) -> Caller:
    """Return the caller. Raises Refusal where it is not the operator."""
    caller = caller_of(request)
    if not caller.is_operator:
        raise Refusal(403, "operator_only", "this needs the operator's token")
    return caller
