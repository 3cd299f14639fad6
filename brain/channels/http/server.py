"""Listens, and stops in order: what was begun is answered, nothing new is taken."""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from brain.channels.http.access import Access
from brain.channels.http.activity import Frames
from brain.channels.http.app import build_app
from brain.channels.http.ground import Ground
from brain.channels.http.keeping import KeptToken, named_address
from brain.channels.http.metrics import Metrics, open_metrics
from brain.channels.http.ports import Doors
from brain.channels.http.sign_in import SignIns
from brain.channels.http.slowness import Slowness
from brain.channels.http.streams import HURRY
from brain.clock import Clock
from brain.config import Server
from brain.errors import ChannelError

__all__ = ["listen", "serve", "url_of"]

KEEP_ALIVE_SECONDS: Final = 30
REQUEST_SECONDS: Final = 15.0
"""How long the head of a first request may take: who connects and says nothing is let go."""

TAKING_SECONDS: Final = 4.0
"""How long one who reads may leave what waits for it, once the server stops or its token is gone."""

FINISH_SECONDS: Final = 4.0
"""How long what was begun may go on once the server stops: the rest of a stop needs its time as well,
and some keepers of services kill after ten seconds what they asked to stop."""

LOOKS_EVERY_SECONDS: Final = 0.5

HEAD_BYTES: Final = 65_536
BACKLOG: Final = 512


def listen(server: Server) -> socket.socket:
    """Return a socket that listens at the address of the config. Raises ChannelError."""
    host = server.host
    try:
        found = socket.getaddrinfo(
            host, server.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
        )[0]
        # The protocol has to be said: without it asyncio leaves Nagle's algorithm on, and the body of
        # each answer waits 40 ms for the other side to acknowledge its head.
        listening = socket.socket(*found[:3])
    except OSError as error:
        raise _no_address(server, error) from error
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(found[4])
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _no_address(server, error) from error
    listening.setblocking(False)
    return listening


def url_of(listening: socket.socket) -> str:
    """Return where a browser on this machine finds the socket."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - read, never bound
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@asynccontextmanager
async def serve(
    doors: Doors,
    *,
    listening: socket.socket,
    clock: Clock,
    environ: Mapping[str, str],
    kept_token: KeptToken,
) -> AsyncIterator[None]:
    """Answer at the socket while the block lasts; at its end what was begun is finished, or cut off.

    `kept_token` is the operator's where the config names no variable with one.
    """
    access = Access(
        config=lambda: doors.config, environ=environ, kept_token=lambda: kept_token.value
    )
    ground = Ground(
        doors=doors,
        access=access,
        clock=clock,
        stopping=asyncio.Event(),
        slowness=Slowness(clock),
        sign_ins=SignIns(doors.config.data_folder, clock=clock, operator=access.operator_token),
        metrics=Metrics(),
        frames=Frames(),
    )
    access.also(ground.sign_ins)
    server = _Server(
        uvicorn.Config(
            build_app(ground),
            http=_Patient,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            h11_max_incomplete_event_size=HEAD_BYTES,
            backlog=BACKLOG,
        )
    )
    async with open_metrics(ground):
        with named_address(doors.config.data_folder, url_of(listening)):
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            try:
                yield
            finally:
                ground.stopping.set()
                await _finish(server, serving)


async def _finish(server: "_Server", serving: "asyncio.Task[None]") -> None:
    """Wait until what was begun is answered, for a while; then, or when cancelled, cut it off.

    What is cut off is cancelled, and stored as far as it came.
    """
    server.should_exit = True
    try:
        await asyncio.wait({serving}, timeout=FINISH_SECONDS)
    finally:
        if not serving.done():
            await _cut_off(server)
        await serving


async def _cut_off(server: "_Server") -> None:
    logging.getLogger("uvicorn.error").disabled = True  # each cut would be told as a fault
    begun = tuple(server.server_state.tasks)
    for task in begun:
        task.cancel()
    for connection in tuple(server.server_state.connections):
        if connection.transport.get_write_buffer_size():
            connection.transport.abort()  # the end of an answer would wait for who does not read
    await asyncio.gather(*begun, return_exceptions=True)
    server.force_exit = True


class _Server(uvicorn.Server):
    """Leaves the signals to the program."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Patient(H11Protocol):
    """Lets go of a connection on which no request comes, and, in a hurry, of who does not read."""

    _waiting: asyncio.TimerHandle | None = None
    _looking: asyncio.TimerHandle | None = None
    _taken_at = 0.0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._waiting = self.loop.call_later(REQUEST_SECONDS, self._let_go)
        self.app_state = {**self.app_state, HURRY: self._hurry}

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._waiting, self._looking):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        super().shutdown()
        self._hurry()

    def _hurry(self) -> None:
        """From now on, wait for who reads no longer than `TAKING_SECONDS`."""
        if self._looking is None:
            self._taken_at = self.loop.time()
            self._look()

    def _look(self) -> None:
        """Cut the connection off where what is written has not been taken for so long.

        Counted is since when something waits, not how much of it: one byte now and then would keep
        the server as well.
        """
        now, cycle = self.loop.time(), vars(self).get("cycle")
        self._looking = None
        if not self.transport.get_write_buffer_size():
            if cycle is None or cycle.response_complete:
                return
            self._taken_at = now
        elif now - self._taken_at >= TAKING_SECONDS:
            self.transport.abort()
            return
        self._looking = self.loop.call_later(LOOKS_EVERY_SECONDS, self._look)

    def _let_go(self) -> None:
        has_asked = vars(self).get("cycle") is not None
        if not has_asked and not self.transport.is_closing():
            self.transport.close()


def _no_address(server: Server, error: OSError) -> ChannelError:
    if error.errno == errno.EADDRINUSE:
        return ChannelError(
            f"port {server.port} of {server.host} is in use by another program; nothing was started",
            fix='stop that program, or choose another port: "server": {"addr": "127.0.0.1:2113"}',
        )
    return ChannelError(
        f"brain can't listen at {server.addr!r}: {error.strerror or error}; nothing was started",
        fix='choose an address of this machine: "server": {"addr": "127.0.0.1:2112"}',
    )
