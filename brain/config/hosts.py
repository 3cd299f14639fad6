"""What a host of an address is: a name that can be looked up, or this machine. Pure."""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

__all__ = ["is_this_machine", "read_address", "trouble_with_host", "trouble_with_name"]

_LABEL: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
_MOST_RUNES: Final = 253
_MOST_OF_A_LABEL: Final = 63


def trouble_with_host(host: str) -> str:
    """Return what keeps a host from being looked up, empty where nothing does."""
    if ":" in host:
        return ""  # an IPv6 address, which was read with its brackets
    labels = host.removesuffix(".").split(".")
    if len(host) > _MOST_RUNES or any(len(label) > _MOST_OF_A_LABEL for label in labels):
        return "a host name that is too long: 63 characters between two dots, 253 in all"
    if not all(_LABEL.fullmatch(label) for label in labels):
        return "a host name that there can't be"
    if any(label.lower().startswith("xn--") for label in labels):
        import idna  # its tables take longer to load than a check takes

        try:
            idna.decode(host)  # as the client does that posts
        except idna.IDNAError:
            return "a host name whose xn-- part means nothing"
    return ""


def trouble_with_name(text: str) -> str:
    """Return what keeps a host that stands by itself from being one: a port behind it, say."""
    host = text.removeprefix("[").removesuffix("]")
    if host == text and ":" not in text:
        return trouble_with_host(text)
    try:
        IPv6Address(host)
    except ValueError:
        return "a port, or an address that is no IPv6 address"
    return ""


def read_address(text: str) -> tuple[SplitResult, str]:
    """Return the parts of an http address, and what is wrong with it where something is."""
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        return urlsplit("http://localhost"), "a host or a port that there can't be"
    if not url.hostname:
        return url, "no host"
    if port == 0:
        return url, "port 0"
    if url.fragment or text.endswith("#"):
        return url, "a part behind #, which is never sent"
    if not (text.isascii() and text.isprintable()):
        return url, "characters that no address has"
    return url, trouble_with_host(url.hostname)


def is_this_machine(host: str) -> bool:
    """Tell whether a host is loopback, however it is written, or the address that means any."""
    name = host.lower().removesuffix(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and (address.is_loopback or address.is_unspecified)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host is: 127.1 and 2130706433 are 127.0.0.1 to a resolver."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        pass
    else:
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return mapped or address
    try:
        return IPv4Address(socket.inet_aton(text)) if text.isascii() else None
    except (OSError, ValueError):
        return None
