"""Durable rows. Decides nothing: it stores, counts and lists, and keeps transactions whole.

A write is one callable `(Transaction) -> T`, run on the writer's thread inside one IMMEDIATE
transaction; waiting writes share a commit, each in a savepoint of its own, and each is
acknowledged after the commit. A callable that raises undoes only itself. A callable may be run
twice (alone, after its group failed), so it changes nothing but the transaction. A read is one
callable `(Snapshot) -> T` on a reader. Both are synchronous and never touch the event loop.

Who may see private rows is a parameter of every read of content, without a default, and part of
the SQL predicate.
"""

from brain.store.backups import Backup, Restored
from brain.store.copies import Copy
from brain.store.folder import PROMPT_HISTORY, owned_files
from brain.store.keeping import KeepReply, keep_nothing
from brain.store.locks import hold_conversation, hold_server
from brain.store.mail import Accepted, Delivery, Waiting
from brain.store.network import network_warning
from brain.store.opening import back_up_store, copy_store, open_store, peek_store, restore_store
from brain.store.ports import Snapshot, Store, Transaction
from brain.store.rows import (
    EventFilter,
    EventRow,
    ModelBreak,
    NewNote,
    NewRehearsal,
    NewTurn,
    SessionRow,
    TalkRow,
)

__all__ = [
    "PROMPT_HISTORY",
    "Accepted",
    "Backup",
    "Copy",
    "Delivery",
    "EventFilter",
    "EventRow",
    "KeepReply",
    "ModelBreak",
    "NewNote",
    "NewRehearsal",
    "NewTurn",
    "Restored",
    "SessionRow",
    "Snapshot",
    "Store",
    "TalkRow",
    "Transaction",
    "Waiting",
    "back_up_store",
    "copy_store",
    "hold_conversation",
    "hold_server",
    "keep_nothing",
    "network_warning",
    "open_store",
    "owned_files",
    "peek_store",
    "restore_store",
]
