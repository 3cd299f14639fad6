"""Promises and proofs, compared both ways, without running the tests that prove them."""

import ast
import re
from pathlib import Path

from tests.promises import PROMISES

ROOT = Path(__file__).resolve().parent.parent


def claims_in(path: Path) -> list[tuple[str, str]]:
    """Return (promise id, test) for every `@pytest.mark.proves(...)` and `pytestmark` in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    where = path.relative_to(ROOT).as_posix()
    claims = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            marks = [mark for each in node.decorator_list for mark in proves_marks(each)]
            claims += [(promise, f"{where}::{node.name}") for promise in marks]
        elif isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
        ):
            claims += [(promise, where) for promise in proves_marks(node.value)]
    return claims


def proves_marks(node: ast.expr) -> list[str]:
    return [
        word.value
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "proves"
        for word in call.args
        if isinstance(word, ast.Constant) and isinstance(word.value, str)
    ]


def all_claims() -> list[tuple[str, str]]:
    return [
        claim for path in sorted((ROOT / "tests").rglob("test_*.py")) for claim in claims_in(path)
    ]


def test_no_test_claims_a_promise_that_does_not_exist() -> None:
    unknown = [(promise, test) for promise, test in all_claims() if promise not in PROMISES]

    assert unknown == []


def test_every_promise_whose_part_is_built_has_a_proof() -> None:
    proved = {promise for promise, _ in all_claims()}

    without = [key for key, each in PROMISES.items() if not each.waits_for and key not in proved]

    assert without == []


def test_a_promise_that_waits_for_its_part_is_claimed_by_no_test() -> None:
    early = [(promise, test) for promise, test in all_claims() if PROMISES[promise].waits_for]

    assert early == [], "the part is there: take `waits_for` away in tests/promises.py"


def test_the_page_shows_the_table_of_promises_as_the_tests_know_it() -> None:
    page = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")

    rows = re.findall(r"^\| (P\d+) \| \*\*(.+?)\.\*\* (.+?) \| (.+?) \|$", page, re.MULTILINE)

    assert rows == [
        (key, each.name, each.text, standing(each.waits_for, each.lacks))
        for key, each in PROMISES.items()
    ]


def standing(waits_for: str, lacks: str) -> str:
    if waits_for:
        return f"not built: waits for {waits_for}"
    return f"proved in part: {lacks}" if lacks else "proved"
