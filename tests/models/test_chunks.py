"""What h11 reads of a body is the same, whether its chunks are joined before or not."""

import h11
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.models.ollama.chunks import Chunks

HEAD = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"


def as_chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


PARTS = st.one_of(
    st.binary(min_size=1, max_size=40).map(as_chunk),
    st.sampled_from(
        [
            END, b"5;note=x\r\nhello\r\n", b"5 \r\nhello\r\n", b"00000005\r\nhello\r\n",
            b"3\r\nabcd\r\n", b"3\r\nabc\n", b"3\nabc\r\n", b"G\r\n", b"\r\n", b"-1\r\n",
            b"0\r\nnote: x\r\n\r\n", b"1ffff\r\n", b"HTTP/1.1 200 OK\r\n\r\n",
        ]
    ),
    st.binary(max_size=4),
)  # fmt: skip


def read(received: list[bytes], *, joined: bool) -> tuple[bytes, str]:
    """The body as h11 reads it, how it ended, and what came behind its end."""
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("host", "x")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(HEAD)
    assert isinstance(connection.next_event(), h11.Response)
    chunks = Chunks()
    if joined:
        chunks.begin()
    body = b""
    try:
        for given in [*map(chunks.take, received), chunks.rest()]:
            if given:
                connection.receive_data(given)
            while isinstance(event := connection.next_event(), h11.Data):
                body += bytes(event.data)
            if isinstance(event, h11.EndOfMessage):
                return body, f"whole {list(event.headers)} {len(connection.trailing_data[0])}"
        connection.receive_data(b"")
        connection.next_event()
    except h11.RemoteProtocolError:
        return body, "no HTTP, or cut off"
    raise AssertionError("h11 takes the end of a connection for no fault")


@given(parts=st.lists(PARTS, max_size=8), sizes=st.lists(st.integers(1, 60), min_size=1))
@example(parts=[as_chunk(b"a"), as_chunk(b"b"), END], sizes=[60])
@example(parts=[as_chunk(b"a") + as_chunk(b"b") + as_chunk(b"c")[:-1], b"x", END], sizes=[16, 1])
def test_a_body_is_the_same_joined_and_as_it_came(parts: list[bytes], sizes: list[int]) -> None:
    stream = b"".join(parts)
    received: list[bytes] = []
    while stream:
        size = sizes[len(received) % len(sizes)]
        received.append(stream[:size])
        stream = stream[size:]
    assert read(received, joined=True) == read(received, joined=False)


@pytest.mark.parametrize(
    ("received", "given_on"),
    [
        (as_chunk(b"ab") + as_chunk(b"c"), as_chunk(b"abc")),
        (as_chunk(b"ab") + b"5\r\nhe", as_chunk(b"ab")),
        (as_chunk(b"ab") + as_chunk(b"c") + END, as_chunk(b"abc") + END),
        (as_chunk(b"ab") + b"fffff\r\n" + b"x" * 70_000, as_chunk(b"ab") + b"fffff\r\n" + b"x" * 70_000),
        (b"5;note=x\r\nhello\r\n", b"5;note=x\r\nhello\r\n"),
    ],
)  # fmt: skip
def test_whole_chunks_go_on_as_one_and_what_is_not_plain_as_it_came(
    received: bytes, given_on: bytes
) -> None:
    chunks = Chunks()
    chunks.begin()
    assert chunks.take(received) == given_on


def test_a_chunk_whose_end_is_still_to_come_is_handed_on_with_it() -> None:
    chunks = Chunks()
    chunks.begin()
    assert [chunks.take(b"5\r\nhe"), chunks.take(b"llo\r"), chunks.take(b"\n")] == [
        b"", b"", as_chunk(b"hello"),
    ]  # fmt: skip
    assert chunks.rest() == b""
