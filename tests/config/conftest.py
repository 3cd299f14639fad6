"""A config may ask for the embedded engine; whether this machine has it must not decide a test."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest


@pytest.fixture(autouse=True)
def engine_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = ModuleType("xllamacpp")
    engine.__spec__ = ModuleSpec("xllamacpp", loader=None)
    monkeypatch.setitem(sys.modules, "xllamacpp", engine)
