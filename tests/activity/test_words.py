from brain.activity import Recorder, line, list_events
from brain.store import EventFilter, Store
from tests.activity.conftest import record


async def test_an_event_reads_as_one_line(store: Store, recorder: Recorder) -> None:
    await record(store, recorder)

    lines = [line(row) for row in await list_events(store, EventFilter(), limit=3, newest=False)]

    at = "2026-03-02T09:00:00.000Z"
    assert lines[0] == (
        f"     1  {at}  runtime_started  A process began to run this config.  paths log.level"
    )
    assert lines[1] == (
        f"     2  {at}  message_received  home/console  A message came in; its turn is stored, unless it stands apart from every talk."
    )
    assert lines[2] == (
        f"     3  {at}  tool_denied  home/console  A call was refused by the policy or a limit.  "
        "tool memory_note  mode deny  outcome denied  model ollama/llama3.2  "
        "because its grants are for other channels  prompt 10 tokens  reply 2 tokens  notes 1  "
        "3 ms  codes full"
    )


async def test_the_newest_events_are_listed_in_order(store: Store, recorder: Recorder) -> None:
    await record(store, recorder)

    newest = await list_events(store, EventFilter(), limit=2)

    assert [row["seq"] for row in newest] == [4, 5]
