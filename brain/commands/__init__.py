"""System commands: answered by the runtime, at once, with or without a working model.

Decides whether a message is a command and what its answer is. Never calls a model, never stores
a turn: of a command only its name and outcome are kept, in one event.
"""

from brain.commands.commands import Commands
from brain.commands.context import CommandContext
from brain.commands.parse import COMMANDS, RESERVED, Parsed, parse
from brain.commands.receipt import Account, account_data, account_text, last_account

__all__ = [
    "COMMANDS",
    "RESERVED",
    "Account",
    "CommandContext",
    "Commands",
    "Parsed",
    "account_data",
    "account_text",
    "last_account",
    "parse",
]
