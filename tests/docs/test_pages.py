"""What the pages say is what the program does."""

import json
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import click
import pytest

from brain.cli.app import app
from brain.config import schema_document
from tests.docs.pages import ROOT, blocks, code_in, pages, shown

COMMAND_LINE_PAGE = ROOT / "docs" / "command-line.md"
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#]+)(?:#[^)]*)?\)")
OF_OTHER_TIMES = {
    "docs/reference/config.md",  # it also names what waits for fields that are not built
    *(shown(path) for path in (ROOT / "docs" / "adr").glob("*.md")),  # never edited
}
FREE_OBJECTS = {"options"}


def every_page() -> list[Any]:
    return [pytest.param(page, id=shown(page)) for page in pages()]


def test_every_command_of_the_command_line_stands_on_its_page() -> None:
    page = COMMAND_LINE_PAGE.read_text(encoding="utf-8")

    missing = [name for name in leaves(app) if not is_told(name, page)]

    assert missing == []


def is_told(name: str, page: str) -> bool:
    """A command stands there in full, or its last word stands in the line of its group."""
    group, _, last = name.rpartition(" ")
    rows = [line for line in page.splitlines() if line.startswith(f"| `{group} ")]
    return f"| `{name}" in page or any(re.search(rf"`{last}\b", row) for row in rows)


def leaves(command: click.Command, name: str = "brain") -> list[str]:
    if not isinstance(command, click.Group):
        return [name]
    ctx = click.Context(command)
    below = [(each, command.get_command(ctx, each)) for each in command.list_commands(ctx)]
    return [leaf for word, each in below if each for leaf in leaves(each, f"{name} {word}")]


@pytest.mark.parametrize("page", [page for page in every_page() if page.id not in OF_OTHER_TIMES])
def test_a_page_names_only_commands_and_options_that_there_are(page: Path) -> None:
    typed = [code for code in code_in(page) if re.match(r"(?:\$ )?brain [a-z-]", code)]

    assert [line for line in typed if (wrong := unknown_word(line)) and wrong] == []


def unknown_word(line: str) -> str:
    """Return the first word of a command line that the program does not know, or nothing."""
    words = shlex.split(re.split(r"\s{3,}|\s[|>]\s", line.removeprefix("$ "), maxsplit=1)[0])[1:]
    command: click.Command = app
    for word in words:
        ctx = click.Context(command)
        if word.startswith("--"):
            options = {name for each in command.get_params(ctx) for name in each.opts}
            if word.split("=")[0] not in options | {"--help"}:
                return word
        elif isinstance(command, click.Group):
            below = command.get_command(ctx, word)
            if below is None:
                return "" if word.isupper() else word
            command = below
    return ""


@pytest.mark.parametrize("page", every_page())
def test_a_link_leads_to_a_file_that_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert [link for link in LINK.findall(text) if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", every_page())
def test_json_on_a_page_has_only_keys_that_a_config_can_have(page: Path) -> None:
    known = schema_keys(schema_document())

    unknown = [key for text in blocks(page, "json") for key in keys_in(text) if key not in known]

    assert unknown == []


def keys_in(text: str) -> list[str]:
    """Return the keys of a whole document or of a piece of one, and fail where it is no JSON."""
    for candidate in (text, f"[{text}]", f"{{{text}}}"):
        try:
            return list(walk(json.loads(candidate)))
        except ValueError:
            continue
    raise AssertionError(f"this is no JSON, nor a piece of an object or list:\n{text}")


def walk(value: Any) -> list[str]:
    if isinstance(value, list):
        return [key for each in value for key in walk(each)]
    if not isinstance(value, dict):
        return []
    return [
        found
        for key, each in value.items()
        for found in (key, *([] if key in FREE_OBJECTS else walk(each)))
    ]


def schema_keys(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {key for each in schema for key in schema_keys(each)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {}))
    return own | {key for each in schema.values() for key in schema_keys(each)}


def test_no_two_decisions_have_the_same_number_and_those_that_are_cited_are_there() -> None:
    files = sorted((ROOT / "docs" / "adr").glob("*.md"))
    numbers = Counter(path.name[:4] for path in files)
    cited = {
        number
        for path in [*(ROOT / "brain").rglob("*.py"), ROOT / "pyproject.toml", *pages()]
        for number in re.findall(r"docs/adr/(\d{4})", path.read_text(encoding="utf-8"))
    }

    assert [path.name for path in files if not re.match(r"\d{4}-[a-z0-9-]+\.md$", path.name)] == []
    assert [number for number, count in numbers.items() if count > 1] == []
    assert cited - set(numbers) == set()
