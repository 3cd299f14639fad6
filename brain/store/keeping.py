"""What a channel that delivers later keeps of a reply, in the transaction that commits the reply."""

from collections.abc import Callable

from brain.records import Reply
from brain.store.ports import Transaction

__all__ = ["KeepReply", "keep_nothing"]

KeepReply = Callable[[Transaction, Reply], None]
"""Run inside the last write of an exchange or a command, so that no reply is lost behind it."""


def keep_nothing(_tx: Transaction, _reply: Reply) -> None:
    """Keep nothing: somebody waits for the reply, and gets it."""
