"""A command is taken and recorded in one transaction; a store that fails is told, not hidden."""

from collections.abc import Callable
from dataclasses import replace

from brain.activity import Draft, Journal, Recorder
from brain.commands.answer import Answer, Ask, Errand, Step, Work
from brain.errors import StoreError
from brain.log import get_log
from brain.store import Store, Transaction

__all__ = ["KeepAnswer", "take"]

Taken = tuple[Answer, tuple[str, ...]]

KeepAnswer = Callable[[Transaction, Answer], None]


async def take(
    step: Step, ask: Ask, name: str, *, store: Store, recorder: Recorder, keep: KeepAnswer
) -> Taken:
    """Do what `step` says and record it as `name`; return the answer and notices for the person.

    `keep` is run in the transaction in which the answer is put on record.
    """

    def record(answer: Answer) -> Draft:
        return replace(ask.draft("command_run"), outcome=answer.outcome, codes=(name,))

    async def do(work: Work) -> Answer:
        def change(tx: Transaction) -> Answer:
            answer = work.run(tx, recorder)
            recorder.append(tx, record(answer))
            keep(tx, answer)
            return answer

        return await store.write(change)

    try:
        if isinstance(step, Errand):
            found = await store.read(step.look)
            if isinstance(found, Answer):
                return await do(_already(found)), ()
            journal = Journal(store=store, recorder=recorder)
            answer = await found(journal)
            journal.add(record(answer))
            return answer, await _last_commit(journal, lambda tx: keep(tx, answer), ask)
        return await do(_already(step) if isinstance(step, Answer) else step), ()
    except StoreError as error:
        told = _told(error, ask)
        if isinstance(step, Answer):
            return step, (f"This answer is not on record. {told}",)
        failed = Answer(text=f"Nothing was changed. {told}", outcome="store_failed")
    try:
        return await do(_already(failed)), ()
    except StoreError:
        return failed, ("This failure is not on record either.",)


def _already(answer: Answer) -> Work:
    """Return the work of an answer that needs nothing of the store but its event."""
    return Work(run=lambda _tx, _recorder: answer)


async def _last_commit(
    journal: Journal, change: Callable[[Transaction], None], ask: Ask
) -> tuple[str, ...]:
    """Write the event of a command whose call is committed already."""
    try:
        await journal.commit(change)
    except StoreError as error:
        return (f"This was done, but the command is not on record. {_told(error, ask)}",)
    return ()


def _told(error: StoreError, ask: Ask) -> str:
    """Return what this sender may read of a failure of the store; the log has all of it."""
    context = ask.context
    get_log("commands").error("store_failed", exchange=context.exchange_id, error=error.message)
    return error.told(is_operator=context.is_operator)
