"""A request that is not taken, with its status, and the one shape in which that is told."""

from collections.abc import Mapping

from starlette.responses import JSONResponse, Response

from brain.errors import ChannelError
from brain.records import JSONValue

__all__ = ["Refusal", "refusal_response"]


class Refusal(ChannelError):
    """A request is refused. `code` is from a closed set, `path` names the field that is wrong."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        path: str = "",
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, JSONValue] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.path = path
        self.headers = dict(headers or {})
        self.more = dict(more or {})


def refusal_response(refusal: Refusal) -> Response:
    """Return `{"error": {"code", "message", "path"?}}` with its status."""
    error: dict[str, JSONValue] = {"code": refusal.code, "message": refusal.message}
    if refusal.path:
        error["path"] = refusal.path
    return JSONResponse(
        {"error": error, **refusal.more}, status_code=refusal.status, headers=refusal.headers
    )
