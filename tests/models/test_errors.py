"""Whatever the client or its libraries raise becomes a ModelError."""

import inspect
import json

import httpx
import ollama
import pydantic
import pytest

from brain.errors import (
    BadReply,
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    PromptTooLong,
    ToolsUnsupported,
)
from brain.models import ERRORS_BY_CODE, code_of
from brain.models.ollama.address import parse_endpoint
from brain.models.ollama.translate import FOREIGN, model_errors, translate

ENDPOINT = parse_endpoint("http://127.0.0.1:11434")


def raised_by(module: object) -> list[type[Exception]]:
    return [
        cls
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if issubclass(cls, Exception) and not issubclass(cls, Warning)
    ]


@pytest.mark.parametrize("cls", [*raised_by(httpx), *raised_by(ollama), pydantic.ValidationError])
def test_no_error_of_the_client_is_missed(cls: type[Exception]) -> None:
    assert issubclass(cls, FOREIGN)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ConnectError("x"), ModelUnreachable),
        (ConnectionError("x"), ModelUnreachable),
        (ConnectionResetError("x"), ModelUnreachable),
        (httpx.ReadError("x"), ModelUnreachable),
        (httpx.UnsupportedProtocol("x"), ModelUnreachable),
        (httpx.InvalidURL("x"), ModelUnreachable),
        (httpx.ReadTimeout("x"), ModelTimedOut),
        (httpx.ConnectTimeout("x"), ModelTimedOut),
        (httpx.RemoteProtocolError("x"), BadReply),
        (httpx.DecodingError("x"), BadReply),
        (json.JSONDecodeError("x", "", 0), BadReply),
        (AttributeError("x"), BadReply),
        (TypeError("x"), BadReply),
        (ollama.RequestError("x"), ModelRefused),
        (ollama.ResponseError("model 'x' not found", 404), ModelMissing),
        (ollama.ResponseError("pull model manifest: file does not exist"), ModelMissing),
        (ollama.ResponseError("404 page not found", 404), ModelRefused),
        (ollama.ResponseError("server busy", 503), ModelBusy),
        (ollama.ResponseError("slow down", 429), ModelBusy),
        (ollama.ResponseError('"x" does not support tools', 400), ToolsUnsupported),
        (ollama.ResponseError("input exceeds the context length", 400), PromptTooLong),
        (ollama.ResponseError("prompt too long", 400), PromptTooLong),
        (ollama.ResponseError("model requires more system memory", 500), ModelRefused),
        (ollama.ResponseError("runner terminated", -1), ModelRefused),
    ],
)
def test_each_error_has_its_meaning(error: Exception, kind: type[ModelError]) -> None:
    translated = translate(error, model_id="llama3.2", endpoint=ENDPOINT)
    assert type(translated) is kind
    assert (
        "11434" in translated.message
        or "llama3.2" in translated.message
        or "busy" in str(translated)
    )


def test_the_cause_is_kept_for_the_log() -> None:
    cause = httpx.ReadError("x")
    with (
        pytest.raises(ModelUnreachable) as raised,
        model_errors(model_id="llama3.2", endpoint=ENDPOINT),
    ):
        raise cause
    assert raised.value.__cause__ is cause


def test_every_model_error_has_a_word_of_its_own() -> None:
    assert {code_of(kind("x")) for kind in ERRORS_BY_CODE.values()} == set(ERRORS_BY_CODE)
    assert set(ERRORS_BY_CODE.values()) == set(ModelError.__subclasses__())
    assert code_of(ModelError("x")) == "failed"
