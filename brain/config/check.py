"""The one validator: `brain check`, start and reload all go through it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from brain.config.build import build_config, revision_of
from brain.config.defaults import View, fill_defaults
from brain.config.draft import Draft
from brain.config.folders import is_default
from brain.config.guards import guard_problems, home_problems
from brain.config.model import Config
from brain.config.parser import Document
from brain.config.places import visible
from brain.config.reader import Content, document_of, see
from brain.config.rules import RULES
from brain.config.schema import schema_document, schema_problems
from brain.config.wording import problem_order
from brain.counts import counted
from brain.errors import ConfigError, Problem

_LONGEST_PATH = 4096

__all__ = ["Loaded", "Report", "check_config", "load_config", "with_places"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a check found. `config` is there exactly where there are no problems.

    `file` is the path as it is shown; `again` the command that checks again; `verdict` is what is
    said of a file with problems, and `meanwhile` what they left undone.
    """

    path: Path
    file: str
    again: str
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    config: Config | None
    draft: Draft
    verdict: str = "is not valid"
    meanwhile: str = "nothing was started"

    @property
    def headline(self) -> str:
        """The sentence that says whether the file can be used."""
        if not self.problems:
            warned = f" ({counted(len(self.warnings), 'warning')})" if self.warnings else ""
            return f"{self.file} is valid{warned}"
        found = counted(len(self.problems), "problem")
        return f"{self.file} {self.verdict}; {self.meanwhile} ({found} in 1 file)"

    def with_problems(self, *more: Problem) -> "Report":
        """Return the report with problems that only a running server could tell of, at the end.

        Those of severity `warning` join the warnings. One without a place gets that of its pointer.
        """
        more = tuple(_placed(each, self.draft.document) for each in more)
        problems = tuple(each for each in more if each.severity == "problem")
        warnings = tuple(each for each in more if each.severity == "warning")
        return replace(
            self,
            problems=self.problems + problems,
            warnings=self.warnings + warnings,
            config=None if problems else self.config,
        )

    def error(self) -> ConfigError:
        """Return the report as an error: its headline, its problems, how to check again."""
        return ConfigError(
            self.headline, problems=self.problems, fix=f"check again with: {self.again}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A config that can be used, and what its owner should know."""

    config: Config
    warnings: tuple[Problem, ...]


def load_config(path: Path, *, environ: Mapping[str, str]) -> Loaded:
    """Read, check and build the config at `path`. Raises ConfigError with every problem."""
    report = check_config(path, environ=environ, static=False)
    if report.config is None:
        raise report.error()
    return Loaded(config=report.config, warnings=report.warnings)


def check_config(
    path: Path, *, environ: Mapping[str, str], static: bool, content: Content | None = None
) -> Report:
    """Check the config at `path`; `static` leaves the boot guards out. Raises nothing.

    `content` is judged in place of what the file holds now. Problems of reading, shape and fit come
    first, in the order of the file, then those of the machine.
    """
    shown = _shown(path)
    document = document_of(see(path).content if content is None else content, shown_as=shown)
    draft = _draft(document)
    told = [*document.problems, *_shape_and_fit(draft)]
    told = sorted(told, key=problem_order)
    if document.is_whole:
        wrong = {each.pointer for each in told if each.severity == "problem"}
        told += _of_machine(draft, path, environ, static=static, told=wrong)
    problems = tuple(each for each in told if each.severity == "problem")
    return Report(
        path=path,
        file=document.file,
        again=_again(path, environ),
        problems=problems,
        warnings=tuple(each for each in told if each.severity == "warning"),
        config=None if problems else _built(draft, path, environ),
        draft=draft,
    )


def with_places(config: Config, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems of a config with their places in its file, where that is still the same."""
    document = document_of(see(config.path).content, shown_as=_shown(config.path))
    if not document.is_whole or revision_of(document.value) != config.revision:
        return tuple(problems)
    return tuple(_placed(each, document) for each in problems)


def _placed(problem: Problem, document: Document) -> Problem:
    if problem.line:
        return problem
    place = document.place(document.keys_of(problem.pointer))
    return replace(problem, file=document.file, line=place.line, column=place.column)


def _draft(document: Document) -> Draft:
    value = document.value if document.is_whole else None
    return Draft(document, View((), fill_defaults(value, schema_document())))


def _shape_and_fit(draft: Draft) -> Iterator[Problem]:
    """Yield the problems of shape and fit; where several rules meet one value, the first speaks."""
    if not draft.document.is_whole:
        return
    told: set[str] = set()
    for problem in schema_problems(draft.document):
        told.add(problem.pointer)
        yield problem
    for rule in RULES:
        for problem in rule(draft):
            if problem.code != "not_built" or problem.pointer not in told:
                told.add(problem.pointer)
                yield problem


def _of_machine(
    draft: Draft, path: Path, environ: Mapping[str, str], *, static: bool, told: set[str]
) -> list[Problem]:
    """Return the problems of this machine, but for values that were told of already."""
    found = [*home_problems(draft, path=path, environ=environ)]
    if not static and not found:
        found += guard_problems(draft, path=path, environ=environ)
    return sorted((each for each in found if each.pointer not in told), key=problem_order)


def _built(draft: Draft, path: Path, environ: Mapping[str, str]) -> Config:
    filled = draft.root.value
    if not isinstance(filled, Mapping):
        raise TypeError("a document without problems is an object")
    return build_config(filled, document=draft.document.value, path=path, environ=environ)


def _shown(path: Path) -> str:
    """Return the path as people know it: relative where it lies below the working folder."""
    cwd = _working_folder()
    absolute = path.absolute()
    shown = absolute.relative_to(cwd) if cwd and absolute.is_relative_to(cwd) else absolute
    return visible(str(shown), limit=_LONGEST_PATH)


def _working_folder() -> Path | None:
    try:
        return Path.cwd()
    except OSError:
        return None  # it was removed while brain runs, or may not be read; no path is said by it


def _again(path: Path, environ: Mapping[str, str]) -> str:
    cwd = _working_folder()
    if cwd and is_default(path, cwd=cwd, environ=environ):
        return "brain check"
    return f"brain check --config {_shown(path)}"
