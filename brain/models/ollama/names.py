"""What the name of an Ollama model says by itself. Pure."""

from typing import Final

from brain.config import is_cloud_name

__all__ = ["is_cloud_name", "plain_name"]

_DEFAULT_REGISTRY: Final = "registry.ollama.ai/"
_DEFAULT_NAMESPACE: Final = "library/"


def plain_name(model_id: str) -> str:
    """Return the name by which two spellings of one model are known to be the same."""
    name = model_id.strip().lower()
    name = name.removeprefix(_DEFAULT_REGISTRY).removeprefix(_DEFAULT_NAMESPACE)
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"
