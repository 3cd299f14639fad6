"""Files that are no whole export: refused with the line, and nothing is changed."""

import asyncio
import io
import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.errors import BrainError
from brain.transfer import Fault, FaultyFile, read_lines
from brain.transfer.shapes import KINDS, faults_in
from tests.clocks import FakeClock
from tests.docs.reference import EXPORT_SCHEMA
from tests.transfer.world import WHAT, a_desk, everything, exported, fill, imported, write

SCHEMA = jsonschema.Draft202012Validator(json.loads(EXPORT_SCHEMA.read_text(encoding="utf-8")))
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["\ud800", "export", "public", "2026-02-30T00:00:00.000Z", "main\n", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of an export of a store with everything in it."""
    folder = tmp_path_factory.mktemp("whole")

    async def make() -> None:
        clock = FakeClock()
        async with a_desk(folder / "a", clock) as desk:
            await fill(desk, clock)
            await exported(desk, folder / "1.jsonl")

    asyncio.run(make())
    return (folder / "1.jsonl").read_bytes()


def read(content: bytes) -> int:
    """Return how many lines a file has; FaultyFile for one that is not whole."""
    return sum(1 for _ in read_lines(io.BytesIO(content), name="'file'"))


def told(content: bytes) -> tuple[Fault, ...]:
    """Return what is wrong with a file; nothing for a whole one."""
    try:
        read(content)
    except FaultyFile as refused:
        return refused.faults
    return ()


def faults_of(content: bytes) -> list[tuple[int, str, str]]:
    with pytest.raises(FaultyFile) as refused:
        read(content)
    return [(each.line, each.found, each.expected) for each in refused.value.faults]


def test_a_whole_file_is_read_to_its_end(whole: bytes) -> None:
    assert read(whole) == 19


@given(cut=st.data())
def test_a_file_that_was_cut_anywhere_is_known(whole: bytes, cut: st.DataObject) -> None:
    at = cut.draw(st.integers(0, len(whole) - 1))

    with pytest.raises(FaultyFile):
        read(whole[:at])


@given(choice=st.data())
def test_a_line_that_comes_twice_goes_or_moves_is_known(
    whole: bytes, choice: st.DataObject
) -> None:
    lines = whole.splitlines(keepends=True)
    line = choice.draw(st.sampled_from(lines))
    at = choice.draw(st.integers(0, len(lines)))
    kept = choice.draw(st.booleans())
    rest = list(lines) if kept else [each for each in lines if each is not line]
    changed = [*rest[:at], line, *rest[at:]]
    if changed != lines:
        with pytest.raises(FaultyFile):
            read(b"".join(changed))
    with pytest.raises(FaultyFile):
        read(b"".join(each for each in lines if each is not line))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(choice=st.data())
def test_a_changed_field_is_refused_with_its_line_or_has_the_published_shape(
    whole: bytes, choice: st.DataObject
) -> None:
    lines = [json.loads(line) for line in whole.splitlines()]
    at = choice.draw(st.integers(0, len(lines) - 1))
    line = lines[at]
    target = line["box"] if "box" in line and choice.draw(st.booleans()) else line
    name = choice.draw(st.sampled_from(sorted(target)) | st.text(max_size=8))
    target[name] = choice.draw(ANYTHING)
    raw = json.dumps(line)

    faults = told(b"".join(json.dumps(each).encode() + b"\n" for each in lines))

    assert faults or SCHEMA.is_valid(json.loads(raw))
    assert all(1 <= fault.line <= len(lines) + 1 for fault in faults)


@given(choice=st.data())
def test_the_check_and_the_published_schema_agree(whole: bytes, choice: st.DataObject) -> None:
    line: dict[str, Any] = json.loads(choice.draw(st.sampled_from(whole.splitlines())))
    kind = line["kind"]
    name = choice.draw(st.sampled_from(sorted(line)) | st.text(max_size=8))
    if choice.draw(st.booleans()):
        line[name] = choice.draw(ANYTHING)
    else:
        line.pop(name, None)
    expected = dict(SCHEMA.schema["$defs"][kind])

    is_fit = not list(faults_in(KINDS[kind], line))
    is_valid = jsonschema.Draft202012Validator(expected).is_valid(line)

    if any(moment in name for moment in ("at", "_at")):
        assert is_valid or not is_fit  # a pattern takes the thirtieth of February
    else:
        assert is_fit == is_valid


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"{", "no JSON: Expecting property name enclosed in double quotes"),
        (b"[]", "no object"),
        (b'{"kind":"event"}', "the kind 'event'"),
        (b'{"kind":"note","kind":"note"}', "the field 'kind' twice in one object"),
        (b'{"kind":NaN}', "NaN, which is no JSON"),
        (b'{"kind":1e999}', "the number 1e999, which is too large"),
        (b'{"kind":"\\ud800"}', "a text with half of a surrogate pair"),
        (b'{"kind":"\xff"}', "bytes that are no UTF-8, from byte 10"),
        (b"[" * 100_000, "values nested too deep"),
        (b"9" * 5000, "no object"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_line_that_is_no_row_is_told_in_words(whole: bytes, line: bytes, found: str) -> None:
    first = whole.splitlines(keepends=True)[0]

    faults = faults_of(first + line + b"\n")

    assert faults[0][0] == 2
    assert found in faults[0][1] or "digits" in faults[0][1]


def test_a_line_without_end_is_not_read_into_memory(whole: bytes) -> None:
    class Endless(io.RawIOBase):
        """A file whose second line never ends."""

        def __init__(self) -> None:
            self.head = whole.splitlines(keepends=True)[0]
            self.taken = 0

        def readline(self, size: int | None = -1) -> bytes:
            if self.head:
                head, self.head = self.head, b""
                return head
            assert size is not None
            assert 0 < size <= 2**25
            self.taken += size
            return b"x" * size

    with pytest.raises(FaultyFile, match="a longer line"):
        list(read_lines(Endless(), name="'file'"))  # type: ignore[arg-type] # reads as a file does


def test_of_many_faults_the_first_are_told(whole: bytes) -> None:
    first = whole.splitlines(keepends=True)[0]

    with pytest.raises(FaultyFile) as refused:
        read(first + b"{}\n" * 1000)

    assert len(str(refused.value).splitlines()) == 22
    assert str(refused.value).endswith("and more")


@pytest.mark.parametrize("seed", range(12))
async def test_a_damaged_file_changes_nothing_in_the_store(
    whole: bytes, tmp_path: Path, clock: FakeClock, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret: the same damage each time
    damaged = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(damaged)
    async with a_desk(tmp_path / "b", clock) as desk:
        before = everything(desk)
        try:
            done = await imported(desk, path)
        except BrainError:
            assert everything(desk) == before
        else:
            assert done.total("new") == 18  # a letter of a text was changed: nobody can know


async def test_a_file_whose_end_is_wrong_is_refused_before_anything_is_planned(
    whole: bytes, tmp_path: Path, clock: FakeClock
) -> None:
    lines = [json.loads(line) for line in whole.splitlines()]
    path = write(tmp_path / "short.jsonl", lines[:-1])
    async with a_desk(tmp_path / "b", clock) as desk:
        with pytest.raises(FaultyFile) as refused:
            await desk.plan_import(path, what=WHAT)

    assert str(refused.value).splitlines()[1] == (
        "  line 19: found the end of the file after 2 rehearsals; expected 3, as its header says: "
        "it was cut off or edited"
    )
