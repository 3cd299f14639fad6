"""Models of an Ollama server, through its official client over a transport of our own.

Decides whether a server is where it may be, whether its answers may be used, and what its errors
mean. Never sends anything for a model that claims to be local to an address that was not checked,
and never follows a server elsewhere. The client and what it stands on are imported by the first
question, not by this package.
"""

from brain.models.ollama.adapter import OllamaModel
from brain.models.ollama.address import Resolve, resolve_host
from brain.models.ollama.names import is_cloud_name
from brain.models.ollama.pull import HostedModel, PullProgress, list_hosted, pull

__all__ = [
    "HostedModel",
    "OllamaModel",
    "PullProgress",
    "Resolve",
    "is_cloud_name",
    "list_hosted",
    "pull",
    "resolve_host",
]
