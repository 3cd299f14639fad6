"""Which models could answer on this machine, for a first config."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Literal

from brain.cli.interrupts import run_to_end
from brain.config import Model
from brain.errors import ModelError, UsageError
from brain.models import CATALOGUE, find_weights

__all__ = ["Candidate", "Found", "candidate_named", "find_candidates"]

_ENGINE: Final = "xllamacpp"
_EMBEDDED_DEFAULT: Final = next(iter(CATALOGUE))
_NO_TALKER: Final = re.compile(r"embed|minilm|\bbge\b|rerank", re.IGNORECASE)
"""What the names of models say that make vectors of a text. They are left out, and can be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A model that could answer. `has_come`: it is on this machine already."""

    provider: Literal["ollama", "embedded"]
    model_id: str
    size_bytes: int = 0
    is_local: bool = True
    has_come: bool = True

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model_id}"

    @property
    def told(self) -> str:
        """The model in a list, with what choosing it means."""
        size = f"{self.size_bytes / 1e9:.1f} GB"
        if not self.is_local:
            return f"{self.name} (runs elsewhere)"
        if self.provider == "ollama":
            return f"{self.name} ({size})" if self.size_bytes else self.name
        return f"{self.name} (in the process{'' if self.has_come else f'; {size} to fetch'})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What could answer, the best first. `silence` says why Ollama gave none, or is empty."""

    candidates: tuple[Candidate, ...]
    silence: str = ""


def find_candidates(settings: Model, *, environ: Mapping[str, str] = os.environ) -> Found:
    """Return the models of the Ollama server of `settings`, and the one in the process.

    Local ones come first, in the server's order: what was fetched last stands before the rest.
    """
    from brain.models.ollama import list_hosted

    silence = ""
    hosted: Sequence[Candidate] = ()
    try:
        hosted = [
            Candidate(
                provider="ollama",
                model_id=each.name.removesuffix(":latest"),
                size_bytes=each.size_bytes,
                is_local=not each.is_remote,
            )
            for each in run_to_end(list_hosted(settings))
            if not _NO_TALKER.search(each.name)
        ]
    except ModelError as error:
        silence = error.message
    embedded = [_embedded(_EMBEDDED_DEFAULT, environ)] if find_spec(_ENGINE) else []
    ours = [each for each in hosted if each.is_local]
    others = [each for each in hosted if not each.is_local]
    return Found(candidates=(*ours, *embedded, *others), silence=silence)


def candidate_named(
    named: str, found: Found, *, environ: Mapping[str, str] = os.environ
) -> Candidate:
    """Return the model that a person named: as it is here, or as `ollama/ID` or `embedded/ID`.

    Raises UsageError for a bare name that nobody here has.
    """
    for each in found.candidates:
        if named in (each.name, each.model_id, f"{each.model_id}:latest"):
            return each
    provider, _, model_id = named.partition("/")
    if provider == "embedded" and model_id:
        return _embedded(model_id, environ)
    if provider == "ollama" and model_id:
        from brain.models.ollama import is_cloud_name

        return Candidate(
            provider="ollama",
            model_id=model_id,
            is_local=not is_cloud_name(model_id),
            has_come=False,
        )
    if named in CATALOGUE:
        return _embedded(named, environ)
    here = ", ".join(each.name for each in found.candidates) or "none"
    raise UsageError(
        f"there is no model {named!r} here (there are: {here}); nothing was written",
        fix=f"name one of them, or --model ollama/{named} to have Ollama fetch it",
    )


def _embedded(model_id: str, environ: Mapping[str, str]) -> Candidate:
    entry = CATALOGUE.get(model_id)
    try:
        find_weights(
            Model(provider="embedded", model_id=model_id, locality="local"), environ=environ
        )
        has_come = True
    except ModelError:
        if entry is None:
            raise UsageError(
                f"brain knows no model {model_id!r} to run in the process; nothing was written",
                fix=f"--model embedded/{_EMBEDDED_DEFAULT}",
            ) from None
        has_come = False
    return Candidate(
        provider="embedded",
        model_id=model_id,
        size_bytes=entry.size_bytes if entry else 0,
        has_come=has_come,
    )
