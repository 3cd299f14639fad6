"""Logs for the operator, on stderr; the event log is the truth, this is for finding faults.

`structlog` costs 0.1 s to import, so that commands that never log do not pay: it is imported by
the first `get_log(...)` call of a message.
"""

import sys
from typing import Any, Literal, Protocol

__all__ = ["Log", "configure", "get_log"]

Level = Literal["debug", "info", "warning", "error"]
_asked_for: list[tuple[Level, bool]] = []
"""What `configure` was last asked for, until a log line needs it."""

_LEVELS: dict[str, int] = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class Log(Protocol):
    """The part of a structlog logger that brain uses: an event word, then fields."""

    def debug(self, event: str, **fields: Any) -> Any: ...
    def info(self, event: str, **fields: Any) -> Any: ...
    def warning(self, event: str, **fields: Any) -> Any: ...
    def error(self, event: str, **fields: Any) -> Any: ...
    def exception(self, event: str, **fields: Any) -> Any: ...
    def bind(self, **fields: Any) -> "Log": ...


def configure(*, level: Level, as_json: bool) -> None:
    """Send log lines of at least `level` to stderr, as JSON or for a terminal.

    The library is imported and set up by the first `get_log`, since a good day has no log line.
    """
    _asked_for[:] = [(level, as_json)]


def _set_up(level: Level, *, as_json: bool) -> None:
    import structlog

    # A traceback with the values of its variables would carry what people said into the log.
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=lambda *_names: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def get_log(name: str) -> Log:
    """Return a logger whose lines carry `logger=name`; on stderr even if nobody configured it."""
    import structlog

    if _asked_for:
        level, as_json = _asked_for.pop()
        _set_up(level, as_json=as_json)
    elif not structlog.is_configured():
        # Its own default prints to stdout, which is for data.
        _set_up("info", as_json=False)
    log: Log = structlog.get_logger().bind(logger=name)
    return log
