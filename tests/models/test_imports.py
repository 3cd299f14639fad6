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
