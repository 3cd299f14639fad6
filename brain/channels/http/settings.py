"""The config over HTTP: read with its ETag, written whole or not at all, rehearsed on the record."""

from dataclasses import asdict
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.channels.http.bodies import query_of, read_body
from brain.channels.http.ground import Ground
from brain.channels.http.refusal import Refusal
from brain.config import Report, digest_of, render_problems
from brain.records import JSONValue

__all__ = ["get_config", "put_config", "replay_config"]

_HEX: Final = 64


async def get_config(request: Request, ground: Ground) -> Response:
    """Return what stands in the file, byte for byte."""
    query_of(request)
    content = await ground.doors.read_config()
    return Response(content, media_type="application/json", headers=_etag(content))


async def put_config(request: Request, ground: Ground) -> Response:
    """Put the body in the place of the file, and in force. Raises Refusal; nothing changed then."""
    query_of(request)
    expected = request.headers.get("if-match", "")
    if not expected:
        raise Refusal(428, "no_etag", "say which text this replaces: If-Match with the ETag of GET")
    content = await read_body(request)
    outcome = await ground.doors.put_config(content, expected=_digest_in(expected))
    if outcome is None:
        raise Refusal(
            409,
            "stale_etag",
            "the file holds another text than the one this was made from; nothing was changed",
        )
    if outcome.kind == "rejected":
        raise _rejected(outcome.report)
    return JSONResponse(
        {
            "kind": outcome.kind,
            "revision": outcome.revision,
            "revision_before": outcome.revision_before,
            "paths": list(outcome.paths),
            "text": outcome.text,
            "warnings": _problems(outcome.report),
        },
        headers=_etag(content),
    )


async def replay_config(request: Request, ground: Ground) -> Response:
    """Return what the calls on record would have come to under the config in the body."""
    query_of(request)
    found = await ground.doors.replay_config(await read_body(request))
    if isinstance(found, Report):
        raise _rejected(found)
    return JSONResponse(
        {
            "calls": found.calls,
            "other_rule": found.other_rule,
            "homeless": found.homeless,
            "changed": [
                {"tool": tool, "from": before, "to": after, "count": count}
                for tool, before, after, count in found.kinds()
            ],
        }
    )


def _etag(content: bytes) -> dict[str, str]:
    return {"ETag": f'"{digest_of(content)}"'}


def _digest_in(etag: str) -> str:
    """Return the digest that an ETag names; one of another form fits no text."""
    digest = etag.strip().removeprefix("W/").strip('"')
    return digest if len(digest) == _HEX else ""


def _rejected(report: Report) -> Refusal:
    return Refusal(
        422,
        "config_rejected",
        render_problems(report),
        more={"problems": _problems(report)},
    )


def _problems(report: Report) -> list[JSONValue]:
    return [asdict(problem) for problem in (*report.problems, *report.warnings)]
