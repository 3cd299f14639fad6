"""What a forgotten text is searched for by: found wherever it lies, and not to be read."""

import hashlib
import json
import os
import struct

from hypothesis import given
from hypothesis import strategies as st

from brain.store.fingerprints import SHORTEST, Matcher, fingerprints_of, is_too_short

KEY = bytes(range(32))
OTHER_KEY = bytes(32)

texts = st.text(min_size=SHORTEST, max_size=300)


def is_found(text: str, content: bytes, *, key: bytes = KEY) -> bool:
    return bool(Matcher(fingerprints_of([text], KEY), key).find(content))


@given(texts, st.binary(max_size=100), st.binary(max_size=100))
def test_a_text_is_found_at_any_offset(text: str, before: bytes, after: bytes) -> None:
    assert is_found(text, before + text.encode() + after)


@given(texts)
def test_a_text_is_found_in_json_in_either_spelling(text: str) -> None:
    for is_ascii in (True, False):
        assert is_found(text, json.dumps({"note": text}, ensure_ascii=is_ascii).encode())


@given(st.data())
def test_63_bytes_that_lie_together_are_found_wherever_the_text_was_cut(
    data: st.DataObject,
) -> None:
    text = data.draw(st.text("abcdefgh", min_size=63, max_size=400))
    start = data.draw(st.integers(0, len(text) - 63))
    assert is_found(text, b"\xff" * 5 + text[start : start + 63].encode() + b"\xff" * 5)


@given(st.text("abcdefgh", min_size=32, max_size=200), st.integers(32, 64))
def test_a_beginning_and_an_end_of_32_bytes_are_found(text: str, size: int) -> None:
    assert is_found(text, text[:size].encode())
    assert is_found(text, text[-size:].encode())


def test_each_line_of_a_text_is_found_where_it_stands_alone() -> None:
    text = "my first line of a few\nand the second one\nshort"
    assert is_found(text, b"+my first line of a few\n")
    assert is_found(text, b">   and the second one")


@given(st.binary(max_size=5000))
def test_what_is_not_there_is_not_found(content: bytes) -> None:
    assert not is_found("a text that no such bytes hold, whatever they are", content)


@given(texts, st.binary(min_size=16, max_size=16))
def test_without_the_key_nothing_is_found(text: str, salt: bytes) -> None:
    assert not is_found(text, salt + text.encode(), key=OTHER_KEY)


def test_a_text_that_is_too_short_has_no_fingerprint_and_one_of_twelve_bytes_has() -> None:
    assert is_too_short("x" * 11)
    short = Matcher(fingerprints_of(["PIN 4711"], KEY), KEY)
    assert short.find(b"my PIN 4711 is long") == set(), "it can't be told from chance"
    assert short.is_short_text(b"PIN 4711 ")
    assert not short.is_short_text(b"PIN 4712")
    assert fingerprints_of(["", " "], KEY) == b""
    assert not is_too_short("é" * 6)
    assert len(fingerprints_of(["abcdefghijkl"], KEY)) == 13


def test_fingerprints_hold_no_piece_of_the_text_and_none_of_its_windows_but_one_of_32() -> None:
    text = os.urandom(400).hex()
    prints = fingerprints_of([text], KEY)
    assert len(prints) == 13 * (800 // 32)
    assert not any(text[at : at + 4].encode() in prints for at in range(len(text) - 4))


def test_a_key_that_draws_what_stands_for_no_character_works_as_any_other() -> None:
    drawn = struct.Struct("<256H")
    key = next(
        key
        for key in (number.to_bytes(32, "big") for number in range(100_000))
        if 0xFFFE in drawn.unpack(hashlib.shake_256(key).digest(512))
    )
    text = "the spare key lies under the third flowerpot"
    every = bytes(range(256)) * 2
    matcher = Matcher(fingerprints_of([text], key), key)
    assert matcher.find(every + text.encode() + every)
