"""What an answer says about where it comes from, and the shape the typed client can read. Pure.

The answer is searched as bytes first, since nearly every chunk is innocent; only where the search
hits is it parsed. Keys at the top of a document count, and those of the model's own entry under
`models`: the same words in a text or a template are no alarm. A key is found whether it is
escaped, given twice, in another case, or in UTF-16.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from brain.errors import BadReply, LocalityBroken
from brain.models.ollama.names import is_cloud_name

__all__ = [
    "Pairs",
    "inspect_answer",
    "is_innocent",
    "join_pieces",
    "normalise_chunk",
    "parse_strictly",
]

_NAME_RUNES: Final = 64
_REMOTE_KEYS: Final = frozenset({"remote_host", "remote_model"})
_MARKS: Final = (b"remote_", b"\\u00", b"\0", b"cloud")
# str.splitlines, which httpx follows, takes these for the end of a line; in JSON they are text.
_LINE_ENDS: Final = (
    (b"\xc2\x85", b"\\u0085"),
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
)
# A piece of plain text and nothing else, written as Ollama writes it. No `\\u`: two halves of a
# surrogate pair must not become one rune by being joined.
_PLAIN: Final = rb'[^"\\\x00-\x1f]*+'
_PIECE: Final = re.compile(
    rb'(\{"model":"%b","created_at":"%b","message":\{"role":"assistant","content":")'
    rb'(%b(?:\\["\\/bfnrt]%b)*+)"\},"done":false\}' % (_PLAIN, _PLAIN, _PLAIN, _PLAIN)
)
_PIECE_END: Final = b'"},"done":false}'


class Pairs(list[tuple[str, Any]]):
    """A JSON object with every key that was given, in order."""


def parse_strictly(text: str | bytes) -> Any:
    """Parse JSON, keeping objects as `Pairs`. Raises BadReply where it is none."""
    try:
        return json.loads(text, object_pairs_hook=Pairs, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadReply("the server's answer is not valid JSON") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def inspect_answer(raw: bytes, *, is_own: Callable[[str], bool]) -> None:
    """Look at one line or one whole document before anything of it is used.

    Raises LocalityBroken where it says that it comes from another machine, BadReply where it is
    not UTF-8. `is_own` tells by name whether an entry under `models` is the model that is asked.
    """
    if _has_marks(raw):
        _inspect_closely(raw, is_own)
    if b"\0" in raw:
        raise BadReply("the server's answer is not UTF-8 text")
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise BadReply("the server's answer is not UTF-8 text") from error


def is_innocent(raw: bytes) -> bool:
    """Tell whether several lines at once need no closer look: nearly always they need none."""
    if _has_marks(raw):
        return False
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _has_marks(raw: bytes) -> bool:
    lowered = raw.lower()
    return any(mark in lowered for mark in _MARKS)


def _inspect_closely(raw: bytes, is_own: Callable[[str], bool]) -> None:
    document = parse_strictly(raw)  # of bytes it also finds UTF-16 and UTF-32
    if not isinstance(document, Pairs):
        return
    found = _remote_key(document)
    if found:
        raise _broken(found)
    _refuse_cloud_name(document)
    for key, value in document:
        if key.lower() != "models" or not isinstance(value, list) or isinstance(value, Pairs):
            continue
        for entry in value:
            if isinstance(entry, Pairs) and _is_entry_of(entry, is_own):
                found = _remote_key(entry)
                if found:
                    raise _broken(found)


def _refuse_cloud_name(document: Pairs) -> None:
    """Raise LocalityBroken where the model that answered has the name of a cloud model."""
    for key, value in document:
        if key.lower() == "model" and isinstance(value, str) and is_cloud_name(value):
            raise LocalityBroken(
                f"the server's answer says that it came from {value[:_NAME_RUNES]!r}, the name of a "
                "model that Ollama forwards to its cloud",
                fix="use a model that runs here; `brain models release` puts this one back",
            )


def _remote_key(document: Pairs) -> str:
    return next((key.lower() for key, _ in document if key.lower() in _REMOTE_KEYS), "")


def _is_entry_of(entry: Pairs, is_own: Callable[[str], bool]) -> bool:
    return any(
        key.lower() in ("name", "model") and isinstance(value, str) and is_own(value)
        for key, value in entry
    )


def _broken(key: str) -> LocalityBroken:
    return LocalityBroken(
        f"the server's answer carries {key!r}: it was computed on another machine",
        fix="use a model that runs here; `brain models release` puts this one back",
    )


def join_pieces(lines: Iterable[bytes]) -> list[bytes]:
    """Return the lines of a chat with each run of plain pieces of text as one: what came together.

    The text and its order stay; a line that is anything else stays as it is. Each chunk costs the
    typed client more than all that is done with its text.
    """
    joined: list[bytes] = []
    run: list[bytes] = []
    for line in lines:
        piece = _PIECE.fullmatch(line)
        if piece is None:
            _end_run(run, joined)
            joined.append(line)
        else:
            run += (piece[2],) if run else piece.group(1, 2)
    _end_run(run, joined)
    return joined


def _end_run(run: list[bytes], joined: list[bytes]) -> None:
    if run:
        joined.append(b"".join((*run, _PIECE_END)))
        run.clear()


def normalise_chunk(line: bytes) -> bytes:
    """Give one inspected chunk of a chat the shape that the typed client takes.

    A missing message becomes an empty one. Each native call rides whole, as the server gave it,
    under `arguments`, because the client's types lose its id and refuse arguments that are no
    object. Line ends that are text are escaped. Raises BadReply where the line is no JSON object.
    """
    if not line.isascii():
        for end, escape in _LINE_ENDS:
            line = line.replace(end, escape)
    if b'"message":{"role":' in line and b'"tool_calls"' not in line and b"\\u00" not in line:
        return line
    try:
        chunk = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadReply("a part of the server's answer is not valid JSON") from error
    if not isinstance(chunk, dict):
        raise BadReply("a part of the server's answer is no JSON object")
    if "error" in chunk:
        return line
    message = chunk.get("message")
    if message is None:
        message = {}
    if not isinstance(message, dict):
        raise BadReply("a part of the server's answer has a message of an unknown shape")
    chunk["message"] = {"role": "assistant", "content": "", **message}
    if message.get("tool_calls") is not None:
        chunk["message"]["tool_calls"] = _wrap_calls(message["tool_calls"])
    return json.dumps(chunk, separators=(",", ":")).encode()


def _wrap_calls(calls: Any) -> list[dict[str, Any]]:
    whole = calls if isinstance(calls, list) else [calls]
    return [{"function": {"name": "", "arguments": {"call": call}}} for call in whole]
