"""The config file takes another text with the change that it makes, or stays what it was.

The file is renamed into place inside the transaction that records the change: as its last step,
when nothing can fail any more but the commit itself. A process that is killed before the commit
leaves a file that the next start reads, and no record of a change that was not made.
"""

from pathlib import Path

from brain.config import replace_file, see
from brain.log import get_log

__all__ = ["NotWritten", "Putting"]


class NotWritten(Exception):
    """The file can't be written; nothing was changed. `reason` is None where it holds another text."""

    def __init__(self, reason: OSError | None) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Putting:
    """The text of the file at `path` is `before` and is to be `after`."""

    def __init__(self, path: Path, *, before: bytes, after: bytes) -> None:
        self._path = path
        self._before = before
        self._after = after
        self._is_begun = False

    def do(self) -> None:
        """Put the text there; again, where the store runs its transaction again. Raises NotWritten."""
        if see(self._path).content not in (self._before, self._after):
            raise NotWritten(None)
        self._is_begun = True
        try:
            replace_file(self._path, self._after)
        except OSError as error:
            raise NotWritten(error) from error

    def undo(self) -> None:
        """Put the former text back, unless somebody wrote another one since."""
        if not self._is_begun or see(self._path).content != self._after:
            return
        try:
            replace_file(self._path, self._before)
        except OSError as error:
            get_log("runtime").error("config_not_put_back", error=error.strerror)
