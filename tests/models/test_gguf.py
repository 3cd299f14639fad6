"""What the header of a weights file says, and which files are none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.models.gguf import Header, NotWeights, read_header
from tests.gguf import gguf_bytes

WHOLE = gguf_bytes()


def written(folder: Path, content: bytes) -> Path:
    path = folder / "x.gguf"
    path.write_bytes(content)
    return path


def test_a_header_says_how_long_a_context_may_be_and_what_it_costs(tmp_path: Path) -> None:
    assert read_header(written(tmp_path, WHOLE)) == Header(
        file_bytes=len(WHOLE), trained_context=8192, cache_bytes=512
    )


@pytest.mark.parametrize(
    ("more", "cache_bytes"),
    [
        ({"small.attention.head_count_kv": 1}, 2 * 1 * 32 * 2),
        ({"small.attention.head_count_kv": [1, 3]}, 4 * 32 * 2),
        ({"small.attention.key_length": 32, "small.attention.value_length": 8}, 2 * 4 * 40 * 2),
        ({"small.attention.head_count": 0}, 0),
        ({"small.block_count": "two"}, 0),
    ],
)
def test_the_cache_is_counted_by_layers_heads_and_their_widths(
    tmp_path: Path, more: dict[str, object], cache_bytes: int
) -> None:
    path = written(tmp_path, gguf_bytes(**more))
    assert read_header(path).cache_bytes == cache_bytes


@pytest.mark.model
def test_the_header_of_a_real_model_is_read(small_model_path: Path) -> None:
    assert read_header(small_model_path) == Header(
        file_bytes=98_362_432, trained_context=8192, cache_bytes=23_040
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b"\x00" * 4000, "it begins with"),
        (b"GG", "it begins with"),
        (b"GGUF", "ends inside its header"),
        (b"GGUF" + b"\xff" * 4000, "version 4294967295"),
        (gguf_bytes(version=1), "version 1, 2 and 3 are known"),
        (b"GGUF\x03\x00\x00\x00" + b"\xff" * 4000, "tensors: it is damaged"),
        (gguf_bytes(tensors=0), "it holds no weights"),
        (WHOLE[:-1], "it is cut"),
        (WHOLE[:200], "ends inside its header"),
    ],
)
def test_a_file_that_is_empty_random_or_cut_is_none(
    tmp_path: Path, content: bytes, told: str
) -> None:
    with pytest.raises(NotWeights, match=told):
        read_header(written(tmp_path, content))


@given(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=16))
def test_no_damage_makes_anything_but_a_header_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, at: int, damage: bytes
) -> None:
    path = written(tmp_path_factory.mktemp("damaged"), WHOLE[:at] + damage + WHOLE[at + 16 :])
    try:
        assert read_header(path).file_bytes == path.stat().st_size
    except NotWeights as error:
        assert str(error)  # noqa: PT017 - either is right
