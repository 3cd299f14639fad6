"""What the name of an Ollama model says by itself. Pure."""

from typing import Final

__all__ = ["is_cloud_name", "plain_name"]

_DEFAULT_REGISTRY: Final = "registry.ollama.ai/"
_DEFAULT_NAMESPACE: Final = "library/"


def is_cloud_name(model_id: str) -> bool:
    """Tell whether the name is of a model that the daemon forwards to its maker's machines.

    The text after the last `:`, trimmed and lower-cased, is `cloud`, or has no `/` and ends in
    `-cloud`: `gpt-oss:120b-cloud` is served on 127.0.0.1 and computed elsewhere.
    """
    tag = model_id.rpartition(":")[2].strip().lower()
    return tag == "cloud" or ("/" not in tag and tag.endswith("-cloud"))


def plain_name(model_id: str) -> str:
    """Return the name by which two spellings of one model are known to be the same."""
    name = model_id.strip().lower()
    name = name.removeprefix(_DEFAULT_REGISTRY).removeprefix(_DEFAULT_NAMESPACE)
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"
