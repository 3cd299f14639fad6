"""The numbers that were promised, held where only the code says them: tests elsewhere import them."""

from datetime import timedelta
from typing import Any

import pytest

from brain.activity import anchor, feed
from brain.channels.http import bodies, sign_in, slowness, streams
from brain.commands.notes import PAGE
from brain.config import settling
from brain.config.watch import POLL_SECONDS
from brain.memory.recall import LOOK_BACK, RECALL_RUNES
from brain.models import retry
from brain.runtime.runtime import WAITING_AT_MOST
from brain.tools import executor

NUMBERS: dict[str, tuple[Any, Any]] = {
    "the feed looks every second": (feed.POLL_SECONDS, 1),
    "an anchor has a line for every 1000 events": (anchor.ANCHOR_EVENTS, 1000),
    "the config file is looked at every 2 s": (POLL_SECONDS, 2),
    "what is written in place is read twice, 10 ms apart": (settling.IN_PLACE_SECONDS, 0.010),
    "what does not parse is read twice, 100 ms apart": (settling.BROKEN_SECONDS, 0.100),
    "the first wrong token waits 100 ms": (slowness.FIRST_DELAY_SECONDS, 0.1),
    "no wrong token waits longer than 2 s": (slowness.LONGEST_DELAY_SECONDS, 2),
    "a wrong token counts for a minute": (slowness.REMEMBERED_SECONDS, 60),
    "a stream shows a sign of life every 15 s": (streams.HEARTBEAT_SECONDS, 15),
    "a body has at most 1 MiB": (bodies.BODY_BYTES, 1024 * 1024),
    "a body is nested at most 64 deep": (bodies.DEEPEST, 64),
    "a code to sign in is good for a minute": (sign_in.CODE_SECONDS, 60),
    "a page is signed out after 12 idle hours": (sign_in.IDLE, timedelta(hours=12)),
    "16 messages of a talk wait at most": (WAITING_AT_MOST, 16),
    "a reply has at most 8 calls": (executor.MAX_CALLS_PER_REPLY, 8),
    "the same call runs at most twice": (executor.MAX_SAME_CALLS, 2),
    "recall looks back over 50 sessions": (LOOK_BACK, 50),
    "a recalled block has at most 4000 runes": (RECALL_RUNES, 4000),
    "/notes shows 20 at a time": (PAGE, 20),
    "the first retry of a model is within 200 ms": (retry._FIRST_PAUSE_SECONDS, 0.2),
    "Retry-After is honoured up to 30 s": (retry._LONGEST_PAUSE_SECONDS, 30),
}


@pytest.mark.parametrize(("found", "promised"), NUMBERS.values(), ids=NUMBERS.keys())
def test_a_number_is_the_promised_one(found: Any, promised: Any) -> None:
    assert found == promised
