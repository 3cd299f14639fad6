"""`brain why`: the receipt from the shell, by the real program."""

import json

import pytest

from tests.cli.program import SMALL, Program
from tests.cli.talks import ALLOW_SCRIPTED, saves, talks


@pytest.fixture
def talked(program: Program) -> Program:
    scripted = Program(folder=program.folder, environ=ALLOW_SCRIPTED)
    scripted.write("talk.json", talks(saves("likes rain"), "Noted.", "Hello."))
    return scripted


def why(program: Program, *words: str, config: str = "talk.json") -> tuple[int, str, str]:
    done = program.run("why", *words, "--config", config)
    return done.returncode, done.stdout, done.stderr.replace(f"config: {config}\n", "")


@pytest.mark.proves("P14")
def test_the_receipt_of_the_last_exchange_is_told_in_words_and_as_data(talked: Program) -> None:
    before = why(talked)
    talked.run("run", "--config", "talk.json", typed="I like rain.\nhello\n")
    told = why(talked)
    found = json.loads(why(talked, "--json")[1])
    other = why(talked, "--conversation", "other")

    assert (before[0], before[1]) == (1, "")
    assert "no exchange has ended in conversation 'main' on channel 'console' yet" in before[2]
    assert told[0] == 0
    assert "In the prompt: note 1; 1 exchange before this one (2 turns); " in told[1]
    assert "No tool was called." in told[1]
    assert [note["number"] for note in found["notes"]] == [1]
    assert (found["ended"], found["outcome"], found["tools"], found["lane"]) == (
        "reply_sent",
        "answered",
        ["memory_note", "time"],
        "native",
    )
    assert (other[0], other[1]) == (1, "")


def test_what_the_config_does_not_have_is_told(talked: Program) -> None:
    talked.write("small.json", SMALL)

    channel = why(talked, "--channel", "web")
    nothing = why(talked, config="small.json")

    assert (channel[0], nothing[0]) == (2, 2)
    assert "there is no channel 'web'; there are: console" in channel[2]
    assert "storage" in nothing[2]
