"""OLLAMA_HOST as the Ollama tools read it, made into a base URL."""

from ipaddress import ip_address

from brain.config.hosts import trouble_with_host

__all__ = ["DEFAULT_BASE_URL", "AddressError", "base_url_from_host"]

DEFAULT_BASE_URL = "http://127.0.0.1:11434"

_DEFAULT_PORTS = {"http": 80, "https": 443}
_OLLAMA_PORT = 11434
_LAST_PORT = 65_535
_MOST_PORT_DIGITS = 8
_ANY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - read as loopback, never bound


class AddressError(ValueError):
    """The text names no address; the message says what is wrong with it."""


def base_url_from_host(text: str) -> str:
    """Return the base URL for a value of OLLAMA_HOST: `host`, `host:port`, `http://host:port/path`.

    Without a scheme the port is 11434, with one it is the scheme's own. The addresses that mean
    every interface to a server mean loopback to a client. Raises AddressError.
    """
    trimmed = text.strip().strip("\"'").strip()
    scheme, mark, rest = trimmed.partition("://")
    if not mark:
        scheme, rest, port = "http", trimmed, _OLLAMA_PORT
    elif scheme.lower() in _DEFAULT_PORTS:
        port = _DEFAULT_PORTS[scheme.lower()]
    else:
        raise AddressError("a scheme that is neither http nor https")
    authority, slash, path = rest.partition("/")
    if "@" in authority:
        raise AddressError("a user name or password")
    host, port = _split(authority, port)
    tail = (slash + path).rstrip("/")
    return f"{scheme.lower()}://{_as_client_sees(host)}:{port}{tail}"


def _split(authority: str, default_port: int) -> tuple[str, int]:
    if authority.startswith("["):
        host, bracket, after = authority[1:].partition("]")
        if not bracket or (after and not after.startswith(":")):
            raise AddressError("a bracket without its other half")
        return host, _port(after[1:], default_port)
    if authority.count(":") > 1:
        return authority, default_port
    host, _, port = authority.partition(":")
    return host, _port(port, default_port)


def _port(text: str, default_port: int) -> int:
    if not text:
        return default_port
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_PORT_DIGITS
    if not is_number or not 0 < int(text) <= _LAST_PORT:
        raise AddressError("a port that is no number from 1 to 65535")
    return int(text)


def _as_client_sees(host: str) -> str:
    if host in ("", *_ANY_ADDRESS):
        return "127.0.0.1"
    if ":" in host:
        try:
            return f"[{ip_address(host)}]"
        except ValueError:
            raise AddressError("an address that is no IPv6 address") from None
    if trouble := trouble_with_host(host):
        raise AddressError(trouble)
    return host
