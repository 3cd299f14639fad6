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
from brain.store.erasing import BoxChoice, Forgetting, Mail, MailChoice, TurnChoice
from brain.store.fingerprints import Matcher, is_too_short
from brain.store.folder import (
    FORGETTING_KEY,
    PROMPT_HISTORY,
    copied_folders,
    left_over,
    other_files,
    owned_files,
    owned_paths,
)
from brain.store.keeping import KeepReply, keep_nothing
from brain.store.locks import hold_conversation, hold_forgetting, hold_restore, hold_server
from brain.store.mail import Accepted, Delivery, Waiting
from brain.store.network import network_warning
from brain.store.opening import back_up_store, copy_store, open_store, peek_store, restore_store
from brain.store.ports import Snapshot, Store, Transaction
from brain.store.rows import (
    EventFilter,
    EventRow,
    MessageState,
    ModelBreak,
    NewNote,
    NewRehearsal,
    NewTurn,
    Seen,
    SeenState,
    SessionRow,
    TalkMark,
    TalkRow,
)
from brain.store.searching import Found, Searched, search_files

__all__ = [
    "FORGETTING_KEY",
    "PROMPT_HISTORY",
    "Accepted",
    "Backup",
    "BoxChoice",
    "Copy",
    "Delivery",
    "EventFilter",
    "EventRow",
    "Forgetting",
    "Found",
    "KeepReply",
    "Mail",
    "MailChoice",
    "Matcher",
    "MessageState",
    "ModelBreak",
    "NewNote",
    "NewRehearsal",
    "NewTurn",
    "Restored",
    "Searched",
    "Seen",
    "SeenState",
    "SessionRow",
    "Snapshot",
    "Store",
    "TalkMark",
    "TalkRow",
    "Transaction",
    "TurnChoice",
    "Waiting",
    "back_up_store",
    "copied_folders",
    "copy_store",
    "hold_conversation",
    "hold_forgetting",
    "hold_restore",
    "hold_server",
    "is_too_short",
    "keep_nothing",
    "left_over",
    "network_warning",
    "open_store",
    "other_files",
    "owned_files",
    "owned_paths",
    "peek_store",
    "restore_store",
    "search_files",
]
