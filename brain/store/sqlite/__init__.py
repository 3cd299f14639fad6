"""SQLite, through aiosqlite."""
