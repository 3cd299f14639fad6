"""Triggers: a new session because the person asked for one, and why not where there are none."""

from brain.activity import Recorder
from brain.commands.answer import Answer, Ask, Step, Work
from brain.memory import cut_session
from brain.store import Transaction

__all__ = ["answer_without_trigger", "plan_cut"]


def plan_cut(ask: Ask) -> Step:
    """Plan what a trigger that stands alone does."""
    if not ask.has_store:
        return Answer(
            text="There are no sessions: the config has no storage block.",
            outcome="not_configured",
        )

    def run(tx: Transaction, recorder: Recorder) -> Answer:
        opened = cut_session(
            tx,
            recorder,
            conversation_id=ask.context.conversation_id,
            event=ask.draft("session_started"),
        )
        number = opened.session.number
        if not opened.began:
            return Answer(text=f"Session {number} is empty already.", outcome="nothing")
        return Answer(text=f"Session {number} begins. What was said before is kept; notes stay.")

    return Work(run=run)


def answer_without_trigger(ask: Ask, word: str) -> Answer:
    """Answer a usual trigger that this config does not have."""
    if ask.triggers:
        text = f"/{word} is no trigger here. A new session begins with: {', '.join(ask.triggers)}."
    elif ask.context.config.session is None:
        text = (
            f"/{word} is off: the config has no session block, so this conversation is one endless "
            'session. To turn it on, add "session": {}, and have a storage block.'
        )
    else:
        text = f"/{word} is off: session.triggers is empty."
    return Answer(text=text, outcome="not_configured")
