"""What every request passes before a route sees it: whose host, whose page, whose token."""

from collections.abc import Callable, Collection, Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brain.channels.http.access import Access, Caller
from brain.channels.http.refusal import Refusal, refusal_response
from brain.channels.http.slowness import Slowness

__all__ = ["Gates", "host_name"]

CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Gates:
    """Lets through what names an allowed host, comes from an allowed page and shows a token.

    The caller is put into the scope as `caller`. `open_paths` need no token; what lies below
    `open_folders` neither. `allowed_hosts` gives the names that may be named now.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        access: Access,
        allowed_hosts: Callable[[], Collection[str]],
        slowness: Slowness,
        open_paths: Collection[tuple[str, str]],
        open_folders: Collection[str],
    ) -> None:
        self._app = app
        self._access = access
        self._allowed_hosts = allowed_hosts
        self._slowness = slowness
        self._open_paths = open_paths
        self._open_folders = open_folders

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            headers = Headers(scope=scope)
            _check_framing(headers)
            allowed = {_plain(name) for name in self._allowed_hosts()}
            _check_host(headers, allowed)
            _check_origin(headers, allowed)
            if not self._is_open(scope):
                await self._find_caller(scope, headers)
        except Refusal as refusal:
            await refusal_response(refusal)(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)

    def _is_open(self, scope: Scope) -> bool:
        path, method = str(scope["path"]), str(scope["method"])
        is_in_folder = method in ("GET", "HEAD") and path.startswith(tuple(self._open_folders))
        return is_in_folder or (method, path) in self._open_paths

    async def _find_caller(self, scope: Scope, headers: Headers) -> None:
        shown = headers.getlist("authorization")
        kind, _, token = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        challenge = {"WWW-Authenticate": "Bearer"}
        if not shown:
            raise Refusal(
                401,
                "no_token",
                "show a token: Authorization: Bearer …; brain open opens the page with one",
                headers=challenge,
            )
        caller: Caller | None = None
        if kind.lower() == "bearer":
            caller = await self._access.caller_of(token.strip(), str(scope["path"]))
        if caller is None:
            await self._slowness.hold_back()
            raise Refusal(401, "wrong_token", "this token is not known", headers=challenge)
        scope["caller"] = caller


def host_name(authority: str) -> str | None:
    """Return the host of `host`, `host:port` or `[::1]:port`, lower-case; None for anything else."""
    if any(character in authority for character in "@/\\?# \t"):
        return None
    try:
        parts = urlsplit(f"//{authority}")
        _ = parts.port  # raises for what is no port
    except ValueError:
        return None
    return parts.hostname.rstrip(".") if parts.hostname else None


def _plain(name: str) -> str:
    return name.strip("[]").lower().rstrip(".")


def _check_framing(headers: Headers) -> None:
    """Refuse a body whose end is told in two ways: a proxy before us may have read the other one."""
    if "content-length" in headers and "transfer-encoding" in headers:
        raise Refusal(
            400,
            "two_lengths",
            "Content-Length and Transfer-Encoding tell two ends of the body",
            headers={"Connection": "close"},
        )


def _check_host(headers: Headers, allowed: Collection[str]) -> None:
    """Refuse a name that is not ours: a page elsewhere may have let its name point here."""
    given = headers.getlist("host")
    if len(given) != 1 or host_name(given[0]) not in allowed:
        raise Refusal(
            421, "wrong_host", "this host name is not served here; server.allowed_hosts lists them"
        )


def _check_origin(headers: Headers, allowed: Collection[str]) -> None:
    """Refuse what a page of another site sends."""
    given = headers.getlist("origin")
    if not given:
        return
    scheme, mark, authority = given[0].partition("://")
    is_web = bool(mark) and scheme.lower() in ("http", "https")
    if len(given) != 1 or not is_web or host_name(authority) not in allowed:
        raise Refusal(403, "wrong_origin", "a page of another site may not ask here")
