"""OLLAMA_HOST, in all the forms that people write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.config.address import AddressError, base_url_from_host


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("localhost:8080", "http://localhost:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0:", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("::", "http://127.0.0.1:11434"),
        ("[::]:8080", "http://127.0.0.1:8080"),
        ("::1", "http://[::1]:11434"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("http://ollama", "http://ollama:80"),
        ("https://ollama.lan", "https://ollama.lan:443"),
        ("HTTP://127.0.0.1:11434/", "http://127.0.0.1:11434"),
        ("http://127.0.0.1:11434/ollama/", "http://127.0.0.1:11434/ollama"),
        ('"127.0.0.1:8080"', "http://127.0.0.1:8080"),
    ],
)
def test_an_address_becomes_a_base_url(text: str, url: str) -> None:
    assert base_url_from_host(text) == url


@pytest.mark.parametrize(
    "text",
    ["ftp://host", "host:port", "host:0", "host:65536", "me:secret@host", "[::1", "a b", "1::2::3",
     "host:٣", "host:" + "9" * 5000, "a..b", "xn--zzzzzz99999", "-host", "bücher"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressError):
        base_url_from_host(text)


@given(st.text())
def test_any_text_gives_a_base_url_or_an_address_error(text: str) -> None:
    try:
        url = base_url_from_host(text)
    except AddressError:
        return
    assert url.startswith(("http://", "https://"))
