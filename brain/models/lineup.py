"""The models of one brain, in order: which of them answers now (policy `priority`)."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from brain.activity import Draft, Recorder
from brain.clock import Clock, to_rfc3339
from brain.errors import ModelError, ModelUnreachable, NotLocal
from brain.models.codes import code_of
from brain.models.ports import Capabilities, ChatModel, Proof
from brain.records import JSONValue
from brain.store import Store, Transaction

__all__ = ["Lineup", "Picked", "Standing", "State"]

_PROOF_SECONDS: Final = 600.0  # a proof is repeated after so long in use
_BREAKS_SECONDS: Final = 1.0  # so old may be what is known of breaks by other processes

State = Literal["unasked", "ready", "out of service", "not local", "broken"]
"""`not local`: the proof failed, or the brain needs a local model. `broken`: an answer lied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """A model that may be asked now, with what is known of it. `passed_over`: those before it."""

    model: ChatModel
    capabilities: Capabilities
    proof: Proof
    passed_over: tuple[tuple[str, ModelError], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a model stands: for `brain models`, `brain doctor` and the first line of output."""

    model: str
    state: State
    detail: str
    fix: str
    proof: Proof | None

    def data(self) -> dict[str, JSONValue]:
        """Return it as every face writes it in JSON."""
        return {
            "model": self.model,
            "state": self.state,
            "detail": self.detail,
            "fix": self.fix,
            "proof": None if self.proof is None else _proof_data(self.proof),
        }


def _proof_data(proof: Proof) -> JSONValue:
    return {
        "proof_id": proof.proof_id,
        "is_local": proof.is_local,
        "digest": proof.digest,
        "at": to_rfc3339(proof.at),
        "steps": [
            {"name": step.name, "outcome": step.outcome, "detail": step.detail}
            for step in proof.steps
        ],
    }


@dataclass(slots=True, kw_only=True)
class _Seat:
    """One model and what is known of it."""

    model: ChatModel
    asking: asyncio.Lock
    state: State = "unasked"
    proof: Proof | None = None
    capabilities: Capabilities | None = None
    error: ModelError | None = None
    proved_at: float = float("-inf")


@dataclass(slots=True, kw_only=True)
class _Breaks:
    """Which models are out of service because they lied, and why, by name.

    `unwritten` are those of this process that the store does not have.
    """

    by_model: dict[str, str] = field(default_factory=dict)
    unwritten: dict[str, str] = field(default_factory=dict)
    read_at: float = float("-inf")


class Lineup:
    """Holds the models of one brain and their standing.

    A model is proved before its first use, again every 10 minutes while in use, and after it could
    not be used. One whose answer lied is out of service until the operator releases it, also across
    restarts. One that can't be asked is asked again before the next exchange. Without a store
    nothing is recorded, and a break is known to this process alone.

    A lineup that takes the place of a `former` one shares with it what is known of the models that
    it keeps (`kept`), and which ones lied.
    """

    def __init__(
        self,
        *,
        models: Sequence[ChatModel],
        needs_local: bool,
        store: Store | None,
        recorder: Recorder | None,
        clock: Clock,
        brain: str = "",
        former: "Lineup | None" = None,
        kept: Sequence[ChatModel] = (),
    ) -> None:
        self._needs_local = needs_local
        taken = former.seats_of(kept, needs_local=needs_local) if former is not None else {}
        self._seats = tuple(
            taken.get(id(model)) or _Seat(model=model, asking=asyncio.Lock()) for model in models
        )
        self._store = store
        self._recorder = recorder
        self._clock = clock
        self._brain = brain or None
        self._breaks = former.breaks if former is not None else _Breaks()

    @property
    def models(self) -> tuple[ChatModel, ...]:
        """The models in the order in which they are asked."""
        return tuple(seat.model for seat in self._seats)

    @property
    def breaks(self) -> _Breaks:
        """What is known of models that lied, shared with the lineup that follows this one."""
        return self._breaks

    def seats_of(self, kept: Sequence[ChatModel], *, needs_local: bool) -> dict[int, _Seat]:
        """Return what is known of the models `kept`, by their `id`, for the lineup that follows.

        Where the two ask for different things of a model, only a proof that it is local holds for
        both.
        """
        wanted = {id(model) for model in kept}
        is_alike = needs_local == self._needs_local
        return {
            id(seat.model): seat
            for seat in self._seats
            if id(seat.model) in wanted
            and (is_alike or (seat.state == "ready" and seat.proof and seat.proof.is_local))
        }

    async def pick(self, *, after: str = "") -> Picked:
        """Return the first model that may be asked now, from after the model named `after`.

        `after` is a model that failed in this exchange: it is proved afresh before its next use.
        Raises the ModelError of the first model where none can be, ModelUnreachable where none is
        left.
        """
        await self._read_breaks()
        passed_over: list[tuple[str, ModelError]] = []
        for seat in self._candidates(after):
            try:
                proof, capabilities = await self._ready(seat)
            except ModelError as error:
                passed_over.append((seat.model.name, error))
                continue
            return Picked(
                model=seat.model,
                capabilities=capabilities,
                proof=proof,
                passed_over=tuple(passed_over),
            )
        if passed_over:
            raise passed_over[0][1]
        raise ModelUnreachable("this brain has no further model to ask")

    def at_hand(self) -> Proof | None:
        """Return the proof of the model that is asked next, where nothing is left to be asked first."""
        seat = self._seats[0]
        fresh = None if seat.model.name in self._breaks.by_model else self._fresh(seat)
        return None if fresh is None else fresh[0]

    def _candidates(self, after: str) -> Sequence[_Seat]:
        if not after:
            return self._seats
        names = [seat.model.name for seat in self._seats]
        index = names.index(after)
        self._seats[index].proved_at = float("-inf")
        return self._seats[index + 1 :]

    async def prove(self, *, only_unasked: bool = False) -> tuple[Standing, ...]:
        """Ask every model that has no valid proof, and return how all stand. For start and reload.

        `only_unasked` leaves those alone that were asked before, whatever came of it.
        """
        await self._read_breaks()
        wanted = [seat for seat in self._seats if not only_unasked or seat.state == "unasked"]
        await asyncio.gather(*(self._try(seat) for seat in wanted))
        return await self.standings()

    async def _try(self, seat: _Seat) -> None:
        with suppress(ModelError):  # standings() tells it
            await self._ready(seat)

    async def _ready(self, seat: _Seat) -> tuple[Proof, Capabilities]:
        self._refuse_broken(seat)
        fresh = self._fresh(seat)
        if fresh is not None:
            return fresh
        async with seat.asking:  # talks that arrive together wait for one proof
            fresh = self._fresh(seat)
            return fresh if fresh is not None else await self._ask(seat)

    def _fresh(self, seat: _Seat) -> tuple[Proof, Capabilities] | None:
        is_fresh = self._clock.monotonic() - seat.proved_at < _PROOF_SECONDS
        if seat.state != "ready" or not is_fresh or seat.proof is None or seat.capabilities is None:
            return None
        return seat.proof, seat.capabilities

    async def _ask(self, seat: _Seat) -> tuple[Proof, Capabilities]:
        proof: Proof | None = None
        try:
            proof = await seat.model.prove()
            self._judge(proof)
            capabilities = await seat.model.describe()
        except ModelError as error:
            state: State = "not local" if isinstance(error, NotLocal) else "out of service"
            await self._put_out(seat, state, error, proof)
            raise
        if seat.proof is not None and _is_same_evidence(seat.proof, proof):
            proof = replace(proof, proof_id=seat.proof.proof_id)
        await self._put_in(seat, proof)
        seat.capabilities = capabilities
        seat.proved_at = self._clock.monotonic()
        return proof, capabilities

    def _judge(self, proof: Proof) -> None:
        """Raise NotLocal for a model that says it is local and is not, or must be and is not."""
        failed = next((step for step in proof.steps if step.outcome == "failed"), None)
        if failed is not None:
            raise NotLocal(
                f"{proof.model!r} is not local: {failed.detail}",
                fix="use a model that runs here, or set its locality to cloud",
            )
        if self._needs_local and not proof.is_local:
            raise NotLocal(
                f"{proof.model!r} is a cloud model, and this brain may only ask local ones",
                fix="use a model that runs here, or make the brain public",
            )

    async def _put_in(self, seat: _Seat, proof: Proof) -> None:
        drafts = []
        if seat.state in ("out of service", "not local", "broken"):
            drafts.append(self._draft("model_back", seat))
        is_new = seat.proof is None or seat.proof.proof_id != proof.proof_id
        if proof.is_local and is_new:
            drafts.append(replace(self._draft("locality_proved", seat), proof=proof.proof_id))
        await self._record(drafts)
        seat.state, seat.proof, seat.error = "ready", proof, None

    async def _put_out(
        self, seat: _Seat, state: State, error: ModelError, proof: Proof | None
    ) -> None:
        drafts = []
        if seat.state != state:
            if proof is not None and any(step.outcome == "failed" for step in proof.steps):
                broken = replace(self._draft("locality_broken", seat), proof=proof.proof_id)
                drafts.append(replace(broken, outcome="proof"))
            drafts.append(
                replace(self._draft("model_out_of_service", seat), outcome=code_of(error))
            )
        await self._record(drafts)
        seat.state, seat.proof, seat.error = state, proof, error

    async def condemn(
        self,
        model: str,
        error: ModelError,
        *,
        exchange_id: str = "",
        note_ids: Sequence[str] = (),
    ) -> None:
        """Take a model out of service that lied in an answer, durably and on record.

        `note_ids` are the notes that had ridden in its prompt: one event for each, one if none.
        """
        self._breaks.by_model[model] = self._breaks.unwritten[model] = error.message
        for seat in self._seats:
            if seat.model.name == model:
                seat.state, seat.proof, seat.error = "broken", None, error
        if self._store is None:
            return
        recorder = self._recorder
        draft = Draft(
            type="locality_broken",
            brain=self._brain,
            model=model,
            outcome="answer",
            exchange=exchange_id or None,
        )

        def change(tx: Transaction) -> None:
            tx.break_model(model, error.message)
            for ref in note_ids or (None,):
                if recorder is not None:
                    recorder.append(tx, replace(draft, ref=ref))

        await self._store.write(change)
        self._breaks.unwritten.pop(model, None)  # where the write fails, this process remembers

    async def _read_breaks(self) -> None:
        """Learn what other processes broke or released. Cheap while nothing is broken."""
        if self._store is None:
            return
        now = self._clock.monotonic()
        if not self._breaks.by_model and now - self._breaks.read_at < _BREAKS_SECONDS:
            return
        rows = await self._store.read(lambda snapshot: snapshot.model_breaks())
        self._breaks.read_at = now
        known = {row.model: row.reason for row in rows}
        self._breaks.by_model = known | self._breaks.unwritten

    def _refuse_broken(self, seat: _Seat) -> None:
        name = seat.model.name
        reason = self._breaks.by_model.get(name)
        if reason is None:
            return
        error = NotLocal(
            f"{name!r} is out of service because it lied about being local: {reason}",
            fix=f"if that is settled, put it back: brain models release {name}",
        )
        seat.state, seat.proof, seat.error = "broken", None, error
        raise error

    def _draft(self, event: str, seat: _Seat) -> Draft:
        return Draft(type=event, brain=self._brain, model=seat.model.name)

    async def _record(self, drafts: Sequence[Draft]) -> None:
        store, recorder = self._store, self._recorder
        if not drafts or store is None or recorder is None:
            return

        def change(tx: Transaction) -> None:
            for draft in drafts:
                recorder.append(tx, draft)

        await store.write(change)

    async def standings(self) -> tuple[Standing, ...]:
        """Return how each model stands, without asking any."""
        return tuple(_stand(seat) for seat in self._seats)

    async def close(self) -> None:
        """Close every model, also where one can't be."""
        async with AsyncExitStack() as stack:
            for seat in self._seats:
                stack.push_async_callback(seat.model.close)


def _is_same_evidence(first: Proof, second: Proof) -> bool:
    return (first.is_local, first.digest, first.steps) == (
        second.is_local,
        second.digest,
        second.steps,
    )


def _stand(seat: _Seat) -> Standing:
    error = seat.error
    detail = error.message if error is not None else "not asked yet"
    if seat.state == "ready" and seat.proof is not None:
        detail = "proved local" if seat.proof.is_local else "a cloud model"
    return Standing(
        model=seat.model.name,
        state=seat.state,
        detail=detail,
        fix=error.fix if error is not None else "",
        proof=seat.proof,
    )
