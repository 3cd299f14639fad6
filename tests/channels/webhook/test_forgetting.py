"""What waits on a webhook channel goes with the talk that is forgotten, and does not come back."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from brain.memory import Target
from tests.channels.http.client import Served, open_served
from tests.channels.webhook.hooks import hooked, post, said
from tests.channels.webhook.receiver import WAIT_SECONDS, open_receiver
from tests.channels.webhook.test_delivering import outbox_of, until
from tests.channels.webhook.test_taking import Held, held_model
from tests.forgetting.bytes_left import bytes_left
from tests.forgetting.job import finished

CANARY = "the spare key lies under the third flowerpot"


async def forget(served: Served, **target: Any) -> dict[str, int]:
    desk = served.world.runtime.desk("owner")
    return (await desk.forget(Target(**target))).counts


async def accepted(served: Served, count: int) -> None:
    """Wait until so many messages are unanswered."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            rows = await served.world.runtime.store.read(lambda rows: rows.accepted(limit=99))
            if len(rows) == count:
                return


@pytest.mark.proves("P11")
async def test_a_reply_that_was_not_delivered_goes_with_its_talk_and_those_of_others_stay(
    tmp_path: Path,
) -> None:
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), [f"I know: {CANARY}.", "Hello."]) as served,
    ):
        receiver.judge = lambda _: 500
        await post(served, said(CANARY, conversation="secret"))
        await until(lambda found: len(found) == 1, served)
        await post(served, said("hi", conversation="other"))
        await until(lambda found: len(found) == 2, served)
        counts = await forget(served, kind="conversation", channel="hook", conversation="secret")
        left = await outbox_of(served)
        await finished(served.world.runtime.store, served.world.clock)

        assert (counts["messages"], counts["turns"]) == (1, 2)
        assert [each.conversation for each in left] == ["other"]
        assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_messages_that_wait_and_the_one_being_answered_are_not_taken_up_again(
    tmp_path: Path,
) -> None:
    held = Held()
    model = held_model(held, [f"I know: {CANARY}.", "Hello."])
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), model=model) as served,
    ):
        await post(served, said(CANARY, conversation="secret"))
        await held.begun.wait()
        await post(served, said(f"again: {CANARY}", conversation="secret"))
        await accepted(served, 2)
        counts = await forget(served, kind="conversation", channel="hook", conversation="secret")
        held.may_answer.set()
        await finished(served.world.runtime.store, served.world.clock)
        await post(served, said("hi", conversation="other"))
        taken = await receiver.until(1)

        assert counts["messages"] == 2
        assert taken[0].body["text"] == "Hello."
        assert len(model.requests) == 2, "the one that ran, and the one of the other talk"
        talks = await served.world.runtime.store.read(lambda rows: rows.talks(limit=9))
        assert [talk.conversation for talk in talks] == ["other"]
    assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_a_sender_and_everything_take_what_waits_as_well(tmp_path: Path) -> None:
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["One.", "Two.", "Three."]) as served,
    ):
        receiver.judge = lambda _: 500
        for number, sender in enumerate(("ann", "ann", "bob"), start=1):
            await post(served, said(CANARY, conversation=f"c{number}", sender=sender))
            await until(lambda found, number=number: len(found) == number, served)
        of_ann = await forget(served, kind="sender", channel="hook", sender="ann")
        left = await outbox_of(served)
        of_all = await forget(served, kind="everything")
        await finished(served.world.runtime.store, served.world.clock)

        assert (of_ann["messages"], [each.sender for each in left]) == (2, ["bob"])
        assert (of_all["messages"], await outbox_of(served)) == (1, ())
        assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_what_frames_a_reply_is_no_content_and_is_not_searched_for(tmp_path: Path) -> None:
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), [f"I know: {CANARY}.", "Hello."]) as served,
    ):
        receiver.judge = lambda _: 500
        history = tmp_path / "state" / "prompt-history"
        await post(served, said("and now?", conversation="secret", sender="a sender with a name"))
        await until(lambda found: len(found) == 1, served)
        model = json.loads((await outbox_of(served))[0].body)["model"]
        history.write_text(
            f"\n# then\n+what is {model} good for?\n\n# later\n+I know: {CANARY}.\n", "utf-8"
        )
        await forget(served, kind="conversation", channel="hook", conversation="secret")
        done = await finished(served.world.runtime.store, served.world.clock)

        assert done.receipt is not None
        assert (done.receipt["outcome"], done.receipt["rows"]) == ("clean", {})
        assert f"+what is {model} good for?" in history.read_text("utf-8")
        assert bytes_left(CANARY, tmp_path) == []
