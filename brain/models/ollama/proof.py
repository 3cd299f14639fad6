"""The evidence that an Ollama model runs where it claims to run, gathered step by step."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NoReturn, Protocol

from brain.errors import BadReply, LocalityBroken, ModelError, NotLocal
from brain.ids import new_id
from brain.models.ollama.names import is_cloud_name, plain_name
from brain.models.ports import Proof, ProofStep, StepName
from brain.records import JSONValue

__all__ = ["Evidence", "Witness", "ask_show", "gather_evidence"]

_QUESTION_SECONDS: Final = 10.0  # show, tags and status read small files; more is a hanging server
_OK: Final = 200
_SHOWN_KEYS: Final = ("details", "model_info", "capabilities")  # of which every version has one


class Witness(Protocol):
    """Whom the proof asks: the server, on the road that every call takes."""

    @property
    def shown(self) -> str:
        """The server's address as people read it."""
        ...

    async def addresses(self) -> Sequence[str]:
        """Return what the host stands for now, each with why it is allowed, or raise NotLocal."""
        ...

    async def ask(
        self, method: str, path: str, question: Mapping[str, JSONValue] | None, *, seconds: float
    ) -> tuple[int, bytes]: ...

    def refusal(self, status: int, text: str) -> ModelError:
        """Return what an error answer means."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A proof, and the answer of `/api/show`, empty where the proof ended before."""

    proof: Proof
    show: Mapping[str, Any]


class _StepFailed(Exception):
    """A step speaks against the claim; what follows is not asked."""


async def gather_evidence(
    witness: Witness, *, model: str, model_id: str, is_claimed_local: bool, at: datetime
) -> Evidence:
    """Ask everything afresh, up to the first step that fails.

    Raises the ModelError of what could not be asked: that is no proof either way.
    """
    gathering = _Gathering(witness, model_id)
    if is_claimed_local:
        with suppress(_StepFailed):  # the step is among the steps
            await gathering.of_local_claim()
    else:
        await gathering.of_cloud_claim()
    steps = tuple(gathering.steps)
    return Evidence(
        proof=Proof(
            proof_id=new_id(),
            model=model,
            is_local=is_claimed_local and all(step.outcome != "failed" for step in steps),
            steps=steps,
            digest=gathering.digest,
            at=at,
        ),
        show=gathering.show,
    )


class _Gathering:
    """The steps in their order, and what they found."""

    def __init__(self, witness: Witness, model_id: str) -> None:
        self.steps: list[ProofStep] = []
        self.digest = ""
        self.show: Mapping[str, Any] = {}
        self._witness = witness
        self._model_id = model_id

    async def of_cloud_claim(self) -> None:
        self._noted("claim", "the config says that this model runs elsewhere")
        self.show = await ask_show(self._witness, self._model_id)

    async def of_local_claim(self) -> None:
        self._judge_name()
        await self._judge_address()
        await self._judge_show()
        await self._judge_tags()
        await self._note_status()

    def _judge_name(self) -> None:
        if is_cloud_name(self._model_id):
            self._failed(
                "name",
                f"{self._model_id!r} is the name of a model that Ollama forwards to its cloud",
            )
        self._passed("name", f"{self._model_id!r} is not the name of a cloud model")

    async def _judge_address(self) -> None:
        try:
            addresses = await self._witness.addresses()
        except NotLocal as error:
            self._failed("address", error.message)
        self._passed(
            "address",
            f"{self._witness.shown} stands for {', '.join(addresses)}",
        )

    async def _judge_show(self) -> None:
        try:
            self.show = await ask_show(self._witness, self._model_id)
        except NotLocal as error:
            self._failed("route", error.message)
        except LocalityBroken as error:
            self._failed("show", f"/api/show: {error.message}")
        self._passed(
            "route",
            "connected straight to that address; no proxy, no redirect, no API key",
        )
        self._passed("show", "/api/show names no remote host and no remote model")

    async def _judge_tags(self) -> None:
        try:
            document = await _ask(self._witness, "GET", "/api/tags", None)
        except NotLocal as error:
            self._failed("route", error.message)
        except LocalityBroken as error:
            self._failed("tags", f"/api/tags: {error.message}")
        entry = _own_entry(document, self._model_id)
        digest = entry.get("digest") if entry is not None else None
        if not isinstance(digest, str) or not digest:
            self._failed(
                "tags",
                f"/api/tags has no digest of {self._model_id!r}, although /api/show knows it",
            )
        self.digest = digest
        self._passed(
            "tags",
            f"the entry in /api/tags names no remote host; digest {digest[:12]} is pinned",
        )

    async def _note_status(self) -> None:
        try:
            status, content = await self._witness.ask(
                "GET", "/api/status", None, seconds=_QUESTION_SECONDS
            )
        except NotLocal as error:
            self._failed("route", error.message)
        except LocalityBroken as error:
            self._failed("status", f"/api/status: {error.message}")
        if status != _OK:
            self._noted("status", "this server has no /api/status")
            return
        cloud = _read_object(content, "/api/status").get("cloud")
        disabled = cloud.get("disabled") if isinstance(cloud, dict) else None
        words = {
            True: "cloud models are switched off in this server",
            False: "this server may also run cloud models",
        }
        detail = words.get(disabled) if isinstance(disabled, bool) else None
        self._noted("status", detail or "/api/status does not say whether the cloud is off")

    def _passed(self, name: StepName, detail: str) -> None:
        self.steps.append(ProofStep(name=name, outcome="passed", detail=detail))

    def _noted(self, name: StepName, detail: str) -> None:
        self.steps.append(ProofStep(name=name, outcome="noted", detail=detail))

    def _failed(self, name: StepName, detail: str) -> NoReturn:
        self.steps.append(ProofStep(name=name, outcome="failed", detail=detail))
        raise _StepFailed


async def ask_show(witness: Witness, model_id: str) -> Mapping[str, Any]:
    """Return the whole answer of `/api/show`. Raises the ModelError of what it could not."""
    show = await _ask(witness, "POST", "/api/show", {"model": model_id})
    if not any(key in show for key in _SHOWN_KEYS):
        raise BadReply("the answer of /api/show describes no model: is this an Ollama server?")
    return show


async def _ask(
    witness: Witness, method: str, path: str, question: Mapping[str, JSONValue] | None
) -> Mapping[str, Any]:
    status, content = await witness.ask(method, path, question, seconds=_QUESTION_SECONDS)
    if status != _OK:
        raise witness.refusal(status, content.decode())
    return _read_object(content, path)


def _read_object(content: bytes, path: str) -> Mapping[str, Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadReply(
            f"the answer of {path} is not valid JSON: is this an Ollama server?"
        ) from error
    if not isinstance(document, dict):
        raise BadReply(f"the answer of {path} is no JSON object: is this an Ollama server?")
    return document


def _own_entry(tags: Mapping[str, Any], model_id: str) -> Mapping[str, Any] | None:
    entries = tags.get("models")
    for entry in entries if isinstance(entries, list) else []:
        names = (entry.get("name"), entry.get("model")) if isinstance(entry, dict) else ()
        if any(
            isinstance(name, str) and plain_name(name) == plain_name(model_id) for name in names
        ):
            return dict(entry)
    return None
