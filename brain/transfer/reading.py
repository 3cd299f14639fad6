"""A file as the lines of an export: each checked, in order, counted, and none kept in memory."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO, Final

from brain.errors import BrainError
from brain.records import Conversation, Note, Rehearsal, Session, Turn
from brain.transfer.lines import Header, Record, kind_of, record_from
from brain.transfer.shapes import COUNTED, KINDS, WHAT, Fault, faults_in

__all__ = ["FaultyFile", "read_lines"]

LONGEST_LINE: Final = 16 * 1024 * 1024
"""In bytes: more than any turn takes, and little enough to be held in memory."""

_FAULTS_TOLD: Final = 20

_MEND: Final = "take the file as 'brain export' wrote it; if this is it, export again"

Tell = Callable[[Fault], None]


class FaultyFile(BrainError):
    """A file that is no whole export; `faults` says what is wrong where."""

    def __init__(self, name: str, faults: tuple[Fault, ...]) -> None:
        told = "".join(f"\n  {fault.sentence}" for fault in faults[:_FAULTS_TOLD])
        more = "\n  and more" if len(faults) > _FAULTS_TOLD else ""
        super().__init__(
            f"{name} can't be imported; nothing was changed{told}{more}",
            fix=_MEND,
        )
        self.faults = faults


class _Enough(Exception):
    """As many faults as anybody reads."""


def read_lines(file: BinaryIO, *, name: str) -> Iterator[tuple[int, Record]]:
    """Yield each line with its number, the header first.

    Raises FaultyFile at the end where anything was wrong, with the first faults. What was yielded
    before is then not to be kept.
    """
    faults: list[Fault] = []

    def tell(fault: Fault) -> None:
        faults.append(fault)
        if len(faults) > _FAULTS_TOLD:
            raise _Enough

    with suppress(_Enough):
        yield from _checked(file, tell)
    if faults:
        raise FaultyFile(name, tuple(faults))


def _checked(file: BinaryIO, tell: Tell) -> Iterator[tuple[int, Record]]:
    header: Header | None = None
    order = _Order()
    counts: Counter[str] = Counter()
    number = 0
    for number, record in _records(file, tell):
        if record is None:
            if number == 1:
                return  # without its header nothing of a file can be judged
            continue
        if number == 1:
            if not isinstance(record, Header):
                tell(_not_first(kind_of(record)))
                return
            header = record
        else:
            counts[COUNTED.get(kind_of(record), "")] += 1
            for fault in order.faults(number, record, header):
                tell(fault)
        yield number, record
    if number == 0:
        tell(Fault(line=1, found="an empty file", expected="the header of an export"))
    if header is not None:
        for fault in _miscounted(header, counts, number):
            tell(fault)


def _not_first(kind: str) -> Fault:
    return Fault(
        line=1,
        found=f"a line of the kind {kind!r}",
        expected="the header of an export: the beginning of the file is missing",
    )


def _miscounted(header: Header, counts: Counter[str], last: int) -> Iterator[Fault]:
    for name, count in header.counts.items():
        if counts[name] != count:
            yield Fault(
                line=last + 1,
                found=f"the end of the file after {counts[name]} {name}",
                expected=f"{count}, as its header says: it was cut off or edited",
            )


def _records(file: BinaryIO, tell: Tell) -> Iterator[tuple[int, Record | None]]:
    """Yield a record for each line, None for one that is faulty."""
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            expected = f"at most {LONGEST_LINE} bytes in a line"
            tell(Fault(line=number, found="a longer line", expected=expected))
            return
        if not raw.endswith(b"\n"):
            expected = "a line break at the end of each: the file was cut off"
            tell(Fault(line=number, found="the end of the file within a line", expected=expected))
            return
        yield number, _record(raw, number, tell)


def _record(raw: bytes, number: int, tell: Tell) -> Record | None:
    try:
        value = _parsed(raw)
    except (ValueError, RecursionError) as error:
        found = str(error) if isinstance(error, ValueError) else "values nested too deep"
        tell(Fault(line=number, found=found, expected="one JSON object in UTF-8"))
        return None
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        found = f"the kind {kind!r}" if isinstance(value, dict) else "no object"
        tell(Fault(line=number, found=found, expected=f"an object of kind {', '.join(KINDS)}"))
        return None
    is_whole = True
    for found, expected in faults_in(KINDS[kind], value):
        tell(Fault(line=number, found=found, expected=expected))
        is_whole = False
    if not is_whole:
        return None
    try:
        return record_from(value)
    except ValueError as error:
        tell(
            Fault(line=number, found=f"a box that can't be: {error}", expected="a box with its key")
        )
        return None


def _parsed(raw: bytes) -> Any:
    """Return the value of a line. Raises ValueError with what was found, or RecursionError."""
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_unambiguous,
            parse_constant=_no_number,
            parse_float=_finite,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"bytes that are no UTF-8, from byte {error.start + 1}") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error.msg} at character {error.pos + 1}") from error
    if b"\\ud" in raw.lower():  # else no half of a pair can have come in
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError("a text with half of a surrogate pair") from error
    return value


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = next(
            name for name, count in Counter(name for name, _ in pairs).items() if count > 1
        )
        raise ValueError(f"the field {twice[:60]!r} twice in one object")
    return value


def _no_number(word: str) -> float:
    raise ValueError(f"{word}, which is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:60]}, which is too large")
    return number


class _Order:
    """Whether each line may come where it comes: none twice, none without what it belongs to.

    Ids and numbers ascend, so that the last one is all that has to be known.
    """

    def __init__(self) -> None:
        self._rank = 0
        self._key: tuple[Any, ...] = ()
        self._talk = ""
        self._session = 0

    def faults(self, number: int, record: Record, header: Header | None) -> Iterator[Fault]:
        if isinstance(record, Header):
            yield Fault(line=number, found="a second header", expected="one, as the first line")
            return
        match record:
            case Conversation():
                self._talk, self._session = record.conversation_id, 0
            case Session():
                if record.conversation_id != self._talk:
                    yield _orphan(number, "a session", "its conversation")
                self._session = record.number
            case Turn():
                if (record.conversation_id, record.session) != (self._talk, self._session):
                    yield _orphan(number, "a turn", "its session")
            case Note() | Rehearsal():
                pass
        yield from self._out_of_place(number, record, *_place(record), header)

    def _out_of_place(
        self, number: int, record: Record, rank: int, key: tuple[Any, ...], header: Header | None
    ) -> Iterator[Fault]:
        if header is not None and WHAT[rank] not in header.holds:
            expected = f"only what its header says that it holds: {', '.join(header.holds)}"
            yield Fault(line=number, found=f"a {kind_of(record)}", expected=expected)
        if (rank, key) <= (self._rank, self._key):
            yield Fault(
                line=number,
                found=f"a {kind_of(record)} that is there twice, or out of order",
                expected="each once, in the order of an export",
            )
        else:
            self._rank, self._key = rank, key


def _place(record: Conversation | Session | Turn | Note | Rehearsal) -> tuple[int, tuple[Any, ...]]:
    """Return which of WHAT a row is of, and what it is ordered by among those."""
    match record:
        case Conversation():
            return 0, (record.conversation_id,)
        case Session():
            return 0, (record.conversation_id, record.number)
        case Turn():
            return 0, (record.conversation_id, record.session, record.turn_id)
        case Note() | Rehearsal():
            box = record.box
            key = (box.brain, box.scope, box.channel, box.conversation, record.number)
            return (1 if isinstance(record, Note) else 2), key


def _orphan(number: int, what: str, belongs_to: str) -> Fault:
    return Fault(
        line=number,
        found=f"{what} behind a line that is not {belongs_to}",
        expected=f"{belongs_to} before it: a line is missing or was moved",
    )
