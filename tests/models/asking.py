"""How the tests put questions to a model."""

from contextlib import aclosing

from brain.errors import ModelError
from brain.models import ChatModel, ChatRequest, Delta, TextDelta
from brain.records import Message

NOTE = "the door code is 4711"


def question(text: str = "Hi", **more: object) -> ChatRequest:
    """A request whose system message holds a note, as a prompt does."""
    messages = (Message(role="system", text=NOTE), Message(role="user", text=text))
    return ChatRequest(messages=messages, **more)  # type: ignore[arg-type]


async def ask(model: ChatModel, request: ChatRequest | None = None) -> list[Delta]:
    """All deltas of an answer."""
    async with aclosing(model.chat(request or question())) as deltas:
        return [delta async for delta in deltas]


def whole(deltas: list[Delta]) -> list[Delta]:
    """The deltas with pieces of text in a row as one: a server's pieces may come together."""
    joined: list[Delta] = []
    for delta in deltas:
        last = joined[-1] if joined else None
        if isinstance(delta, TextDelta) and isinstance(last, TextDelta):
            joined[-1] = TextDelta(text=last.text + delta.text)
        else:
            joined.append(delta)
    return joined


async def cut(model: ChatModel) -> tuple[list[Delta], ModelError]:
    """What came of an answer before it failed, and how it did."""
    seen: list[Delta] = []
    try:
        async with aclosing(model.chat(question())) as deltas:
            async for delta in deltas:
                seen.append(delta)  # noqa: PERF401 - what came before the error counts
    except ModelError as error:
        return seen, error
    raise AssertionError(f"the answer did not fail: {seen}")


def text_of(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
