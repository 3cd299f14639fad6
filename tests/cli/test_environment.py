"""What stands in the environment for other programs."""

import pytest

from tests.cli.program import SMALL, Program
from tests.cli.servers import ollama_server


@pytest.mark.parametrize(
    "environ",
    [
        {"ALL_PROXY": "socks5://127.0.0.1:9"},
        {"https_proxy": "nonsense://"},
        {"OLLAMA_HOST": "'127.0.0.1:{port}'"},
        {"SSL_CERT_FILE": "/nonexistent.pem"},
        {"SSL_CERT_DIR": "/nonexistent"},
        {"OLLAMA_API_KEY": "ключ"},
        {"OLLAMA_API_KEY": "two\nlines"},
        {"LOGNAME": "\udcff"},
    ],
    ids=ascii,
)
def test_it_does_not_keep_a_local_model_from_answering(
    program: Program, environ: dict[str, str]
) -> None:
    with ollama_server("--reply", "Good morning.") as url:
        brain = {**SMALL["brains"][0], "sensitivity": "private"}
        program.write("small.json", {"storage": {}, "brains": [brain]})
        port = url.rsplit(":", 1)[1]
        odd = {name: value.replace("{port}", port) for name, value in environ.items()}

        done = program.run(
            "run", "--config", "small.json", typed="hello\n", **{"OLLAMA_HOST": url, **odd}
        )

    assert (done.returncode, done.stdout) == (0, "Good morning.\n")
    assert "Traceback" not in done.stderr
