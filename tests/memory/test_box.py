"""Which box a note belongs to."""

import pytest

from brain.config import Memory
from brain.memory import box_for, rehearsal_box_for
from brain.records import Box

TALK = Box(brain="assistant", scope="conversation", channel="console", conversation="main")
WHOLE = Box(brain="assistant", scope="brain")


@pytest.mark.proves("P4")
@pytest.mark.parametrize(
    ("memory", "conversation", "box", "rehearsal_box"),
    [
        pytest.param(Memory(), "main", TALK, TALK, id="conversation"),
        pytest.param(Memory(), "", None, None, id="no conversation, nowhere to write"),
        pytest.param(Memory(scope="brain"), "main", WHOLE, WHOLE, id="brain"),
        pytest.param(Memory(scope="brain"), "", WHOLE, WHOLE, id="brain needs no conversation"),
        pytest.param(None, "main", None, TALK, id="no memory, still rehearsals"),
        pytest.param(None, "", None, None, id="no memory and no conversation"),
    ],
)
def test_the_box_follows_from_brain_scope_and_conversation(
    memory: Memory | None, conversation: str, box: Box | None, rehearsal_box: Box | None
) -> None:
    assert box_for("assistant", memory, "console", conversation) == box
    assert rehearsal_box_for("assistant", memory, "console", conversation) == rehearsal_box
