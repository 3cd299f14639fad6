"""`python -m brain`, and the command `brain`."""

import os
import signal
from contextlib import suppress
from typing import NoReturn

__all__ = ["main"]

_INTERRUPTED = 130
_STDERR = 2


def main() -> None:
    """Run the command line of this process and leave with its exit code.

    Ctrl-C ends it at once until work begins that has to be ended orderly (`run_to_end`).
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from brain.cli import main as run

    run()


def _leave(*_: object) -> NoReturn:
    with suppress(OSError):
        os.write(_STDERR, b"interrupted\n")
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
