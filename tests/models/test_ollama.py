"""A model of an Ollama server, through the official client, over real sockets."""

import asyncio
import json
from typing import Any

import pytest

from brain.errors import BadReply, ModelMissing, ModelRefused, ToolsUnsupported
from brain.models import CallDelta, Capabilities, ChatRequest, Done, TextDelta, ThinkingDelta
from brain.models.ollama import OllamaModel
from brain.records import Message, ToolCall, ToolSpec
from tests.models.asking import ask, question, text_of, whole
from tests.models.conftest import OpenModel
from tests.ollama_server import (
    Answer,
    HostedModel,
    OllamaServer,
    chunk,
    document,
    last_chunk,
    ndjson,
)

NOTE_TOOL = ToolSpec(
    name="memory_note",
    description="Keeps a short fact.",
    parameters={
        "type": "object",
        "properties": {
            "note": {"type": "string", "maxLength": 200},
            "about": {"type": "object", "properties": {"who": {"anyOf": [{"type": "string"}]}}},
        },
        "required": ["note"],
    },
)


async def test_an_answer_streams_and_ends_with_its_counts(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft("Good morning to you.")
    assert whole(await ask(model)) == [
        TextDelta(text="Good morning to you."),
        Done(reason="stop", prompt_tokens=20, reply_tokens=5),
    ]


async def test_the_whole_request_is_as_the_config_says(
    server: OllamaServer, open_model: OpenModel
) -> None:
    model = open_model(
        num_ctx=4096, num_predict=256, keep_alive="10m", options={"temperature": 0, "num_ctx": 1}
    )
    await ask(model, question("Hi", tools=(NOTE_TOOL,)))
    assert server.chats == [
        {
            "model": "llama3.2",
            "stream": True,
            "options": {"temperature": 0, "num_ctx": 4096, "num_predict": 256},
            "keep_alive": "10m",
            "messages": [
                {"role": "system", "content": "the door code is 4711"},
                {"role": "user", "content": "Hi"},
            ],
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "memory_note",
                        "description": "Keeps a short fact.",
                        "parameters": NOTE_TOOL.parameters,
                    },
                }
            ],
            "truncate": False,
            "shift": False,
        }
    ]


async def test_calls_and_their_observations_keep_their_ids_on_the_way_back(
    server: OllamaServer, model: OllamaModel
) -> None:
    call = ToolCall(id="call_7", name="time", arguments={"zone": {"name": "UTC"}})
    request = question()
    messages = (
        *request.messages,
        Message(role="assistant", text="", calls=(call,)),
        Message(role="tool", text="09:00", call_id="call_7", tool_name="time"),
    )
    await ask(model, type(request)(messages=messages))
    assert server.chats[0]["messages"][2:] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": "call_7",
                    "function": {"name": "time", "arguments": {"zone": {"name": "UTC"}}},
                }
            ],
        },
        {"role": "tool", "content": "09:00", "tool_name": "time", "tool_call_id": "call_7"},
    ]


async def test_a_schema_for_the_answer_goes_along_whole(
    server: OllamaServer, model: OllamaModel
) -> None:
    schema = {"type": "object", "properties": {"do": {"anyOf": [{"const": "time"}]}}}
    await ask(model, question(answer_schema=schema))
    assert server.chats[0]["format"] == schema


async def test_native_calls_are_parsed_with_their_ids(
    server: OllamaServer, model: OllamaModel
) -> None:
    calls = [
        {"id": "one", "name": "memory_note", "arguments": {"note": "Zoë likes tea"}},
        {"id": "two", "name": "time", "arguments": '{"zone": "UTC"}'},
    ]
    server.replies.appendleft({"text": "", "calls": calls})
    assert (await ask(model))[:2] == [
        CallDelta(call=ToolCall(id="one", name="memory_note", arguments={"note": "Zoë likes tea"})),
        CallDelta(call=ToolCall(id="two", name="time", arguments={"zone": "UTC"})),
    ]


async def test_thinking_is_told_apart_from_text(server: OllamaServer, model: OllamaModel) -> None:
    server.replies.appendleft({"thinking": "Hm.", "text": "Yes."})
    assert (await ask(model))[:2] == [ThinkingDelta(text="Hm."), TextDelta(text="Yes.")]


async def test_an_answer_that_was_cut_by_its_budget_says_so(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft({"text": "Once upon", "done_reason": "length"})
    assert (await ask(model))[-1] == Done(reason="length", prompt_tokens=20, reply_tokens=5)


async def test_a_model_is_loaded_before_its_first_question_and_not_before_each(
    server: OllamaServer, model: OllamaModel
) -> None:
    await ask(model)
    await ask(model)
    assert server.loads == ["llama3.2"]


async def test_only_the_first_prompt_after_a_load_is_told_as_such(
    server: OllamaServer, open_model: OpenModel
) -> None:
    model = open_model()
    ends = [(await ask(model))[-1], (await ask(model))[-1]]
    await model.warm()
    ends.append((await ask(model))[-1])
    await model.warm(ChatRequest(messages=(Message(role="user", text="hello"),)))
    ends.append((await ask(model))[-1])
    unkept = open_model(keep_alive="0")
    ends += [(await ask(unkept))[-1], (await ask(unkept))[-1]]
    firsts = [end.is_first for end in ends if isinstance(end, Done)]
    assert firsts == [True, False, True, False, True, True]


async def test_a_model_that_is_not_pulled_is_named_with_the_command_that_pulls_it(
    server: OllamaServer, open_model: OpenModel
) -> None:
    with pytest.raises(ModelMissing, match="does not have the model 'qwen3'") as missing:
        await ask(open_model(model_id="qwen3"))
    assert missing.value.fix == "pull it with: brain pull, or: ollama pull qwen3"


async def test_a_model_without_tools_says_so(server: OllamaServer, open_model: OpenModel) -> None:
    server.models["small"] = HostedModel(capabilities=["completion"])
    with pytest.raises(ToolsUnsupported):
        await ask(open_model(model_id="small"), question(tools=(NOTE_TOOL,)))


async def test_the_servers_own_words_are_not_passed_on(
    server: OllamaServer, model: OllamaModel
) -> None:
    text = 'error parsing tool call: raw=\'{"note": "the door code is 4711"}\''
    server.replies.appendleft(document({"error": text}, status=500))
    with pytest.raises(ModelRefused) as refused:
        await ask(model)
    assert "4711" not in refused.value.message + refused.value.fix


async def test_a_stream_that_ends_without_its_last_chunk_is_a_bad_reply(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft(ndjson([chunk("Half of")]))
    with pytest.raises(BadReply, match="cut off before its end"):
        await ask(model)


async def test_what_comes_after_the_last_chunk_is_no_answer(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft(ndjson([chunk("Yes"), last_chunk(), chunk(" and no"), last_chunk()]))
    assert await ask(model) == [
        TextDelta(text="Yes"),
        Done(reason="stop", prompt_tokens=20, reply_tokens=5),
    ]


@pytest.mark.parametrize("count", [-5, 2**53, 10**30])
async def test_a_count_that_no_answer_can_have_is_no_count(
    server: OllamaServer, model: OllamaModel, count: int
) -> None:
    server.replies.appendleft(ndjson([chunk("Yes"), last_chunk(prompt=count, reply=count)]))
    assert await ask(model) == [
        TextDelta(text="Yes"),
        Done(reason="stop", prompt_tokens=0, reply_tokens=0),
    ]


async def test_one_connection_serves_one_question_after_the_other(
    server: OllamaServer, model: OllamaModel
) -> None:
    await model.prove()
    proved_over = server.connections
    for _ in range(5):
        await ask(model)
    assert server.connections == proved_over


@pytest.mark.parametrize(
    ("hosted", "expected"),
    [
        pytest.param(
            HostedModel(capabilities=["completion", "tools", "thinking"], context_length=4096),
            Capabilities(tools=True, thinking=True, constrained=True, context=4096),
            id="a model with a small context",
        ),
        pytest.param(
            HostedModel(capabilities=["embedding"]),
            Capabilities(tools=False, thinking=False, constrained=True, context=8192, embeds=True),
            id="an embedder",
        ),
        pytest.param(
            HostedModel(template="{{ if .Tools }}", show={"capabilities": None}),
            Capabilities(tools=True, thinking=False, constrained=True, context=8192),
            id="a server that lists no capabilities",
        ),
    ],
)
async def test_capabilities_are_read_from_show(
    server: OllamaServer, model: OllamaModel, hosted: HostedModel, expected: Capabilities
) -> None:
    server.models["llama3.2"] = hosted
    assert await model.describe() == expected


TALK = "{{ range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}"
TOLD_THINKING = "{{ if .Thinking }}<think>\n{{ .Thinking }}\n</think>\n{{ end }}"


@pytest.mark.parametrize(
    ("template", "capabilities", "opens"),
    [
        (f"{TALK}<|im_start|>assistant\n<think>\n", ["completion"], True),
        (f"{TOLD_THINKING}{TALK}<|Assistant|><think>\n{{{{ end }}}}{{{{ end -}}}}\n", [], True),
        (f"{TALK}<THINKING>{{{{ .Response }}}}", ["completion", "thinking"], True),
        (TALK, ["completion", "thinking"], False),
        (f"{TALK}{{{{ if not .Think }}}}<think>\n\n</think>\n{{{{ end }}}}", ["thinking"], False),
        (
            f"{TALK}{{{{- if and $.IsThinkSet $.Think }}}}\n<think>{{{{ end }}}}",
            ["thinking"],
            False,
        ),
        (f"Think between <think> and </think>.{TALK}", ["completion"], False),
        (f"Begin with <think>.{TALK}", ["completion"], False),
        ("", ["completion", "thinking"], True),
        ("", ["completion"], False),
    ],
)
async def test_answers_may_begin_inside_their_thinking_where_the_template_opens_it_or_is_not_told(
    server: OllamaServer,
    model: OllamaModel,
    template: str,
    capabilities: list[str],
    opens: bool,
) -> None:
    server.models["llama3.2"] = HostedModel(template=template, capabilities=capabilities)
    assert (await model.describe()).opens_thinking is opens


async def test_text_is_shown_as_the_server_wrote_it_whatever_ends_a_line(
    server: OllamaServer, model: OllamaModel
) -> None:
    text = "one\x85two\u2028three\u2029four\nfive <b> \U0001f600"
    server.replies.appendleft(ndjson([chunk(text), last_chunk()]))
    assert text_of(await ask(model)) == text


async def test_half_a_surrogate_pair_becomes_a_replacement_character(
    server: OllamaServer, model: OllamaModel
) -> None:
    line = b'{"message":{"role":"assistant","content":"a\\ud83d"},"done":false}\n'
    server.replies.appendleft(ndjson([line, last_chunk()]))
    assert text_of(await ask(model)) == "a\ufffd"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(ndjson([{"done": False}, last_chunk()]), id="no message"),
        pytest.param(ndjson([{"message": None}, last_chunk()]), id="null"),
        pytest.param(ndjson([{"message": {"content": None}}, last_chunk()]), id="no role"),
    ],
)
async def test_a_chunk_without_a_message_is_an_empty_one(
    server: OllamaServer, model: OllamaModel, answer: Answer
) -> None:
    server.replies.appendleft(answer)
    assert [type(delta) for delta in await ask(model)] == [Done]


@pytest.mark.parametrize(
    ("call", "malformed"),
    [
        ({"function": {"name": "time", "arguments": '{"a": 1}{"b": 2}'}}, "more than one"),
        ({"function": {"name": "time", "arguments": "{a: 1}"}}, "not valid JSON"),
        ({"function": {"name": "time", "arguments": '{"a": NaN}'}}, "not valid JSON"),
        ({"function": {"name": "time", "arguments": "[" * 100_000}}, "not valid JSON"),
        ({"function": {"name": "time", "arguments": "[1]"}}, "not a JSON object"),
        ({"function": {"name": "time", "arguments": [1]}}, "not a JSON object"),
        ({"function": {"name": "time", "arguments": 7}}, "not a JSON object"),
        ({"function": {"arguments": {}}}, "named no function"),
        ({"function": None}, "named no function"),
        ("time", "was not a JSON object"),
    ],
)
async def test_a_malformed_call_is_told_in_words_the_model_may_read(
    server: OllamaServer, model: OllamaModel, call: Any, malformed: str
) -> None:
    server.replies.appendleft(ndjson([chunk(message={"tool_calls": [call]}), last_chunk()]))
    first, *_ = await ask(model)
    assert isinstance(first, CallDelta)
    assert malformed in first.call.malformed
    assert first.call.arguments == {}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"list": [1, 2.5, None, True, "a\ud83d"], "deep": [{"k": ["v"]}]},
            {"list": [1, 2.5, None, True, "a\ufffd"], "deep": [{"k": ["v"]}]},
        ),
        (None, {}),
        ("", {}),
        (" ", {}),
        ("{}", {}),
    ],
)
async def test_arguments_keep_their_shape_and_none_is_an_empty_object(
    server: OllamaServer, model: OllamaModel, given: Any, expected: Any
) -> None:
    call = {"id": "one", "function": {"name": "time", "arguments": given}}
    line = json.dumps(chunk(message={"tool_calls": [call]})).encode() + b"\n"
    server.replies.appendleft(ndjson([line, last_chunk()]))
    first, _ = await ask(model)
    assert first == CallDelta(call=ToolCall(id="one", name="time", arguments=expected))


async def test_a_call_without_a_usable_id_gets_one_of_ours(
    server: OllamaServer, model: OllamaModel
) -> None:
    calls = [
        {"function": {"name": "time", "arguments": {}}, **more}
        for more in ({}, {"id": ""}, {"id": 7}, {"id": "x" * 500}, {"id": "a\nb"})
    ]
    server.replies.appendleft(ndjson([chunk(message={"tool_calls": calls}), last_chunk()]))
    ids = [delta.call.id for delta in await ask(model) if isinstance(delta, CallDelta)]
    assert len(set(ids)) == 5
    assert all(len(each) == 32 for each in ids)


async def test_a_call_that_is_no_list_is_still_one_call(
    server: OllamaServer, model: OllamaModel
) -> None:
    call = {"id": "one", "function": {"name": "time", "arguments": {}}}
    server.replies.appendleft(ndjson([chunk(message={"tool_calls": call}), last_chunk()]))
    assert (await ask(model))[0] == CallDelta(call=ToolCall(id="one", name="time"))


async def test_arguments_nested_without_end_are_malformed_and_not_a_crash(
    server: OllamaServer, model: OllamaModel
) -> None:
    depth = 900
    nested = b'{"a":' * depth + b"1" + b"}" * depth
    line = (
        b'{"message":{"role":"assistant","tool_calls":[{"function":{"name":"time","arguments":'
        + nested
        + b"}}]}}\n"
    )
    server.replies.appendleft(ndjson([line, last_chunk()]))
    try:
        first, _ = await ask(model)
    except BadReply:
        return  # where the parser itself gives up first
    assert isinstance(first, CallDelta)
    assert first.call.malformed or first.call.arguments


@pytest.mark.parametrize(
    ("configured", "asked", "sent"),
    [
        ("auto", None, None),
        ("on", None, True),
        ("off", None, False),
        ("auto", False, False),
        ("on", False, False),
        ("off", True, True),
    ],
)
async def test_thinking_is_asked_for_as_configured_unless_the_request_says_otherwise(
    server: OllamaServer, open_model: OpenModel, configured: Any, asked: Any, sent: Any
) -> None:
    server.models["deep"] = HostedModel(capabilities=["completion", "thinking"])
    model = open_model(model_id="deep", think=configured)
    await model.describe()
    await ask(model, question(think=asked))
    assert server.chats[0].get("think") is sent


async def test_a_model_that_can_not_think_is_not_asked_to(
    server: OllamaServer, open_model: OpenModel
) -> None:
    model = open_model(think="on")
    await model.describe()
    await ask(model)
    assert "think" not in server.chats[0]


async def test_a_model_that_is_not_kept_is_given_the_time_to_load_with_each_question(
    server: OllamaServer, open_model: OpenModel
) -> None:
    model = open_model(keep_alive="0", load_timeout_seconds=20, request_timeout_seconds=0.001)
    hold = server.hold()
    server.replies.appendleft(Answer(raw=[hold, ndjson([last_chunk()]).whole]))
    asking = asyncio.ensure_future(ask(model))
    async with asyncio.timeout(5):
        await hold.reached.wait()
        await asyncio.to_thread(sum, range(2_000_000))  # longer than request_timeout
        hold.go_on.set()
        assert [type(delta) for delta in await asking] == [Done]
    assert server.loads == []
