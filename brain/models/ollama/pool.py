"""Connections to one server: each to an address that was checked, kept for the next question."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from brain.errors import ModelError, ModelTimedOut, ModelUnreachable, NotLocal
from brain.models.ollama.address import Endpoint, Resolve, foreign_addresses, same_host, why_allowed
from brain.models.ollama.connection import Connection, Wire

__all__ = ["Guard", "Pool"]

_CONNECT_SECONDS: Final = 2.0  # for looking the name up and connecting
_IDLE_CONNECTIONS: Final = 64  # as many as talks at once are to be cheap


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Which addresses may be connected to. None of a name's addresses may be another."""

    is_local: bool
    trusted_hosts: Sequence[str] = ()

    def check(self, endpoint: Endpoint, addresses: Sequence[str]) -> None:
        """Raise NotLocal where one of `addresses` is not allowed: one is enough."""
        if not self.is_local:
            return
        foreign = foreign_addresses(addresses, host=endpoint.host, trusted_hosts=self.trusted_hosts)
        if foreign:
            raise NotLocal(
                f"{endpoint.host!r} stands for {', '.join(foreign)}, which is neither this machine "
                "nor in trusted_hosts; nothing was sent",
                fix="correct base_url, or name the host in the model's trusted_hosts",
            )

    def explain(self, endpoint: Endpoint, address: str) -> str:
        """Return why an address that passed the check is allowed."""
        if endpoint.unix_path:
            return "this machine"
        return why_allowed(address, host=endpoint.host, trusted_hosts=self.trusted_hosts)


class Pool:
    """Opens connections and keeps those that ended well."""

    def __init__(self, *, endpoint: Endpoint, guard: Guard, resolve: Resolve) -> None:
        self._endpoint = endpoint
        self._guard = guard
        self._resolve = resolve
        self._idle: list[Connection] = []
        self._busy: set[Connection] = set()
        self._tls: ssl.SSLContext | None = None
        self._is_closed = False

    async def take(self) -> Connection:
        """Return a kept connection, the last one used first, or a new one.

        Raises NotLocal, ModelUnreachable or ModelTimedOut.
        """
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable:
                self._busy.add(connection)
                return connection
        return await self.open()

    async def open(self) -> Connection:
        """Resolve, check every answer, connect to a checked address, compare the peer."""
        async with self._in_time():
            connection = await self._open()
        self._busy.add(connection)
        return connection

    async def explain_addresses(self) -> Sequence[str]:
        """Return what the host stands for now, each address with why it is allowed.

        Raises NotLocal where one of the addresses is not allowed, ModelUnreachable for none,
        ModelTimedOut.
        """
        async with self._in_time():
            addresses = await self._addresses()
        return [f"{each} ({self._guard.explain(self._endpoint, each)})" for each in addresses]

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                yield
        except TimeoutError as error:
            raise ModelTimedOut(
                f"no connection to {self._endpoint.shown} within {_CONNECT_SECONDS:g} s",
                fix="start the model's server with: ollama serve",
            ) from error

    async def _open(self) -> Connection:
        endpoint = self._endpoint
        loop = asyncio.get_running_loop()
        if endpoint.unix_path:
            try:
                _, wire = await loop.create_unix_connection(Wire, endpoint.unix_path)
            except OSError as error:
                raise self._unreachable(error) from error
            return Connection(wire, peer=endpoint.shown)
        addresses = await self._addresses()
        refused: OSError | None = None
        for address in addresses:
            try:
                transport, wire = await loop.create_connection(
                    Wire, address, endpoint.port, **self._security()
                )
            except OSError as error:
                refused = error
                continue
            peer = str(transport.get_extra_info("peername", ("",))[0])
            if not same_host(peer, address):
                wire.abort()
                raise NotLocal(
                    f"a connection to {address} arrived at {peer or 'no address'}; nothing was sent"
                )
            return Connection(wire, peer=peer)
        raise self._unreachable(refused) from refused

    async def _addresses(self) -> Sequence[str]:
        endpoint = self._endpoint
        if endpoint.unix_path:
            return ("a socket",)
        try:
            addresses = await self._resolve(endpoint.host, endpoint.port)
        except (OSError, UnicodeError) as error:
            raise ModelUnreachable(
                f"the host {endpoint.host!r} of {endpoint.shown} is not known",
                fix="correct base_url in the config, or OLLAMA_HOST",
            ) from error
        if not addresses:
            raise ModelUnreachable(f"the host {endpoint.host!r} stands for no address")
        self._guard.check(endpoint, addresses)
        return addresses

    def _security(self) -> dict[str, Any]:
        if self._endpoint.scheme != "https":
            return {}
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return {"ssl": self._tls, "server_hostname": self._endpoint.host}

    def _unreachable(self, error: OSError | None) -> ModelError:
        if isinstance(error, ssl.SSLError):
            return ModelUnreachable(f"no secure connection to {self._endpoint.shown}: {error}")
        return ModelUnreachable(
            f"nothing answers at {self._endpoint.shown}",
            fix="start the model's server with: ollama serve",
        )

    def give_back(self, connection: Connection) -> None:
        """Keep a connection whose answer was read to its end; close any other."""
        self._busy.discard(connection)
        if self._is_closed or len(self._idle) >= _IDLE_CONNECTIONS:
            connection.abort()
        elif connection.rest():
            self._idle.append(connection)

    def drop(self, connection: Connection) -> None:
        self._busy.discard(connection)
        connection.abort()

    def close(self) -> None:
        self._is_closed = True
        for connection in (*self._idle, *self._busy):
            connection.abort()
        self._idle.clear()
        self._busy.clear()
