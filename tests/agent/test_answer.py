"""An exchange through the agent's door, with a real store and a real executor."""

import asyncio
import dataclasses
from itertools import pairwise
from pathlib import Path

import pytest

from brain import config
from brain.agent.text_lane import REPLY_SCHEMA
from brain.config import NOTES_HEADER, Grant
from brain.errors import (
    BadReply,
    LocalityBroken,
    ModelBusy,
    ModelError,
    ModelLoading,
    ModelMissing,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    NotLocal,
    PromptTooLong,
    StoreError,
    ToolsUnsupported,
)
from brain.models import CallDelta, Done, TextDelta, ThinkingDelta
from brain.records import Effect, Message, Reply, ToolCall
from tests.agent.world import (
    AGENT,
    NATIVE,
    SHADOW,
    TEXT,
    ToldModel,
    calls,
    open_world,
    says,
)
from tests.clocks import FakeClock

THINKING = dataclasses.replace(NATIVE, thinking=True)


def _roles(messages: tuple[Message, ...]) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages]


# A plain answer


async def test_an_answer_streams_and_is_stored_with_its_events(tmp_path: Path, clock: FakeClock):
    model = ToldModel(says("Good ", "morning."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("hello")
        assert reply == Reply(
            text="Good morning.",
            outcome="answered",
            exchange_id=reply.exchange_id,
            model="scripted/first",
            prompt_tokens=9,
            reply_tokens=3,
        )
        assert world.shown == ["Good", " morning."]
        assert await world.lines() == [("user", "hello"), ("assistant", "Good morning.")]
        assert await world.types() == ["message_received", "model_called", "reply_sent"]


@pytest.mark.proves("P14")
async def test_a_models_call_is_recorded_with_its_proof_and_what_rode(
    tmp_path: Path, clock: FakeClock
):
    async with open_world(tmp_path, clock, ToldModel()) as world:
        await world.talk(("one", "1"))
        await world.keep("likes tea", "lives in Hue")
        world.model.answers.append(says("2"))
        reply = await world.say("two")
        event = (await world.events("model_called"))[-1]
        assert {
            name: event[name]
            for name in ("exchange", "model", "proof", "outcome", "tokens", "revision")
        } == {
            "exchange": reply.exchange_id,
            "model": "scripted/first",
            "proof": "proof-0",
            "outcome": "ok",
            "tokens": {"prompt": 9, "reply": 3},
            "revision": "a" * 64,
        }
        counts = event["counts"]
        assert isinstance(counts, dict)
        assert {name: counts[name] for name in ("notes", "exchanges", "turns", "tools")} == {
            "notes": 2,
            "exchanges": 1,
            "turns": 2,
            "tools": 2,
        }


async def test_a_brain_without_an_agent_answers_without_tools(tmp_path: Path, clock: FakeClock):
    model = ToldModel(says('{"name": "time", "arguments": {}}'))
    async with open_world(tmp_path, clock, model, agent=None) as world:
        assert (await world.say("json please")).text == '{"name": "time", "arguments": {}}'
        assert model.requests[0].tools == ()
        assert _roles(model.requests[0].messages) == [("user", "json please")]


@pytest.mark.parametrize(
    ("done", "notice"),
    [
        (Done(reason="length"), "after 1024 tokens (num_predict)"),
        (Done(reason="length", reply_tokens=1024), "after 1024 tokens (num_predict)"),
        (
            Done(reason="length", reply_tokens=7),
            "after 7 tokens, where the context was full (num_ctx 8192)",
        ),
    ],
)
async def test_a_cut_off_answer_says_so(tmp_path: Path, clock: FakeClock, done: Done, notice: str):
    model = ToldModel([TextDelta(text="Once upon"), done])
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("a story")
        assert (reply.text, reply.notices, reply.ended) == (
            "Once upon",
            (f"the answer was cut off {notice}",),
            "length",
        )


async def test_an_exchange_ends_as_its_last_answer_does(tmp_path: Path, clock: FakeClock):
    cut_call = [*calls("time")[:-1], Done(reason="length")]
    async with open_world(tmp_path, clock, ToldModel(cut_call, says("Nine."))) as world:
        reply = await world.say("what time is it?")
        assert (reply.text, reply.ended) == ("Nine.", "stop")


async def test_a_plain_exchange_is_two_commits_and_one_with_a_note_three(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(
        says("Hello."),
        calls("time"),
        says("Nine."),
        calls("memory_note", note="Likes tea"),
        says("Noted."),
    )
    async with open_world(tmp_path, clock, model) as world:
        commits = []
        for said in ("hello", "what time is it?", "remember that I like tea"):
            before = world.store.commits
            await world.say(said)
            commits.append(world.store.commits - before)
        assert commits == [2, 2, 3]


async def test_half_a_character_is_shown_and_stored_as_a_replacement(
    tmp_path: Path, clock: FakeClock
):
    async with open_world(tmp_path, clock, ToldModel(says("Hi \ud83d", "\U0001f600"))) as world:
        reply = await world.say("hello")
        assert reply.text == "".join(world.shown) == "Hi \ufffd\U0001f600"
        assert (await world.lines())[-1] == ("assistant", reply.text)


# Tools


async def test_a_native_call_runs_and_its_observation_is_read(tmp_path: Path, clock: FakeClock):
    model = ToldModel(calls("time"), says("It is nine."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("what time is it?")
        assert reply.text == "It is nine."
        assert [tool.name for tool in model.requests[0].tools] == ["memory_note", "time"]
        assert _roles(model.requests[1].messages) == [
            ("user", "what time is it?"),
            ("assistant", ""),
            ("tool", "2026-03-02T09:00:00Z"),
        ]
        assert await world.types() == [
            "message_received",
            "model_called",
            "tool_used",
            "model_called",
            "reply_sent",
        ]


async def test_text_before_a_call_and_the_answer_after_it_are_one_reply(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel([TextDelta(text="Let me see. "), *calls("time")], says("\nIt is nine.\n"))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("what time is it?")
        assert "".join(world.shown) == reply.text == "Let me see.\n\nIt is nine."
        assert (await world.lines())[-1] == ("assistant", reply.text)


@pytest.mark.proves("P13")
async def test_a_note_is_stored_and_said_by_the_runtime(tmp_path: Path, clock: FakeClock):
    model = ToldModel(calls("memory_note", note="Likes tea"), says("I will remember."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("remember that I like tea")
        assert reply.effects == (Effect(kind="saved", number=1),)
        assert [note.text for note in await world.notes()] == ["Likes tea"]
        assert (await world.notes())[0].turn_id == (await world.turns())[0].turn_id


async def test_a_shadowed_note_is_not_stored_and_the_model_is_told(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(calls("memory_note", note="Likes tea"), says("That was a rehearsal."))
    agent = dataclasses.replace(AGENT, governance=SHADOW)
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        reply = await world.say("remember that I like tea")
        assert reply.effects == (Effect(kind="rehearsed", number=1),)
        assert await world.notes() == ()
        assert "rehearsal" in model.requests[1].messages[-1].text


async def test_a_call_that_was_written_as_text_goes_through_the_same_gate(
    tmp_path: Path, clock: FakeClock
):
    text = '{"name": "memory_note", "parameters": {"note": "Likes tea"}}'
    model = ToldModel(says(*text), says("Noted."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("remember that I like tea")
        assert (reply.text, world.shown) == ("Noted.", ["Noted."])
        assert [note.text for note in await world.notes()] == ["Likes tea"]


async def test_a_malformed_call_is_told_once_and_then_the_exchange_ends_honestly(
    tmp_path: Path, clock: FakeClock
):
    bad = says('{"name": "memory_note", "arguments": "{} {}"}')
    model = ToldModel(bad, bad)
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("remember that I like tea")
        assert (reply.outcome, reply.code) == ("failed", "malformed_calls")
        assert reply.text.startswith("scripted/first asked for a tool twice")
        assert "must be one JSON object" in model.requests[1].messages[-1].text
        assert (world.shown, await world.notes()) == ([], ())
        said = [
            ("user", "remember that I like tea"),
            ("assistant", "…"),
        ]  # it says that nothing was saved
        assert await world.lines() == said
        failed = (await world.events("exchange_failed"))[0]
        assert failed["outcome"] == "malformed_calls"


async def test_a_huge_call_that_cant_be_read_does_not_fill_the_next_prompt(
    tmp_path: Path, clock: FakeClock
):
    huge = "x" * 100_000
    bad = CallDelta(call=ToolCall(id="1", name=huge, arguments={}, malformed=f"bad: {huge}"))
    model = ToldModel([bad, Done(reason="stop")], says("Sorry."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("what time is it?")
        assert (reply.outcome, reply.text) == ("answered", "Sorry.")
        assert len(str(model.requests[1].messages[-2:])) < 2000


async def test_a_cut_off_call_is_told_to_the_model_and_never_shown(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(says('{"name":"memory_note","argum'), says("Sorry."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("remember that I like tea")
        assert (reply.text, world.shown) == ("Sorry.", ["Sorry."])
        assert "not valid JSON" in model.requests[1].messages[-1].text


@pytest.mark.proves("P14")
@pytest.mark.parametrize("is_first", [True, False])
async def test_a_prompt_that_the_server_cut_is_recorded_and_told(
    tmp_path: Path, clock: FakeClock, is_first: bool
):
    done = Done(reason="stop", prompt_tokens=512, reply_tokens=1, is_first=is_first)
    model = ToldModel([TextDelta(text="Hm."), done])
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("word " * 800)
        cut = await world.events("prompt_truncated")
    assert reply.outcome == "answered"
    assert [event["tokens"] for event in cut] == ([{"prompt": 512}] if is_first else [])
    told = [notice for notice in reply.notices if "the server read 512 tokens" in notice]
    assert len(told) == len(cut)


async def test_a_model_that_only_calls_ends_at_the_cap(tmp_path: Path, clock: FakeClock):
    model = ToldModel(*[calls("time")] * 9)
    agent = dataclasses.replace(AGENT, max_iterations=2)
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        reply = await world.say("what time is it?")
        assert (reply.code, len(model.requests)) == ("iteration_cap", 2)
        assert "within 2 steps" in reply.text


async def test_a_note_of_a_prompt_that_was_composed_before_a_clear_is_not_stored(
    tmp_path: Path, clock: FakeClock
):
    go_on = asyncio.Event()
    model = ToldModel([go_on, *calls("memory_note", note="Likes tea")], says("Done."))
    async with open_world(tmp_path, clock, model) as world:
        answering = asyncio.create_task(world.say("remember that I like tea"))
        await model.has_paused.wait()
        await world.clear_notes()
        go_on.set()
        reply = await answering
        assert [effect.kind for effect in reply.effects] == ["refused"]
        assert await world.notes() == ()


# The text lane


async def test_a_model_without_tools_answers_in_the_text_lane(tmp_path: Path, clock: FakeClock):
    model = ToldModel(says('{"do": "reply", "re', 'ply": "Good mor', 'ning."}'), capabilities=TEXT)
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("hello")
        assert reply.text == "".join(world.shown) == "Good morning."
        assert world.shown[0] == "Good mor"
        request = model.requests[0]
        assert request.tools == ()
        assert request.answer_schema is not None
        assert "memory_note" in request.messages[0].text


@pytest.mark.parametrize(
    ("said", "answer"),
    [("Remember that I like tea.", "en"), ("Recuerda que me gusta el té.", "es")],
)
async def test_a_note_alone_is_answered_by_the_runtime_without_a_second_call(
    tmp_path: Path, clock: FakeClock, said: str, answer: str
):
    from brain.agent.languages import note_answer

    model = ToldModel(says('{"do": "memory_note", "note": "Likes tea"}'), capabilities=TEXT)
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say(said)
        saved = (Effect(kind="saved", number=1),)
        expected = note_answer("es" if answer == "es" else "en", saved)
        assert (reply.text, reply.effects, len(model.requests)) == (expected, saved, 1)
        assert "".join(world.shown) == reply.text
        assert (await world.lines())[-1] == ("assistant", reply.text)


@pytest.mark.parametrize("said", ["Do you remember what I drink?", "¿Recuerdas qué bebo?"])
async def test_a_note_that_nobody_asked_for_is_set_aside_and_the_question_is_answered(
    tmp_path: Path, clock: FakeClock, said: str
):
    model = ToldModel(
        says('{"do": "memory_note", "note": "Drinks tea"}'),
        says('{"do": "reply", "reply": "Tea."}'),
        capabilities=TEXT,
    )
    async with open_world(tmp_path, clock, model) as world:
        await world.keep("Likes tea")
        reply = await world.say(said)
        assert (reply.text, reply.effects, reply.truth) == ("Tea.", (), "")
        assert reply.notices == (
            "a note that nobody asked for was left out; /notes add TEXT keeps one",
        )
        first, second = model.requests
        assert second == dataclasses.replace(first, answer_schema=REPLY_SCHEMA)
        types = [row["type"] for row in await world.events()]
        assert types[-4:] == ["model_called", "call_set_aside", "model_called", "reply_sent"]


async def test_a_plain_request_to_remember_is_held_to_a_note(tmp_path: Path, clock: FakeClock):
    """A small model answers some of them with what it was to keep, which keeps nothing."""
    model = ToldModel(
        says('{"do": "time"}'),
        says('{"do": "memory_note", "note": "Likes tea"}'),
        says('{"do": "reply", "reply": "Done."}'),
        says('{"do": "reply", "reply": "Hello."}'),
        capabilities=TEXT,
    )
    async with open_world(tmp_path, clock, model) as world:
        await world.say("Remember that I like tea.")
        await world.say("Hello")
        schemas = [request.answer_schema for request in model.requests]
        assert all(schema is not None for schema in schemas)
        choices = [len(schema["anyOf"]) for schema in schemas]  # type: ignore[index, arg-type]
        assert choices == [1, 3, 3, 3], "a note alone; then a reply or one of two tools"


async def test_a_question_that_gets_no_reply_is_no_reason_to_make_the_note(
    tmp_path: Path, clock: FakeClock
):
    note = '{"do": "memory_note", "note": "Likes tea"}'
    free = dataclasses.replace(TEXT, constrained=False)
    model = ToldModel(says(note), says(note), capabilities=free)
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("What do I drink?")
        assert (reply.outcome, reply.code, reply.effects) == ("failed", "empty_reply", ())
        assert len(model.requests) == 2


async def test_a_model_with_calls_of_its_own_notes_what_it_finds_worth_it(
    tmp_path: Path, clock: FakeClock
):
    """Of those it is not known that they note answers; what they may do is for the policy to say."""
    noted = ToolCall(id="1", name="memory_note", arguments={"note": "Likes tea"})
    model = ToldModel((CallDelta(call=noted), Done(reason="stop")), says("Tea."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("What do I drink?")
        assert (reply.text, reply.effects) == ("Tea.", (Effect(kind="saved", number=1),))


async def test_a_note_that_was_asked_for_as_a_favour_is_no_question(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(says('{"do": "memory_note", "note": "Likes tea"}'), capabilities=TEXT)
    async with open_world(tmp_path, clock, model) as world:
        await world.keep("Likes tea")
        reply = await world.say("Could you note that I like tea?")
        assert reply.text == "I did not save it again: note 1 already says the same."
        assert len(model.requests) == 1


async def test_a_note_after_another_tool_is_answered_by_the_model(tmp_path: Path, clock: FakeClock):
    model = ToldModel(
        says('{"do": "time"}'),
        says('{"do": "memory_note", "note": "Up at nine"}'),
        says('{"do": "reply", "reply": "Done."}'),
        capabilities=TEXT,
    )
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("note the time")
        assert (reply.text, len(model.requests)) == ("Done.", 3)
        assert all(message.role != "tool" for message in model.requests[2].messages)


async def test_a_server_that_takes_no_tools_gets_the_text_lane_for_that_exchange(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(
        [ToolsUnsupported("does not support tools")],
        says('{"do": "reply", "reply": "Hello."}'),
    )
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("hello")).text == "Hello."
        assert [bool(request.tools) for request in model.requests] == [True, False]
        assert [event["outcome"] for event in await world.events("model_called")] == [
            "tools_unsupported",
            "ok",
        ]


async def test_a_model_that_cant_be_held_to_a_schema_talks_plainly_and_calls_on_a_line(
    tmp_path: Path, clock: FakeClock
):
    free = dataclasses.replace(TEXT, constrained=False)
    model = ToldModel(says("Good ", "morning."), says('{"do": "time"}'), says("Nine."))
    model.capabilities = free
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("hello")).text == "Good morning."
        assert (await world.say("what time is it?")).text == "Nine."
        assert [request.answer_schema for request in model.requests] == [None] * 3
        assert _roles(model.requests[2].messages)[-2:] == [
            ("assistant", '{"do": "time"}'),
            ("user", "[Result of time, not the user's words] 2026-03-02T09:00:00Z"),
        ]


async def test_in_the_text_lane_thinking_is_not_shown_and_history_stands_in_the_lanes_form(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(
        says('<think>{"do": "time"}</think>', '{"do": "reply", "reply": "Hello."}'),
        says('{"do": "reply", "reply": "Again."}'),
        capabilities=TEXT,
    )
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("hello")).text == "Hello."
        assert (await world.say("again")).text == "Again."
        assert _roles(model.requests[1].messages)[1:] == [
            ("user", "hello"),
            ("assistant", '{"do": "reply", "reply": "Hello."}'),
            ("user", "again"),
        ]


async def test_a_server_that_refuses_tools_it_was_not_given_is_told_of(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel([ToolsUnsupported("does not support tools")], capabilities=TEXT)
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("hello")).code == "tools_unsupported"


# What is asked once more


async def test_a_refused_request_with_tools_is_made_once_more_without(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel([ModelRefused("500: can't parse tool call")], says("Hello."))
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("hello")).text == "Hello."
        assert [bool(request.tools) for request in model.requests] == [True, False]


async def test_an_empty_answer_of_a_thinking_model_is_asked_for_again_without_thinking(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(
        [ThinkingDelta(text="hm"), TextDelta(text="<think>hm</think>"), Done(reason="stop")],
        says("Hello."),
        capabilities=THINKING,
    )
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("hello")).text == "Hello."
        assert [request.think for request in model.requests] == [None, False]


async def test_a_request_that_was_refused_after_its_first_word_is_not_made_again(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel([TextDelta(text="Once"), ModelRefused("500")])
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("hello")).code == "refused"
        assert len(model.requests) == 1


@pytest.mark.parametrize(("think", "asked"), [("on", True), ("off", False), ("auto", None)])
async def test_a_model_thinks_as_the_config_says(
    tmp_path: Path, clock: FakeClock, think: str, asked: bool | None
):
    thinker = ToldModel(says("Hello."), capabilities=THINKING)
    other = ToldModel(says("Hello."))
    for name, model in (("thinker", thinker), ("other", other)):
        fields = {"think": think}
        async with open_world(tmp_path / name, clock, model, model_fields=fields) as world:
            await world.say("hello")
    assert (thinker.requests[0].think, other.requests[0].think) == (asked, None)


async def test_an_empty_answer_is_told_as_what_it_is(tmp_path: Path, clock: FakeClock):
    async with open_world(tmp_path, clock, ToldModel(says(" \n"))) as world:
        reply = await world.say("hello")
        assert (reply.outcome, reply.code) == ("failed", "empty_reply")
        assert await world.lines() == [("user", "hello")]


async def test_nothing_to_say_after_a_note_is_said_by_the_runtime(tmp_path: Path, clock: FakeClock):
    model = ToldModel(calls("memory_note", note="Likes tea"), says(""))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("remember that I like tea")
        assert (reply.outcome, bool(reply.text)) == ("answered", True)


# The truth line


@pytest.mark.proves("P13")
async def test_a_claim_of_saving_that_is_not_true_is_followed_by_the_truth(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(says("I have saved that for you."), says("Tea is nice."))
    async with open_world(tmp_path, clock, model) as world:
        assert (await world.say("I like tea")).truth == "nothing was saved"
        assert (await world.say("I like tea")).truth == ""


@pytest.mark.proves("P13")
@pytest.mark.parametrize("grant", [Grant(tool="memory_note", mode="deny"), None])
async def test_a_request_to_remember_that_nothing_came_of_is_followed_by_the_truth(
    tmp_path: Path, clock: FakeClock, grant: Grant | None
):
    """Where the tool is denied or there is none, as where the model only talks."""
    denied = (*AGENT.governance[:1], *([grant] if grant else []))
    for name, agent in (
        ("talk", AGENT),
        ("denied", dataclasses.replace(AGENT, governance=denied)),
        ("without memory", dataclasses.replace(AGENT, governance=denied, memory=None)),
    ):
        model = ToldModel(says("I remember Dr. Okafor as your dentist."), says("Dr. Okafor."))
        async with open_world(tmp_path / name, clock, model, agent=agent) as world:
            reply = await world.say("Remember that my dentist is Dr. Okafor.")
            assert (reply.truth, reply.effects) == ("nothing was saved", ())
            assert (await world.say("Who is my dentist?")).truth == ""


async def test_a_true_word_on_an_earlier_note_is_not_denied(tmp_path: Path, clock: FakeClock):
    model = ToldModel(says("Yes, I have saved that."), says("I have saved that."))
    async with open_world(tmp_path, clock, model) as world:
        await world.keep("likes tea")
        assert (await world.say("Did you save that I like tea?")).truth == ""
        assert (await world.say("I like tea.")).truth == "nothing was saved"


async def test_a_request_for_what_is_a_note_already_has_its_own_line_alone(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(calls("memory_note", note="likes tea"), says("I'll remember that."))
    async with open_world(tmp_path, clock, model) as world:
        await world.keep("likes tea")
        reply = await world.say("remember that I like tea")
        assert [effect.line for effect in reply.effects] == ["not saved: note 1 says the same"]
        assert reply.truth == ""


# The prompt


async def test_notes_ride_last_in_the_system_message_as_data(tmp_path: Path, clock: FakeClock):
    agent = dataclasses.replace(AGENT, system_prompt="Be brief.")
    model = ToldModel(says("Hello."))
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        await world.keep("likes tea", "lives in Hue")
        await world.say("hello")
        assert model.requests[0].messages[0] == Message(
            role="system", text=f"Be brief.\n\n{NOTES_HEADER}\n1. likes tea\n2. lives in Hue"
        )


async def test_with_an_empty_box_the_prompt_is_that_of_a_brain_without_memory(
    tmp_path: Path, clock: FakeClock
):
    without = dataclasses.replace(
        AGENT, tools=("time",), governance=AGENT.governance[:1], memory=None
    )
    prompts = []
    for name, agent in (("with", AGENT), ("without", without)):
        model = ToldModel(says("Hello."))
        async with open_world(tmp_path / name, clock, model, agent=agent) as world:
            await world.say("hello")
        prompts.append(model.requests[0].messages)
    assert prompts[0] == prompts[1]


async def test_where_the_grant_denies_the_note_tool_notes_do_not_ride(
    tmp_path: Path, clock: FakeClock
):
    governance = (
        config.Grant(tool="time", mode="allow"),
        config.Grant(tool="memory_note", mode="allow", channels=("console",)),
        config.Grant(tool="memory_note", mode="deny", channels=("http",)),
    )
    agent = dataclasses.replace(AGENT, governance=governance)
    model = ToldModel(says("Hello."))
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        await world.keep("likes tea", channel="http")
        await world.say("hello", channel="http")
        assert _roles(model.requests[0].messages) == [("user", "hello")]
        assert [tool.name for tool in model.requests[0].tools] == ["time"]


async def test_a_model_of_the_text_lane_is_told_that_nothing_is_kept_where_notes_are_denied(
    tmp_path: Path, clock: FakeClock
):
    denied = (
        config.Grant(tool="time", mode="allow"),
        config.Grant(tool="memory_note", mode="deny"),
    )
    model = ToldModel(
        says('{"do": "reply", "reply": "I can\'t keep notes here."}'),
        says('{"do": "reply", "reply": "Hello."}'),
        capabilities=TEXT,
    )
    agent = dataclasses.replace(AGENT, governance=denied)
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        reply = await world.say("remember that I like tea")
        await world.say("hello")
        (first, _), (second, _) = (request.messages[:2] for request in model.requests)
        assert "you can't keep notes" in first.text
        assert "memory_note" not in first.text
        assert (first, reply.truth) == (second, "nothing was saved")


@pytest.mark.parametrize(("is_local", "rides"), [(True, True), (False, False)])
@pytest.mark.proves("P5")
async def test_private_notes_and_turns_ride_for_a_model_that_is_proved_local_only(
    tmp_path: Path, clock: FakeClock, is_local: bool, rides: bool
):
    first = ToldModel(says("Noted."))
    async with open_world(tmp_path, clock, first) as world:
        await world.keep("private tea")
        await world.say("a private question")
    model = ToldModel(says("Hello."), is_local=is_local)
    async with open_world(tmp_path, clock, model, sensitivity="public") as world:
        await world.say("hello")
        sent = repr(model.requests[0].messages)
        assert ("private tea" in sent, "a private question" in sent) == (rides, rides)


@pytest.mark.proves("P5")
async def test_what_a_local_model_says_and_notes_beside_private_notes_is_private_too(
    tmp_path: Path, clock: FakeClock
):
    async with open_world(tmp_path, clock, ToldModel()) as world:
        await world.keep("the door code is 4711")
    trusted = ToldModel(calls("memory_note", note="Code 4711"), says("It is 4711."))
    async with open_world(tmp_path, clock, trusted, sensitivity="public") as world:
        await world.say("what is the code?")
        assert [turn.sensitivity for turn in await world.turns()] == ["public", "private"]
        assert [note.sensitivity for note in await world.notes()] == ["private", "private"]
        assert [event["facts"]["sensitivity"] for event in await world.events("tool_used")] == [
            "public"
        ]
    cloud = ToldModel(says("I don't know."), is_local=False)
    async with open_world(tmp_path, clock, cloud, sensitivity="public") as world:
        await world.say("and now?")
        assert "4711" not in repr(cloud.requests)
        assert [turn.sensitivity for turn in await world.turns()][2:] == ["public", "public"]


async def test_everything_before_the_history_stays_the_same_bytes_and_history_grows_at_its_end(
    tmp_path: Path, clock: FakeClock
):
    agent = dataclasses.replace(AGENT, history_turns=4)
    model = ToldModel()
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        await world.keep("likes tea")
        for number in range(12):
            clock.advance(3600)
            await world.talk((f"question {number}", f"answer {number}"))
    prompts = [[dataclasses.astuple(m) for m in request.messages] for request in model.requests]
    assert len({prompt[0] for prompt in prompts}) == 1
    grows = [later[: len(earlier)] == earlier for earlier, later in pairwise(prompts)]
    # Eight turns are twice the wanted four: every second exchange after that frees four of them.
    assert grows.count(False) == 4
    assert max(len(prompt) for prompt in prompts) == 1 + 6 + 1


async def test_the_window_moves_once_and_stays_over_restarts(tmp_path: Path, clock: FakeClock):
    agent = dataclasses.replace(AGENT, history_turns=4)
    async with open_world(tmp_path, clock, ToldModel(), agent=agent) as world:
        await world.talk(*((f"q{number}", f"a{number}") for number in range(5)))
    model = ToldModel(says("again"))
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        await world.say("now")
    assert [m.text for m in model.requests[0].messages] == [
        *("q2", "a2", "q3", "a3", "q4", "a4"),
        "now",
    ]


@pytest.mark.proves("P14")
async def test_history_that_does_not_fit_is_left_out_and_that_is_recorded(
    tmp_path: Path, clock: FakeClock
):
    long = "word " * 120
    model = ToldModel()
    fields = {"num_ctx": 1200, "num_predict": 200}
    async with open_world(tmp_path, clock, model, model_fields=fields) as world:
        await world.talk(*((f"{number} {long}", "ok") for number in range(6)))
        trimmed = await world.events("prompt_trimmed")
        assert [event["counts"]["exchanges"] for event in trimmed] == [2, 2]  # type: ignore[index, call-overload]
        assert len(model.requests) == 6


async def test_what_a_large_call_that_ran_pushes_out_rides_again_in_the_next_exchange(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel()
    fields = {"num_ctx": 1250, "num_predict": 200}
    async with open_world(tmp_path, clock, model, model_fields=fields) as world:
        await world.talk(("word " * 120, "ok"))
        noting, _ = calls("memory_note", note="tea" + " \n" * 720)
        model.answers += [[noting, *calls("time")], says("Noted.")]
        await world.say("remember all of this")
        model.answers.append(says("Hello."))
        await world.say("hello")
    rode = ["word word" in repr(request.messages) for request in model.requests]
    assert rode == [True, True, False, True]


@pytest.mark.proves("P14")
async def test_a_prompt_whose_fixed_part_does_not_fit_is_refused_before_it_is_sent(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel()
    fields = {"num_ctx": 400, "num_predict": 100}
    async with open_world(tmp_path, clock, model, model_fields=fields) as world:
        reply = await world.say("word " * 400)
        assert (reply.outcome, reply.code) == ("failed", "prompt_too_long")
        assert model.requests == []
        assert await world.types() == ["message_received", "prompt_refused", "exchange_failed"]


async def test_taint_of_a_turn_in_the_prompt_taints_the_reply(tmp_path: Path, clock: FakeClock):
    model = ToldModel(says("one"), says("two"))
    async with open_world(tmp_path, clock, model) as world:
        await world.say("from a stranger", is_tainted=True)
        await world.say("from the owner")
        assert [turn.is_tainted for turn in await world.turns()] == [True, True, False, True]


async def test_a_tainted_exchange_stores_no_note_and_says_where_it_is_held(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(calls("memory_note", note="Likes tea"), says("Held."))
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("remember this", is_tainted=True)
        assert [effect.kind for effect in reply.effects] == ["held"]
        assert await world.notes() == ()


# Failures


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ModelUnreachable("x"), "unreachable"),
        (ModelMissing("x"), "missing"),
        (ModelLoading("x"), "loading"),
        (ModelTimedOut("x"), "timed_out"),
        (ModelBusy("x"), "busy"),
        (BadReply("x"), "bad_reply"),
        (NotLocal("x"), "not_local"),
        (PromptTooLong("x"), "prompt_too_long"),
    ],
)
async def test_a_model_that_fails_is_told_and_the_users_turn_stays(
    tmp_path: Path, clock: FakeClock, error: ModelError, code: str
):
    async with open_world(tmp_path, clock, ToldModel([error])) as world:
        reply = await world.say("hello")
        assert (reply.outcome, reply.code, reply.model) == ("failed", code, "scripted/first")
        assert (await world.events("exchange_failed"))[0]["outcome"] == code
        assert await world.lines() == [("user", "hello")]
        assert world.shown == []


async def test_a_brain_whose_models_cant_be_asked_says_so_and_keeps_the_message(
    tmp_path: Path, clock: FakeClock
):
    async with open_world(tmp_path, clock, ToldModel(says("Back."))) as world:
        world.lineup.down["scripted/first"] = ModelUnreachable(
            "x", fix="start it with: ollama serve"
        )
        reply = await world.say("one")
        assert (reply.code, reply.text) == (
            "unreachable",
            (
                "scripted/first can't be reached: nothing answers at its address. "
                "Your message is kept.\nStart it with: ollama serve"
            ),
        )
        world.lineup.down.clear()
        assert (await world.say("two")).text == "Back."
        assert _roles(world.model.requests[0].messages) == [("user", "one\n\ntwo")]


async def test_an_answer_that_breaks_off_is_kept_as_far_as_it_was_shown(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel([TextDelta(text="Once upon"), BadReply("cut")])
    async with open_world(tmp_path, clock, model) as world:
        reply = await world.say("a story")
        assert (reply.outcome, reply.code) == ("failed", "bad_reply")
        assert await world.lines() == [("user", "a story"), ("assistant", "Once upon…")]


async def test_an_exchange_ends_when_its_time_is_up(tmp_path: Path, clock: FakeClock):
    model = ToldModel([TextDelta(text="Once"), asyncio.Event()])
    agent = dataclasses.replace(AGENT, exchange_timeout_seconds=0.05)
    async with open_world(tmp_path, clock, model, agent=agent) as world:
        reply = await world.say("a story")
        assert (reply.outcome, reply.code) == ("failed", "exchange_timeout")
        assert "within 0.05 seconds" in reply.text
        assert await world.lines() == [("user", "a story"), ("assistant", "Once…")]


# Several models


async def test_a_model_that_is_down_is_passed_over_and_that_is_shown_and_recorded(
    tmp_path: Path, clock: FakeClock
):
    first = ToldModel()
    second = ToldModel(says("Hello."), name="scripted/second")
    async with open_world(tmp_path, clock, first, second) as world:
        world.lineup.down["scripted/first"] = ModelMissing("x")
        reply = await world.say("hello")
        assert (reply.text, reply.model) == ("Hello.", "scripted/second")
        assert reply.notices == (
            "scripted/first is not on this machine. scripted/second was asked.",
        )
        event = (await world.events("model_fallback"))[0]
        assert (event["model"], event["outcome"]) == ("scripted/first", "missing")


async def test_the_next_model_gets_a_prompt_of_its_own(tmp_path: Path, clock: FakeClock):
    async with open_world(tmp_path, clock, ToldModel(says("Noted."))) as world:
        await world.keep("private tea")
        await world.say("a private question")
    first = ToldModel([ModelTimedOut("x")])
    second = ToldModel(
        says('{"do": "reply", "reply": "Hello."}'),
        name="scripted/second",
        capabilities=TEXT,
        is_local=False,
    )
    async with open_world(tmp_path, clock, first, second, sensitivity="public") as world:
        await world.keep("public tea")
        reply = await world.say("hello")
        assert (reply.text, reply.model) == ("Hello.", "scripted/second")
        assert (bool(first.requests[0].tools), second.requests[0].tools) == (True, ())
        sent = [repr(model.requests[0].messages) for model in (first, second)]
        assert ["public tea" in prompt for prompt in sent] == [True, True]
        assert ["private tea" in prompt for prompt in sent] == [True, False]
        assert ["a private question" in prompt for prompt in sent] == [True, False]


async def test_once_something_was_shown_or_done_no_other_model_takes_over(
    tmp_path: Path, clock: FakeClock
):
    shown = ToldModel([TextDelta(text="Once"), ModelUnreachable("x")])
    done = ToldModel(calls("memory_note", note="Likes tea"), [ModelUnreachable("x")])
    for name, first in (("shown", shown), ("done", done)):
        second = ToldModel(name="scripted/second")
        async with open_world(tmp_path / name, clock, first, second) as world:
            reply = await world.say("hello")
            assert (reply.code, second.requests) == ("unreachable", [])
    assert reply.effects == (Effect(kind="saved", number=1),)


async def test_where_no_model_is_left_the_first_failure_is_told(tmp_path: Path, clock: FakeClock):
    first = ToldModel([ModelTimedOut("x")])
    second = ToldModel(name="scripted/second")
    async with open_world(tmp_path, clock, first, second) as world:
        world.lineup.down["scripted/second"] = ModelMissing("x")
        reply = await world.say("hello")
        assert (reply.code, reply.model) == ("timed_out", "scripted/first")


@pytest.mark.proves("P5")
async def test_an_answer_that_comes_from_elsewhere_is_not_kept_and_its_model_is_out_of_service(
    tmp_path: Path, clock: FakeClock
):
    lie = LocalityBroken("remote_host in chunk 2")
    model = ToldModel([TextDelta(text="Hello"), lie])
    second = ToldModel(name="scripted/second")
    async with open_world(tmp_path, clock, model, second) as world:
        await world.keep("likes tea", "lives in Hue")
        reply = await world.say("hello")
        assert (reply.outcome, reply.code) == ("failed", "locality_broken")
        rode = [note.note_id for note in await world.notes()]
        assert world.lineup.condemned == [("scripted/first", lie, rode)]
        assert await world.lines() == [("user", "hello")]
        assert second.requests == []


@pytest.mark.proves("P5")
async def test_a_lie_while_a_prompt_is_warmed_takes_the_model_out_of_service_as_well(
    tmp_path: Path, clock: FakeClock
):
    async with open_world(tmp_path, clock, ToldModel()) as world:
        await world.keep("likes tea")
        lie = LocalityBroken("remote_host in chunk 1")
        world.model.fails_to_warm = lie
        exchange = await world.take_in("hello")
        await world.agent.warm(
            channel="console",
            conversation="main",
            conversation_id=exchange.conversation_id,
            session=exchange.session,
        )
        rode = [note.note_id for note in await world.notes()]
        assert world.lineup.condemned == [("scripted/first", lie, rode)]


async def test_a_model_that_is_out_of_service_is_not_condemned_again(
    tmp_path: Path, clock: FakeClock
):
    async with open_world(tmp_path, clock, ToldModel()) as world:
        world.lineup.down["scripted/first"] = LocalityBroken("it lied")
        reply = await world.say("hello")
        assert reply.text.startswith("scripted/first is out of service:")
        assert world.lineup.condemned == []


# Cancelling


async def test_a_cancelled_reply_is_stored_up_to_the_cut_and_marked(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel([TextDelta(text="Once upon"), asyncio.Event()])
    async with open_world(tmp_path, clock, model) as world:
        answering = asyncio.create_task(world.say("a story"))
        await model.has_paused.wait()
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering
        assert await world.lines() == [("user", "a story"), ("assistant", "Once upon…")]
        assert await world.types() == ["message_received", "model_called", "exchange_cancelled"]
        assert (await world.events("model_called"))[0]["outcome"] == "cancelled"


async def test_a_reply_cancelled_before_its_first_word_leaves_the_users_turn_alone(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel([asyncio.Event()])
    async with open_world(tmp_path, clock, model) as world:
        answering = asyncio.create_task(world.say("a story"))
        await model.has_paused.wait()
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering
        assert await world.lines() == [("user", "a story")]


async def test_an_exchange_stays_in_its_session_when_a_new_one_was_opened_meanwhile(
    tmp_path: Path, clock: FakeClock
):
    go_on = asyncio.Event()
    model = ToldModel([go_on, *says("Late.")])
    async with open_world(tmp_path, clock, model) as world:
        answering = asyncio.create_task(world.say("hello"))
        await model.has_paused.wait()
        turns = await world.turns()
        await world.store.write(lambda tx: tx.start_session(turns[0].conversation_id))
        go_on.set()
        await answering
        assert await world.lines(1) == [("user", "hello"), ("assistant", "Late.")]
        assert await world.lines(2) == []


async def test_a_reply_cancelled_while_it_is_stored_is_stored_once_and_whole(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel()
    async with open_world(tmp_path, clock, model) as world:
        exchange = await world.take_in("hello")
        answering = asyncio.create_task(world.agent.answer(exchange, lambda _: None))
        loop = asyncio.get_running_loop()
        # Called while the model's last piece is read: the next thing the task waits for is the commit.
        model.answers.append([*says("Hello."), lambda: loop.call_soon(answering.cancel) and None])
        with pytest.raises(asyncio.CancelledError):
            await answering
        assert await world.lines() == [("user", "hello"), ("assistant", "Hello.")]
        assert await world.types() == ["message_received", "model_called", "reply_sent"]


async def test_an_exchange_cancelled_while_its_note_is_stored_records_the_note_once(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel()
    async with open_world(tmp_path, clock, model) as world:
        exchange = await world.take_in("remember that I like tea")
        answering = asyncio.create_task(world.agent.answer(exchange, lambda _: None))
        loop = asyncio.get_running_loop()
        stop = [
            *calls("memory_note", note="Likes tea"),
            lambda: loop.call_soon(answering.cancel) and None,
        ]
        model.answers.append(stop)
        with pytest.raises(asyncio.CancelledError):
            await answering
        assert [note.text for note in await world.notes()] == ["Likes tea"]
        assert await world.types() == [
            "message_received",
            "model_called",
            "note_stored",
            "tool_used",
            "exchange_cancelled",
        ]


# A store that fails


async def test_an_exchange_whose_note_cant_be_stored_ends_honestly(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel()
    async with open_world(tmp_path, clock, model) as world:
        store = world.store
        model.answers.append(calls("memory_note", note="Likes tea"))
        exchange = await world.take_in("remember that I like tea")
        store.fail_from = store.commits
        with pytest.raises(StoreError):
            await world.agent.answer(exchange, lambda _: None)
        store.fail_from = None
        assert (await world.notes(), await world.lines()) == (
            (),
            [("user", "remember that I like tea")],
        )


async def test_a_store_that_failed_once_leaves_a_failed_exchange_on_record(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(calls("memory_note", note="Likes tea"))
    async with open_world(tmp_path, clock, model) as world:
        exchange = await world.take_in("remember that I like tea")
        world.store.fail_once = True
        reply = await world.agent.answer(exchange, lambda _: None)
        assert (reply.outcome, reply.code, reply.effects) == ("failed", "store_failed", ())
        assert await world.types() == ["message_received", "model_called", "exchange_failed"]
        assert await world.notes() == ()


async def test_a_cut_reply_that_cant_be_stored_is_logged_and_the_cancel_still_arrives(
    tmp_path: Path, clock: FakeClock, capsys: pytest.CaptureFixture[str]
):
    model = ToldModel([TextDelta(text="Once upon"), asyncio.Event()])
    async with open_world(tmp_path, clock, model) as world:
        answering = asyncio.create_task(world.say("a story"))
        await model.has_paused.wait()
        world.store.fail_once = True
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering
        assert await world.lines() == [("user", "a story")]
    assert "cut_reply_not_stored" in "".join(capsys.readouterr())


# Warming


async def test_a_prompt_is_warmed_with_the_talk_and_nothing_is_stored(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(says("Hello."))
    async with open_world(tmp_path, clock, model) as world:
        await world.keep("likes tea")
        exchange = await world.take_in("hello")
        await world.agent.answer(exchange, lambda _: None)
        before = await world.types()
        await world.agent.warm(
            channel="console",
            conversation="main",
            conversation_id=exchange.conversation_id,
            session=exchange.session,
        )
        assert _roles(_begun(model)) == [
            ("system", f"{NOTES_HEADER}\n1. likes tea"),
            ("user", "hello"),
            ("assistant", "Hello."),
        ]
        assert await world.types() == before


def _begun(model: ToldModel) -> tuple[Message, ...]:
    """What was read ahead first."""
    (request, *_) = model.warmed
    assert request is not None
    return request.messages


async def test_what_was_warmed_is_how_the_next_prompt_begins(tmp_path: Path, clock: FakeClock):
    model = ToldModel(
        says('{"do": "memory_note", "note": "Likes tea"}'),
        says('{"do": "reply", "reply": "Tea."}'),
        capabilities=TEXT,
    )
    async with open_world(tmp_path, clock, model) as world:
        exchange = await world.take_in("remember that I like tea")
        await world.agent.answer(exchange, lambda _: None)
        await world.agent.warm(
            channel="console",
            conversation="main",
            conversation_id=exchange.conversation_id,
            session=1,
        )
        await world.say("what do I like?")
        assert model.requests[1].messages[:-1] == _begun(model)


async def test_each_request_says_how_much_of_it_the_config_decides(
    tmp_path: Path, clock: FakeClock
):
    model = ToldModel(says('{"do": "reply", "reply": "Tea."}'), capabilities=TEXT)
    async with open_world(tmp_path, clock, model) as world:
        await world.keep("likes tea")
        await world.agent.warm(channel="console")
        await world.say("what do I like?")
        rests = []
        for request in (*model.warmed, *model.requests):
            assert request is not None
            rests.append(request.messages[0].text[request.config_runes :])
        assert rests == ["", f"\n\n{NOTES_HEADER}\n1. likes tea"]  # the first is of no talk yet


async def test_at_start_the_prompt_without_any_talk_is_warmed(tmp_path: Path, clock: FakeClock):
    model = ToldModel(says('{"do": "reply", "reply": "Hello."}'), capabilities=TEXT)
    async with open_world(tmp_path, clock, model) as world:
        await world.agent.warm(channel="console")
        await world.say("hello")
        assert model.requests[0].messages[:-1] == _begun(model)
        assert "memory_note" in _begun(model)[0].text


async def test_warming_a_model_that_is_down_raises_nothing(tmp_path: Path, clock: FakeClock):
    async with open_world(tmp_path, clock, ToldModel()) as world:
        world.lineup.down["scripted/first"] = ModelUnreachable("x")
        await world.agent.warm(channel="console")
        world.lineup.down["scripted/first"] = LocalityBroken("it lied")
        await world.agent.warm(channel="console")
        assert (world.model.warmed, world.lineup.condemned) == ([], [])
