"""brain whose server feels at once that nobody reads: `python -m tests.cli.narrow serve …`.

The kernel takes a megabyte or more off a server on this machine before it makes it wait.
"""

import socket

from brain.cli import main

LITTLE_BYTES = 4096


class Narrow(socket.socket):
    """A socket that holds little of what was sent, and so do those of who connects to it."""

    def listen(self, *backlog: int) -> None:
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LITTLE_BYTES)
        super().listen(*backlog)


socket.socket = Narrow  # type: ignore[misc]

if __name__ == "__main__":
    main()
