"""Models of an Ollama server, through its official client over a transport of our own.

Decides whether a server is where it may be, whether its answers may be used, and what its errors
mean. Never sends anything to an address that was not checked, and never follows the server
elsewhere. The client and what it stands on are imported by the first question, not by this package.
"""

from brain.models.ollama.adapter import OllamaModel
from brain.models.ollama.address import Resolve, resolve_host
from brain.models.ollama.names import is_cloud_name

__all__ = ["OllamaModel", "Resolve", "is_cloud_name", "resolve_host"]
