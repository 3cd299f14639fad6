"""Which addresses a model that claims to be local may have."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.models.ollama.address import (
    Endpoint,
    foreign_addresses,
    parse_endpoint,
    resolve_host,
    same_host,
    why_allowed,
)
from brain.models.ollama.durations import keep_alive_seconds
from brain.models.ollama.names import plain_name

ANY = "0.0.0.0"  # noqa: S104 - a name to be understood, nothing is bound

pytestmark = pytest.mark.proves("P5")


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("", "http://127.0.0.1:11434"),
        ("localhost", "http://localhost:11434"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://ollama", "http://ollama:80"),
        ("https://gpu.example/ollama/", "https://gpu.example:443/ollama"),
        ("http://[::1]:11434", "http://[::1]:11434"),
        (ANY, "http://127.0.0.1:11434"),
        ("http://0.0.0.0:11435", "http://127.0.0.1:11435"),
        ("http://[::]:11434", "http://[::1]:11434"),
    ],
)
def test_a_base_url_is_read_as_the_client_reads_it(base_url: str, expected: str) -> None:
    assert parse_endpoint(base_url).url == expected


def test_a_unix_socket_has_a_path() -> None:
    endpoint = parse_endpoint("unix:///run/ollama.sock")
    assert endpoint == Endpoint(
        scheme="http", host="localhost", port=80, unix_path="/run/ollama.sock"
    )
    assert endpoint.shown == "unix:/run/ollama.sock"


@pytest.mark.parametrize(
    ("address", "trusted_hosts", "is_allowed"),
    [
        ("127.0.0.1", (), True),
        ("127.8.9.10", (), True),
        ("::1", (), True),
        ("::ffff:127.0.0.1", (), True),
        (ANY, (), False),
        ("192.168.1.5", (), False),
        ("10.0.0.7", ("10.0.0.7",), True),
        ("10.0.0.8", ("10.0.0.7",), False),
        ("10.0.0.8", ("10.0.0.0/24",), True),
        ("fd00::7", ("fd00::/8",), True),
        ("203.0.113.7", ("203.0.113.7",), True),
        ("172.18.0.2", ("ollama",), True),
        ("100.64.0.9", ("OLLAMA.",), True),
        ("172.18.0.2", ("another",), False),
        ("8.8.8.8", ("ollama",), False),
        ("2606:4700::1111", ("ollama",), False),
        ("::ffff:8.8.8.8", ("ollama",), False),
        ("169.254.169.254", (), False),
        ("224.0.0.1", ("ollama",), False),
        (ANY, ("ollama",), False),
        ("fe80::1%eth0", (), False),
        ("no address", ("no address",), False),
        ("", (), False),
    ],
)
def test_loopback_and_what_is_trusted_by_name_are_allowed(
    address: str, trusted_hosts: tuple[str, ...], is_allowed: bool
) -> None:
    foreign = foreign_addresses([address], host="ollama", trusted_hosts=trusted_hosts)
    assert foreign == (() if is_allowed else (address,))


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1", "this machine"),
        ("10.0.0.8", "trusted_hosts names 10.0.0.0/24"),
        ("172.18.0.2", "trusted_hosts names ollama"),
        ("8.8.8.8", ""),
    ],
)
def test_why_an_address_is_allowed_is_said(address: str, why: str) -> None:
    trusted = ("10.0.0.0/24", "ollama")
    assert why_allowed(address, host="ollama", trusted_hosts=trusted) == why


@given(st.ip_addresses())
def test_without_trust_only_loopback_is_allowed(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    foreign = foreign_addresses([str(address)], host="ollama", trusted_hosts=())
    mapped = getattr(address, "ipv4_mapped", None) or address
    assert (foreign == ()) is mapped.is_loopback


@given(st.ip_addresses(v=4))
def test_a_mapped_address_is_the_address_it_maps(address: ipaddress.IPv4Address) -> None:
    assert same_host(str(address), f"::ffff:{address}")


async def test_an_address_needs_no_look_up() -> None:
    assert await resolve_host("127.0.0.1", 80) == ("127.0.0.1",)
    assert await resolve_host("::1", 80) == ("::1",)


async def test_localhost_stands_for_loopback_alone() -> None:
    addresses = await resolve_host("localhost", 80)
    assert addresses
    assert foreign_addresses(addresses, host="localhost", trusted_hosts=()) == ()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5m", 300.0),
        ("1h30m", 5400.0),
        ("90s", 90.0),
        ("1500ms", 1.5),
        ("300", 300.0),
        ("0", 0.0),
        ("-1", float("inf")),
        ("-1m", float("inf")),
        ("soon", 0.0),
        ("", 0.0),
        ("5m later", 0.0),
    ],
)
def test_keep_alive_is_read_as_ollama_reads_it(text: str, seconds: float) -> None:
    assert keep_alive_seconds(text) == seconds


@pytest.mark.parametrize(
    "name",
    [
        "llama3.2",
        "llama3.2:latest",
        "LLAMA3.2",
        "library/llama3.2",
        "registry.ollama.ai/library/llama3.2:latest",
    ],
)
def test_spellings_of_one_model_are_one_name(name: str) -> None:
    assert plain_name(name) == "llama3.2:latest"


def test_a_port_in_a_registry_is_no_tag() -> None:
    assert plain_name("hub:5000/me/thing") == "hub:5000/me/thing:latest"
