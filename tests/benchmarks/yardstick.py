"""What everything is measured against: the official client, a loop written by hand, SQLite.

One durable commit for each exchange (WAL, `synchronous=FULL`), both turns in it; a history of ten
turns is sent along. Nothing is decided, recorded, checked or proved.
"""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ollama

__all__ = ["NOTE_TOOL", "Yardstick"]

HISTORY_TURNS = 10
NOTE_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "memory_note",
        "description": "Store a short note.",
        "parameters": {
            "type": "object",
            "properties": {"note": {"type": "string", "description": "The fact to keep."}},
            "required": ["note"],
        },
    },
}


class Yardstick:
    """Talks with one model of one server, and keeps what was said in `path`."""

    def __init__(self, url: str, path: Path, *, model: str, tools: Sequence[Any] = ()) -> None:
        self._client = ollama.AsyncClient(host=url, trust_env=False)
        self._model = model
        self._tools = tools
        self._sql = sqlite3.connect(path, isolation_level=None)
        self._sql.execute("PRAGMA journal_mode = WAL")
        self._sql.execute("PRAGMA synchronous = FULL")
        self._sql.execute("CREATE TABLE turns (id INTEGER PRIMARY KEY, talk, role, text)")
        self._sql.execute("CREATE INDEX turns_of ON turns (talk, id)")
        self._sql.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, talk, text)")

    async def say(self, talk: str, text: str) -> str:
        """Answer one message and keep both turns."""
        messages = [*self._history(talk), {"role": "user", "content": text}]
        notes: list[str] = []
        answer = ""
        while True:
            said, calls = await self._ask(messages)
            answer += said
            if not calls:
                break
            messages.append({"role": "assistant", "content": said, "tool_calls": calls})
            for call in calls:
                notes.append(call["function"]["arguments"]["note"])
                messages.append({"role": "tool", "tool_name": "memory_note", "content": "stored"})
        self._keep(talk, text, answer, notes)
        return answer

    async def _ask(self, messages: list[Any]) -> tuple[str, list[Any]]:
        pieces: list[str] = []
        calls: list[Any] = []
        async for part in await self._client.chat(
            self._model, messages, stream=True, tools=self._tools
        ):
            pieces.append(part.message.content or "")
            calls += [json.loads(call.model_dump_json()) for call in part.message.tool_calls or ()]
        return "".join(pieces), calls

    def _history(self, talk: str) -> list[dict[str, str]]:
        rows = self._sql.execute(
            "SELECT role, text FROM turns WHERE talk = ? ORDER BY id DESC LIMIT ?",
            (talk, HISTORY_TURNS),
        ).fetchall()
        return [{"role": role, "content": text} for role, text in reversed(rows)]

    def _keep(self, talk: str, text: str, answer: str, notes: Sequence[str]) -> None:
        self._sql.execute("BEGIN IMMEDIATE")
        self._sql.executemany(
            "INSERT INTO turns (talk, role, text) VALUES (?, ?, ?)",
            [(talk, "user", text), (talk, "assistant", answer)],
        )
        for note in notes:
            self._sql.execute("INSERT INTO notes (talk, text) VALUES (?, ?)", (talk, note))
        self._sql.execute("COMMIT")

    async def close(self) -> None:
        await self._client.close()
        self._sql.close()
