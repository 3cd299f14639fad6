"""The migrations: an append-only list of functions, each named and recorded by its name."""

import sqlite3
from collections.abc import Callable
from typing import Final

__all__ = ["APPLICATION_ID", "MIGRATIONS", "Migration"]

APPLICATION_ID: Final = 0x6272_6169
"""`brai`: tells a database of ours from one of somebody else."""

Migration = Callable[[sqlite3.Connection], None]


def m001_first_schema(connection: sqlite3.Connection) -> None:
    """What the first release stores."""
    for statement in _FIRST:
        connection.execute(statement)


_FIRST: Final = (
    # The random ids are all that events hold of a person or a talk; these rows resolve them.
    """CREATE TABLE conversations (
         id TEXT PRIMARY KEY,
         channel TEXT NOT NULL,
         conversation TEXT NOT NULL,
         UNIQUE (channel, conversation)
       ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE actors (
         id TEXT PRIMARY KEY,
         channel TEXT NOT NULL,
         sender TEXT NOT NULL,
         UNIQUE (channel, sender)
       ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE sessions (
         conversation_id TEXT NOT NULL REFERENCES conversations (id),
         number INTEGER NOT NULL,
         started_at INTEGER NOT NULL,
         window_start INTEGER NOT NULL DEFAULT 0,
         PRIMARY KEY (conversation_id, number)
       ) STRICT, WITHOUT ROWID""",
    # AUTOINCREMENT: notes name the turn that caused them, so an id must not come twice.
    """CREATE TABLE turns (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         conversation_id TEXT NOT NULL,
         session INTEGER NOT NULL,
         role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'operator', 'system')),
         kind TEXT NOT NULL CHECK (kind IN ('said', 'recalled')),
         text TEXT NOT NULL,
         at INTEGER NOT NULL,
         brain TEXT NOT NULL,
         sensitivity TEXT NOT NULL CHECK (sensitivity IN ('public', 'private')),
         exchange_id TEXT NOT NULL,
         sender TEXT NOT NULL,
         is_tainted INTEGER NOT NULL,
         is_cut INTEGER NOT NULL,
         FOREIGN KEY (conversation_id, session) REFERENCES sessions (conversation_id, number)
       ) STRICT""",
    "CREATE INDEX turns_session ON turns (conversation_id, session, id)",
    """CREATE INDEX turns_start ON turns (conversation_id, session, id)
         WHERE role = 'user' AND kind = 'said'""",
    """CREATE TABLE boxes (
         id INTEGER PRIMARY KEY,
         brain TEXT NOT NULL,
         scope TEXT NOT NULL CHECK (scope IN ('conversation', 'brain')),
         channel TEXT NOT NULL,
         conversation TEXT NOT NULL,
         generation INTEGER NOT NULL DEFAULT 0,
         next_note INTEGER NOT NULL DEFAULT 1,
         next_rehearsal INTEGER NOT NULL DEFAULT 1,
         UNIQUE (brain, scope, channel, conversation),
         CHECK ((scope = 'conversation') = (channel <> '' AND conversation <> ''))
       ) STRICT""",
    """CREATE TABLE notes (
         id TEXT PRIMARY KEY,
         box_id INTEGER NOT NULL REFERENCES boxes (id),
         number INTEGER NOT NULL,
         text TEXT NOT NULL,
         folded TEXT NOT NULL,
         created_at INTEGER NOT NULL,
         origin TEXT NOT NULL CHECK (origin IN ('model', 'operator', 'promoted', 'import')),
         sensitivity TEXT NOT NULL CHECK (sensitivity IN ('public', 'private')),
         revision TEXT NOT NULL,
         channel TEXT NOT NULL,
         sender TEXT NOT NULL,
         session INTEGER NOT NULL,
         turn_id INTEGER NOT NULL,
         is_tainted INTEGER NOT NULL,
         UNIQUE (box_id, number),
         UNIQUE (box_id, folded)
       ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE rehearsals (
         id TEXT PRIMARY KEY,
         box_id INTEGER NOT NULL REFERENCES boxes (id),
         number INTEGER NOT NULL,
         tool TEXT NOT NULL,
         arguments TEXT NOT NULL,
         would TEXT NOT NULL,
         created_at INTEGER NOT NULL,
         expires_at INTEGER NOT NULL,
         sensitivity TEXT NOT NULL CHECK (sensitivity IN ('public', 'private')),
         revision TEXT NOT NULL,
         exchange_id TEXT NOT NULL,
         channel TEXT NOT NULL,
         sender TEXT NOT NULL,
         session INTEGER NOT NULL,
         turn_id INTEGER NOT NULL,
         held_for TEXT NOT NULL,
         UNIQUE (box_id, number)
       ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE events (
         v INTEGER NOT NULL,
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL,
         at TEXT NOT NULL,
         run TEXT NOT NULL,
         type TEXT NOT NULL,
         brain TEXT,
         channel TEXT,
         conversation TEXT,
         actor TEXT,
         exchange TEXT,
         tool TEXT,
         mode TEXT,
         outcome TEXT,
         rule TEXT,
         origin TEXT,
         facts TEXT,
         model TEXT,
         proof TEXT,
         tokens TEXT,
         latency_ms INTEGER,
         ref TEXT,
         counts TEXT,
         revision TEXT,
         revision_before TEXT,
         paths TEXT,
         codes TEXT,
         prev TEXT NOT NULL,
         hash TEXT NOT NULL
       ) STRICT""",
    "CREATE INDEX events_at ON events (at)",
    "CREATE INDEX events_type ON events (type)",
    "CREATE INDEX events_brain ON events (brain) WHERE brain IS NOT NULL",
    "CREATE INDEX events_conversation ON events (conversation) WHERE conversation IS NOT NULL",
    """CREATE INDEX events_tool_conversation ON events (conversation)
         WHERE tool IS NOT NULL AND conversation IS NOT NULL""",
    "CREATE INDEX events_tool_brain ON events (brain) WHERE tool IS NOT NULL AND brain IS NOT NULL",
    "CREATE INDEX events_decided ON events (run) WHERE type = 'tool_decided'",
    """CREATE INDEX events_call ON events (exchange)
         WHERE type IN ('tool_decided', 'tool_used', 'tool_interrupted')""",
    """CREATE TABLE runs (
         id TEXT PRIMARY KEY,
         opened_at INTEGER NOT NULL,
         closed_at INTEGER
       ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX runs_open ON runs (id) WHERE closed_at IS NULL",
    """CREATE TABLE seen_messages (
         channel TEXT NOT NULL,
         message_id TEXT NOT NULL,
         at INTEGER NOT NULL,
         PRIMARY KEY (channel, message_id)
       ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX seen_messages_at ON seen_messages (at)",
    """CREATE TABLE model_breaks (
         model TEXT PRIMARY KEY,
         at INTEGER NOT NULL,
         reason TEXT NOT NULL
       ) STRICT, WITHOUT ROWID""",
)


def m002_receipts(connection: sqlite3.Connection) -> None:
    """What the last prompt of each conversation was made of; numbers and ids, no texts."""
    connection.execute(
        """CREATE TABLE receipts (
             conversation_id TEXT PRIMARY KEY REFERENCES conversations (id),
             receipt TEXT NOT NULL
           ) STRICT, WITHOUT ROWID"""
    )


def m003_lines_of_the_runtime(connection: sqlite3.Connection) -> None:
    """What the runtime said under each reply: of earlier ones that is not known any more."""
    for column in ("effects", "truth"):
        connection.execute(f"ALTER TABLE turns ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")


def m004_mail(connection: sqlite3.Connection) -> None:
    """Messages that were accepted and not answered yet, and replies that wait to be delivered."""
    for statement in _MAIL:
        connection.execute(statement)


_MAIL: Final = (
    # The order of `seq` is the order in which they came. Channel and talk stand in the row itself:
    # who forgets a talk finds what waits of it without the row that resolves a random id.
    """CREATE TABLE accepted (
         seq INTEGER PRIMARY KEY,
         exchange_id TEXT NOT NULL UNIQUE,
         channel TEXT NOT NULL,
         conversation TEXT NOT NULL,
         sender TEXT NOT NULL,
         message_id TEXT NOT NULL,
         text TEXT NOT NULL,
         at INTEGER NOT NULL,
         has_begun INTEGER NOT NULL DEFAULT 0
       ) STRICT""",
    "CREATE INDEX accepted_talk ON accepted (channel, conversation)",
    """CREATE TABLE outbox (
         seq INTEGER PRIMARY KEY,
         delivery_id TEXT NOT NULL UNIQUE,
         channel TEXT NOT NULL,
         conversation TEXT NOT NULL,
         sender TEXT NOT NULL,
         body TEXT NOT NULL,
         at INTEGER NOT NULL,
         tries INTEGER NOT NULL DEFAULT 0,
         due_at INTEGER NOT NULL,
         expires_at INTEGER NOT NULL,
         failure TEXT NOT NULL DEFAULT '',
         given_up_at INTEGER
       ) STRICT""",
    "CREATE INDEX outbox_talk ON outbox (channel, conversation, seq)",
    """CREATE INDEX outbox_waiting ON outbox (channel, conversation, seq)
         WHERE given_up_at IS NULL""",
)


def m005_forgettings(connection: sqlite3.Connection) -> None:
    """Jobs that clean the files behind what was forgotten, and what they found.

    A conversation counts how often something of it was forgotten: what began before is not stored.
    """
    connection.execute("ALTER TABLE conversations ADD COLUMN generation INTEGER NOT NULL DEFAULT 0")
    connection.execute(
        """CREATE TABLE forgettings (
             seq INTEGER PRIMARY KEY,
             id TEXT NOT NULL UNIQUE,
             at INTEGER NOT NULL,
             kind TEXT NOT NULL,
             counts TEXT NOT NULL,
             has_transcript INTEGER NOT NULL,
             too_short INTEGER NOT NULL,
             fingerprints BLOB,
             key_mark BLOB,
             done_at INTEGER,
             receipt TEXT
           ) STRICT"""
    )
    connection.execute(
        "CREATE INDEX forgettings_waiting ON forgettings (seq) WHERE done_at IS NULL"
    )


def m006_what_became_of_messages(connection: sqlite3.Connection) -> None:
    """How far each message got that came with an id: those of before have their replies."""
    for column in ("state TEXT NOT NULL DEFAULT 'settled'", "turn_id INTEGER NOT NULL DEFAULT 0"):
        connection.execute(f"ALTER TABLE seen_messages ADD COLUMN {column}")


def m007_senders_of_messages(connection: sqlite3.Connection) -> None:
    """Who sent a message that came with an id: by its turn, or by the name that its id begins with."""
    connection.execute("ALTER TABLE seen_messages ADD COLUMN sender TEXT NOT NULL DEFAULT ''")
    connection.execute(
        """UPDATE seen_messages SET sender = coalesce(
             (SELECT t.sender FROM turns t WHERE t.id = seen_messages.turn_id),
             (SELECT a.sender FROM actors a WHERE a.channel = seen_messages.channel
                AND substr(message_id, 1, length(a.sender) + 1) = a.sender || '/'
              ORDER BY length(a.sender) DESC LIMIT 1),
             '')"""
    )


def m008_how_messages_ended(connection: sqlite3.Connection) -> None:
    """Let it be found how far a message got, and which of a run have no end."""
    connection.execute(
        """CREATE INDEX events_messages ON events (exchange) WHERE type IN ('message_received',
             'message_dropped', 'reply_sent', 'exchange_failed', 'exchange_cancelled')"""
    )
    connection.execute(
        "CREATE INDEX events_received ON events (run) WHERE type = 'message_received'"
    )


def m009_what_listings_tell(connection: sqlite3.Connection) -> None:
    """How much a conversation and a session hold, and since when: a listing counts nothing.

    Triggers keep it, so that no road by which a turn comes or goes can leave it out.
    """
    for statement in _LISTED:
        connection.execute(statement)


_NEWEST: Final = """coalesce((SELECT at FROM turns t WHERE t.conversation_id = conversations.id
    ORDER BY session DESC, id DESC LIMIT 1), 0)"""

_LISTED: Final = (
    "ALTER TABLE sessions ADD COLUMN turns INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE conversations ADD COLUMN sessions INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE conversations ADD COLUMN turns INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE conversations ADD COLUMN last_at INTEGER NOT NULL DEFAULT 0",
    """UPDATE sessions SET turns = (SELECT count(*) FROM turns t
         WHERE t.conversation_id = sessions.conversation_id AND t.session = sessions.number)""",
    f"""UPDATE conversations SET last_at = {_NEWEST},
         sessions = (SELECT count(*) FROM sessions s WHERE s.conversation_id = conversations.id),
         turns = (SELECT count(*) FROM turns t WHERE t.conversation_id = conversations.id)""",  # noqa: S608 - a constant
    "CREATE INDEX conversations_last ON conversations (last_at DESC, id)",
    """CREATE TRIGGER session_came AFTER INSERT ON sessions BEGIN
         UPDATE conversations SET sessions = sessions + 1 WHERE id = NEW.conversation_id;
       END""",
    """CREATE TRIGGER session_went AFTER DELETE ON sessions BEGIN
         UPDATE conversations SET sessions = sessions - 1 WHERE id = OLD.conversation_id;
       END""",
    """CREATE TRIGGER turn_came AFTER INSERT ON turns BEGIN
         UPDATE sessions SET turns = turns + 1
           WHERE conversation_id = NEW.conversation_id AND number = NEW.session;
         UPDATE conversations SET turns = turns + 1, last_at = max(last_at, NEW.at)
           WHERE id = NEW.conversation_id;
       END""",
    # The newest is looked for again only where it may be the one that went.
    f"""CREATE TRIGGER turn_went AFTER DELETE ON turns BEGIN
         UPDATE sessions SET turns = turns - 1
           WHERE conversation_id = OLD.conversation_id AND number = OLD.session;
         UPDATE conversations SET turns = turns - 1,
             last_at = CASE WHEN OLD.at < last_at THEN last_at ELSE {_NEWEST} END
           WHERE id = OLD.conversation_id;
       END""",  # noqa: S608 - a constant
)


MIGRATIONS: Final[tuple[Migration, ...]] = (
    m001_first_schema,
    m002_receipts,
    m003_lines_of_the_runtime,
    m004_mail,
    m005_forgettings,
    m006_what_became_of_messages,
    m007_senders_of_messages,
    m008_how_messages_ended,
    m009_what_listings_tell,
)
"""In the order in which they run. Append only: a released one is never edited or removed."""
