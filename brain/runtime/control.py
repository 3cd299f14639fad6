"""The way to a running brain from the same user's shell: a socket that takes two words.

One line of JSON in, `{"verb": "reload"}` or `{"verb": "status"}`, one line of JSON out. The socket is
for its owner alone, in a folder for its owner alone. Where the system has no such sockets there is
none, and what was asked says so.

A process that is killed leaves its socket behind, and whoever comes next to the folder removes it. That
takes no lock: a socket gets its name when it is listened on, and no name is used twice, so that one
where nobody listens is nobody's, and stays so.
"""

import asyncio
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from brain.log import get_log
from brain.records import JSONValue

__all__ = ["Answer", "ask_running", "has_sockets", "open_control"]

Answer = Mapping[str, JSONValue]

REQUEST_SECONDS: Final = 5.0
ANSWER_SECONDS: Final = 60.0
_LONGEST_LINE: Final = 4 * 1_048_576  # a config of the largest size may have as many problems
_ENDING: Final = ".sock"
_COMING: Final = ".coming"
"""How a socket's name ends until it is listened on: for less than a moment."""

_COMING_SECONDS: Final = 60.0
"""How much older than ours such a socket is when its process was killed right then."""

_LONGEST_NAME: Final = 100  # bytes that a socket's path may have on every system


def has_sockets() -> bool:
    """Tell whether this system has sockets with a path."""
    return hasattr(socket, "AF_UNIX") and hasattr(asyncio, "start_unix_server")


@asynccontextmanager
async def open_control(
    folder: Path, prefix: str, answers: Mapping[str, Callable[[], Awaitable[Answer]]]
) -> AsyncIterator[None]:
    """Answer each verb of `answers` at a socket in `folder` while the block lasts.

    Its name begins with `prefix`. What dead processes left there is removed. Raises OSError where the
    socket can't be made.
    """
    running: set[asyncio.Task[None]] = set()

    def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_serve(reader, writer, answers))
        running.add(task)
        task.add_done_callback(running.discard)

    with _listening(folder, prefix) as listening:
        server = await asyncio.start_unix_server(take, sock=listening)
        try:
            yield
        finally:
            server.close()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)


async def ask_running(folder: Path, prefix: str, verb: str) -> tuple[Answer, ...]:
    """Return what each brain answers whose socket's name begins with `prefix`; none runs: nothing.

    What a dead process left behind is removed. One that does not answer in time is left out of the
    answers with a warning in the log.
    """
    _clear(folder)
    answers = []
    for path in _sockets(folder, prefix):
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await _ask(path, verb)
        except (FileNotFoundError, ConnectionRefusedError):
            continue  # it has just ended
        except (OSError, ValueError, TimeoutError) as error:
            get_log("control").warning("no_answer", socket=path.name, error=str(error))
        else:
            answers.append(answer)
    return tuple(answers)


async def _ask(path: Path, verb: str) -> Answer:
    with _short(path) as name:
        reader, writer = await asyncio.open_unix_connection(name, limit=_LONGEST_LINE)
    try:
        writer.write(json.dumps({"verb": verb}).encode() + b"\n")
        answer: Answer = json.loads(await reader.readline())
        return answer
    finally:
        writer.close()
        await writer.wait_closed()


async def _serve(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    answers: Mapping[str, Callable[[], Awaitable[Answer]]],
) -> None:
    try:
        answer = await _answer(reader, answers)
        writer.write(json.dumps(answer).encode() + b"\n")
        await writer.drain()
    except (ConnectionError, TimeoutError):
        pass  # whoever asked has left, or never asked
    finally:
        writer.close()


async def _answer(
    reader: asyncio.StreamReader, answers: Mapping[str, Callable[[], Awaitable[Answer]]]
) -> Answer:
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            request: Any = json.loads(await reader.readline())
    except ValueError:
        request = None
    verb = request.get("verb") if isinstance(request, Mapping) else None
    if not isinstance(verb, str) or verb not in answers:
        return {"error": f"one of these is understood: {', '.join(sorted(answers))}"}
    return await answers[verb]()


@contextmanager
def _listening(folder: Path, prefix: str) -> Iterator[socket.socket]:
    """Make a socket, for its owner alone, and remove it at the end. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{prefix}{os.getpid()}-{secrets.token_hex(4)}{_ENDING}"
    coming = path.with_suffix(_COMING)
    with _short(coming) as name, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(name)
        try:
            coming.chmod(0o600)
            listening.listen()
            _clear(folder, now=coming.stat().st_mtime)
            coming.rename(path)
            yield listening
        finally:
            coming.unlink(missing_ok=True)
            path.unlink(missing_ok=True)


def _clear(folder: Path, *, now: float = 0.0) -> None:
    """Remove the sockets on which nobody listens, of whichever config. What can't be, stays.

    Those that never got so far as to be listened on go too, by the time of the folder's disk.
    """
    for path in folder.glob(f"*{_ENDING}"):
        if _is_dead(path):
            with suppress(OSError):
                path.unlink()
    for path in folder.glob(f"*{_COMING}"):
        with suppress(OSError):
            if path.stat().st_mtime < now - _COMING_SECONDS:
                path.unlink()


def _is_dead(path: Path) -> bool:
    """Tell whether nobody listens. One that is too busy to be reached at once is alive."""
    try:
        with _short(path) as name, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.setblocking(False)
            asking.connect(name)
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


def _sockets(folder: Path, prefix: str) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob(f"{prefix}*{_ENDING}")))


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Yield a name of the socket that is short enough for the system, or the path as it is."""
    if len(os.fsencode(path)) <= _LONGEST_NAME or not Path("/proc/self/fd").is_dir():
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
