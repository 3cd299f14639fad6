"""A document under check, as the rules see it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brain.config.defaults import View
from brain.config.parser import Document
from brain.config.schema import problem_at
from brain.config.wording import did_you_mean, one_of, quoted
from brain.errors import Problem

__all__ = ["Draft", "unknown_name"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A document under check: as it stands in the file, and with every default filled in."""

    document: Document
    root: View

    @property
    def brains(self) -> tuple[View, ...]:
        return tuple(brain for brain in self.root.get("brains").items() if brain.is_object)

    @property
    def channel_names(self) -> tuple[str, ...]:
        channels = self.root.get("channels").items()
        names = (channel.get("name").text or channel.get("type").text for channel in channels)
        return tuple(name for name in names if name)

    def is_written(self, view: View) -> bool:
        """Say whether the file holds this value (it may be a default)."""
        return view.keys in self.document.places

    def problem(
        self, view: View, code: str, *, found: str, expected: str, fix: str = "",
        of_key: bool = False, is_warning: bool = False,
    ) -> Problem:  # fmt: skip
        return problem_at(
            self.document, view.keys, code,
            found=found, expected=expected, fix=fix, of_key=of_key, is_warning=is_warning,
        )  # fmt: skip


def unknown_name(draft: Draft, view: View, known: Sequence[str], what: str) -> Iterator[Problem]:
    """Yield the problem of a name that nothing in the file has."""
    if view.text and view.text not in known:
        yield draft.problem(
            view,
            f"unknown_{what}",
            found=f"no {what} is named {quoted(view.text)}",
            expected=one_of(known),
            fix=did_you_mean(view.text, known),
        )
