"""The pure part of a switch: one value of a JSON text replaced, every other character kept."""

import json
from typing import Any

import pytest

from tests.page.browser import open_console

TEXT = '{\r\n  "_comment": "keep \\u00e9 me",\n\t"brains" : [ {"a":1.50}, {"mode":"shadow" , "x":[ ]} ]\n}\n'
BROKEN = [
    '{"a": 1,}',
    '{"a": 1} x',
    '{"a": 1, "a": 2}',
    '{"a": "\\q"}',
    '{"a": "x',
    "[1 2]",
    "{",
    "",
    "01",
]


@pytest.fixture(scope="module")
def edit(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    with open_console(browser, tmp_path_factory.mktemp("edit")) as console:
        console.page.goto(console.url)

        def run(script: str, *given: Any) -> Any:
            return console.page.evaluate(
                f"async given => {{ const edit = await import('/page/edit.js'); {script} }}",
                list(given),
            )

        yield run


def test_one_value_changes_and_everything_else_stays_as_it_was(edit: Any) -> None:
    changed = edit("return edit.replaceAt(...given)", TEXT, ["brains", 1, "mode"], "allow")

    assert changed == TEXT.replace('"shadow"', '"allow"')


@pytest.mark.parametrize("text", [TEXT, "[]", " -1.5e3 ", '"\\ud83d\\ude00"', "[true,false,null]"])
def test_it_reads_what_any_reader_of_json_reads(edit: Any, text: str) -> None:
    assert edit("return edit.plain(edit.scan(given[0]))", text) == json.loads(text)


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_not_json_or_has_a_key_twice_is_refused_with_its_line(edit: Any, text: str) -> None:
    told = edit(
        "try { edit.scan(given[0]); return '' } catch (error) { return error.message }", text
    )

    assert told.endswith("on line 1")


def test_a_path_that_leads_nowhere_is_named(edit: Any) -> None:
    script = "try { edit.replaceAt(...given) } catch (error) { return error.message }"

    assert edit(script, TEXT, ["brains", 2, "mode"], "x") == "nothing stands at brains[2].mode"


def test_config_paths_are_read_and_written(edit: Any) -> None:
    path = "brains[0].agent.governance[12].mode"

    assert edit("return edit.pathOf(given[0])", path) == [
        "brains",
        0,
        "agent",
        "governance",
        12,
        "mode",
    ]
    assert edit("return edit.pathText(edit.pathOf(given[0]))", path) == path


def test_lines_are_counted_from_one(edit: Any) -> None:
    assert edit("return [0, 2, 3, 4].map(at => edit.lineOf('ab\\ncd\\n', at))") == [1, 1, 2, 2]
