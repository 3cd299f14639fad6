"""The promises, as data: docs/promises.md shows this table, tests claim its ids.

`waits_for` names the part that is not built yet; such a promise needs no proof until it is. A
promise of which a part is built has its proof for that part, and says in `thin` what it lacks.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    name: str
    text: str
    waits_for: str = ""
    lacks: str = ""


PROMISES = {
    "P1": Promise(
        name="Loud config",
        text="One validator serves check, start and reload. It reports every problem at once, each "
        "with its place in the file, what was found, what was expected and how to mend it. Nothing "
        "starts half-configured.",
    ),
    "P2": Promise(
        name="One gate",
        text="Every tool call goes through one executor: find, check arguments, decide, record, "
        "run, record. Nothing is allowed that no grant names.",
        lacks="MCP clients and background jobs, as origins of calls, are not built",
    ),
    "P3": Promise(
        name="Shadow can be judged",
        text="A shadowed call never runs, the model is told so plainly, and the owner can read "
        "what would have been stored, promote it or drop it.",
    ),
    "P4": Promise(
        name="Notes are bounded, durable, visible and scoped",
        text="Full is full: nothing is evicted in silence. What is stored always fits the prompt.",
    ),
    "P5": Promise(
        name="Local means verified local",
        text="A model counts as local only when the runtime has proved it, and the proof is "
        "repeated on every answer. Brain-scope notes and private brains depend on the proof, not "
        "on a label.",
    ),
    "P6": Promise(
        name="Nothing is remembered on its own",
        text="No embedding, summary or carry-over happens unless its block stands in the config.",
    ),
    "P7": Promise(
        name="System commands never reach the model",
        text="Every reserved command is answered by the runtime, at once, with or without a "
        "working model, whether or not its feature is configured.",
    ),
    "P8": Promise(
        name="Recall is deliberate",
        text="One quoted block, into an empty session, with its origin in its header.",
    ),
    "P9": Promise(
        name="Activity is a durable, ordered record",
        text="It holds no content and loses no event. Edits inside it are found; a cut tail or a "
        "full rewrite is found against an anchor that is kept elsewhere.",
    ),
    "P10": Promise(
        name="Reload is a transaction",
        text="A valid change applies whole, an invalid one changes nothing, and either is on "
        "record.",
    ),
    "P11": Promise(
        name="Forgetting is real",
        text="A clear or a forget removes the runtime's copies of the text, down to the bytes in "
        "its files, and the receipt names every place where the same words remain.",
    ),
    "P12": Promise(
        name="Ageing is explainable and reversible",
        text="Resting is never deletion; what is displaced is named and can be restored.",
        waits_for="long-term memory",
    ),
    "P13": Promise(
        name="The runtime tells the truth",
        text="What was saved is said by the runtime and not by the model: the effects line.",
    ),
    "P14": Promise(
        name="The prompt is accounted for",
        text="The context size is explicit, nothing is cut in silence, and a receipt of each "
        "exchange says what rode in the prompt.",
    ),
}
