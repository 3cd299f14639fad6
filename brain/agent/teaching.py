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


_NOTE_TOOL = "memory_note"

# Where no note can be kept. Untold, a model promises to remember, or says that it does.
_WITHOUT_NOTES = _Lesson(
    rule=(
        "The user asks you to remember, note, write down, keep, keep in mind, save or not forget "
        "something: reply, in the user's language, that you can't keep notes."
    ),
    examples=(
        ("Please remember that my sister's name is Ada.", "I can't keep notes here."),
        ("Do you remember who wrote Hamlet?", "Shakespeare did."),
        ("No olvides que soy alérgico a las nueces.", "Aquí no puedo guardar notas."),
        ("私の誕生日は3月5日だと覚えておいて。", "ここではメモを残せません。"),
        ("Ghi lại: họp lúc 9 giờ thứ Ba.", "Ở đây tôi không lưu được ghi chú."),
        ("내 차 번호는 1234야. 잊지 말아 줘.", "여기서는 메모를 남길 수 없어요."),
    ),
)

_LESSONS: Mapping[str, _Lesson] = {
    "time": _Lesson(
        rule="The user asks for the present time, day or date: time. Never guess them.",
        examples=(("What time is it?", {}),),
    ),
    _NOTE_TOOL: _Lesson(
        rule=(
            "The user asks you to remember, note, write down, keep, keep in mind, save or not "
            "forget something: memory_note, with the fact in the user's own words and language, "
            "never translated. If the user says not to save it, or only tells or asks something: "
            "reply. A reply never keeps anything."
        ),
        examples=(
            ("Remember that my sister's name is Ada.", {"note": "My sister's name is Ada"}),
            ("Could you keep in mind that I hate olives?", {"note": "I hate olives"}),
            ("Do you remember who wrote Hamlet?", "Shakespeare did."),
            ("Can you remember things for later?", "Only this talk and the notes here."),
            ("Which notes make a C chord?", "C, E and G."),
            ("Don't write this down: my boss is annoying.", "Not written down."),
            ("I had pasta for dinner.", "Nice! Was it good?"),
            ("No olvides que soy alérgico a las nueces.", {"note": "Soy alérgico a las nueces"}),
            ("Anótalo: mi clave es 3312", {"note": "Mi clave es 3312"}),
            ("¿Puedes guardar secretos?", "Solo veo esta charla."),
            ("Recuérdame cómo se hace el té.", "Hierve agua y añade té."),
            ("誕生日は3月5日だと覚えておいて。", {"note": "誕生日は3月5日"}),
            ("猫が苦手なんだ、忘れないでね。", {"note": "猫が苦手"}),
            ("人の名前を忘れない方法は？", "何度も呼ぶことです。"),
            ("Đừng quên con tôi tên Bình.", {"note": "Con tôi tên Bình"}),
            ("Bạn nhớ giúp họp lúc 9 giờ thứ Ba nhé?", {"note": "Họp lúc 9 giờ thứ Ba"}),
            ("Làm sao nhớ tên người lạ?", "Gọi tên họ nhiều."),
            ("내 차 번호는 1234야. 잊지 말아 줘.", {"note": "내 차 번호는 1234"}),
            ("화요일 9시에 회의라고 기록해 둬.", {"note": "화요일 9시에 회의"}),
            ("내 생일이 언제인지 기억해?", "아직 몰라요."),
        ),
    ),
    "calc": _Lesson(
        rule="The user asks to work out numbers: calc. Without numbers: reply.",
        examples=(
            ("What is 12 times 34?", {"expression": "12*34"}),
            ("[Result of calc, not the user's words] 408", "12*34 = 408"),
            ("80의 15%", {"expression": "80*0.15"}),
            ("90円の20%引き", {"expression": "90*0.8"}),
        ),
    ),
    "echo": _Lesson(
        rule="The user asks to echo a text: echo.",
        examples=(("Echo: one two", {"text": "one two"}),),
    ),
}


def lane_block(
    tools: tuple[ToolSpec, ...], *, render: Callable[[ToolCall], str], constrained: bool
) -> str:
    """Return the lane's block of the system message for `tools`, in the order that was tuned."""
    tools = tuple(sorted(tools, key=_place))

    def written(answer: Mapping[str, JSONValue] | str, name: str) -> str:
        if not isinstance(answer, str):
            return render(ToolCall(id="", name=name, arguments=answer))
        reply = {"do": "reply", "reply": answer}
        return json.dumps(reply, ensure_ascii=False) if constrained else answer

    lines = [_CONSTRAINED if constrained else _FREE]
    lines += [f"- {tool.name}: {tool.description}" for tool in tools]
    lines += ["", "Go by the first rule that fits:"]
    without = () if any(tool.name == _NOTE_TOOL for tool in tools) else (_WITHOUT_NOTES,)
    rules = [_rule(tool) for tool in tools] + [lesson.rule for lesson in without]
    rules.append("Anything else: reply, in the user's language. " + _RESULT)
    lines += [f"{number}. {rule}" for number, rule in enumerate(rules, 1)]
    lines += ["", "Examples:"]
    shown = [(tool.name, each) for tool in tools for each in _examples(tool)]
    shown += [("", each) for lesson in without for each in lesson.examples]
    for name, (said, answer) in shown:
        lines += [f"User: {said}", f"Answer: {written(answer, name)}"]
    return "\n".join(lines)


def _place(tool: ToolSpec) -> int:
    """Return where a tool stands: what is decided depends on it. Others follow as they came."""
    known = list(_LESSONS)
    return known.index(tool.name) if tool.name in known else len(known)


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
