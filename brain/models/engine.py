"""What is loaded in this process: models of xllamacpp, one request at a time each.

Knows neither configs nor prompts: a request and its chunks are the library's own JSON. No port is
open: the library's own server is bound to a socket file in a private folder, which is removed when
the first prompt was read. The library loads while it holds the interpreter's lock: the file is read into the
system's cache before, so that this costs about a second and not the time of the disk.
"""

import asyncio
import contextlib
import json
import os
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.errors import ModelMissing, ModelRefused
from brain.log import get_log
from brain.models.engine_door import DOOR_FAILURES, Door
from brain.models.kept_prompts import KeptPrompts
from brain.records import JSONValue

__all__ = ["Chunk", "Engine", "Engines", "threads_for"]

_BATCH_TOKENS = 128  # a stop is noticed after a batch; larger ones read no faster on 2 cores
_CACHE_MEBIBYTES = 256  # prompts of other conversations that stay read
_READ_BYTES = 1 << 22
_STOP_SECONDS = 30.0  # the longest that a batch may take on a slow machine

Chunk = dict[str, Any]


class Engines:
    """The models that are loaded in this process. Made empty; the last release of one closes it."""

    def __init__(self) -> None:
        self._engines: dict[tuple[Path, int], Engine] = {}

    def lease(self, path: Path, num_ctx: int) -> "Engine":
        """Return the engine of a file and a context size, which is loaded when it is first asked."""
        key = (path, num_ctx)
        engine = self._engines.setdefault(key, Engine(path=path, num_ctx=num_ctx))
        engine.leases += 1
        return engine

    def has_loaded(self, path: Path, num_ctx: int) -> bool:
        """Tell whether a file is loaded with a context of this size, for whomever."""
        engine = self._engines.get((path, num_ctx))
        return engine is not None and engine.is_loaded

    async def release(self, engine: "Engine") -> None:
        engine.leases -= 1
        if engine.leases == 0:
            self._engines.pop((engine.path, engine.num_ctx), None)
            await engine.close()


@dataclass(slots=True, eq=False)
class Engine:
    """One loaded model. It answers one request at a time, in the order in which they came."""

    path: Path
    num_ctx: int
    leases: int = 0
    _server: Any = None
    _door: Door | None = None
    _worker: ThreadPoolExecutor | None = None
    _loading: "asyncio.Future[None] | None" = None
    _turn: asyncio.Lock | None = None
    _stop: threading.Event | None = None

    @property
    def is_loaded(self) -> bool:
        return self._server is not None

    @property
    def has_begun(self) -> bool:
        """Whether `begin` has nothing to do any more."""
        return self._server is not None and self._door is None

    async def load(self, check: Callable[[], None]) -> None:
        """Wait until the weights are loaded, beginning it where nobody has. Errors are ModelErrors.

        `check` is run before, on the engine's thread, and raises where they should not be. Who stops waiting does not stop the loading; where it failed, the next call tries again.
        """
        if self._loading is None or (self._loading.done() and self._server is None):
            self._worker = self._worker or ThreadPoolExecutor(1, thread_name_prefix="embedded")
            self._turn = self._turn or asyncio.Lock()
            self._stop = threading.Event()
            loop = asyncio.get_running_loop()
            self._loading = loop.run_in_executor(self._worker, self._load, self._stop, check)
            self._loading.add_done_callback(_see_error)
        await asyncio.shield(self._loading)

    def _load(self, stop: threading.Event, check: Callable[[], None]) -> None:
        check()
        try:
            with self.path.open("rb") as file:
                while file.read(_READ_BYTES) and not stop.is_set():
                    pass
            if not stop.is_set():
                self._server, self._door = _open_server(self.path, self.num_ctx)
        except OSError as error:
            raise ModelMissing(
                f"the weights at {self.path} cannot be read: {error.strerror}",
                fix="make the file readable",
            ) from error
        except RuntimeError as error:
            raise ModelRefused(
                f"the weights at {self.path} cannot be loaded: not a model this engine knows, "
                "damaged, or more than this machine's memory holds",
                fix="use another weights file, or lower num_ctx",
            ) from error

    async def chunks(self, body: Mapping[str, JSONValue]) -> AsyncGenerator[Chunk, None]:
        """Send one request when it is its turn, and yield the library's chunks as they come."""
        if self._turn is None:
            raise ModelRefused("the model was closed", fix="ask again")
        async with self._turn, contextlib.aclosing(self._stream(body)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def begin(
        self, body: Mapping[str, JSONValue], kept: KeptPrompts, key: str, *, seconds: float
    ) -> None:
        """Have the prompt of `body` read before the first request: from disk, where it was kept.

        Else it is read now, and kept under `key`. Later calls do nothing. Raises TimeoutError where
        nothing comes of the reading for so many seconds; the next call goes on with it.
        """
        if self._turn is None:
            return
        async with self._turn:
            door, self._door = self._door, None
            if door is None:
                return
            try:
                await self._begin(door, body, kept, key, seconds)
            except (asyncio.CancelledError, TimeoutError):
                self._door = door
                raise
            door.shut()

    async def _begin(
        self,
        door: Door,
        body: Mapping[str, JSONValue],
        kept: KeptPrompts,
        key: str,
        seconds: float,
    ) -> None:
        try:
            found = await asyncio.to_thread(kept.find, key)
            if found is not None:
                await asyncio.to_thread(door.restore, found)
                return
        except DOOR_FAILURES as error:
            get_log("models").warning("kept_prompt_not_used", error=str(error))
        async with contextlib.aclosing(self._stream(body)) as chunks:
            while (chunk := await _within(seconds, chunks)) is not None:
                if "error" in chunk:  # the request itself will be refused for it, in its own words
                    return
        try:
            await asyncio.to_thread(lambda: kept.keep(key, door.save()))
        except DOOR_FAILURES as error:
            get_log("models").warning("read_prompt_not_kept", error=str(error))

    async def _stream(self, body: Mapping[str, JSONValue]) -> AsyncGenerator[Chunk, None]:
        """Send one request and yield its chunks; whoever calls has the turn."""
        if self._worker is None:
            raise ModelRefused("the model was closed", fix="ask again")
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        stop = self._stop = threading.Event()
        request = json.dumps(body).encode()
        put = _into(loop, queue, stop)
        running = loop.run_in_executor(self._worker, self._run, request, put)
        try:
            while (raw := await queue.get()) is not None:
                yield json.loads(raw)
            await running
        finally:
            stop.set()
            await _settled(running)

    def _run(self, request: bytes, put: Callable[[bytes | None], bool]) -> None:
        try:
            if self._server is None:
                raise ModelRefused("the model was closed", fix="ask again")
            self._server.handle_chat_completions(request, put)
        except RuntimeError as error:
            raise ModelRefused(f"the engine failed: {error}", fix="ask again") from error
        finally:
            put(None)

    async def close(self) -> None:
        """Stop what runs and give the memory back. May be called twice."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        if self._stop is not None:
            self._stop.set()
        await _settled(asyncio.get_running_loop().run_in_executor(worker, self._drop))
        worker.shutdown(wait=False)

    def _drop(self) -> None:
        self._server = None
        if self._door is not None:
            self._door.shut()
            self._door = None


def _into(
    loop: asyncio.AbstractEventLoop, queue: "asyncio.Queue[bytes | None]", stop: threading.Event
) -> Callable[[bytes | None], bool]:
    """Return the callback of the engine's thread: True asks the library to stop."""

    def put(raw: bytes | None) -> bool:
        if stop.is_set() and raw is not None:
            return True
        with contextlib.suppress(RuntimeError):  # the loop is gone, and who asked with it
            loop.call_soon_threadsafe(queue.put_nowait, raw)
            return False
        return True

    return put


async def _within(seconds: float, chunks: AsyncIterator[Chunk]) -> Chunk | None:
    async with asyncio.timeout(seconds):
        return await anext(chunks, None)


async def _settled(running: "asyncio.Future[None]") -> None:
    """Wait for the engine's thread, bounded, also while being cancelled; its errors were told."""
    waiting = asyncio.ensure_future(asyncio.wait((running,), timeout=_STOP_SECONDS))
    try:
        await asyncio.shield(waiting)
    except asyncio.CancelledError:
        await waiting
        raise
    finally:
        running.add_done_callback(_see_error)


def _see_error(running: "asyncio.Future[None]") -> None:
    """Look at the error of what nobody waits for any more, so that it is not called unseen."""
    if not running.cancelled():
        running.exception()


def threads_for(*, cores: int, busy: float) -> int:
    """Return how many threads a model gets where `busy` of `cores` processors have work already.

    The library's threads wait for each other by spinning. With more of them than free processors an
    answer took 64 s that took 5 s with one (two processors, load 8); with all free, two are best.
    """
    return max(1, min(cores, round(cores - busy)))


def _processors() -> tuple[int, float]:
    """Return how many processors this process may use, and the machine's load; 0 where unknown."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        cores = os.cpu_count() or 1
    try:
        return cores, os.getloadavg()[0]
    except (AttributeError, OSError):
        return cores, 0.0


def _open_server(path: Path, num_ctx: int) -> tuple[Any, Door | None]:
    """Load a model. Raises RuntimeError where the library can't."""
    import xllamacpp

    door = Door()
    try:
        settings = xllamacpp.CommonParams()
        settings.model.path = str(path)
        settings.n_ctx = num_ctx
        settings.n_batch = _BATCH_TOKENS
        settings.n_parallel = 1
        settings.cache_ram_mib = _CACHE_MEBIBYTES
        settings.warmup = False
        cores, busy = _processors()
        for pool in (settings.cpuparams, settings.cpuparams_batch):
            pool.n_threads = threads_for(cores=cores, busy=busy)
        settings.offline = True
        settings.verbosity = -1  # the program's stdout and stderr are not the library's
        settings.ui = False
        settings.endpoint_slots = False
        settings.api_keys = [door.key]
        if sys.platform == "win32":
            settings.hostnames = ["127.0.0.1"]  # no socket files there: a port, behind the key
        else:
            settings.hostnames = [str(door.socket_path)]
            settings.slot_save_path = f"{door.folder}{os.sep}"
        server = xllamacpp.Server(settings)
        _wait_until_ready(server)
    except BaseException:
        door.shut()
        raise
    if sys.platform == "win32":
        door.shut()
        return server, None
    return server, door


def _wait_until_ready(server: Any) -> None:
    """Let the library's loop answer once: closed before its loop runs, it would never end."""
    server.handle_completions({"prompt": "a", "n_predict": 1, "stream": False})
