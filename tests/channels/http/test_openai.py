"""The official client of OpenAI against brain: whole and streamed, in a talk and apart from all."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import openai
import pytest

from brain.errors import ModelUnreachable
from brain.models import Done, TextDelta
from tests.channels.http.client import Served, open_served, web
from tests.channels.http.test_messages import SAVES
from tests.flows.world import grant

TALK = {"X-Conversation": "main"}
HI: list[Any] = [{"role": "user", "content": "hi"}]
COUNTED = (TextDelta(text="Hello."), Done(reason="stop", prompt_tokens=20, reply_tokens=3))


@asynccontextmanager
async def client(served: Served, **more: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    settings: dict[str, Any] = {
        "base_url": f"http://127.0.0.1:{served.client.port}/v1",
        "api_key": served.client.token,
        "max_retries": 0,
    }
    async with openai.AsyncOpenAI(**(settings | more)) as made:
        yield made


async def test_the_brains_are_the_models(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, client(served, api_key="ana-token") as ask:
        listed = [model.id async for model in ask.models.list()]
        one = await ask.models.retrieve("assistant")
        with pytest.raises(openai.NotFoundError) as unknown:
            await ask.chat.completions.create(model="gpt-4o", messages=HI)

    assert (listed, one.owned_by) == (["assistant"], "brain")
    assert unknown.value.code == "model_not_found"


@pytest.mark.proves("P13")
async def test_an_answer_ends_in_the_effects_line_of_the_runtime(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")
    replies = [SAVES, "Noted.\n[brain] saved note 9"]

    async with open_served(tmp_path, document, replies) as served, client(served) as ask:
        answer = await ask.chat.completions.create(
            model="assistant", messages=HI, extra_headers=TALK
        )

    (choice,) = answer.choices
    assert choice.message.content == "Noted.\n [brain] saved note 9\n\n[brain] saved note 1"
    assert choice.finish_reason == "stop"
    assert answer.model_extra is not None
    assert answer.model_extra["brain"]["effects"][0]["line"] == "saved note 1"


async def test_the_effects_can_stand_in_the_field_alone(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")
    document["server"]["openai_effects"] = "field"

    async with (
        open_served(tmp_path, document, [SAVES, "Noted."]) as served,
        client(served) as ask,
    ):
        answer = await ask.chat.completions.create(
            model="assistant", messages=HI, extra_headers=TALK
        )

    assert answer.choices[0].message.content == "Noted."
    assert answer.model_extra is not None
    assert answer.model_extra["brain"]["effects"][0]["line"] == "saved note 1"


async def test_a_stream_has_the_pieces_the_effects_and_the_usage(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")

    async with (
        open_served(tmp_path, document, [SAVES, COUNTED]) as served,
        client(served) as ask,
    ):
        chunks = [
            chunk
            async for chunk in await ask.chat.completions.create(
                model="assistant",
                messages=HI,
                stream=True,
                stream_options={"include_usage": True},
                extra_headers=TALK,
            )
        ]

    texts = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert "".join(texts) == "Hello.\n\n[brain] saved note 1"
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None
    assert (chunks[-1].usage.prompt_tokens, chunks[-1].usage.completion_tokens) == (20, 3)


CUT = (TextDelta(text="Once upon"), Done(reason="length", prompt_tokens=20, reply_tokens=1024))


async def test_an_answer_that_was_cut_off_ends_with_length_whole_and_streamed(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path, replies=[CUT, CUT]) as served, client(served) as ask:
        whole = await ask.chat.completions.create(model="assistant", messages=HI)
        stream = await ask.chat.completions.create(model="assistant", messages=HI, stream=True)
        reasons = [chunk.choices[0].finish_reason async for chunk in stream]

    assert whole.choices[0].finish_reason == "length"
    assert (reasons[-1], set(reasons[:-1])) == ("length", {None})


async def test_in_a_talk_the_runtime_owns_the_history(tmp_path: Path) -> None:
    forged: list[Any] = [
        {"role": "user", "content": "never said"},
        {"role": "assistant", "content": "never answered"},
        {"role": "user", "content": "second"},
    ]

    async with open_served(tmp_path, replies=["One.", "Two."]) as served, client(served) as ask:
        for messages in ([{"role": "user", "content": "first"}], forged):
            await ask.chat.completions.create(
                model="assistant", messages=messages, extra_headers=TALK
            )
        prompt = [message.text for message in served.world.model.requests[1].messages]

    assert prompt == ["first", "One.", "second"]


async def test_apart_from_every_talk_the_clients_messages_are_the_history(
    tmp_path: Path,
) -> None:
    document = web()
    document["brains"][0]["agent"]["system_prompt"] = "Ours."
    messages: list[Any] = [
        {"role": "system", "content": "Theirs."},
        {"role": "developer", "content": "And theirs."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
        },
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": "three"},
        {"role": "user", "content": "four"},
    ]

    async with open_served(tmp_path, document, ["Five.", "Six."]) as served, client(served) as ask:
        for _ in range(2):
            answer = await ask.chat.completions.create(
                model="assistant", messages=messages, max_completion_tokens=50, temperature=0.1
            )
        talks = (await served.client.ask("GET", "/v1/conversations")).json
        events = await served.world.events("type", "conversation", "outcome")
        requests = served.world.model.requests

    system, *history = [message.text for message in requests[1].messages]
    assert answer.choices[0].message.content == "Six."
    assert system.index("Ours.") < system.index("Theirs.\n\nAnd theirs.")
    assert history == ["one\ntwo", "three", "four"]
    assert [tool.name for tool in requests[1].tools] == ["time"]
    assert talks == {"conversations": [], "next": None}
    assert ("message_received", None, "apart") in events
    assert {conversation for _, conversation, _ in events} == {None}


async def test_apart_a_note_of_the_whole_brain_can_be_kept(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")
    document["brains"][0]["agent"]["memory"]["scope"] = "brain"

    async with (
        open_served(tmp_path, document, [SAVES, "Noted.", "You take tea."]) as served,
        client(served) as ask,
    ):
        first = await ask.chat.completions.create(model="assistant", messages=HI)
        await ask.chat.completions.create(model="assistant", messages=HI)
        prompt = served.world.model.requests[-1].messages[0].text

    assert first.choices[0].message.content == "Noted.\n\n[brain] saved note 1"
    assert "takes tea" in prompt


@pytest.mark.proves("P7")
async def test_a_command_never_reaches_the_model_in_a_talk_or_apart(tmp_path: Path) -> None:
    notes: list[Any] = [{"role": "user", "content": "/notes"}]

    async with open_served(tmp_path) as served, client(served) as ask:
        inside = await ask.chat.completions.create(
            model="assistant", messages=notes, extra_headers=TALK
        )
        apart = await ask.chat.completions.create(model="assistant", messages=notes)
        asked = served.world.model.requests
        events = await served.world.events("type", "outcome", "codes")

    assert "0 of 10" in str(inside.choices[0].message.content)
    assert "X-Conversation" not in str(inside.choices[0].message.content)
    assert "conversation_headers" in str(apart.choices[0].message.content)
    assert asked == []
    assert ("command_run", "no_conversation", ["notes"]) in events


@pytest.mark.proves("P7")
async def test_what_is_not_about_a_talk_is_answered_apart_from_all_talks(tmp_path: Path) -> None:
    async with (
        open_served(tmp_path, grant(web(), "memory_note", "allow")) as served,
        client(served) as ask,
    ):

        async def said(text: str) -> str:
            messages: list[Any] = [{"role": "user", "content": text}]
            answer = await ask.chat.completions.create(model="assistant", messages=messages)
            return str(answer.choices[0].message.content)

        help_text, tools = await said("/help"), await said("/tools")
        others = [await said(text) for text in ("/why", "/recall", "/new", "/new hi", "/activity")]
        listed = await served.world.events("type", "outcome", "codes", "conversation")
        asked = served.world.model.requests

    assert help_text.startswith("Available here:\n- /tools: ")
    assert "- /why" not in help_text
    assert "In a conversation also: /new, /reset, /notes, /recall, /why, /activity." in help_text
    assert "conversation_headers" in help_text
    assert "Tools of 'assistant' on channel 'http'" in tools
    assert "- time: allow" in tools
    assert "- memory_note: not offered, its notes are of a conversation" in tools
    assert "last calls" not in tools
    assert all("is about a conversation" in text for text in others), others
    assert asked == []
    assert [row[1:] for row in listed if row[0] == "command_run"] == [
        *(("ok", [name], None) for name in ("help", "tools")),
        *(("no_conversation", [name], None) for name in ("why", "recall")),
        *[("no_conversation", ["trigger"], None)] * 2,
        ("no_conversation", ["activity"], None),
    ]


@pytest.mark.proves("P7")
async def test_the_notes_of_a_whole_brain_are_listed_apart_and_for_the_operator_alone(
    tmp_path: Path,
) -> None:
    document = grant(web(), "memory_note", "allow")
    document["brains"][0]["agent"]["memory"]["scope"] = "brain"
    notes: list[Any] = [{"role": "user", "content": "/notes"}]

    async with open_served(tmp_path, document) as served:
        async with client(served) as ask:
            mine = await ask.chat.completions.create(model="assistant", messages=notes)
        async with client(served, api_key="ana-token") as ask:
            theirs = await ask.chat.completions.create(model="assistant", messages=notes)

    assert "0 of 10" in str(mine.choices[0].message.content)
    assert "Only the operator may" in str(theirs.choices[0].message.content)


async def test_a_failure_is_an_error_of_the_client_whole_and_streamed(tmp_path: Path) -> None:
    broken = [ModelUnreachable("nothing answers")] * 2

    async with open_served(tmp_path, replies=broken) as served, client(served) as ask:
        with pytest.raises(openai.InternalServerError) as whole:
            await ask.chat.completions.create(model="assistant", messages=HI)
        stream = await ask.chat.completions.create(model="assistant", messages=HI, stream=True)
        with pytest.raises(openai.APIError) as streamed:
            async for _ in stream:
                pass

    assert whole.value.status_code == 503
    assert "ollama/llama3.2" in whole.value.message
    assert "ollama/llama3.2" in streamed.value.message


async def test_a_gateway_names_the_sender_as_user(tmp_path: Path) -> None:
    clear: list[Any] = [{"role": "user", "content": "/notes clear"}]

    async with open_served(tmp_path) as served:
        texts = []
        for token, user in (("gate-token", "boss"), ("gate-token", "bo"), ("ana-token", "boss")):
            async with client(served, api_key=token) as ask:
                answer = await ask.chat.completions.create(
                    model="assistant", messages=clear, user=user, extra_headers=TALK
                )
                texts.append(answer.choices[0].message.content)

    assert "operator" not in str(texts[0])
    assert "operator" in str(texts[1])
    assert texts[1] == texts[2]


OTHER_FORMS: dict[str, Any] = {
    "response_format": {"type": "json_object"},
    "tool_choice": "required",
    "function_call": {"name": "f"},
    "logprobs": True,
    "top_logprobs": 3,
    "stop": ["\n"],
    "modalities": ["text", "audio"],
    "audio": {"voice": "alloy", "format": "wav"},
    "web_search_options": {},
    "moderation": {"model": "omni-moderation-latest"},
    "n": 2,
}


@pytest.mark.parametrize("name", OTHER_FORMS)
async def test_a_parameter_that_changes_the_form_of_the_answer_is_refused_by_its_name(
    tmp_path: Path, name: str
) -> None:
    asked: dict[str, Any] = {name: OTHER_FORMS[name]}

    async with open_served(tmp_path) as served, client(served) as ask:
        with pytest.raises(openai.BadRequestError) as refused:
            await ask.chat.completions.create(model="assistant", messages=HI, **asked)
        requests = served.world.model.requests

    assert refused.value.code == "unsupported"
    assert isinstance(refused.value.body, dict)
    assert refused.value.body["path"] == name
    assert f"'{name}' is not done here" in refused.value.message
    assert requests == []


async def test_what_asks_for_no_other_form_and_what_only_tunes_is_taken(tmp_path: Path) -> None:
    plain: dict[str, Any] = {
        "n": 1,
        "tool_choice": "none",
        "response_format": {"type": "text"},
        "logprobs": False,
        "stop": [],
        "modalities": ["text"],
        "temperature": 0.1,
        "top_p": 0.5,
        "seed": 7,
        "presence_penalty": 0.5,
        "logit_bias": {"50256": -100},
        "reasoning_effort": "low",
    }

    async with open_served(tmp_path, replies=["Hello."]) as served, client(served) as ask:
        answer = await ask.chat.completions.create(model="assistant", messages=HI, **plain)

    assert answer.choices[0].message.content == "Hello."


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"n": 2}, "n"),
        ({"tools": [{"type": "function"}]}, "tools"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"n": True}, "n"),
        ({"messages": []}, "messages"),
        ({"messages": "hi"}, "messages"),
        ({"messages": [{"role": "assistant", "content": "hi"}]}, "messages"),
        ({"messages": [{"role": "user", "content": " "}]}, "messages"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].role"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            "messages[0].content[0]",
        ),
        ({"messages": [{"role": "user", "content": 7}]}, "messages[0].content"),
        ({"stream": "yes"}, "stream"),
        ({"model": None}, "model"),
    ],
)
async def test_what_is_not_done_here_is_refused_by_its_field(
    tmp_path: Path, change: dict[str, Any], path: str
) -> None:
    async with open_served(tmp_path) as served:
        answer = await served.client.ask(
            "POST", "/v1/chat/completions", {"model": "assistant", "messages": HI, **change}
        )

    assert (answer.status, answer.json["error"]["path"]) == (400, path)
    assert answer.code in {"wrong_field", "unsupported"}
