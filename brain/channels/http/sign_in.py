"""Signing a page in: a code that is good once and for a minute becomes a secret of the page's own.

Only hashes of secrets are kept, in a file of the data folder, so that a page stays signed in over a
restart. A secret ends after 12 hours without use, and with the operator's token that it was given
under.
"""

import asyncio
import json
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.channels.http.access import digest
from brain.channels.http.bodies import query_of, read_fields
from brain.channels.http.ground import Ground, token_of
from brain.channels.http.keeping import keep_file
from brain.channels.http.refusal import Refusal
from brain.clock import Clock
from brain.log import get_log

__all__ = ["PAGES_FILE", "SignIns", "give_code", "redeem_code", "sign_out"]

PAGES_FILE: Final = "server.pages"
CODE_SECONDS: Final = 60
IDLE: Final = timedelta(hours=12)
NOTED_EVERY: Final = timedelta(minutes=5)
"""How exactly the last use is kept on disk: not every request writes a file."""

CODES_AT_MOST: Final = 16
PAGES_AT_MOST: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """A page that is signed in: the hash of its secret, its last use, and under which token."""

    secret: str
    used_at: str
    under: str


class SignIns:
    """Codes that were given out, and pages that are signed in. `operator` is the token in force."""

    def __init__(self, folder: Path, *, clock: Clock, operator: Callable[[], str]) -> None:
        self._path = folder / PAGES_FILE
        self._clock = clock
        self._operator = operator
        self._codes: dict[str, float] = {}
        self._pages = {page.secret: page for page in _read(self._path)}

    def give_code(self) -> str:
        """Return a code that is good once, within a minute."""
        now = self._clock.monotonic()
        self._codes = {code: end for code, end in self._codes.items() if end > now}
        while len(self._codes) >= CODES_AT_MOST:
            del self._codes[next(iter(self._codes))]
        code = secrets.token_urlsafe(24)
        self._codes[digest(code)] = now + CODE_SECONDS
        return code

    async def redeem(self, code: str) -> str | None:
        """Return the secret of a page, or None for a code that is not good (any more)."""
        end = self._codes.pop(digest(code), None)
        if end is None or end <= self._clock.monotonic():
            return None
        secret = secrets.token_urlsafe(32)
        page = _Page(
            secret=digest(secret), used_at=self._clock.now().isoformat(), under=self._under()
        )
        self._pages[page.secret] = page
        await self._keep()
        return secret

    async def knows(self, secret: str) -> bool:
        """Tell whether the hash is that of a page that is signed in; it is used by asking."""
        if not self.holds(secret):
            await self.end(secret)
            return False
        page = self._pages[secret]
        if self._unused(page) > NOTED_EVERY:
            self._pages[secret] = replace(page, used_at=self._clock.now().isoformat())
            await self._keep()
        return True

    def holds(self, secret: str) -> bool:
        """Tell whether the hash is that of a page that is signed in now."""
        page = self._pages.get(secret)
        return page is not None and self._unused(page) <= IDLE and page.under == self._under()

    def _unused(self, page: _Page) -> timedelta:
        return self._clock.now() - datetime.fromisoformat(page.used_at)

    async def end(self, secret: str) -> bool:
        """Sign a page out; False where it was not signed in."""
        was_there = self._pages.pop(secret, None) is not None
        if was_there:
            await self._keep()
        return was_there

    def _under(self) -> str:
        return digest(f"page {self._operator()}")

    async def _keep(self) -> None:
        kept = sorted(self._pages.values(), key=lambda page: page.used_at)[-PAGES_AT_MOST:]
        self._pages = {page.secret: page for page in kept}
        content = json.dumps([asdict(page) for page in kept]).encode()
        try:
            await asyncio.to_thread(keep_file, self._path, content)
        except OSError as error:
            # It holds for as long as the server runs; after that the page signs in anew.
            get_log("http").warning("sign_in_not_kept", error=error.strerror)


async def give_code(request: Request, ground: Ground) -> Response:
    """Return a code for who opens the page."""
    query_of(request)
    return JSONResponse(
        {"code": ground.sign_ins.give_code(), "expires_in_seconds": CODE_SECONDS}, status_code=201
    )


async def redeem_code(request: Request, ground: Ground) -> Response:
    """Trade a code for the secret of a page."""
    query_of(request)
    fields = await read_fields(request)
    code = fields.text("code", at_most=200, is_required=True)
    fields.end()
    secret = await ground.sign_ins.redeem(code)
    if secret is None:
        await ground.slowness.hold_back()
        raise Refusal(401, "wrong_code", "this code is not good, or not any more: brain open")
    return JSONResponse({"token": secret}, status_code=201)


async def sign_out(request: Request, ground: Ground) -> Response:
    """End the secret that is shown; a token of the config stays."""
    query_of(request)
    if not await ground.sign_ins.end(digest(token_of(request))):
        raise Refusal(409, "not_signed_in", "this token is not a page's")
    return Response(status_code=204)


def _read(path: Path) -> list[_Page]:
    """Return the pages that were kept. A file that makes no sense signs every page out."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        pages = [_Page(**page) for page in value]
        for page in pages:
            datetime.fromisoformat(page.used_at).astimezone()
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError):
        get_log("http").warning("sign_ins_unreadable", file=path.name)
        return []
    return pages
