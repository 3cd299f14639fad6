"""Where a model's server is, and which addresses a model that claims to be local may have."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from brain.errors import ModelUnreachable

__all__ = [
    "Endpoint",
    "Resolve",
    "foreign_addresses",
    "nothing_answers",
    "parse_endpoint",
    "resolve_host",
    "same_host",
]

_DEFAULT_URL: Final = "http://127.0.0.1:11434"
_OLLAMA_PORT: Final = 11434
_HIGHEST_PORT: Final = 65535
_ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - a name, not a bind

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""From a host name and a port to the addresses it stands for. Raises OSError where there is none."""

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The address of a server. With `unix_path` the socket file stands for host and port."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    base_path: str = ""
    unix_path: str = ""

    @property
    def url(self) -> str:
        """The base URL in its canonical form, for the client."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.base_path}"

    @property
    def shown(self) -> str:
        """The address as people read it."""
        return f"unix:{self.unix_path}" if self.unix_path else self.url


def parse_endpoint(base_url: str) -> Endpoint:
    """Read a base URL as the ollama client does: scheme and port may be missing.

    `0.0.0.0` and `::` are where a server listens; for a client they mean loopback. Raises
    ModelUnreachable with the reason where the text is no such address.
    """
    text = base_url.strip() or _DEFAULT_URL
    if text.startswith("unix:"):
        path = unquote(text.removeprefix("unix:").removeprefix("//"))
        return Endpoint(scheme="http", host="localhost", port=80, unix_path=path)
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port
    except ValueError as error:
        raise _unusable(base_url, str(error)) from error
    if parts.scheme not in ("http", "https"):
        raise _unusable(base_url, f"found the scheme {parts.scheme!r}")
    if parts.username is not None or parts.password is not None:
        raise _unusable("(hidden)", "a user name or password in it is not supported")
    if parts.query or parts.fragment:
        raise _unusable(base_url, "it has a query or a fragment")
    scheme: Literal["http", "https"] = "https" if parts.scheme == "https" else "http"
    if port is None:
        port = {"http": 80, "https": 443}[scheme] if "://" in text else _OLLAMA_PORT
    if not 0 < port <= _HIGHEST_PORT:
        raise _unusable(base_url, f"{port} is no port")
    host = parts.hostname or "127.0.0.1"
    return Endpoint(
        scheme=scheme,
        host=_ANY_ADDRESS.get(host, host),
        port=port,
        base_path=parts.path.rstrip("/"),
    )


def _unusable(base_url: str, reason: str) -> ModelUnreachable:
    return ModelUnreachable(
        f"the base_url {base_url!r} can't be used: {reason}; expected something like {_DEFAULT_URL}",
        fix="correct base_url in the config, or OLLAMA_HOST",
    )


async def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Ask the system's resolver. An address stands for itself."""
    if _parse_address(host) is not None:
        return (host,)
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def why_allowed(address: str, *, host: str, trusted_hosts: Sequence[str]) -> str:
    """Return why a model that claims to be local may have this address; "" where it may not.

    Allowed are loopback, the addresses and networks that `trusted_hosts` lists, and, where it lists
    `host` by name, whatever is not reachable from the whole internet: a name can be pointed
    elsewhere by whoever runs its DNS, so that a public address must be listed as an address.
    """
    parsed = _parse_address(address)
    if parsed is None:
        return ""
    if parsed.is_loopback:
        return "this machine"
    entry = next((entry for entry in trusted_hosts if _trusts(entry, parsed, host)), None)
    return "" if entry is None else f"trusted_hosts names {entry}"


def foreign_addresses(
    addresses: Sequence[str], *, host: str, trusted_hosts: Sequence[str]
) -> tuple[str, ...]:
    """Return those addresses that a model claiming to be local may not have."""
    return tuple(
        address
        for address in addresses
        if not why_allowed(address, host=host, trusted_hosts=trusted_hosts)
    )


def same_host(first: str, second: str) -> bool:
    """Tell whether two texts name one address (`::ffff:127.0.0.1` and `127.0.0.1` do)."""
    one, other = _parse_address(first), _parse_address(second)
    return one is not None and one == other


def _parse_address(text: str) -> _Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _trusts(entry: str, address: _Address, host: str) -> bool:
    try:
        network = ipaddress.ip_network(entry, strict=False)
    except ValueError:
        is_named = entry.rstrip(".").lower() == host.rstrip(".").lower()
        return is_named and not (
            address.is_global or address.is_multicast or address.is_unspecified
        )
    return address in network


def nothing_answers(endpoint: Endpoint) -> ModelUnreachable:
    return ModelUnreachable(
        f"nothing answers at {endpoint.shown}",
        fix="start the model's server with: ollama serve",
    )
