"""`python -m tests.benchmarks.quality [--seen]`: what the embedded model decides and what is read.

Needs its weights (`brain pull --embedded`). The config is the shipped one (`config/brain.json`) but for
its models (the embedded one alone), a folder of its own, and `calc` beside its tools; every message
goes through the front door, in a talk of its own. Prints one JSON line per message, then the figures:
the first call of an exchange, from its events, on messages that no prompt was written with (with
`--seen` on those that were looked at since), and the replies to a request to remember where it is
stored, refused by a full box, and denied. Rehearsed it is in the first part, as shipped.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from brain.clock import SystemClock
from brain.config import Model
from brain.errors import BrainError
from brain.models import find_weights
from brain.records import Box, Reply
from brain.runtime import Runtime, open_runtime
from brain.store import EventFilter, Snapshot
from tests.benchmarks.lane_messages import Case
from tests.benchmarks.product import loaded, say
from tests.benchmarks.quality_held import ASKED, HELD
from tests.benchmarks.quality_seen import SEEN
from tests.benchmarks.quality_seen_again import SEEN_AGAIN
from tests.benchmarks.quality_text_lane import WANTED

SHIPPED = Path(__file__).parents[2] / "config" / "brain.json"
MODEL = Model(provider="embedded", model_id="qwen2.5-coder-1.5b-instruct", locality="local")
# The outcome that is arranged, and the grant of memory_note that brings it about.
OUTCOMES = {"stored": "allow", "full": "allow", "denied": "deny"}
EFFECTS = {"stored": ["saved"], "full": ["refused"], "denied": []}
REQUESTS = 4  # to remember, of each language, for each outcome
_GROUPED = re.compile(r"(?<=\d)[,. \u00a0](?=\d{3}(?!\d))")

Messages = Mapping[str, Sequence[Case]]


def put(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields, ensure_ascii=False) + "\n")
    sys.stdout.flush()


@asynccontextmanager
async def shipped(mode: str, *, max_notes: int = 10) -> AsyncIterator[Runtime]:
    """Run the shipped config with the embedded model, `calc`, and `mode` for memory_note."""
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    content["storage"] = {"path": "state/brain.db"}
    [brain] = content["brains"]
    brain["models"] = [each for each in brain["models"] if each["provider"] == "embedded"]
    agent = brain["agent"]
    agent["tools"].append("calc")
    agent["memory"]["max_notes"] = max_notes
    agent["governance"] = [
        {"tool": "time", "mode": "allow"},
        {"tool": "calc", "mode": "allow"},
        {"tool": "memory_note", "mode": mode},
    ]
    with tempfile.TemporaryDirectory(prefix="brain-quality-") as folder:
        config = loaded(Path(folder), content)
        async with open_runtime(config, clock=SystemClock(), environ=os.environ) as runtime:
            yield runtime


async def first_call(runtime: Runtime, talk: str, reply: Reply) -> dict[str, Any]:
    """Return the first call of an exchange, with the note it asked for; empty where there was none.

    A call that was set aside is none: what the model wanted was not done.
    """

    def look(snapshot: Snapshot) -> dict[str, Any]:
        wanted = EventFilter(tools_only=True)
        rows = snapshot.events(wanted, limit=50, newest=True)
        rows = [row for row in rows if row["exchange"] == reply.exchange_id]
        row = next((row for row in rows if row["type"] != "call_set_aside"), None)
        if row is None:
            return {"set_aside": True} if rows else {}
        box = Box(brain="assistant", scope="conversation", channel="console", conversation=talk)
        kept = snapshot.rehearsals(box, now=SystemClock().now())
        notes = [str(each.arguments.get("note", "")) for each in kept]
        return {"tool": row["tool"], "outcome": row["outcome"], "note": "\n".join(notes)}

    return await runtime.store.read(look)


def is_whole(case: Case, call: Mapping[str, Any], reply: Reply) -> bool:
    """Tell whether a right call came to what it should: the user's words, the value in the reply."""
    if case.kind == "note":
        return all(word.casefold() in call["note"].casefold() for word in case.keeps)
    if case.kind == "calc":
        return any(value in _GROUPED.sub("", reply.text) for value in case.keeps)
    return "outcome" not in call or call["outcome"] == "ok"


async def decisions(messages: Messages) -> None:
    """Say each message to the assistant as it ships, and count its first call."""
    counts: Counter[tuple[str, str]] = Counter()
    async with shipped("shadow") as runtime:
        for language, cases in messages.items():
            for number, case in enumerate(cases):
                talk = f"{language} {number}"
                reply = await say(runtime, talk, case.text)
                call = await first_call(runtime, talk, reply)
                is_right = call.get("tool", "") == WANTED[case.kind]
                is_kept = is_right and is_whole(case, call, reply)
                counts.update({(case.kind, "messages"): 1, (case.kind, "right"): is_right})
                counts.update({(case.kind, "whole"): is_kept, (language, "right"): is_right})
                counts.update({(case.kind, "set aside"): "set_aside" in call})
                line = {"language": language, "kind": case.kind, "said": case.text}
                put(**line, is_right=is_right, is_whole=is_kept, call=call, **read(reply))
    for kind in WANTED:
        asked, right = counts[kind, "messages"], counts[kind, "right"]
        put(
            figure=kind,
            messages=asked,
            right=right,
            whole=counts[kind, "whole"],
            set_aside=counts[kind, "set aside"],
        )
    for language, cases in messages.items():
        put(figure=f"all in {language}", messages=len(cases), right=counts[language, "right"])


async def final_replies(requests: Mapping[str, Sequence[str]], outcome: str) -> None:
    """Show what is read after a request to remember that ends in `outcome`.

    Whether a reply of the model (one without an effects line) claims a save is for a person to
    judge: the patterns of the truth line cannot find what they miss.
    """
    counts: Counter[str] = Counter()
    async with shipped(OUTCOMES[outcome], max_notes=1 if outcome == "full" else 10) as runtime:
        for language, texts in requests.items():
            for number, text in enumerate(texts):
                talk = f"{language} {number}"
                if outcome == "full":
                    await say(runtime, talk, "/notes add 1")
                reply = await say(runtime, talk, text)
                effects = [each.kind for each in reply.effects]
                counts.update({"replies": 1, "reached": effects == EFFECTS[outcome]})
                counts.update(
                    {
                        "by_the_runtime": bool(effects),
                        "marked": not effects and bool(reply.truth),
                        "to_judge": not effects,
                        "unmarked": not effects and not reply.truth,
                    }
                )
                put(outcome=outcome, language=language, said=text, **read(reply))
    put(figure=outcome, **counts)


def read(reply: Reply) -> dict[str, Any]:
    """What the person reads: the reply, and the lines of the runtime under it."""
    effects = [effect.line for effect in reply.effects]
    notices = list(reply.notices)
    return {"reply": reply.text, "effects": effects, "truth": reply.truth, "notices": notices}


async def questions(asked: Mapping[str, Sequence[tuple[str, str, tuple[str, ...]]]]) -> None:
    """Note facts as their owner would, ask for them, and count the answers that hold them."""
    counts: Counter[str] = Counter()
    async with shipped("allow") as runtime:
        for language, cases in asked.items():
            for number, (fact, question, words) in enumerate(cases):
                talk = f"{language} {number}"
                await say(runtime, talk, f"/notes add {fact}")
                reply = await say(runtime, talk, question)
                call = await first_call(runtime, talk, reply)
                is_right = all(word.casefold() in reply.text.casefold() for word in words)
                counts.update({"questions": 1, "right": is_right, "called": "tool" in call})
                line = {"language": language, "noted": fact, "said": question}
                put(**line, is_right=is_right, call=call, **read(reply))
    put(figure="asked", **counts)


async def measure(messages: Messages) -> None:
    await decisions(messages)
    requests = {
        language: [case.text for case in cases if case.kind == "note"][:REQUESTS]
        for language, cases in messages.items()
    }
    for outcome in OUTCOMES:
        await final_replies(requests, outcome)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seen", action="store_true", help="the messages that were looked at")
    is_seen = parser.parse_args().seen
    seen = {language: (*cases, *SEEN_AGAIN[language]) for language, cases in SEEN.items()}
    try:
        find_weights(MODEL, environ=os.environ)
        asyncio.run(measure(seen if is_seen else HELD))
        if not is_seen:
            asyncio.run(questions(ASKED))
    except BrainError as error:
        sys.stderr.write(f"{error.message}\n" + (f"  fix: {error.fix}\n" if error.fix else ""))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
