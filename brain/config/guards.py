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
from brain.config.folders import data_folder
from brain.config.places import visible
from brain.config.secrets import is_sendable, secret_in
from brain.config.wording import quoted
from brain.errors import ConfigError, Problem

__all__ = ["guard_problems", "home_problems", "install_command"]

_DISTRIBUTION = "ownbrain"
_ENGINE = "xllamacpp"
_SCRIPTED = "BRAIN_ALLOW_SCRIPTED"
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


def guard_problems(draft: Draft, *, path: Path, environ: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is missing on this machine; a part that is misshapen has its problem already."""
    yield from _secrets_are_set(draft, draft.root, environ)
    yield from _data_folder_is_usable(draft, path, environ)
    yield from _anchor_is_usable(draft, path, environ)
    yield from _providers_are_ready(draft, path, environ)
    yield from _ollama_host_is_clear(draft, environ)


def home_problems(draft: Draft, *, path: Path, environ: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what keeps the paths of this config from having a meaning: no Config without them."""
    try:
        data_folder(path, environ=environ)
    except ConfigError as error:
        storage = draft.root.get("storage")
        yield draft.problem(
            storage if storage.is_there else draft.root,
            "home_unknown",
            found="no folder for data: " + error.message,
            expected="a user with a home folder",
            fix=error.fix,
        )
    yield from _home_is_known(draft)


def install_command(extra: str) -> str:
    """Return the command that installs an extra, from the metadata of what is installed."""
    try:
        name = metadata.metadata(_DISTRIBUTION)["Name"]
    except metadata.PackageNotFoundError:
        name = _DISTRIBUTION  # a source checkout that was never installed
    return f'pip install "{name}[{extra}]"'


def _secret_is_set(draft: Draft, view: View, environ: Mapping[str, str]) -> Iterator[Problem]:
    secret = secret_in(environ, view.text)
    if not secret:
        state = "is empty" if view.text in environ else "is not set"
        yield draft.problem(
            view,
            "secret_missing",
            found=f"the environment variable {quoted(view.text)} {state}",
            expected="a variable that holds the secret",
            fix=f"set it before the start: export {view.text}=…",
        )
    elif not is_sendable(secret):
        yield draft.problem(
            view,
            "secret_unsendable",
            found=f"the environment variable {quoted(view.text)} holds what no HTTP header carries",
            expected="a secret on one line, of letters, digits and signs of ASCII",
            fix=f"set another one before the start: export {view.text}=…",
        )


def _secrets_are_set(draft: Draft, view: View, environ: Mapping[str, str]) -> Iterator[Problem]:
    for name, member in view.members():
        if name == "options":
            continue
        if not name.endswith("_env"):
            yield from _secrets_are_set(draft, member, environ)
        elif _VARIABLE.fullmatch(member.text):
            yield from _secret_is_set(draft, member, environ)
    for item in view.items():
        yield from _secrets_are_set(draft, item, environ)


def _home_is_known(draft: Draft) -> Iterator[Problem]:
    written = [draft.root.get("storage", "path"), draft.root.get("activity", "anchor_path")]
    for brain_view in draft.brains:
        written += [model.get("model_path") for model in brain_view.get("models").items()]
    for view in written:
        first = view.text.partition("/")[0]
        if first.startswith("~") and first != "~":
            yield draft.problem(
                view,
                "home_unknown",
                found=f"{quoted(first)}, the home folder of somebody else",
                expected="~/… for your own home folder, or a whole path",
                fix=f"for a file of this very name: ./{visible(view.text)}",
            )
        elif first == "~" and os.path.expanduser("~") == "~":  # noqa: PTH111 - never raises
            yield draft.problem(
                view,
                "home_unknown",
                found="~, but this user has no home folder",
                expected="a path that does not begin with ~",
                fix="write the whole path, or set HOME",
            )


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
    if _is_same(store, path):
        trouble = "the config file itself", "another file"
    if trouble:
        found, expected = trouble
        yield draft.problem(
            written if written.text else storage,
            "data_folder",
            found=found,
            expected=expected,
            fix='name another file in "storage": {"path": …}, or change its rights',
        )


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _anchor_is_usable(draft: Draft, path: Path, environ: Mapping[str, str]) -> Iterator[Problem]:
    """Tell of an anchor that no line can be appended to, or where one would do harm."""
    written = draft.root.get("activity", "anchor_path")
    if not written.text:
        return
    anchor = located(written.text, config_path=path)
    block = draft.root.get("storage").get("path").text
    store = store_path({"path": block} if block else {}, config_path=path, environ=environ)
    is_made_with_store = _is_same(anchor.parent, store.parent)
    trouble = None if is_made_with_store else _anchor_trouble(anchor)
    if _is_same(anchor, path):
        trouble = "the config file itself", "a file of its own"
    if any(_is_same(anchor, Path(f"{store}{end}")) for end in ("", "-wal", "-shm", "-journal")):
        trouble = "a file of the database", "a file of its own"
    if trouble:
        found, expected = trouble
        yield draft.problem(
            written,
            "anchor_unusable",
            found=found,
            expected=expected,
            fix="make the folder, change the rights, or name another file",
        )


def _anchor_trouble(anchor: Path) -> tuple[str, str] | None:
    shown, folder = visible(str(anchor), limit=200), visible(str(anchor.parent), limit=200)
    try:
        if not anchor.parent.is_dir():
            return f"{folder}, which is no folder", "a folder that is there"
        if anchor.exists() and not anchor.is_file():
            return f"{shown}, which is no file", "a file to which lines can be appended"
    except OSError as error:
        return f"{shown}: {error.strerror}", "a path that can be used"
    if anchor.exists() and not os.access(anchor, os.R_OK | os.W_OK):
        return f"{shown}, which may not be written", "a file that brain may write"
    if not os.access(anchor.parent, os.W_OK | os.X_OK):
        return f"{folder}, which may not be written", "a folder in which brain may write"
    return None


def _trouble_with(store: Path) -> tuple[str, str] | None:
    shown = visible(str(store), limit=200)
    try:
        if store.exists():
            if not store.is_file():
                return f"{shown}, which is no file", "a database file"
            if not os.access(store, os.R_OK | os.W_OK):
                return f"{shown}, which may not be written", "a file that brain may write"
        folder = store.parent
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        if not folder.is_dir():
            return (
                f"{visible(str(folder), limit=200)}, which is no folder",
                "a folder for the store",
            )
    except OSError as error:
        return f"{shown}: {error.strerror}", "a path that can be used"
    if not os.access(folder, os.W_OK | os.X_OK):
        return (
            f"{visible(str(folder), limit=200)}, which may not be written",
            "a folder in which brain may write",
        )
    return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


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
                and not _is_file(located(weights.text, config_path=path))
            ):
                yield draft.problem(
                    weights,
                    "weights_missing",
                    found=f"no file at {visible(str(located(weights.text, config_path=path)), limit=200)}",
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
