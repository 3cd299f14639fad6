import asyncio
import os
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.agent.text_lane import AnswerReader, answer_schema, teach
from brain.config import Model
from brain.errors import (
    ModelLoading,
    ModelMissing,
    ModelRefused,
    ModelTimedOut,
    PromptTooLong,
)
from brain.models import Capabilities, ChatRequest, Delta, Done, TextDelta
from brain.models.embedded import EmbeddedModel, Engines
from brain.models.engine import threads_for
from brain.models.fitness import Memory
from brain.records import Message, ToolSpec
from tests.clocks import FakeClock
from tests.gguf import gguf_bytes

NOTE = ToolSpec(
    name="memory_note",
    description="Keep a short fact for later.",
    parameters={
        "type": "object",
        "properties": {"note": {"type": "string", "maxLength": 60}},
        "required": ["note"],
        "additionalProperties": False,
    },
)


def config(path: Path, **changes: Any) -> Model:
    settings: dict[str, Any] = {"num_ctx": 2048, "num_predict": 48, **changes}
    return Model(
        provider="embedded",
        model_id="smollm2-135m-instruct",
        locality="local",
        model_path=path,
        **settings,
    )


@asynccontextmanager
async def opened(
    model: Model,
    *,
    models_dir: Path,
    engines: Engines | None = None,
    memory: Memory | None = None,
) -> AsyncIterator[EmbeddedModel]:
    opened_model = EmbeddedModel(
        model,
        clock=FakeClock(),
        engines=engines or Engines(),
        environ={"BRAIN_MODELS_DIR": str(models_dir), "HOME": str(models_dir)},
        memory=lambda: memory,
    )
    try:
        yield opened_model
    finally:
        await opened_model.close()


def ask(text: str, **more: Any) -> ChatRequest:
    return ChatRequest(messages=(Message(role="user", text=text),), **more)


async def answer_to(model: EmbeddedModel, request: ChatRequest) -> list[Delta]:
    async with aclosing(model.chat(request)) as deltas:  # type: ignore[type-var]
        return [delta async for delta in deltas]


@pytest.mark.model
async def test_a_first_conversation_streams_and_ends_with_its_counts(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with opened(config(small_model_path), models_dir=tmp_path) as model:
        *texts, done = await answer_to(model, ask("Say hello."))
    assert len(texts) > 1
    assert all(isinstance(delta, TextDelta) and delta.text for delta in texts)
    assert isinstance(done, Done)
    assert (done.reason, done.prompt_tokens > 10, done.reply_tokens >= len(texts)) == (
        "stop",
        True,
        True,
    )


@pytest.mark.model
async def test_a_constrained_answer_is_always_one_that_the_lane_reads(
    small_model_path: Path, tmp_path: Path
) -> None:
    tools = (NOTE,)
    async with opened(config(small_model_path, num_predict=200), models_dir=tmp_path) as model:
        for text in ("Remember that I like tea.", "Recuerda: soy Ana."):
            request = ChatRequest(
                messages=(
                    Message(role="system", text=teach(tools)),
                    Message(role="user", text=text),
                ),
                answer_schema=answer_schema(tools),
            )
            reader = AnswerReader(tools)
            shown = ""
            for delta in await answer_to(model, request):
                shown += reader.feed(delta.text) if isinstance(delta, TextDelta) else ""
            answer = reader.finish()
            assert answer.malformed == ""
            assert (answer.reply or "") == shown


@pytest.mark.model
async def test_an_answer_at_its_limit_ends_with_length(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with opened(config(small_model_path, num_predict=5), models_dir=tmp_path) as model:
        *_, done = await answer_to(model, ask("Tell me a long story."))
    assert isinstance(done, Done)
    assert (done.reason, done.reply_tokens) == ("length", 5)


@pytest.mark.model
async def test_a_prompt_that_does_not_fit_is_refused_with_both_numbers(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with opened(config(small_model_path, num_ctx=512), models_dir=tmp_path) as model:
        with pytest.raises(PromptTooLong, match=r"the prompt has \d+ tokens .* takes 512"):
            await answer_to(model, ask("word " * 600))
        assert isinstance((await answer_to(model, ask("Say hi.")))[-1], Done)


class EndlessLibrary:
    """Stands for the library where an answer never ends by itself."""

    def __init__(self) -> None:
        self.stopped = 0

    def handle_chat_completions(self, request: bytes, put: Callable[[bytes], bool]) -> None:
        while not put(b'{"choices": [{"delta": {"content": "on "}}]}'):
            pass
        self.stopped += 1


@pytest.mark.model
async def test_leaving_early_stops_the_model_and_the_next_request_is_answered(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with opened(config(small_model_path), models_dir=tmp_path) as model:
        await model.warm()
        assert model._engine is not None
        real, endless = model._engine._server, EndlessLibrary()
        model._engine._server = endless
        async with aclosing(model.chat(ask("hi"))) as deltas:  # type: ignore[type-var]
            assert await anext(deltas) == TextDelta(text="on ")
        assert endless.stopped == 1
        cancelled = asyncio.create_task(answer_to(model, ask("hi")))
        await asyncio.wait((cancelled,), timeout=0.05)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        assert endless.stopped == 2
        model._engine._server = real
        assert isinstance((await answer_to(model, ask("Say hi.")))[-1], Done)


@pytest.mark.model
async def test_a_request_is_stopped_while_its_prompt_is_still_read(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with opened(config(small_model_path), models_dir=tmp_path) as model:
        await model.warm()
        assert model._engine is not None
        async with aclosing(model._engine.chunks(model._body(ask("word " * 1500)))) as chunks:
            progress = (await anext(chunks))["prompt_progress"]
        assert progress["processed"] < progress["total"]
        assert isinstance((await answer_to(model, ask("Say hi.")))[-1], Done)


@pytest.mark.model
async def test_requests_at_once_are_answered_one_after_the_other(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with opened(config(small_model_path, num_predict=8), models_dir=tmp_path) as model:
        answers = await asyncio.gather(*(answer_to(model, ask("Say hello.")) for _ in range(4)))
    assert answers[0] == answers[1] == answers[2] == answers[3]


@pytest.mark.model
async def test_two_brains_share_one_loaded_model_until_both_have_closed(
    small_model_path: Path, tmp_path: Path
) -> None:
    engines = Engines()
    model = config(small_model_path, num_predict=4)
    async with opened(model, models_dir=tmp_path, engines=engines) as first:
        async with opened(model, models_dir=tmp_path, engines=engines) as second:
            await first.warm()
            await second.warm()
            assert first._engine is second._engine
        assert isinstance((await answer_to(first, ask("Say hi.")))[-1], Done)
    assert engines._engines == {}


@pytest.mark.model
async def test_a_warmed_prompt_is_not_read_again(small_model_path: Path, tmp_path: Path) -> None:
    system = Message(role="system", text="You are a helper. " * 40)
    async with opened(config(small_model_path), models_dir=tmp_path) as model:
        await model.warm(ChatRequest(messages=(system,)))
        assert model._engine is not None
        body = model._body(ChatRequest(messages=(system, Message(role="user", text="Hi"))))
        async with aclosing(model._engine.chunks(body)) as chunks:
            usage = [chunk["usage"] async for chunk in chunks if chunk.get("usage")]
    (counts,) = usage
    assert counts["prompt_tokens_details"]["cached_tokens"] > 0.8 * counts["prompt_tokens"]


@pytest.mark.model
@pytest.mark.proves("P5")
async def test_the_proof_names_the_file_and_its_digest(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with opened(config(small_model_path), models_dir=tmp_path) as model:
        proof = await model.prove()
        again = await model.prove()
        assert await model.describe() == Capabilities(
            tools=False, thinking=False, constrained=True, context=2048
        )
    digest = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert (proof.is_local, proof.digest) == (True, f"sha256:{digest}")
    assert [(step.name, step.outcome) for step in proof.steps] == [
        ("claim", "passed"),
        ("weights", "passed"),
    ]
    assert str(small_model_path) in proof.steps[1].detail
    assert again.digest == proof.digest


async def test_an_embedded_model_that_claims_cloud_is_never_local(tmp_path: Path) -> None:
    weights = tmp_path / "x.gguf"
    weights.write_bytes(gguf_bytes())
    model = Model(provider="embedded", model_id="x", locality="cloud", model_path=weights)
    async with opened(model, models_dir=tmp_path) as claimed:
        assert (await claimed.prove()).is_local is False


async def test_weights_that_are_not_there_say_how_to_get_them(tmp_path: Path) -> None:
    model = Model(provider="embedded", model_id="qwen2.5-coder-1.5b-instruct", locality="local")
    async with opened(model, models_dir=tmp_path) as missing:
        for asked in (missing.prove(), missing.warm(), answer_to(missing, ask("hi"))):
            with pytest.raises(ModelMissing) as caught:
                await asked
            assert str(tmp_path) in caught.value.message
            assert caught.value.fix.endswith("brain pull --embedded")


async def test_without_the_library_the_install_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brain.models.embedded.find_spec", lambda _: None)
    async with opened(config(tmp_path / "x.gguf"), models_dir=tmp_path) as model:
        with pytest.raises(ModelMissing) as caught:
            await model.prove()
    assert caught.value.fix == 'pip install "ownbrain[embedded]"'


@pytest.mark.parametrize("content", [b"", b"\x00" * 4000, gguf_bytes()[:-1]])
async def test_what_is_no_whole_weights_file_is_refused_before_it_is_asked(
    tmp_path: Path, content: bytes
) -> None:
    weights = tmp_path / "broken.gguf"
    weights.write_bytes(content)
    async with opened(config(weights), models_dir=tmp_path) as model:
        for asked in (model.prove(), model.warm(), answer_to(model, ask("hi"))):
            with pytest.raises(ModelRefused, match=r"broken\.gguf is no weights file") as caught:
                await asked
            assert caught.value.fix == (
                "name a whole weights file in model_path of embedded/smollm2-135m-instruct"
            )


async def test_a_context_that_the_weights_were_not_trained_for_is_refused_and_not_loaded(
    tmp_path: Path,
) -> None:
    weights = tmp_path / "x.gguf"
    weights.write_bytes(gguf_bytes(context=4096))
    async with opened(config(weights, num_ctx=4097), models_dir=tmp_path) as model:
        for asked in (model.prove(), model.warm(), answer_to(model, ask("hi"))):
            with pytest.raises(ModelRefused) as caught:
                await asked
            assert caught.value.message == (
                "embedded/smollm2-135m-instruct was not loaded: num_ctx is 4097, expected at most "
                "4096, for which the weights were trained"
            )
            assert caught.value.fix == "set num_ctx to 4096 or less"


@pytest.mark.parametrize(
    ("memory", "told", "fix"),
    [
        (
            Memory(total=2_000_000, available=2_000_000),
            "the 2.0 MB that this machine has",
            "set num_ctx to 3829 or less",
        ),
        (
            Memory(total=9_000_000, available=2_000_000),
            "the 2.0 MB that this machine has free now",
            "set num_ctx to 3829 or less, or close other programs",
        ),
    ],
)
async def test_a_context_that_memory_does_not_hold_is_refused_with_the_numbers(
    tmp_path: Path, memory: Memory, told: str, fix: str
) -> None:
    weights = tmp_path / "x.gguf"
    weights.write_bytes(gguf_bytes())
    asked = config(weights, num_ctx=8192)
    async with opened(asked, models_dir=tmp_path, memory=memory) as model:
        with pytest.raises(ModelRefused) as caught:
            await model.prove()
    assert caught.value.message == (
        "embedded/smollm2-135m-instruct was not loaded: it needs about 4.2 MB of memory, 0.0 MB for "
        f"its weights and 4.2 MB for num_ctx 8192, expected no more than {told}"
    )
    assert caught.value.fix == fix


@pytest.mark.model
async def test_a_model_that_is_loaded_is_not_counted_against_the_memory_it_has(
    small_model_path: Path, tmp_path: Path
) -> None:
    engines = Engines()
    async with (
        opened(config(small_model_path), models_dir=tmp_path, engines=engines) as loaded,
        opened(
            config(small_model_path),
            models_dir=tmp_path,
            engines=engines,
            memory=Memory(total=1, available=1),
        ) as second,
    ):
        await loaded.warm()
        assert (await second.prove()).is_local


async def test_a_header_that_lies_is_refused_by_the_engine_and_asked_again_later(
    tmp_path: Path,
) -> None:
    weights = tmp_path / "broken.gguf"
    weights.write_bytes(gguf_bytes())
    async with opened(config(weights), models_dir=tmp_path) as model:
        for _ in range(2):
            with pytest.raises(ModelRefused, match=r"broken\.gguf cannot be loaded"):
                await model.warm()


@pytest.mark.model
async def test_loading_for_longer_than_load_timeout_is_told_and_goes_on(
    small_model_path: Path, tmp_path: Path
) -> None:
    slow = config(small_model_path, load_timeout_seconds=0)
    async with opened(slow, models_dir=tmp_path) as model:
        with pytest.raises(ModelLoading, match="not ready within load_timeout"):
            await answer_to(model, ask("hi"))


@pytest.mark.model
async def test_silence_for_longer_than_request_timeout_is_told(
    small_model_path: Path, tmp_path: Path
) -> None:
    hasty = config(small_model_path, request_timeout_seconds=0.0001)
    async with opened(hasty, models_dir=tmp_path) as model:
        with pytest.raises(ModelTimedOut, match="said nothing"):
            await answer_to(model, ask("hi"))


@pytest.mark.model
async def test_options_of_the_config_reach_the_model_and_bad_ones_are_named(
    small_model_path: Path, tmp_path: Path
) -> None:
    odd = config(small_model_path, options={"temperature": "hot"})
    async with opened(odd, models_dir=tmp_path) as model:
        with pytest.raises(ModelRefused, match="refused the request"):
            await answer_to(model, ask("hi"))


@pytest.mark.parametrize(
    ("cores", "busy", "threads"),
    [(2, 0.0, 2), (2, 0.4, 2), (2, 1.2, 1), (2, 9.0, 1), (8, 2.6, 5), (1, 0.0, 1)],
)
def test_a_model_takes_the_processors_that_are_free_and_at_least_one(
    cores: int, busy: float, threads: int
) -> None:
    assert threads_for(cores=cores, busy=busy) == threads


def run_python(program: str, *arguments: str, folder: Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", textwrap.dedent(program), *arguments],
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "BRAIN_MODELS_DIR": str(folder), "TMPDIR": str(folder)},
    )


PRELUDE = """
import asyncio, os, sys
from contextlib import aclosing
from pathlib import Path
from brain.clock import SystemClock
from brain.config import Model
from brain.models import ChatRequest
from brain.models.embedded import EmbeddedModel, Engines
from brain.records import Message

def model():
    settings = Model(provider="embedded", model_id="m", locality="local",
                     model_path=Path(sys.argv[1]), num_ctx=512, num_predict=400)
    return EmbeddedModel(settings, clock=SystemClock(), engines=Engines(), environ=os.environ)

STORY = ChatRequest(messages=(Message(role="user", text="Tell me a long story."),))
"""


@pytest.mark.model
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            async def main():
                for _ in range(5):
                    one = model()
                    await one.warm()
                    await one.close()
            asyncio.run(main())
            """,
            id="opened and closed five times",
        ),
        pytest.param(
            """
            async def main():
                one = model()
                async with aclosing(one.chat(STORY)) as deltas:
                    await anext(deltas)
                    await one.close()
            asyncio.run(main())
            """,
            id="closed while it answers",
        ),
        pytest.param(
            """
            one = model()
            asyncio.run(one.warm())
            """,
            id="never closed",
        ),
        pytest.param(
            """
            async def main():
                await anext(one.chat(STORY))
            one = model()
            asyncio.run(main())
            """,
            id="left while it answers",
        ),
    ],
)
def test_the_process_ends_and_its_output_is_its_own(
    program: str, small_model_path: Path, tmp_path: Path
) -> None:
    ended = run_python(PRELUDE + textwrap.dedent(program), str(small_model_path), folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, b"")
    assert b"llama" not in ended.stderr
    assert b"Error" not in ended.stderr
    assert list(tmp_path.glob("brain-*")) == []


@pytest.mark.model
def test_no_port_is_opened_and_the_signals_stay_pythons(
    small_model_path: Path, tmp_path: Path
) -> None:
    program = PRELUDE + textwrap.dedent(
        """
        import signal
        async def main():
            one = model()
            await one.warm()
            signal.raise_signal(signal.SIGINT)
        listening = lambda: [line for name in ("tcp", "tcp6") for line in open(f"/proc/net/{name}")
                             if " 0A " in line and line.split()[9] in inodes()]
        inodes = lambda: {os.readlink(f"/proc/self/fd/{fd}")[8:-1] for fd in os.listdir("/proc/self/fd")
                          if os.path.exists(f"/proc/self/fd/{fd}") or os.path.lexists(f"/proc/self/fd/{fd}")}
        one = model()
        asyncio.run(one.warm())
        print(listening())
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    if not Path("/proc/net/tcp").exists():
        pytest.skip("only Linux shows a process its sockets as files")
    ended = run_python(program, str(small_model_path), folder=tmp_path)
    assert (ended.returncode, ended.stdout.split()) == (0, [b"[]", b"interrupted"])
