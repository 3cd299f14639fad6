"""What comes in through a pipe, line by line."""

import os
from collections.abc import Iterable

import pytest

from brain.cli.lines import follow_lines


async def lines_of(chunks: Iterable[bytes]) -> list[str]:
    reading, writing = os.pipe()
    try:
        for chunk in chunks:
            os.write(writing, chunk)
        os.close(writing)
        return [line async for line in follow_lines(reading)]
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    ("sent", "lines"),
    [
        pytest.param(b"one\ntwo\n", ["one", "two"], id="two lines"),
        pytest.param(b"one\ntwo", ["one", "two"], id="the last one unfinished"),
        pytest.param(b"one\r\ntwo\r\n", ["one", "two"], id="windows"),
        pytest.param(b"one\n\n two \n", ["one", "", " two "], id="empty line and spaces"),
        pytest.param(b"", [], id="nothing"),
        pytest.param(
            "a\u2028b\x0bc\x85d\n".encode(), ["a\u2028b\x0bc\x85d"], id="other separators stay"
        ),
        pytest.param(b"caf\xe9\n", ["caf\ufffd"], id="not utf-8"),
        pytest.param("日本語\n".encode(), ["日本語"], id="wide"),
    ],
)
async def test_a_line_feed_alone_ends_a_line(sent: bytes, lines: list[str]) -> None:
    assert await lines_of([sent]) == lines


async def test_a_character_may_be_cut_by_the_edge_of_a_chunk() -> None:
    reading, writing = os.pipe()
    source = follow_lines(reading)
    text = "日".encode()
    os.write(writing, b"one\n" + text[:1])

    first = await anext(source)
    os.write(writing, text[1:] + b"\n")
    second = await anext(source)
    os.close(writing)

    assert (first, second, [line async for line in source]) == ("one", "日", [])
    os.close(reading)
