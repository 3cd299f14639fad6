"""Which model names say by themselves that their words leave this machine. Pure."""

__all__ = ["is_cloud_name"]


def is_cloud_name(model_id: str) -> bool:
    """Tell whether the name is of a model that the daemon forwards to its maker's machines.

    The text after the last `:`, trimmed and lower-cased, is `cloud`, or has no `/` and ends in
    `-cloud`: `gpt-oss:120b-cloud` is served on 127.0.0.1 and computed elsewhere.
    """
    tag = model_id.rpartition(":")[2].strip().lower()
    return tag == "cloud" or ("/" not in tag and tag.endswith("-cloud"))
