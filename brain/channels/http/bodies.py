"""What a request says: its body and its query, held to their limits before anything looks at them."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from starlette.requests import Request

from brain.channels.http.refusal import Refusal
from brain.counts import counted

__all__ = [
    "BODY_BYTES",
    "BODY_SECONDS",
    "NAME_RUNES",
    "Fields",
    "key_of",
    "limit_of",
    "name_in",
    "number_of",
    "query_of",
    "read_body",
    "read_fields",
    "read_json",
]

BODY_BYTES: Final = 1_048_576
BODY_SECONDS: Final = 30.0
"""How long a body may take to come: who sends a byte a minute holds nothing for long."""
DISCARDED_BYTES: Final = 8 * BODY_BYTES
"""So much is read, and not kept, of a body that is too large: a sender that is cut off while it sends
never sees the answer."""

LIMIT: Final = 200
LIMIT_AT_MOST: Final = 1000

DEEPEST: Final = 64
MOST_DIGITS: Final = 1000
"""Of a whole number: what it takes to read one grows with the square of its digits."""

NAME_RUNES: Final = 200
"""The longest name or key that is taken; a longer one is refused, for cut it would be another's."""


async def read_body(request: Request, *, media_type: str = "application/json") -> bytes:
    """Return the body. Raises Refusal for another type, too many bytes, or too slow ones."""
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() != media_type:
        raise Refusal(415, "wrong_type", f"the body has to be {media_type}; say so in Content-Type")
    pieces, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > DISCARDED_BYTES:
                    raise _too_large()
                if size <= BODY_BYTES:
                    pieces.append(piece)
    except TimeoutError:
        raise Refusal(
            408, "too_slow", f"the body did not come within {BODY_SECONDS:.0f} seconds"
        ) from None
    if size > BODY_BYTES:
        raise _too_large()
    return b"".join(pieces)


async def read_json(request: Request) -> Any:
    """Return the value that the body is. Raises Refusal."""
    body = await read_body(request)
    try:
        value = json.loads(
            body.decode("utf-8"),
            parse_constant=_no_constant,
            parse_int=_whole,
            object_pairs_hook=_once,
        )
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError:
        raise Refusal(400, "not_json", "the body is no text in UTF-8") from None
    except ValueError as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise Refusal(400, "not_json", f"the body can't be read as JSON: {what}") from None
    _look_through(value)
    return value


async def read_fields(request: Request) -> "Fields":
    """Return the members of the object that the body is. Raises Refusal."""
    value = await read_json(request)
    if not isinstance(value, Mapping):
        raise Refusal(400, "wrong_shape", "the body has to be a JSON object")
    return Fields(value)


class Fields:
    """The members of an object: each is asked for by name, and what nobody asked for is refused."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._left = dict(members)

    def text(self, name: str, *, at_most: int, is_required: bool = False) -> str:
        """Return a text, empty where it is absent and not required. Raises Refusal."""
        value = self._left.pop(name, None)
        if value is None and not is_required:
            return ""
        if not isinstance(value, str):
            raise Refusal(400, "wrong_field", f"{name!r} has to be a text", path=name)
        if is_required and not value.strip():
            raise Refusal(400, "wrong_field", f"{name!r} has to hold something", path=name)
        if len(value) > at_most:
            raise Refusal(
                400,
                "wrong_field",
                f"{name!r} has {counted(len(value), 'character')}; at most {at_most}",
                path=name,
            )
        return value

    def flag(self, name: str) -> bool:
        """Return true or false, false where it is absent. Raises Refusal."""
        value = self._left.pop(name, None)
        value = False if value is None else value
        if not isinstance(value, bool):
            raise Refusal(400, "wrong_field", f"{name!r} has to be true or false", path=name)
        return value

    def value(self, name: str) -> Any:
        """Return whatever stands there, None where nothing does."""
        return self._left.pop(name, None)

    def end(self) -> None:
        """Raise Refusal where something is left that was not asked for."""
        for name in self._left:
            raise Refusal(400, "unknown_field", "there is no such field", path=name[:80])


def query_of(request: Request, *names: str) -> Mapping[str, str]:
    """Return the parameters of the query, empty where absent. Raises Refusal for any other."""
    given = request.query_params.multi_items()
    for name, _ in given:
        if name not in names:
            told = f"this route knows: {', '.join(names)}" if names else "this route has none"
            raise Refusal(400, "unknown_parameter", f"no such parameter; {told}", path=name[:80])
        if len([1 for other, _ in given if other == name]) > 1:
            raise Refusal(400, "repeated_parameter", "give it once", path=name)
    found = dict(given)
    return {name: found.get(name, "") for name in names}


def number_of(
    text: str | None, name: str, *, at_least: int = 0, at_most: int = 10**18
) -> int | None:
    """Return the whole number that a parameter or header is, None for none. Raises Refusal."""
    if text is None:
        return None
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(at_most))
    if not is_number or not at_least <= int(text) <= at_most:
        told = f"a whole number from {at_least} to {at_most}"
        raise Refusal(400, "wrong_parameter", told, path=name)
    return int(text)


def limit_of(request: Request) -> int:
    """Return how many rows a listing may have: `limit`, or as many as suit most. Raises Refusal."""
    given = request.query_params.get("limit")
    limit = number_of(given, "limit", at_least=1, at_most=LIMIT_AT_MOST)
    return LIMIT if limit is None else limit


def name_in(request: Request, header: str) -> str:
    """Return the name that a header holds, empty where there is none. Raises Refusal."""
    names = {text.strip() for text in request.headers.getlist(header)}
    if len(names) > 1:
        raise Refusal(400, "wrong_header", "it came twice, and not the same", path=header)
    name = "".join(names)
    if len(name) > NAME_RUNES:
        raise Refusal(400, "wrong_header", f"at most {NAME_RUNES} characters", path=header)
    return name


def key_of(request: Request) -> str:
    """Return the sender's own mark of a message, by which it is known when it comes again."""
    return name_in(request, "X-Idempotency-Key")


def _look_through(value: Any) -> None:
    """Refuse what is nested too deep, and texts that no file can hold."""
    waiting: list[Iterator[Any]] = [iter((value,))]
    while waiting:
        item = next(waiting[-1], _END)
        if item is _END:
            waiting.pop()
        elif isinstance(item, str):
            _refuse_halves(item)
        elif isinstance(item, Mapping):
            for name in item:
                _refuse_halves(name)
            waiting.append(iter(item.values()))
        elif isinstance(item, list):
            waiting.append(iter(item))
        if len(waiting) > DEEPEST + 1:
            raise _too_deep()


_END: Final = object()


def _refuse_halves(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Refusal(400, "bad_text", "a text holds half of a surrogate pair") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands in one object twice")
    return members


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has {len(digits)} digits; at most {MOST_DIGITS}")
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _too_large() -> Refusal:
    return Refusal(413, "too_large", f"the body is larger than {BODY_BYTES} bytes")


def _too_deep() -> Refusal:
    return Refusal(400, "too_deep", f"the body is nested deeper than {DEEPEST}")
