"""Builds everything from one Config, and answers: `Runtime.handle` is the front door.

Decides in which order a message meets the parts (repeat, expiry, trigger, command, agent) and who
waits for whom. Never decides what may happen, what is remembered or what is said.
"""

from brain.runtime.control import Answer, ask_running, has_sockets
from brain.runtime.desk import BoxView, Desk, Place
from brain.runtime.doors import Doors
from brain.runtime.intake import Attendance
from brain.runtime.judging import Explanation, Judge
from brain.runtime.mailroom import Acceptance, Mailroom
from brain.runtime.outbox import Outbox, Waits
from brain.runtime.outcome import Outcome
from brain.runtime.replaying import Replay, read_calls, replay
from brain.runtime.runtime import Runtime
from brain.runtime.upkeep import keep_up
from brain.runtime.wiring import judge_of, open_desk, open_mailroom, open_runtime

__all__ = [
    "Acceptance",
    "Answer",
    "Attendance",
    "BoxView",
    "Desk",
    "Doors",
    "Explanation",
    "Judge",
    "Mailroom",
    "Outbox",
    "Outcome",
    "Place",
    "Replay",
    "Runtime",
    "Waits",
    "ask_running",
    "has_sockets",
    "judge_of",
    "keep_up",
    "open_desk",
    "open_mailroom",
    "open_runtime",
    "read_calls",
    "replay",
]
