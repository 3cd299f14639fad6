"""Stores with everything in them that an export holds, and the operator's desk over each."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from brain.config import Config, check_config
from brain.memory import fold_note
from brain.records import Box, Effect
from brain.runtime import Desk, open_desk
from brain.store import NewNote, NewRehearsal, NewTurn, Transaction
from brain.transfer import WHAT, Import, Selection
from tests.clocks import FakeClock

MAIN = Box(brain="home", scope="conversation", channel="console", conversation="main")
OTHER = Box(brain="home", scope="conversation", channel="console", conversation="Ö 'other'")
SHARED = Box(brain="work", scope="brain")

SAVED = Effect(kind="saved", number=1)
FULL = Effect(kind="refused", reason="the box is full (1 of 1)", fix="/notes clear empties it")
"""What the runtime said under a reply: of its store alone, and in no export."""


def a_config(folder: Path, *, max_notes: int = 10, **brains: Any) -> Config:
    """Write and read a config whose store is in `folder`: `home` by talk, `work` as a whole."""
    folder.mkdir(exist_ok=True)
    scopes = brains or {"home": "conversation", "work": "brain"}
    document = {
        "storage": {"path": "store/brain.db"},
        "brains": [
            {
                "name": name,
                "sensitivity": "private",
                "policy": {"kind": "priority"},
                "models": [{"provider": "ollama", "model_id": "llama3.2", "locality": "local"}],
                "agent": {
                    "tools": ["memory_note"],
                    "governance": [{"tool": "memory_note", "mode": "allow"}],
                    "memory": {"scope": scope, "max_notes": max_notes, "rehearsals": {"max": 5}},
                },
            }
            for name, scope in scopes.items()
        ],
        "channels": [{"type": "console"}],
        "routes": [{"channel": "console", "brain": next(iter(scopes))}],
    }
    path = folder / "brain.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    report = check_config(path, environ={}, static=True)
    assert report.config is not None, report.problems
    return report.config


@asynccontextmanager
async def a_desk(folder: Path, clock: FakeClock, **config: Any) -> AsyncIterator[Desk]:
    async with open_desk(a_config(folder, **config), clock=clock, environ={}, sender="ada") as desk:
        yield desk


def note(tx: Transaction, box: Box, text: str, **more: Any) -> None:
    values: dict[str, Any] = {"origin": "model", "sensitivity": "private", "revision": "r1"}
    tx.add_note(NewNote(box=box, text=text, folded=fold_note(text), **(values | more)))


def turn(tx: Transaction, talk: str, text: str, session: int = 1, **more: Any) -> int:
    values: dict[str, Any] = {"role": "user", "brain": "home", "sensitivity": "private"}
    return tx.add_turn(
        NewTurn(
            conversation_id=talk, session=session, text=text, exchange_id="x1", **(values | more)
        )
    )


def rehearsal(tx: Transaction, box: Box, text: str, keep_days: int = 30, **more: Any) -> None:
    tx.keep_rehearsal(
        NewRehearsal(
            box=box,
            tool="memory_note",
            arguments={"note": text, "deep": [1, 2.5, None, {"a": True}]},
            would="stored",
            keep_days=keep_days,
            sensitivity="private",
            revision="r1",
            **more,
        ),
        at_most=5,
    )


async def fill(desk: Desk, clock: FakeClock) -> None:
    """Put some of everything into the store, with gaps in its numbers and ids."""

    def change(tx: Transaction) -> None:
        main = tx.open_conversation("console", "main")
        other = tx.open_conversation("console", "Ö 'other'")
        tx.open_conversation("console", "empty")
        for talk in (main, other):
            tx.start_session(talk)
        asked = turn(tx, main, "Line\nbreak \x1b[31m and \u202e bidi 🌱", sender="ada")
        untrue = {"truth": "nothing was saved"}
        turn(tx, other, "", role="assistant", sensitivity="public", is_tainted=True, **untrue)
        turn(tx, main, "Ok.", role="assistant", is_cut=True, effects=(SAVED, FULL))
        tx.start_session(main)
        turn(tx, main, "> quoted", 2, kind="recalled")
        turn(tx, main, "for work", 2, brain="work", sensitivity="public")
        for number in range(3):
            note(tx, MAIN, f"fact {number} 日本", session=1, turn_id=asked, sender="ada")
        tx.drop_note(MAIN, 2)
        note(tx, OTHER, "public fact", sensitivity="public", is_tainted=True, channel="console")
        note(tx, SHARED, "shared fact", origin="operator")
        rehearsal(tx, MAIN, "rehearsed", turn_id=asked, session=1)
        rehearsal(tx, MAIN, "held", held_for="text from outside")
        rehearsal(tx, SHARED, "short", keep_days=1)

    await desk.store.write(change)
    clock.advance(60)


async def exported(desk: Desk, path: Path, **selection: Any) -> list[dict[str, Any]]:
    """Export to the new file `path` and return its lines, parsed."""
    await desk.export(path, selection=Selection(**({"what": WHAT} | selection)))
    return lines_of(path)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def imported(desk: Desk, path: Path, **how: Any) -> Import:
    return await desk.import_file(path, **({"what": WHAT, "without_refused": False} | how))


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
    )
    return path


def recounted(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines with a header that counts them, for a file that was edited with care."""
    counts = {
        name: sum(line["kind"] == name.removesuffix("s") for line in lines)
        for name in lines[0]["counts"]
    }
    return [{**lines[0], "counts": counts}, *lines[1:]]


def comparable(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return lines without what an import changes by intent: the moment, and origins of notes."""
    moment = {"at": ""} if lines[0]["kind"] == "export" else {}
    return [
        {**lines[0], **moment},
        *({key: value for key, value in line.items() if key != "origin"} for line in lines[1:]),
    ]


def everything(desk: Desk) -> list[tuple[Any, ...]]:
    """Return every row of every table of the store, events included."""
    assert desk.config.storage is not None
    with closing(sqlite3.connect(desk.config.storage.path)) as connection:
        tables = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            )
        ]
        return [
            (name, *row)
            for name in tables
            for row in sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr)  # noqa: S608 - names from the schema
        ]
