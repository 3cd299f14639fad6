"""SQLite, through aiosqlite: one writer, a few readers, one file.

Decides how rows lie on disk and how waiting writes share a commit. Never decides what is stored.
"""

from brain.store.sqlite.store import SqliteStore, open_sqlite

__all__ = ["SqliteStore", "open_sqlite"]
