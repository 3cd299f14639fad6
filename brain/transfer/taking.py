"""From a file into a store: one transaction, and the same road for the plan and for the act."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from brain.activity import Draft, Recorder
from brain.config import Config
from brain.counts import counted
from brain.errors import BrainError, UsageError
from brain.records import Note, Rehearsal
from brain.store import Store, Transaction
from brain.transfer.arriving import Arriving, Fate
from brain.transfer.lines import Header, Record, kind_of
from brain.transfer.reading import read_lines
from brain.transfer.shapes import COUNTED, WHAT, Fault

__all__ = ["Import", "import_file", "plan_import", "refused_error"]

_REFUSALS_TOLD: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What becomes, or became, of the lines of a file.

    `counts` is by kind, as COUNTED names them, and by fate: `new`, `there` already, `expired`, or
    `refused`. `refusals` are the first of those, each with its line.
    """

    header: Header
    counts: Mapping[str, Mapping[Fate, int]]
    refusals: tuple[Fault, ...]

    def total(self, fate: Fate) -> int:
        return sum(each.get(fate, 0) for each in self.counts.values())


class _PlanOnly(Exception):
    def __init__(self, plan: Import) -> None:
        super().__init__()
        self.plan = plan


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """An open file that was checked once; it is read anew, and checked anew, for each attempt.

    `causes` are the turns, by their ids in the file, that its notes and rehearsals name.
    """

    file: BinaryIO
    name: str
    what: tuple[str, ...]
    causes: frozenset[int] = frozenset()

    def lines(self) -> Iterator[tuple[int, Record]]:
        self.file.seek(0)
        return read_lines(self.file, name=self.name)


async def plan_import(
    store: Store, recorder: Recorder, config: Config, path: Path, *, what: tuple[str, ...] = WHAT
) -> Import:
    """Return what an import of the file would do, having changed nothing.

    The whole file is checked before. Raises FaultyFile, UsageError or StoreError.
    """
    with _opened(path) as file:
        source = _checked(file, path, what)

        def attempt(tx: Transaction) -> None:
            raise _PlanOnly(_take(tx, recorder, config, source))

        try:
            await store.write(attempt)
        except _PlanOnly as tried:
            return tried.plan
    raise BrainError("a plan was carried out", fix="this is a fault of brain: please report it")


async def import_file(
    store: Store,
    recorder: Recorder,
    config: Config,
    path: Path,
    *,
    what: tuple[str, ...] = WHAT,
    without_refused: bool = False,
) -> Import:
    """Take up all of the file, or nothing; return what became of it.

    `without_refused` takes the rest where something is refused. Raises FaultyFile, UsageError,
    StoreError, or BrainError for what is refused: nothing was changed then.
    """
    with _opened(path) as file:
        source = _checked(file, path, what)

        def change(tx: Transaction) -> Import:
            done = _take(tx, recorder, config, source)
            if done.total("refused") and not without_refused:
                raise refused_error(done)
            return done

        return await store.write(change)


def refused_error(plan: Import) -> BrainError:
    """Return what is to be said of a plan that refuses something."""
    lines = counted(plan.total("refused"), "line is", "lines are")
    return BrainError(
        f"{lines} refused, and a file is taken up whole or not at all; nothing was changed",
        fix="mend what is said above, or take up the rest alone: --without-refused",
    )


def _opened(path: Path) -> BinaryIO:
    try:
        if path.exists() and not path.is_file():
            raise UsageError(
                f"{str(path)!r} is no file that can be read twice; nothing was changed",
                fix="name the file that 'brain export' wrote",
            )
        return path.open("rb")
    except OSError as error:
        raise UsageError(
            f"{str(path)!r} can't be read: {error.strerror}; nothing was changed",
            fix="name the file that 'brain export' wrote",
        ) from error


def _checked(file: BinaryIO, path: Path, what: tuple[str, ...]) -> _Source:
    source = _Source(file=file, name=repr(str(path)), what=what)
    causes = frozenset(
        record.turn_id
        for _, record in source.lines()
        if isinstance(record, Note | Rehearsal) and record.turn_id
    )
    return _Source(file=file, name=source.name, what=what, causes=causes)


def _take(tx: Transaction, recorder: Recorder, config: Config, source: _Source) -> Import:
    arriving = Arriving(tx, recorder, config, causes=source.causes)
    counts: dict[str, Counter[Fate]] = {name: Counter() for name in COUNTED.values()}
    refusals: list[Fault] = []
    header: Header | None = None
    for line, record in source.lines():
        if isinstance(record, Header):
            header = record
            continue
        kind = kind_of(record)
        if _belongs_to(kind) not in source.what:
            continue
        fate, why = arriving.take(record)
        counts[COUNTED[kind]][fate] += 1
        if why and len(refusals) < _REFUSALS_TOLD:
            refusals.append(Fault(line=line, found=f"a {kind}", expected=why))
    if header is None:
        raise LookupError("a checked file has no header")
    done = Import(header=header, counts=counts, refusals=tuple(refusals))
    if done.total("new"):
        new = {name: each["new"] for name, each in counts.items()}
        recorder.append(tx, Draft(type="imported", origin="operator", counts=new))
    return done


def _belongs_to(kind: str) -> str:
    """Return which of WHAT a line of this kind is."""
    name = COUNTED[kind]
    return name if name in WHAT else "conversations"
