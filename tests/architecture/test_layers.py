"""Imports go down, packages are entered by their front door, and a front door says what it is."""

import ast
from pathlib import Path

import pytest

from tests.architecture.sources import Source, package_sources

# Adapters: what stands inside a package that only the one who builds things may name.
ADAPTERS = {
    "brain.channels.http": ("brain.cli",),
    "brain.channels.webhook": ("brain.runtime",),
    "brain.config.watch": ("brain.runtime",),
    "brain.models.embedded": ("brain.runtime", "brain.cli", "brain.models"),
    "brain.models.engine": ("brain.runtime",),
    "brain.models.ollama": ("brain.runtime", "brain.models", "brain.cli"),
    "brain.models.scripted": ("brain.runtime",),
    "brain.store.sqlite": ("brain.runtime", "brain.store"),
    "brain.tools.builtin": ("brain.runtime",),
}
LEVELS = 3


def packages() -> list[Source]:
    return [source for source in package_sources() if source.is_package]


def test_other_packages_are_entered_by_their_front_door() -> None:
    doors = {source.module for source in packages()}

    assert [way for source in package_sources() for way in side_ways(source, doors)] == []


def side_ways(source: Source, doors: set[str]) -> list[str]:
    """Return the imports of `source` that reach into another package past its front door."""
    own = ".".join(source.module.split(".")[:2])
    found = []
    for module, line in imported_modules(source):
        parts = module.split(".")
        if parts[0] != "brain" or len(parts) <= 2 or module.startswith(f"{own}."):
            continue
        door = ".".join(parts[:2])
        adapter = ".".join(parts[:3])
        is_allowed = (
            door not in doors
            or own in ADAPTERS.get(adapter, ())
            or (adapter == module and own in ADAPTERS.get(module, ()))
        )
        if not is_allowed:
            found.append(f"{source.path}:{line} imports {module}")
    return found


def imported_modules(source: Source) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.append((node.module, node.lineno))
    return found


@pytest.mark.parametrize("source", packages(), ids=lambda source: source.module)
def test_a_front_door_lists_what_it_offers(source: Source) -> None:
    listed = listed_names(source)
    offered = {
        alias.asname or alias.name
        for node in source.tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    defined = {
        node.name
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }

    if listed is None:
        assert not offered, f"{source.path} imports names and has no __all__"
        return
    assert len(listed) == len(set(listed))
    assert set(listed) <= offered | defined
    assert {name for name in offered if not name.startswith("_")} - set(listed) == set(), (
        "imported here and not offered"
    )


def listed_names(source: Source) -> list[str] | None:
    for node in source.tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            names: list[str] = ast.literal_eval(node.value)
            return names
    return None


@pytest.mark.parametrize("source", package_sources(), ids=lambda source: source.module)
def test_a_module_says_in_a_sentence_what_it_is(source: Source) -> None:
    docstring = ast.get_docstring(source.tree)

    assert docstring is not None
    assert docstring.splitlines()[0].endswith((".", "?", ":", ";", ","))


def test_the_package_is_at_most_three_levels_deep() -> None:
    deeper = [
        source.path for source in package_sources() if len(Path(source.path).parts) - 1 > LEVELS
    ]

    assert deeper == []
