"""The door through which the owner makes an Ollama server fetch a model, and lists what it has.

Fetching makes the server leave the machine: only the owner's own command goes through here, over a
road that is opened for it and knows no other path.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from brain.config import Model
from brain.errors import BadReply, ModelTimedOut, NotLocal
from brain.models.ollama.address import Resolve, parse_endpoint, resolve_host
from brain.models.ollama.names import is_cloud_name

if TYPE_CHECKING:
    from brain.models.ollama.road import Road

__all__ = ["HostedModel", "PullProgress", "list_hosted", "pull"]

_PULL_PATHS: Final = frozenset({"/api/pull"})
_LIST_PATHS: Final = frozenset({"/api/tags"})
_PULL_SECONDS: Final = 300.0  # between two reports: a server that checks a digest is silent
_CONNECT_SECONDS: Final = 2.0
_LIST_SECONDS: Final = 10.0
_OK: Final = 200
_SUCCESS: Final = "success"


@dataclass(frozen=True, slots=True, kw_only=True)
class PullProgress:
    """How far a pull is. `status` is the server's word; the bytes are of the part it names."""

    status: str
    completed_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedModel:
    """A model that a server lists. `is_remote`: its name or its entry says that it runs elsewhere."""

    name: str
    size_bytes: int
    is_remote: bool


async def pull(
    settings: Model, *, resolve: Resolve = resolve_host
) -> AsyncGenerator[PullProgress, None]:
    """Have the server of `settings` fetch its model; yield how far it is.

    Raises NotLocal for a name of a cloud model that claims to be local, ModelMissing for one that
    nobody publishes, BadReply for a pull that broke off, and the other ModelErrors of a call.
    """
    if settings.locality == "local" and is_cloud_name(settings.model_id):
        raise NotLocal(
            f"{settings.model_id!r} is the name of a model that Ollama forwards to its cloud"
        )
    from brain.models.ollama.client import open_client
    from brain.models.ollama.translate import model_errors
    from brain.models.ollama.transport import OllamaTransport

    async with _open_road(settings, resolve, _PULL_PATHS) as road:
        client = open_client(OllamaTransport(road), read_seconds=_PULL_SECONDS)
        with model_errors(model_id=settings.model_id, endpoint=road.endpoint):
            last = ""
            reports: Any = await client.pull(settings.model_id, stream=True)
            async with aclosing(reports):
                report = await _first(reports, settings, road)
                while report is not None:
                    last = report.status or ""
                    yield PullProgress(
                        status=last,
                        completed_bytes=max(0, report.completed or 0),
                        total_bytes=max(0, report.total or 0),
                    )
                    report = await anext(reports, None)
        if last != _SUCCESS:
            raise BadReply(
                f"the server at {road.shown} broke off while it fetched {settings.model_id!r}",
                fix="run the same command again: it goes on where it stopped",
            )


async def _first(reports: Any, settings: Model, road: "Road") -> Any:
    """Return the first report, which a server gives before it fetches anything: it comes at once."""
    seconds = _CONNECT_SECONDS + settings.request_timeout_seconds
    try:
        async with asyncio.timeout(seconds):
            return await anext(reports, None)
    except TimeoutError as error:
        raise ModelTimedOut(
            f"the server at {road.shown} did not begin to fetch {settings.model_id!r} within "
            f"{seconds:g} s; nothing is known to have been fetched",
            fix="see whether an Ollama server answers there, or raise request_timeout",
        ) from error


async def list_hosted(
    settings: Model, *, resolve: Resolve = resolve_host
) -> tuple[HostedModel, ...]:
    """Return what the server of `settings` has, in its order. `model_id` does not matter.

    Raises the ModelErrors of a call.
    """
    async with _open_road(settings, resolve, _LIST_PATHS) as road:
        status, content = await road.ask("GET", "/api/tags", None, seconds=_LIST_SECONDS)
        if status != _OK:
            raise road.refusal(status, content.decode())
    try:
        entries = json.loads(content)["models"]
        return tuple(_read_entry(entry) for entry in entries)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadReply(f"the list of models of {road.shown} is malformed") from error


def _read_entry(entry: Any) -> HostedModel:
    name = str(entry["name"])
    return HostedModel(
        name=name,
        size_bytes=int(entry.get("size") or 0),
        is_remote=is_cloud_name(name) or "remote_host" in entry or "remote_model" in entry,
    )


@asynccontextmanager
async def _open_road(
    settings: Model, resolve: Resolve, paths: frozenset[str]
) -> AsyncIterator["Road"]:
    from brain.models.ollama.road import Road

    road = Road(
        endpoint=parse_endpoint(settings.base_url),
        model_id=settings.model_id,
        is_local=settings.locality == "local",
        trusted_hosts=settings.trusted_hosts,
        resolve=resolve,
        paths=paths,
    )
    try:
        yield road
    finally:
        await road.close()
