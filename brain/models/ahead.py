"""Importing what the first question needs while the store opens and the proof waits for answers."""

import threading
from contextlib import suppress

from brain.config import Config, Model

__all__ = ["import_ahead"]


def import_ahead(config: Config) -> None:
    """Begin to import the client of the models of `config`, in a thread that nobody waits for.

    For a program that asks them soon: it is half of such a start. What fails here fails again, and
    is told, where it is needed. Models that look at the environment while they are proved (a key,
    a TLS store) are left alone: the import hides it for a moment.
    """
    models = [model for brain in config.brains for model in brain.models]
    asked = [model for model in models if model.provider == "ollama"]
    if asked and not any(map(_looks_at_environment, asked)):
        threading.Thread(target=_import_client, name="brain-imports", daemon=True).start()


def _looks_at_environment(model: Model) -> bool:
    return bool(model.api_key_env) or model.base_url.lower().startswith("https:")


def _import_client() -> None:
    with suppress(ImportError):
        import brain.models.ollama.client
        import brain.models.ollama.translate  # noqa: F401 - it is there when it is asked for
