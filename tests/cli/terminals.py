"""The real program at a terminal of its own, and in pipes, spoken to as a person would."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EIO

from tests.cli.program import Program

__all__ = [
    "EDITOR_IS_READY",
    "WAIT_SECONDS",
    "Reader",
    "at_terminal",
    "talking",
    "terminal",
    "told",
]

WAIT_SECONDS = 15
ASKS_FOR_THE_CURSOR = b"\x1b[6n"
EDITOR_IS_READY = b"\x1b[?2004h"  # pasted text is told apart from typed text from here on

_TAKES_IT = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"


class Reader:
    """What a program writes, read up to the words one waits for."""

    def __init__(self, descriptor: int, *, is_terminal: bool = False) -> None:
        self.descriptor = descriptor
        self._is_terminal = is_terminal
        self._rest = b""

    def until(self, wanted: bytes) -> bytes:
        """Return what comes, up to the end of `wanted`; fail where it does not come."""
        deadline = time.monotonic() + WAIT_SECONDS
        while wanted not in self._rest:
            left = max(0, deadline - time.monotonic())
            ready, _, _ = select.select([self.descriptor], [], [], left)
            assert ready, self._rest
            chunk = self._read()
            assert chunk, self._rest
            self._rest += chunk
            if self._is_terminal and ASKS_FOR_THE_CURSOR in chunk:
                os.write(self.descriptor, b"\x1b[1;1R")
        came, _, self._rest = self._rest.partition(wanted)
        return came + wanted

    def rest(self) -> bytes:
        """Return what comes until the program has nothing more to say."""
        while chunk := self._read():
            self._rest += chunk
        came, self._rest = self._rest, b""
        return came

    def _read(self) -> bytes:
        try:
            return os.read(self.descriptor, 4096)
        except OSError as error:
            if error.errno == EIO:  # nobody is at the other end of the terminal any more
                return b""
            raise

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())


@contextmanager
def talking(
    program: Program, *words: str, module: str = "brain"
) -> Iterator[subprocess.Popen[bytes]]:
    """Start brain, or a module that is brain in other circumstances, with pipes, and end it."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *words],
        cwd=program.folder,
        env=program.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def terminal(program: Program, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], Reader]]:
    """Start brain in a terminal of its own; yield it and the terminal's other end."""
    starts = "import runpy; runpy.run_module('brain', run_name='__main__', alter_sys=True)"
    with at_terminal(program, starts, *words) as started:
        yield started


@contextmanager
def at_terminal(
    program: Program, code: str, *words: str, **environ: str
) -> Iterator[tuple[subprocess.Popen[bytes], Reader]]:
    """Start Python code in a terminal of its own; yield it and the terminal's other end."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", f"{_TAKES_IT}; {code}", *words],
        cwd=program.folder,
        env=program.environment(TERM="xterm", COLUMNS="100", LINES="40", **environ),
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    try:
        yield process, Reader(ours, is_terminal=True)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def told(process: subprocess.Popen[bytes]) -> Reader:
    """Read what a program says on stderr."""
    assert process.stderr is not None
    return Reader(process.stderr.fileno())
