"""A changed config takes the place of the one in force, whole; or nothing changes. Either is on record.

Candidate, the checks of a start, what can't be taken over while brain runs, the new parts beside the
running ones, the event, and then one reference is swapped. What comes over HTTP takes the place of
the file with the event, and not before: what was refused never stands there.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Final, Literal

from brain.config import (
    Config,
    Content,
    Report,
    changed_keys,
    check_config,
    digest_of,
    known_path,
    see,
    to_path,
)
from brain.config.watch import DEFAULT_PACE, Judged, Pace, is_same, read_settled, watch
from brain.errors import BrainError, Problem, StoreError
from brain.log import get_log
from brain.memory import read_box_warnings
from brain.models import locality_problems, weights_problems
from brain.runtime.in_force import InForce, Wired
from brain.runtime.outcome import Outcome, event_of, once, refuse_restart, refused
from brain.runtime.putting import NotWritten, Putting
from brain.store import Transaction

__all__ = ["Reload"]

PROOF_SECONDS: Final = 1.0
"""How long a candidate may wait for models that must be local to say where they are."""

RETRY_SECONDS: Final = 2.0
"""How long after the store took no record of a change it is offered the same change again."""


class Reload:
    """Offers configs to a runtime, one at a time, and remembers what became of the last one."""

    def __init__(
        self,
        *,
        in_force: InForce,
        build: Callable[[Config, Wired], Wired],
        environ: Mapping[str, str],
    ) -> None:
        self._in_force = in_force
        self._build = build
        self._environ = environ
        self._turn = asyncio.Lock()
        self._judged = Judged()
        self._proving: set[asyncio.Task[None]] = set()
        self._tell: Callable[[Outcome], None] = _untold
        self._warm: Callable[[Collection[str]], None] = _left_cold
        self.last: Outcome | None = None

    def tell_to(self, tell: Callable[[Outcome], None]) -> None:
        """Let `tell` hear of each config that was applied or rejected from now on."""
        self._tell = tell

    def warm_with(self, warm: Callable[[Collection[str]], None]) -> None:
        """Let `warm` have the names of brains that a reload changed, once their models were proved."""
        self._warm = warm

    async def apply(self, content: Content) -> Outcome:
        """Put the config that `content` is in force, or change nothing."""
        async with self._turn:
            return await self._take(content)

    async def read(self) -> Outcome:
        """Put in force what stands in the file now, once it has settled, or change nothing."""
        wired = self._in_force.wired
        async with self._turn:
            content = await read_settled(wired.config.path, clock=wired.clock)
            return self._judge(content, await self._take(content))

    async def put(self, content: bytes, *, expected: str) -> Outcome | None:
        """Put `content` in force and in the place of the file, or change nothing.

        `expected` is the digest of what stands in the file; None where something else stands there.
        Raises OSError where the file can't be written.
        """
        path = self._in_force.wired.config.path
        async with self._turn:
            before = (await asyncio.to_thread(see, path)).content
            if isinstance(before, OSError) or digest_of(before) != expected:
                return None
            try:
                outcome = await self._take(content, Putting(path, before=before, after=content))
            except NotWritten as failure:
                if failure.reason is None:
                    return None
                raise failure.reason from failure
            return outcome if outcome.kind == "rejected" else self._judge(content, outcome)

    async def follow(self, *, pace: Pace = DEFAULT_PACE) -> None:
        """Apply the file whenever it was saved, for ever; it ends by being cancelled."""
        path, clock = self._in_force.wired.config.path, self._in_force.wired.clock
        async with aclosing(watch(path, clock=clock, judged=self._judged, pace=pace)) as contents:
            async for content in contents:
                while await self._is_left_over(content):
                    await clock.sleep(RETRY_SECONDS)

    async def _is_left_over(self, content: Content) -> bool:
        """Apply what was seen in the file, and tell whether it is to be offered again.

        Another text may have taken its place while a change was waited for: then this one is
        nothing, and the watch hands on the other.
        """
        async with self._turn:
            path = self._in_force.wired.config.path
            if not is_same(content, (await asyncio.to_thread(see, path)).content):
                self._judged.forget()
                return False
            outcome = self._judge(content, await self._take(content))
            return "not_recorded" in outcome.codes

    def _judge(self, content: Content, outcome: Outcome) -> Outcome:
        """Let what stands in the file count as judged, unless it has to be offered again."""
        if "not_recorded" in outcome.codes:
            self._judged.forget()
        else:
            self._judged.take(content)
        return outcome

    async def stop(self) -> None:
        """End what runs in the background."""
        for task in self._proving:
            task.cancel()
        await asyncio.gather(*self._proving, return_exceptions=True)

    async def _take(self, content: Content, putting: Putting | None = None) -> Outcome:
        """Put `content` in force, with `putting` also in the place of the file. Raises NotWritten."""
        former = self._in_force.wired
        report = await self._check(content)
        if report.config is None:
            return await self._reject(report)
        if report.config.revision == former.config.revision:
            if putting is not None:
                await asyncio.to_thread(putting.do)
            return self._unchanged(report, former)
        return await self._try(report, report.config, former, putting)

    async def _check(self, content: Content) -> Report:
        """Check as a start would, and what a running brain can't take over."""
        former = self._in_force.wired
        report = await asyncio.to_thread(
            check_config,
            former.config.path,
            environ=self._environ,
            static=False,
            content=content,
        )
        report = replace(report, meanwhile="the config in force runs on")
        if report.config is None or report.config.revision == former.config.revision:
            return report
        return refuse_restart(report, former.config)

    async def _try(
        self, report: Report, config: Config, former: Wired, putting: Putting | None
    ) -> Outcome:
        """Make the change, or turn whatever kept it from being made into a rejection."""
        try:
            return await self._change(report, config, former, putting)
        except NotWritten:
            raise
        except StoreError as error:
            get_log("runtime").error("config_not_recorded", error=error.message)
            failed = refused(report, "not_recorded", error.message, error.fix)
        except BrainError as error:
            failed = refused(report, "not_applied", error.message, error.fix)
        except Exception:
            get_log("runtime").exception("config_not_applied")
            found = "something went wrong inside brain; the log on stderr has the details"
            failed = refused(report, "not_applied", found)
        return await self._reject(failed)

    async def _change(
        self, report: Report, config: Config, former: Wired, putting: Putting | None
    ) -> Outcome:
        """Build the new parts, prove what must be proved first, record, and swap."""
        wired = self._build(config, former)
        is_in_force = False
        try:
            unfit = await asyncio.to_thread(weights_problems, config, environ=self._environ)
            report = report.with_problems(*(each for each in unfit if each.severity == "problem"))
            remote = await _remote_models(config, wired)
            if remote or report.problems:
                return await self._reject(report.with_problems(*remote))
            changed = changed_keys(former.config, config)
            if any(keys[0] == "brains" for keys in changed):
                report = report.with_problems(*await read_box_warnings(report, wired.store))
            outcome = _outcome("applied", report, former, wired, tuple(map(to_path, changed)))
            await self._swap(outcome, wired, putting)
            is_in_force = True
        finally:
            if not is_in_force and self._in_force.wired is not wired:
                await self._in_force.discard(wired)
        self._prove_later(wired, former)
        return self._heard(outcome)

    async def _swap(self, outcome: Outcome, wired: Wired, putting: Putting | None) -> None:
        """Record the change and make it: nothing runs between the record and the change."""
        draft = event_of(outcome)

        def change(tx: Transaction) -> None:
            wired.recorder.append(tx, draft)
            if putting is not None:
                putting.do()

        try:
            await wired.store.write(change)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and error.__cause__ is None:
                self._put_in_force(wired)  # it is on record, so it is in force
            elif putting is not None:
                putting.undo()
            raise
        self._put_in_force(wired)

    def _put_in_force(self, wired: Wired) -> None:
        wired.recorder.revision = wired.config.revision
        self._in_force.swap(wired)

    async def _reject(self, report: Report) -> Outcome:
        wired = self._in_force.wired
        paths = once(known_path(problem.pointer) for problem in report.problems)
        outcome = _outcome("rejected", report, wired, wired, paths)
        if "not_recorded" not in outcome.codes:
            draft = event_of(outcome)
            try:
                await wired.store.write(lambda tx: wired.recorder.append(tx, draft))
            except StoreError as error:
                get_log("runtime").error("rejection_not_recorded", error=error.message)
        return self._heard(outcome)

    def _unchanged(self, report: Report, wired: Wired) -> Outcome:
        """Conclude that nothing is to be done; who heard of a rejection hears that it is over."""
        outcome = _outcome("unchanged", report, wired, wired, ())
        return self._heard(outcome) if self.last and self.last.kind == "rejected" else outcome

    def _heard(self, outcome: Outcome) -> Outcome:
        before, self.last = self.last, outcome
        is_retry = "not_recorded" in outcome.codes
        if not (is_retry and before is not None and before.codes == outcome.codes):
            with suppress(OSError):  # who listened has left; the record has it all the same
                self._tell(outcome)
        return outcome

    def _prove_later(self, wired: Wired, former: Wired) -> None:
        """Prove models whose definition changed; until they are, they are out of service."""
        task = asyncio.create_task(self._prove(wired, former))
        self._proving.add(task)
        task.add_done_callback(self._proving.discard)

    async def _prove(self, wired: Wired, former: Wired) -> None:
        with self._in_force.use() as now:
            if now is not wired:
                return
            try:
                for lineup in wired.lineups.values():
                    await lineup.prove(only_unasked=True)
            except StoreError as error:
                get_log("runtime").error("proof_not_recorded", error=error.message)
            self._warm(_changed_brains(former.config, wired.config))


async def _remote_models(config: Config, wired: Wired) -> tuple[Problem, ...]:
    """Return a problem for each new model that must be local and is proved not to be.

    One that does not answer in time is no problem: it stays out of service until it is proved.
    """
    try:
        async with asyncio.timeout(PROOF_SECONDS):
            return await locality_problems(config, wired.lineups, only_unasked=True)
    except TimeoutError:
        return ()


def _outcome(
    kind: Literal["applied", "rejected", "unchanged"],
    report: Report,
    former: Wired,
    wired: Wired,
    paths: tuple[str, ...],
) -> Outcome:
    return Outcome(
        kind=kind,
        at=wired.clock.now(),
        revision=wired.config.revision,
        revision_before=former.config.revision,
        paths=paths,
        report=report,
    )


def _changed_brains(former: Config, config: Config) -> tuple[str, ...]:
    """Return the brains whose prompts may begin otherwise now; the caches of the others still hold."""
    return tuple(brain.name for brain in config.brains if brain not in former.brains)


def _untold(outcome: Outcome) -> None:
    """Nobody has asked to hear of outcomes; the record has them."""


def _left_cold(brains: Collection[str]) -> None:
    """Nobody has asked for prompts to be read ahead."""
