"""How well the default embedded model decides in the text lane; no part of the test run.

    python -m tests.benchmarks.quality_text_lane [--set checked] [--tools time,memory_note] [--talked]

Needs the weights (`brain pull --embedded`). Prints one JSON line per message that went wrong and
one with the figures: right memory_note calls, right tools, calls where a reply was wanted.
`--talked` puts an earlier talk before each message, with a note that the runtime answered.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

from brain.agent.asked import asks_to_remember
from brain.agent.lane import Expected, TextLane
from brain.agent.languages import sentence
from brain.agent.text_lane import AnswerReader, ParsedAnswer, teach
from brain.clock import SystemClock
from brain.config import NOTES_HEADER, Model
from brain.models import EmbeddedModel, Engines, TextDelta
from brain.records import Message, ToolSpec
from brain.tools.builtin import calc, echo, memory_note, utc_time
from tests.benchmarks.lane_messages import HELD, TUNED, Case
from tests.benchmarks.lane_probes import CHECKED, PROBED

SPECS = {
    spec.name: spec
    for spec in (memory_note.MemoryNote.spec, utc_time.UtcTime.spec, calc.Calc.spec, echo.Echo.spec)
}
NOTES = f"{NOTES_HEADER}\n1. My car is a red Fiat\n2. Soy de Valencia"
TALK = (
    Message(role="user", text="Hi there"),
    Message(role="assistant", text="Hello! How can I help you?"),
    Message(role="user", text="Remember that my car is a red Fiat."),
    Message(role="assistant", text=sentence("en", "saved", number=1)),
    Message(role="user", text="What is a good film?"),
    Message(role="assistant", text="You might like Casablanca."),
    Message(role="user", text="Recuerda que soy de Valencia."),
    Message(role="assistant", text=sentence("es", "saved", number=2)),
)
SETS = {"tuned": TUNED, "held": HELD, "probed": PROBED, "checked": CHECKED}
WANTED = {"note": "memory_note", "time": "time", "calc": "calc", "talk": "", "trap": ""}


async def answer_of(
    model: EmbeddedModel, tools: tuple[ToolSpec, ...], case: Case, talk: Sequence[Message]
) -> ParsedAnswer:
    system = "\n\n".join([teach(tools), *([NOTES] if talk else [])])
    messages = (Message(role="system", text=system), *talk, Message(role="user", text=case.text))
    lane = TextLane(tools=tools, constrained=True)
    wants_note = asks_to_remember(case.text) and memory_note.MemoryNote.spec in tools
    expects: Expected = "note" if wants_note else "any"
    request = lane.request(messages, think=None, expects=expects)
    reader = AnswerReader(tools)
    async with aclosing(model.chat(request)) as deltas:  # type: ignore[type-var]
        async for delta in deltas:
            if isinstance(delta, TextDelta):
                reader.feed(delta.text)
    return reader.finish()


def verdict(case: Case, answer: ParsedAnswer, names: Sequence[str]) -> tuple[bool, bool, bool]:
    """Return whether the tool was right, whether all was, and whether a call was made for nothing."""
    called = answer.call.name if answer.call else ""
    wanted = WANTED[case.kind] if WANTED[case.kind] in names else ""
    note = str(answer.call.arguments.get("note", "")) if answer.call else ""
    kept = case.keeps if case.kind == "note" else ()
    is_whole = not answer.malformed and all(word.casefold() in note.casefold() for word in kept)
    return called == wanted, called == wanted and is_whole, bool(called) and not wanted


async def measure(arguments: argparse.Namespace) -> None:
    tools = tuple(SPECS[name] for name in arguments.tools.split(","))
    names = [tool.name for tool in tools]
    settings = Model(
        provider="embedded",
        model_id=arguments.model,
        locality="local",
        model_path=Path(arguments.path) if arguments.path else None,
        num_ctx=4096,
        num_predict=80,
    )
    model = EmbeddedModel(settings, clock=SystemClock(), engines=Engines(), environ=os.environ)
    cases = SETS[arguments.set]
    counts = {"note": [0, 0, 0], "other": [0, 0, 0], "plain": [0, 0]}
    began = time.monotonic()
    for case in cases:
        answer = await answer_of(model, tools, case, TALK if arguments.talked else ())
        tool, whole, false = verdict(case, answer, names)
        if case.kind == "note":
            counts["note"] = [a + b for a, b in zip(counts["note"], (1, tool, whole), strict=True)]
        elif WANTED[case.kind] in names:
            counts["other"] = [
                a + b for a, b in zip(counts["other"], (1, tool, whole), strict=True)
            ]
        else:
            counts["plain"] = [counts["plain"][0] + 1, counts["plain"][1] + false]
        if not whole:
            call = answer.call and {"do": answer.call.name, **answer.call.arguments}
            line = {"kind": case.kind, "said": case.text, "got": call or answer.reply}
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    await model.close()
    notes, others, plain = counts["note"], counts["other"], counts["plain"]
    figures = {
        "model": arguments.model,
        "set": arguments.set,
        "tools": names,
        "talked": arguments.talked,
        "notes": notes[0],
        "notes_called": notes[1],
        "notes_whole": notes[2],
        "other_tools": others[0],
        "other_tools_right": others[1],
        "replies_wanted": plain[0],
        "false_calls": plain[1],
        "seconds_per_message": round((time.monotonic() - began) / len(cases), 2),
        "teaching_characters": len(teach(tools)),
        "load": os.getloadavg()[0],
    }
    sys.stdout.write(json.dumps(figures) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=[*SETS], default="tuned")
    parser.add_argument("--tools", default="time,memory_note")
    parser.add_argument("--talked", action="store_true")
    parser.add_argument("--model", default="qwen2.5-coder-1.5b-instruct")
    parser.add_argument("--path", default="")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
