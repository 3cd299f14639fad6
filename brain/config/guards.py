"""Boot guards: what a config asks of the environment and the disk of this machine.

What has to ask a server (the proof of locality, what a model can do) is asked by the runtime.
"""

import os
import re
from collections.abc import Iterator, Mapping
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from brain.config.address import AddressError, base_url_from_host
from brain.config.build import located, store_path
from brain.config.defaults import View
from brain.config.draft import Draft
from brain.config.wording import quoted
from brain.errors import Problem

__all__ = ["guard_problems", "install_command"]

_DISTRIBUTION = "ownbrain"
_ENGINE = "xllamacpp"
_SCRIPTED = "BRAIN_ALLOW_SCRIPTED"
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


def guard_problems(draft: Draft, *, path: Path, environ: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is missing on this machine; a part that is misshapen has its problem already."""
    yield from _secrets_are_set(draft, draft.root, environ)
    yield from _data_folder_is_usable(draft, path, environ)
    yield from _providers_are_ready(draft, path, environ)
    yield from _ollama_host_is_clear(draft, environ)


def install_command(extra: str) -> str:
    """Return the command that installs an extra, from the metadata of what is installed."""
    try:
        name = metadata.metadata(_DISTRIBUTION)["Name"]
    except metadata.PackageNotFoundError:
        name = _DISTRIBUTION  # a source checkout that was never installed
    return f'pip install "{name}[{extra}]"'


def _secrets_are_set(draft: Draft, view: View, environ: Mapping[str, str]) -> Iterator[Problem]:
    for name, member in view.members():
        if name == "options":
            continue
        if not name.endswith("_env"):
            yield from _secrets_are_set(draft, member, environ)
        elif _VARIABLE.fullmatch(member.text) and not environ.get(member.text):
            state = "is empty" if member.text in environ else "is not set"
            yield draft.problem(
                member,
                "secret_missing",
                found=f"the environment variable {quoted(member.text)} {state}",
                expected="a variable that holds the secret",
                fix=f"set it before the start: export {member.text}=…",
            )
    for item in view.items():
        yield from _secrets_are_set(draft, item, environ)


def _data_folder_is_usable(
    draft: Draft, path: Path, environ: Mapping[str, str]
) -> Iterator[Problem]:
    storage = draft.root.get("storage")
    written = storage.get("path")
    if not storage.is_object or (written.is_there and not written.text):
        return
    block = {"path": written.text} if written.text else {}
    store = store_path(block, config_path=path, environ=environ)
    trouble = _trouble_with(store)
    if trouble:
        found, expected = trouble
        yield draft.problem(
            written if written.text else storage,
            "data_folder",
            found=found,
            expected=expected,
            fix='name another file in "storage": {"path": …}, or change its rights',
        )


def _trouble_with(store: Path) -> tuple[str, str] | None:
    try:
        if store.exists():
            if not store.is_file():
                return f"{store}, which is no file", "a database file"
            if not os.access(store, os.R_OK | os.W_OK):
                return f"{store}, which may not be written", "a file that brain may write"
        folder = store.parent
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        if not folder.is_dir():
            return f"{folder}, which is no folder", "a folder for the store"
    except OSError as error:
        return f"{store}: {error.strerror}", "a path that can be used"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder}, which may not be written", "a folder in which brain may write"
    return None


def _providers_are_ready(draft: Draft, path: Path, environ: Mapping[str, str]) -> Iterator[Problem]:
    for brain_view in draft.brains:
        for model in brain_view.get("models").items():
            provider, weights = model.get("provider"), model.get("model_path")
            if provider.text == "scripted" and environ.get(_SCRIPTED) != "1":
                yield draft.problem(
                    provider,
                    "scripted_refused",
                    found='"scripted": replies from a list, no model',
                    expected="a model",
                    fix=f"for tests and demos alone: export {_SCRIPTED}=1",
                )
            if provider.text == "embedded" and find_spec(_ENGINE) is None:
                yield draft.problem(
                    provider,
                    "extra_missing",
                    found='"embedded", but its engine is not installed',
                    expected="the extra 'embedded'",
                    fix=install_command("embedded"),
                )
            if (
                provider.text == "embedded"
                and weights.text
                and not located(weights.text, config_path=path).is_file()
            ):
                yield draft.problem(
                    weights,
                    "weights_missing",
                    found=f"no file at {located(weights.text, config_path=path)}",
                    expected="a weights file",
                    fix="correct the path, or remove the key to have them found",
                )


def _ollama_host_is_clear(draft: Draft, environ: Mapping[str, str]) -> Iterator[Problem]:
    host = environ.get("OLLAMA_HOST", "").strip()
    models = [model for brain_view in draft.brains for model in brain_view.get("models").items()]
    ours = [model for model in models if model.get("provider").text == "ollama"]
    if not host or not ours:
        return
    try:
        effective = base_url_from_host(host)
    except AddressError as error:
        yield draft.problem(
            ours[0],
            "environment_value",
            found=f"OLLAMA_HOST in the environment with {error}",
            expected="an address such as 127.0.0.1:11434",
            fix="correct it, or unset it",
        )
        return
    for model in ours:
        written = model.get("base_url")
        if written.text and written.text.rstrip("/") != effective:
            yield draft.problem(
                written,
                "environment_overrides",
                found="a base_url that OLLAMA_HOST in the environment goes before",
                expected=f"one of the two, or both the same ({effective} is used)",
                fix="unset OLLAMA_HOST, or remove base_url",
                is_warning=True,
            )
