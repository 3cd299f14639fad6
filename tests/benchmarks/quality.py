"""`python -m tests.benchmarks.quality [--seen]`: what the default embedded model decides and replies.

Needs its weights (`brain pull --embedded`). Prints one JSON line per message, then the figures:
the tool decisions of messages that no prompt was written with (with `--seen` of those that were
looked at since), and the final replies to a request to remember where it is stored, rehearsed,
refused by a full box, and denied.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from brain.clock import SystemClock
from brain.config import Model
from brain.errors import BrainError
from brain.models import EmbeddedModel, Engines, find_weights
from brain.runtime import open_runtime
from brain.tools.builtin.arithmetic import calculate
from tests.benchmarks.lane_messages import Case
from tests.benchmarks.product import document, loaded, say
from tests.benchmarks.quality_messages import HELD, HELD_KEEP, SEEN, SEEN_KEEP
from tests.benchmarks.quality_text_lane import SPECS, WANTED, answer_of

MODEL = "qwen2.5-coder-1.5b-instruct"
SETTINGS = Model(
    provider="embedded", model_id=MODEL, locality="local", num_ctx=4096, num_predict=160
)
TOOLS = tuple(SPECS[name] for name in ("time", "memory_note", "calc"))
# The outcome that is arranged, with the grant of memory_note that brings it about.
OUTCOMES = {"stored": "allow", "rehearsed": "shadow", "full": "allow", "denied": "deny"}


def put(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def is_whole(case: Case, call: dict[str, Any]) -> bool:
    """Tell whether a right call holds what it must: the words of a note, the value of a sum."""
    if case.kind == "note":
        return all(word.casefold() in str(call["note"]).casefold() for word in case.keeps)
    if case.kind == "calc":
        try:
            return calculate(str(call["expression"])) in case.keeps
        except BrainError:
            return False
    return True


async def decisions(messages: Mapping[str, Sequence[Case]]) -> None:
    """Ask for the first decision on each message, with three tools to choose from."""
    model = EmbeddedModel(SETTINGS, clock=SystemClock(), engines=Engines(), environ=os.environ)
    counts: Counter[tuple[str, str]] = Counter()
    try:
        for language, cases in messages.items():
            for case in cases:
                answer = await answer_of(model, TOOLS, case, ())
                call = {"do": answer.call.name, **answer.call.arguments} if answer.call else None
                called = answer.call.name if answer.call else ""
                is_right = called == WANTED[case.kind]
                is_kept = is_right and (call is None or is_whole(case, call))
                counts.update({(case.kind, "messages"): 1, (case.kind, "right"): is_right})
                counts.update({(case.kind, "whole"): is_kept, (language, "right"): is_right})
                put(
                    language=language,
                    kind=case.kind,
                    said=case.text,
                    is_right=is_right,
                    is_whole=is_kept,
                    got=call or answer.reply,
                )
    finally:
        await model.close()
    for kind in WANTED:
        asked, right = counts[kind, "messages"], counts[kind, "right"]
        put(figure=kind, messages=asked, right=right, whole=counts[kind, "whole"])
    for language, cases in messages.items():
        put(figure=f"all in {language}", messages=len(cases), right=counts[language, "right"])


async def final_replies(folder: Path, requests: Mapping[str, str]) -> None:
    """Show what the whole runtime says after a request to remember, one fresh talk for each.

    Whether a reply without a line of the runtime (`to_read`) claims a save is for a person to
    judge: the patterns of the truth line cannot find what the truth line missed.
    """
    counts: Counter[str] = Counter()
    for outcome, mode in OUTCOMES.items():
        config = loaded(folder_of(folder, outcome), arranged(outcome, mode))
        async with open_runtime(config, clock=SystemClock(), environ=os.environ) as runtime:
            for language, text in requests.items():
                if outcome == "full":
                    await say(runtime, language, "/notes add 1")
                reply = await say(runtime, language, text)
                counts.update(
                    {
                        "replies": 1,
                        "reached": is_reached(outcome, [each.kind for each in reply.effects]),
                        "with_effects_line": bool(reply.effects),
                        "with_truth_line": bool(reply.truth),
                        "to_read": not reply.effects and not reply.truth,
                    }
                )
                put(
                    outcome=outcome,
                    language=language,
                    reply=reply.text,
                    effects=[effect.line for effect in reply.effects],
                    truth=reply.truth,
                )
    put(figure="final replies", **counts)


def is_reached(outcome: str, effects: list[str]) -> bool:
    """Tell whether the model did what brings the outcome about; a denied tool is not offered."""
    wanted = {"stored": ["saved"], "rehearsed": ["rehearsed"], "full": ["refused"], "denied": []}
    return effects == wanted[outcome]


def arranged(outcome: str, mode: str) -> dict[str, Any]:
    """The config of the other benchmarks, with the embedded model and the grant of `outcome`."""
    content = document("http://127.0.0.1:1", model="unused")
    brain = content["brains"][0]
    brain["models"] = [{"provider": "embedded", "model_id": MODEL, "locality": "local"}]
    brain["agent"]["governance"][1]["mode"] = mode
    if outcome == "full":
        brain["agent"]["memory"]["max_notes"] = 1
    return content


def folder_of(folder: Path, outcome: str) -> Path:
    made = folder / outcome
    made.mkdir()
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seen", action="store_true", help="the messages that were looked at")
    is_seen = parser.parse_args().seen
    try:
        find_weights(SETTINGS, environ=os.environ)
        asyncio.run(decisions(SEEN if is_seen else HELD))
        with tempfile.TemporaryDirectory(prefix="brain-quality-") as folder:
            asyncio.run(final_replies(Path(folder), SEEN_KEEP if is_seen else HELD_KEEP))
    except BrainError as error:
        sys.stderr.write(f"{error.message}\n" + (f"  fix: {error.fix}\n" if error.fix else ""))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
