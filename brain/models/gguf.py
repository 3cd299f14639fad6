"""What the header of a weights file says: whether it is one, whole, and what a context costs.

Reads the metadata of a GGUF file (version 2 and 3, https://github.com/ggml-org/ggml, docs/gguf.md)
and where its tensors end; the weights themselves are neither read nor loaded.
"""

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Header", "NotWeights", "read_header"]

_MAGIC: Final = b"GGUF"
_VERSIONS: Final = (2, 3)
_U32: Final = struct.Struct("<I")
_U64: Final = struct.Struct("<Q")
_FORMS: Final = "BbHhIif?"
_FIXED: Final = {
    **{kind: struct.Struct(f"<{form}") for kind, form in enumerate(_FORMS)},
    10: _U64, 11: struct.Struct("<q"), 12: struct.Struct("<d"),
}  # fmt: skip
_READ_BYTES: Final = (8 * 1024 * 1024, 256 * 1024 * 1024)  # headers have a few megabytes
_STRING: Final = 8
_ARRAY: Final = 9
_KEYS_LIMIT: Final = 65_536
_TENSORS_LIMIT: Final = 1_048_576
_ITEMS_LIMIT: Final = 16_777_216
_TEXT_BYTES: Final = 16 * 1024 * 1024
_DIMENSIONS: Final = 8
_KEPT_ITEMS: Final = 1024  # of an array: layers are counted so, words of a vocabulary are passed by
_ALIGNMENT: Final = 32  # where the file names none
_CACHE_BYTES: Final = 2  # of one number in the cache: half precision
_BLOCKS: Final = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 36), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 30: (1, 2),
}  # fmt: skip
"""Numbers in a block and bytes it takes, by type. Of another type only the beginning is checked."""

Value = int | float | bool | str | list["Value"] | None


class NotWeights(Exception):
    """The file is no whole weights file; the message says in a few words why."""


class _EndsHere(Exception):
    """What was read of the file ends before its header does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a weights file says of itself. 0 stands for what it does not say.

    `trained_context` is in tokens, `cache_bytes` what each token of a context takes at most.
    """

    file_bytes: int
    trained_context: int
    cache_bytes: int


def read_header(path: Path) -> Header:
    """Read the header of the file at `path`. Raises NotWeights, and OSError for what can't be read."""
    file_bytes = path.stat().st_size
    for limit in _READ_BYTES:
        with path.open("rb") as file:
            content = file.read(limit)
        try:
            return _parse(content, file_bytes)
        except _EndsHere as error:
            if len(content) >= file_bytes:
                raise NotWeights("it ends inside its header: it is cut") from error
    raise NotWeights(f"its header is longer than {_READ_BYTES[-1]} bytes: it is damaged")


def _parse(content: bytes, file_bytes: int) -> Header:
    if not content:
        raise NotWeights("the file is empty")
    begin = content[: len(_MAGIC)]
    if begin != _MAGIC:
        raise NotWeights(f"it begins with {begin!r}, a weights file with {_MAGIC!r}")
    reading = _Reading(content, at=len(_MAGIC))
    if (version := reading.number(_U32)) not in _VERSIONS:
        raise NotWeights(f"it is a GGUF file of version {version}, 2 and 3 are known")
    tensors = reading.count(_U64, _TENSORS_LIMIT, "tensors")
    keys = reading.count(_U64, _KEYS_LIMIT, "keys")
    known = {reading.text(): reading.value() for _ in range(keys)}
    end = max((reading.tensor() for _ in range(tensors)), default=0)
    if tensors == 0:
        raise NotWeights("it holds no weights")
    alignment = _whole(known.get("general.alignment")) or _ALIGNMENT
    expected = -(-reading.at // alignment) * alignment + end
    if file_bytes < expected:
        raise NotWeights(
            f"it has {file_bytes} bytes and its header speaks of {expected}: it is cut"
        )
    return _header(known, file_bytes)


def _header(known: Mapping[str, Value], file_bytes: int) -> Header:
    family = known.get("general.architecture")

    def named(key: str) -> Value:
        return known.get(f"{family}.{key}")

    heads, width = _largest(named("attention.head_count")), _whole(named("embedding_length"))
    head_width = width // heads if heads else 0
    numbers = (_whole(named("attention.key_length")) or head_width) + (
        _whole(named("attention.value_length")) or head_width
    )
    layers = _whole(named("block_count"))
    cached = named("attention.head_count_kv") or named("attention.head_count")
    in_all = sum(map(_whole, cached)) if isinstance(cached, list) else layers * _whole(cached)
    return Header(
        file_bytes=file_bytes,
        trained_context=_whole(named("context_length")),
        cache_bytes=in_all * numbers * _CACHE_BYTES,
    )


def _largest(value: Value) -> int:
    return max(map(_whole, value), default=0) if isinstance(value, list) else _whole(value)


def _whole(value: Value) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


class _Reading:
    """The beginning of a file, read on from `at`. Everything it says of sizes is doubted."""

    def __init__(self, content: bytes, *, at: int) -> None:
        self.at = at
        self._content = content

    def number(self, form: struct.Struct) -> int:
        return int(self._unpack(form))

    def count(self, form: struct.Struct, limit: int, what: str) -> int:
        count = self.number(form)
        if count > limit:
            raise NotWeights(f"its header speaks of {count} {what}: it is damaged")
        return count

    def text(self) -> str:
        size = self.count(_U64, _TEXT_BYTES, "bytes of a text")
        begin = self.at
        self._pass(size)
        return self._content[begin : self.at].decode("utf-8", "replace")

    def value(self) -> Value:
        return self._value_of(self.number(_U32), depth=0)

    def tensor(self) -> int:
        """Read what is said of one tensor; return where it ends among all of them."""
        self.text()
        shape = [self.number(_U64) for _ in range(self.count(_U32, _DIMENSIONS, "dimensions"))]
        kind, at = self.number(_U32), self.number(_U64)
        in_block, block_bytes = _BLOCKS.get(kind, (1, 0))
        return at + math.prod(shape) // in_block * block_bytes

    def _value_of(self, kind: int, *, depth: int) -> Value:
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY and depth == 0:
            return self._array()
        if kind not in _FIXED:
            raise NotWeights(f"its header has a value of an unknown type ({kind})")
        return self._unpack(_FIXED[kind])

    def _array(self) -> Value:
        kind = self.number(_U32)
        count = self.count(_U64, _ITEMS_LIMIT, "items of a list")
        if count <= _KEPT_ITEMS:
            return [self._value_of(kind, depth=1) for _ in range(count)]
        if kind in _FIXED:
            self._pass(count * _FIXED[kind].size)
        elif kind == _STRING:
            self._pass_texts(count)
        else:
            raise NotWeights(f"its header has a list of an unknown type ({kind})")
        return None

    def _pass_texts(self, count: int) -> None:
        unpack, content, at = _U64.unpack_from, self._content, self.at
        try:
            for _ in range(count):
                at += unpack(content, at)[0] + 8
        except (struct.error, OverflowError, IndexError) as error:
            raise _EndsHere from error
        self._pass(at - self.at)

    def _pass(self, size: int) -> None:
        if self.at + size > len(self._content):
            raise _EndsHere
        self.at += size

    def _unpack(self, form: struct.Struct) -> int | float | bool:
        begin = self.at
        self._pass(form.size)
        value: int | float | bool = form.unpack_from(self._content, begin)[0]
        return value
