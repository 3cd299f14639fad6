"""What every test stands on: a clean environment, and no way out of this machine."""

import ipaddress
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.clocks import FakeClock
from tests.small_model import fetch_small_model

MODEL_SECONDS = 600
"""A real model in the process shares two cores with the other tests."""

# Who runs the tests shares the machine, so that no example has a deadline, and gets the examples that
# everybody gets: a run that is to find new ones (`make test-long`) says so with --hypothesis-profile.
settings.register_profile("known", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, derandomize=False, max_examples=300)
settings.load_profile("known")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background lets us ignore Ctrl-C, and so would every program that a
    # test starts and interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("model") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(MODEL_SECONDS))


class EgressError(AssertionError):
    """A test tried to reach another machine."""


def _is_loopback(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a unix socket
    host = str(address[0]).split("%", 1)[0]
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def egress_trap(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Refuse every connection to a non-loopback address, and fail the test that tried one."""
    tried: list[Any] = []

    def guard(name: str) -> None:
        real = getattr(socket.socket, name)

        def guarded(self: socket.socket, address: Any, *rest: Any) -> Any:
            if not _is_loopback(address):
                tried.append(address)
                raise EgressError(f"a socket was opened to {address!r}")
            return real(self, address, *rest)

        monkeypatch.setattr(socket.socket, name, guarded)

    guard("connect")
    guard("connect_ex")
    yield tried
    assert not tried, f"sockets were opened to other machines: {tried}"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the developer's shell would leak into a test."""
    for name in list(os.environ):
        if name.startswith(("BRAIN_", "OLLAMA_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def small_model_path() -> Path:
    """The weights of SmolLM2-135M-Instruct; a test that uses them is marked `model`."""
    return fetch_small_model()
