"""A mark of remoteness is found wherever it counts, however it is written, and nowhere else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import BadReply, LocalityBroken
from brain.models.ollama.inspection import inspect_answer, join_pieces, normalise_chunk

pytestmark = pytest.mark.proves("P5")

KEYS = st.sampled_from(
    ["message", "models", "remote_host", "remote_model", "Remote_Host", "remote", "name", "x"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.text() | KEYS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(KEYS, inner), max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.lists(st.tuples(KEYS, VALUES), max_size=5)


class Chooser:
    """Says for each character whether it is written escaped."""

    def __init__(self, bits: list[bool]) -> None:
        self._bits = bits
        self._at = 0

    def write(self, text: str) -> str:
        return f'"{"".join(self._one(character) for character in text)}"'

    def _one(self, character: str) -> str:
        self._at += 1
        if self._bits[self._at % len(self._bits)] and ord(character) < 0x80:
            return f"\\u{ord(character):04x}"
        return json.dumps(character, ensure_ascii=False)[1:-1]


def is_object(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, tuple) for e in value)


def write(value: Any, chooser: Chooser) -> str:
    """JSON of a value in which a list of pairs is an object, so that keys may repeat."""
    if is_object(value):
        pairs = (f"{chooser.write(key)}: {write(each, chooser)}" for key, each in value)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(write(each, chooser) for each in value) + "]"
    return chooser.write(value) if isinstance(value, str) else json.dumps(value)


def says_remote(pairs: Any) -> bool:
    return any(key.lower() in ("remote_host", "remote_model") for key, _ in pairs)


def expected(document: Any) -> bool:
    entries = [
        entry
        for key, value in document
        if key == "models" and isinstance(value, list) and not is_object(value)
        for entry in value
        if is_object(entry) and any(key == "name" and each == "x" for key, each in entry)
    ]
    return says_remote(document) or any(says_remote(entry) for entry in entries)


@given(document=DOCUMENTS, bits=st.lists(st.booleans(), min_size=1, max_size=7))
def test_top_level_keys_and_those_of_the_models_own_entry_count_and_no_others(
    document: Any, bits: list[bool]
) -> None:
    chooser = Chooser(bits)
    text = write(document, chooser) if document else "{}"
    raw = text.encode("utf-8", "surrogatepass")
    try:
        inspect_answer(raw, is_own=lambda name: name == "x")
    except LocalityBroken:
        assert expected(document)
    except BadReply:
        assert not expected(document)  # half a surrogate pair is no UTF-8
    else:
        assert not expected(document)


@given(st.binary(max_size=200))
def test_any_bytes_are_inspected_without_another_error(raw: bytes) -> None:
    try:
        inspect_answer(raw, is_own=lambda _: True)
        normalise_chunk(raw)
    except (BadReply, LocalityBroken):
        return


@given(text=st.text(st.characters(exclude_categories=["Cs"])), is_ascii=st.booleans())
def test_a_normalised_chunk_says_what_the_chunk_said_on_one_line(text: str, is_ascii: bool) -> None:
    chunk = {"message": {"role": "assistant", "content": text}, "done": False}
    line = normalise_chunk(json.dumps(chunk, ensure_ascii=is_ascii).encode())
    assert json.loads(line) == chunk
    assert len(line.decode().splitlines()) == 1


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def piece(text: str, **more: Any) -> bytes:
    """One piece of text, written as Ollama writes it."""
    chunk = {
        "model": "llama3.2",
        "created_at": "2026-03-02T09:00:00Z",
        "message": {"role": "assistant", "content": text, **more},
        "done": False,
    }
    return json.dumps(chunk, ensure_ascii=False, separators=(",", ":")).encode()


def text_of(lines: list[bytes]) -> str:
    return "".join(json.loads(line)["message"]["content"] for line in lines)


@given(texts=st.lists(TEXTS))
def test_pieces_that_came_together_say_the_same_text_joined(texts: list[str]) -> None:
    lines = [piece(text) for text in texts]
    assert text_of(join_pieces(lines)) == "".join(texts)


def test_a_run_of_plain_pieces_becomes_one_and_everything_else_stays_in_its_place() -> None:
    call = piece("", tool_calls=[{"function": {"name": "time", "arguments": {}}}])
    broken = b'{"model":"llama3.2","created_at":'
    assert join_pieces(
        [piece("Good"), piece(' "day"'), call, piece("!"), broken, piece(" A"), piece(" B")]
    ) == [piece('Good "day"'), call, piece("!"), broken, piece(" A B")]


@pytest.mark.parametrize(
    "odd",
    [
        piece("x").replace(b'"x"', b'"\\ud83d"'),  # half a rune: joined it could become one
        piece("x").replace(b'"x"', b'"a\tb"'),  # no JSON
        piece("x").replace(b'"x"', b'"a\\qb"'),  # no JSON
        piece("x").replace(b'"done":false', b'"done":true'),
        piece("x", thinking="Hm."),
        piece("x")[:-1] + b',"remote_host":"x"}',
        piece("x") + piece("y"),
        b"",
    ],
)
def test_a_line_that_is_more_than_a_plain_piece_is_never_joined(odd: bytes) -> None:
    assert join_pieces([odd, odd, piece("y")]) == [odd, odd, piece("y")]
