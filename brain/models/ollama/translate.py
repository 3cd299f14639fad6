"""One map of errors around the ollama client: whatever it raises becomes a ModelError."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pydantic

from brain.errors import (
    BadReply,
    ModelError,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
)
from brain.models.ollama.address import Endpoint, nothing_answers
from brain.models.ollama.library import httpx, ollama
from brain.models.ollama.refusals import refusal

__all__ = ["FOREIGN", "model_errors", "translate"]

FOREIGN: Final = (
    ollama.ResponseError,
    ollama.RequestError,
    pydantic.ValidationError,
    httpx.HTTPError,
    httpx.InvalidURL,
    httpx.CookieConflict,
    httpx.StreamError,
    json.JSONDecodeError,
    OSError,
    # what the client itself stumbles into when an answer is of another shape than its types
    AttributeError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
"""All that the client raises, for answers that are as they should be and for those that are not."""


@contextmanager
def model_errors(*, model_id: str, endpoint: Endpoint) -> Iterator[None]:
    """Let nothing but ModelErrors out of the calls of the client inside."""
    try:
        yield
    except FOREIGN as error:
        raise translate(error, model_id=model_id, endpoint=endpoint) from error


def translate(error: Exception, *, model_id: str, endpoint: Endpoint) -> ModelError:
    """Return the ModelError that says in our words what `error` says in the client's.

    The server's own text is looked at and not passed on: it may hold what the model wrote.
    """
    if isinstance(error, ollama.ResponseError):
        return refusal(error.status_code, error.error, model_id=model_id, endpoint=endpoint)
    if isinstance(error, ollama.RequestError):
        return ModelRefused(f"the request to {model_id!r} is not one that can be sent")
    if isinstance(error, httpx.TransportError | httpx.InvalidURL | OSError):
        return _of_connection(error, endpoint)
    return BadReply(f"the answer of {model_id!r} is malformed")


def _of_connection(error: Exception, endpoint: Endpoint) -> ModelError:
    match error:
        case httpx.DecodingError() | httpx.RemoteProtocolError():
            return BadReply(f"the answer from {endpoint.shown} does not follow HTTP")
        case httpx.TimeoutException() | TimeoutError():
            return ModelTimedOut(f"no answer from {endpoint.shown} in time")
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return ModelUnreachable(f"{endpoint.shown} can't be used as an address")
        case _:
            return nothing_answers(endpoint)
