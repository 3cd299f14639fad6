"""What a model is told about the text lane: rules in order, and examples, which pay more than rules.

Pure, and byte-stable for the same tools in the same order. The texts were tuned by measuring with
the default embedded model (tests/benchmarks/quality_text_lane.py); change them only with it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from brain.records import JSONValue, ToolCall, ToolSpec

__all__ = ["lane_block"]

_CONSTRAINED = (
    'Answer with one JSON object. Its "do" is "reply" to talk to the user, or the name of a tool:'
)
_FREE = (
    "You have tools. To use one, answer with one line that is a JSON object and nothing else; "
    "otherwise answer in plain text. The tools:"
)
_RESULT = "After a tool's result, tell the user what came of it, and never more than that."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lesson:
    """What is taught of a tool that brain knows: when to use it, and how that looks."""

    rule: str
    examples: tuple[tuple[str, Mapping[str, JSONValue] | str], ...]


_NOT_SAVED = (
    ("Don't write this down: my boss is annoying.", "Not written down. What happened?"),
    ("I had pasta for dinner.", "Nice! Was it good?"),
    ("Do you remember songs well?", "I only know what is written here."),
)

_LESSONS: Mapping[str, _Lesson] = {
    "memory_note": _Lesson(
        rule=(
            "The user asks you to remember, note, write down, keep, keep in mind, save or not "
            "forget something: memory_note, with the fact in the user's own words and language, "
            "never translated. If the user says not to save it, or only tells or asks something: "
            "reply. A reply never keeps anything."
        ),
        examples=(
            ("Please remember that my sister's name is Ada.", {"note": "My sister's name is Ada"}),
            ("Note: the gate code is 4471", {"note": "The gate code is 4471"}),
            ("Don't forget that I work nights.", {"note": "I work nights"}),
            *_NOT_SAVED,
            ("No olvides que soy alérgico a las nueces.", {"note": "Soy alérgico a las nueces"}),
            ("Apunta que Luis llega a las 8.", {"note": "Luis llega a las 8"}),
            ("No guardes esto: odio los lunes.", "De acuerdo, no lo guardo."),
            ("私の誕生日は3月5日だと覚えておいて。", {"note": "誕生日は3月5日"}),
            ("猫が苦手なんだ、忘れないでね。", {"note": "猫が苦手"}),
            ("おすすめの本を教えて。", "『こころ』はどうですか。"),
            ("Đừng quên con tôi tên Bình.", {"note": "Con tôi tên Bình"}),
            ("Ghi lại: họp lúc 9 giờ thứ Ba.", {"note": "Họp lúc 9 giờ thứ Ba"}),
            ("Học tiếng Anh có khó không?", "Cần thời gian, nhưng không quá khó."),
            ("내 차 번호는 1234라고 기억해 줘.", {"note": "내 차 번호는 1234"}),
            ("화요일 9시에 회의라고 적어 둬.", {"note": "화요일 9시에 회의"}),
            ("노래 하나 추천해 줘.", "'봄날'은 어때요?"),
        ),
    ),
    "time": _Lesson(
        rule="The user asks for the present time, day or date: time. Never guess them.",
        examples=(("What time is it?", {}),),
    ),
    "calc": _Lesson(
        rule="The user asks to work out numbers: calc. Without numbers to work out: reply.",
        examples=(("What is 12 times 34?", {"expression": "12*34"}),),
    ),
    "echo": _Lesson(
        rule="The user asks to echo a text: echo.",
        examples=(("Echo: one two", {"text": "one two"}),),
    ),
}


def lane_block(
    tools: tuple[ToolSpec, ...], *, render: Callable[[ToolCall], str], constrained: bool
) -> str:
    """Return the lane's block of the system message for `tools`."""

    def written(answer: Mapping[str, JSONValue] | str, name: str) -> str:
        if not isinstance(answer, str):
            return render(ToolCall(id="", name=name, arguments=answer))
        reply = {"do": "reply", "reply": answer}
        return json.dumps(reply, ensure_ascii=False) if constrained else answer

    lines = [_CONSTRAINED if constrained else _FREE]
    lines += [f"- {tool.name}: {tool.description}" for tool in tools]
    lines += ["", "Go by the first rule that fits:"]
    rules = [_rule(tool) for tool in tools]
    rules.append("Anything else: reply, in the user's language. " + _RESULT)
    lines += [f"{number}. {rule}" for number, rule in enumerate(rules, 1)]
    lines += ["", "Examples:"]
    for tool in tools:
        for said, answer in _examples(tool):
            lines += [f"User: {said}", f"Answer: {written(answer, tool.name)}"]
    return "\n".join(lines)


def _fits(lesson: _Lesson, tool: ToolSpec) -> bool:
    """Tell whether the tool takes what its lesson shows: another's tool may bear the same name."""
    known = tool.parameters.get("properties")
    names = known.keys() if isinstance(known, Mapping) else set()
    shown = {key for _, answer in lesson.examples if isinstance(answer, Mapping) for key in answer}
    return shown <= set(names)


def _rule(tool: ToolSpec) -> str:
    lesson = _LESSONS.get(tool.name)
    if lesson is not None and _fits(lesson, tool):
        return lesson.rule
    return f"What the user asks for needs {tool.name}: {tool.name}."


def _examples(tool: ToolSpec) -> tuple[tuple[str, Mapping[str, JSONValue] | str], ...]:
    lesson = _LESSONS.get(tool.name)
    if lesson is not None and _fits(lesson, tool):
        return lesson.examples
    return ((f"(asks for what {tool.name} does)", _sample(tool.parameters)),)


def _sample(parameters: Mapping[str, JSONValue]) -> dict[str, JSONValue]:
    """Return arguments that show a tool's required parameters, by name or by their first choice."""
    properties = parameters.get("properties")
    required = parameters.get("required")
    known = properties if isinstance(properties, Mapping) else {}
    names = required if isinstance(required, list | tuple) else []
    return {str(name): _placeholder(str(name), known.get(str(name))) for name in names}


def _placeholder(name: str, schema: JSONValue) -> JSONValue:
    if not isinstance(schema, Mapping):
        return f"<{name}>"
    choices = schema.get("enum")
    if isinstance(choices, list | tuple) and choices:
        first: JSONValue = choices[0]
        return first
    samples: dict[str, JSONValue] = {
        "integer": 1,
        "number": 1,
        "boolean": True,
        "array": [],
        "object": _sample(schema),
    }
    return samples.get(str(schema.get("type")), f"<{name}>")
