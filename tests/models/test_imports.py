"""What a command pays that only names models."""

import json
import subprocess
import sys

PROGRAM = """
import json, sys
import brain.models, brain.models.ollama
print(json.dumps(sorted(sys.modules)))
"""


def test_the_client_and_its_libraries_are_imported_by_the_first_question() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    )
    costly = {"ollama", "httpx", "h11", "pydantic", "xllamacpp", "structlog", "aiosqlite", "numpy"}
    assert costly.isdisjoint(json.loads(done.stdout))


def test_the_client_comes_without_the_command_line_of_httpx_which_can_still_be_had() -> None:
    """That takes a fifth of a start, wherever rich is installed for something else."""
    looked = (
        "import sys, brain.models.ollama.client; "
        "print(sorted({'httpx._main', 'rich.console', 'pygments'} & set(sys.modules))); "
        "import httpx._main, httpx; print(httpx._main.main is not httpx.main)"
    )

    done = subprocess.run(
        [sys.executable, "-c", looked], capture_output=True, text=True, check=True
    )

    assert done.stdout.split("\n")[:2] == ["[]", "True"]
