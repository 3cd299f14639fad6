"""`brain policy`: what would be decided, now and under another config, by the real program."""

import json
from typing import Any

import pytest

from tests.cli.program import SMALL, Program
from tests.cli.talks import ALLOW_SCRIPTED, saves, talks


@pytest.fixture
def talked(program: Program) -> Program:
    """In a talk one note was rehearsed and the time was told."""
    scripted = Program(folder=program.folder, environ=ALLOW_SCRIPTED)
    time = {"calls": [{"name": "time", "arguments": {}}]}
    scripted.write("talk.json", talks(saves("likes rain"), "Ok.", time, "Late.", mode="shadow"))
    scripted.run("run", "--config", "talk.json", typed="I like rain.\nThe time?\n")
    return scripted


def policy(program: Program, *words: str, config: str = "talk.json") -> tuple[int, str, str]:
    done = program.run("policy", *words, "--config", config)
    return done.returncode, done.stdout, done.stderr.replace(f"config: {config}\n", "")


def test_a_decision_is_explained_with_its_line_and_with_what_would_change_it(
    talked: Program,
) -> None:
    code, out, _ = policy(talked, "explain", "memory_note")
    assert code == 0
    assert out == (
        "memory_note of 'assistant' on channel 'console': shadow, a grant shadows it; calls are "
        "rehearsed, nothing is stored or sent (brains[0].agent.governance[1])\n"
        "  when the talk holds text from outside: shadow, text from outside was in the prompt; "
        "calls are rehearsed, nothing is stored or sent\n"
        "  when the operator asks: allow, a shadow does not bind the operator\n"
    )
    assert policy(talked, "explain", "echo")[1] == (
        "echo of 'assistant' on channel 'console': deny, there is no such tool\n"
    )


def test_an_explanation_needs_neither_a_store_nor_a_model(program: Program) -> None:
    grants = [
        {"tool": "calc", "mode": "allow", "channels": ["desk"]},
        {"tool": "time", "mode": "deny"},
    ]
    brain: dict[str, Any] = {
        **SMALL["brains"][0],
        "agent": {
            "tools": ["time", "calc"],
            "governance": grants,
            "tool_attrs": {"calc": {"sensitive": True}},
        },
    }
    channels = [{"type": "console", "name": "desk"}, {"type": "console", "name": "hall"}]
    program.write("small.json", {"brains": [brain], "channels": channels})

    found = json.loads(policy(program, "explain", "calc", "--json", config="small.json")[1])
    one = policy(program, "explain", "time", "--channel", "hall", config="small.json")

    told = [
        (
            each["channel"],
            each["grant"],
            [(c["when"], c["effect"], c["rule"]) for c in each["cases"]],
        )
        for each in found
    ]
    whens = ("model", "not_local", "tainted", "operator")
    assert told == [
        (
            "desk",
            "brains[0].agent.governance[0]",
            [
                ("model", "allow", "allow"),
                ("not_local", "deny", "sensitive_locality"),
                ("tainted", "allow", "allow"),
                ("operator", "allow", "allow"),
            ],
        ),
        ("hall", None, [(when, "deny", "channel") for when in whens]),
    ]
    assert one[1] == (
        "time of 'assistant' on channel 'hall': deny, a grant denies it "
        "(brains[0].agent.governance[1])\n"
    )
    assert not (program.folder / "home" / "data").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("memory_notes",), "did you mean 'memory_note'?"),
        (("time", "--brain", "nobody"), "there is no brain 'nobody'; there are: assistant"),
        (("time", "--channel", "web"), "there is no channel 'web'; there are: console"),
    ],
)
def test_what_the_config_does_not_have_is_told(
    talked: Program, words: tuple[str, ...], told: str
) -> None:
    code, out, error = policy(talked, "explain", *words)

    assert (code, out) == (2, "")
    assert told in error


def test_the_record_is_decided_again_under_a_changed_config(talked: Program) -> None:
    same = policy(talked, "replay")
    talked.write("allow.json", talks("Ok.", mode="allow"))
    allowed = policy(talked, "replay", config="allow.json")
    elsewhere = {**talks("Ok.", mode="deny"), "storage": {"path": "other/brain.db"}}
    talked.write("deny.json", elsewhere)
    lost = policy(talked, "replay", config="deny.json")
    denied = policy(talked, "replay", "--record", "talk.json", "--json", config="deny.json")
    later = policy(talked, "replay", "--since", "2999-01-01", "--json", config="allow.json")

    assert same[:2] == (0, "2 calls on record, 0 would be decided otherwise\n")
    lines = allowed[1].splitlines()
    assert lines[:2] == [
        "2 calls on record, 1 would be decided otherwise",
        "  1 of memory_note: shadow -> allow",
    ]
    assert "shadow (shadow)  allow, a grant allows it" in lines[3]
    assert (lost[0], lost[1]) == (2, "")
    assert "--record FILE" in lost[2]
    found = json.loads(denied[1])
    assert found["kinds"] == [{"tool": "memory_note", "was": "shadow", "would": "deny", "calls": 1}]
    assert [(each["tool"], each["was"], each["would"]) for each in found["changes"]] == [
        (
            "memory_note",
            {"effect": "shadow", "rule": "shadow"},
            {"effect": "deny", "rule": "deny"},
        )
    ]
    assert json.loads(later[1])["calls"] == 0
    assert not (talked.folder / "other").exists()


def test_a_candidate_that_does_not_check_is_refused_with_its_problems(talked: Program) -> None:
    talked.write("broken.json", talks("Ok.", mode="alow"))

    code, out, error = policy(talked, "replay", "--record", "talk.json", config="broken.json")

    assert (code, out) == (2, "")
    assert "did you mean 'allow'?" in error
