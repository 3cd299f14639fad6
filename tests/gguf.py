"""Small files in the shape of weights, made by us: a header that says what a test needs."""

import struct
from typing import Any

__all__ = ["gguf_bytes"]


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, list) and value and isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))
    if isinstance(value, list):
        return struct.pack("<IIQ", 9, 4, len(value)) + struct.pack(f"<{len(value)}I", *value)
    return struct.pack("<II", 4, value)


def gguf_bytes(*, context: int = 8192, version: int = 3, tensors: int = 1, **more: Any) -> bytes:
    """Return a whole file of 2 layers with 4 heads of 16 numbers, all cached: 512 bytes a token."""
    known = {
        "general.architecture": "small",
        "small.context_length": context,
        "small.block_count": 2,
        "small.embedding_length": 64,
        "small.attention.head_count": 4,
        "tokenizer.ggml.tokens": [f"word{number}" for number in range(2000)],
        "tokenizer.ggml.token_type": list(range(2000)),
        **more,
    }
    head = b"GGUF" + struct.pack("<IQQ", version, tensors, len(known))
    head += b"".join(_text(key) + _value(value) for key, value in known.items())
    for number in range(tensors):
        head += _text(f"layer{number}") + struct.pack("<IQIQ", 1, 64, 0, number * 256)
    return head + bytes(-len(head) % 32) + bytes(256 * tensors)
