"""The rules of the house that no linter checks: sizes, names, boundaries, time, what is left over."""

import ast
import re
import tomllib
from itertools import pairwise

from tests.architecture.sources import ROOT, Source, package_sources, tracked_files

LONGEST_FUNCTION = 80
LONGEST_FILE = 400
PATTERN_WORDS = ("Manager", "Service", "Helper", "Util", "Utils", "Handler", "Processor", "Impl")
CARRIERS = {"brain/store/sqlite/readers.py", "brain/store/sqlite/writer.py"}
"""Threads that carry whatever was raised back to the caller, who raises it."""

READS_TIME = {
    ("time", "time"), ("time", "monotonic"), ("time", "sleep"), ("asyncio", "sleep"),
    ("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"),
}  # fmt: skip


def functions(source: Source) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


PLURALS = re.compile(
    r"^ (more )?(boxes|calls|characters|conversations|copies|days|events|exchanges|files|hours|lines|"
    r"messages|minutes|models|notes|problems|rehearsals|replies|rows|seconds|sessions|steps|times|"
    r"tools|turns|warnings)\b"
)


def test_a_number_and_its_noun_are_put_together_in_one_place() -> None:
    """`brain.counts` does it, or a count of one would be told as `1 notes`."""
    apart = [
        f"{source.path}:{number.lineno} {ast.unparse(number)}{noun.value[:20]}"
        for source in package_sources()
        for text in ast.walk(source.tree)
        if isinstance(text, ast.JoinedStr)
        for number, noun in pairwise(text.values)
        if isinstance(number, ast.FormattedValue)
        and not ast.unparse(number.value).rpartition(".")[2].isupper()  # a limit that is known
        and isinstance(noun, ast.Constant)
        and PLURALS.match(str(noun.value))
    ]

    assert apart == []


def test_no_function_is_longer_than_the_rule() -> None:
    long = [
        f"{source.path}:{each.lineno} {each.name} has {each.end_lineno - each.lineno + 1} lines"
        for source in package_sources()
        for each in functions(source)
        if each.end_lineno is not None and each.end_lineno - each.lineno + 1 > LONGEST_FUNCTION
    ]

    assert long == []


def test_no_file_is_longer_than_the_rule() -> None:
    long = [
        f"{source.path} has {source.text.count(chr(10))} lines"
        for source in package_sources()
        if source.text.count("\n") > LONGEST_FILE
    ]

    assert long == []


def test_no_class_or_module_is_named_for_a_pattern() -> None:
    named = [
        f"{source.path}: {node.name}"
        for source in package_sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith(PATTERN_WORDS)
    ]
    files = [
        source.path
        for source in package_sources()
        if re.search(r"(util|helper|manager|service|handler|common|misc)s?\.py$", source.path)
    ]

    assert named + files == []


def test_errors_are_caught_blanketly_only_at_the_boundaries_that_pyproject_names() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    ignores = settings["tool"]["ruff"]["lint"]["per-file-ignores"]
    boundaries = {path for path, rules in ignores.items() if "BLE001" in rules}

    blanket = {
        source.path
        for source in package_sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ExceptHandler) and is_blanket(node)
    }

    assert blanket - boundaries - CARRIERS == set()
    assert blanket >= CARRIERS, "a carrier that carries nothing any more"


def is_blanket(node: ast.ExceptHandler) -> bool:
    """Everything is caught and not raised again at the end of the handler."""
    caught = [node.type] if not isinstance(node.type, ast.Tuple) else list(node.type.elts)
    names = {each.id for each in caught if isinstance(each, ast.Name)}
    catches_all = node.type is None or bool(names & {"Exception", "BaseException"})
    return catches_all and not isinstance(node.body[-1], ast.Raise)


def test_only_the_clock_reads_time_or_sleeps() -> None:
    readers = [
        f"{source.path}:{node.lineno} {node.value.id}.{node.attr}"
        for source in package_sources()
        if source.path != "brain/clock.py"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in READS_TIME
    ]

    assert readers == []


def test_an_exemption_names_its_rule_and_its_reason() -> None:
    exemption = re.compile(r"#\s*(?:type:\s*ignore|noqa)(?P<rest>.*)$", re.MULTILINE)
    reasoned = re.compile(r"^(?:\[[\w, -]+\]|:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)\s*(?:#|-|—)\s*\S+")

    bare = [
        f"{source.path}: {match.group().strip()}"
        for source in package_sources()
        for match in exemption.finditer(source.text)
        if not reasoned.match(match["rest"])
    ]

    assert bare == []


def test_tests_use_no_mocks_library_and_do_not_sleep() -> None:
    banned = re.compile(
        r"^\s*(?:from|import) (?:unittest\.mock|mock|pytest_mock)\b"
        r"|\btime\.sleep\(|\basyncio\.sleep\((?!0\))",
        re.MULTILINE,
    )

    found = [
        f"{name}: {match.group().strip()}"
        for name in tracked_files()
        if name.startswith("tests/") and name.endswith(".py")
        for match in banned.finditer((ROOT / name).read_text(encoding="utf-8"))
        if name != "tests/architecture/test_style.py" and not name.startswith("tests/benchmarks/")
    ]

    assert found == []
