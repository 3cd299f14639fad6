"""The config in force: frozen values, every default filled in, durations in seconds.

Field names are the keys of the file, with a unit where the file has none in the key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from brain.records import JSONValue, Mode, Scope, Sensitivity

__all__ = [
    "Activity",
    "Agent",
    "Brain",
    "Channel",
    "Config",
    "Grant",
    "LogSettings",
    "Memory",
    "Model",
    "Persona",
    "Provider",
    "Rehearsals",
    "Route",
    "Server",
    "ServerToken",
    "SessionRules",
    "Storage",
    "ToolAttributes",
    "Webhook",
    "WebhookFields",
]

Provider = Literal["ollama", "openai-compatible", "embedded", "scripted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Where durable things live. `path` is absolute; its folder is the data folder."""

    path: Path
    synchronous: Literal["full", "normal"] = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRules:
    """When a new session begins and how much of the last one may be recalled."""

    triggers: tuple[str, ...] = ("/new", "/reset")
    daily_at: str = ""
    idle_min: int = 0
    recall_max: int = 0
    keep_days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookFields:
    """Where the fields of a message stand in the sender's JSON: a member's name, or a JSON Pointer."""

    conversation: str = "conversation"
    text: str = "text"
    sender: str = "sender"
    message_id: str = "message_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where a webhook channel listens and where its replies go; `*_env` name variables."""

    path: str
    token_env: str
    outbound_url: str
    outbound_token_env: str = ""
    mapping: WebhookFields = field(default_factory=WebhookFields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A way in and out. `webhook` is there where the type says so, and only there."""

    name: str
    type: Literal["console", "http", "webhook", "mcp"]
    operators: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    webhook: Webhook | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Which brain answers on a channel."""

    channel: str
    brain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model a brain may call. `name` is `provider/model_id`, as events and faces show it."""

    provider: Provider
    model_id: str
    locality: Literal["local", "cloud"]
    base_url: str = ""
    trusted_hosts: tuple[str, ...] = ()
    model_path: Path | None = None
    api_key_env: str = ""
    request_timeout_seconds: float = 120.0
    load_timeout_seconds: float = 300.0
    max_retries: int = 0
    keep_alive: str = "5m"
    num_ctx: int = 8192
    num_predict: int = 1024
    options: Mapping[str, JSONValue] = field(default_factory=dict)
    think: Literal["auto", "on", "off"] = "auto"

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """How the assistant presents itself."""

    display_name: str = ""
    tone: str = ""
    language: str = ""
    instructions: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One line of governance. Empty `channels` covers every channel no other grant covers."""

    tool: str
    mode: Mode
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAttributes:
    """What the policy must know of a tool."""

    sensitive: bool = False
    network: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsals:
    """How many would-be calls are kept per box, and how long."""

    max: int = 100
    keep_days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The note box of a brain.

    `budget_tokens` is what the block of its notes may take of a prompt, made from the rest of the
    config; the default is about what the default model leaves beside the built-in tools.
    """

    scope: Scope = "conversation"
    max_notes: int = 10
    max_note_runes: int = 200
    budget_runes: int = 0
    budget_tokens: int = 2500
    rehearsals: Rehearsals = field(default_factory=Rehearsals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """What a brain may do beyond answering. `tool_attrs` holds only what the file overrides."""

    tools: tuple[str, ...]
    governance: tuple[Grant, ...]
    max_iterations: int = 5
    exchange_timeout_seconds: float = 300.0
    history_turns: int = 10
    system_prompt: str = ""
    tool_timeout_seconds: float = 30.0
    tool_attrs: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    taint: Literal["shadow", "deny", "ignore"] = "shadow"
    memory: Memory | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Brain:
    """A named assistant. `models` stand in the order in which they are tried."""

    name: str
    sensitivity: Sensitivity
    models: tuple[Model, ...]
    persona: Persona = field(default_factory=Persona)
    agent: Agent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerToken:
    """A further token of the HTTP surface. `token_env` names the variable that holds it."""

    name: str
    token_env: str
    role: Literal["operator", "user", "gateway"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """The HTTP surface of `brain serve`. Without `token_env` a token is made and kept."""

    enabled: bool = True
    addr: str = "127.0.0.1:2112"
    token_env: str = ""
    tokens: tuple[ServerToken, ...] = ()
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "::1")
    openai_effects: Literal["inline", "field"] = "inline"
    conversation_headers: tuple[str, ...] = ("X-Conversation", "X-OpenWebUI-Chat-Id")

    @property
    def host(self) -> str:
        """The host of `addr`, an IPv6 address without its brackets."""
        return self.addr.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        return int(self.addr.rpartition(":")[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """How long events are kept and where their head is anchored."""

    retain_days: int = 365
    anchor_path: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """What goes to stderr for the operator."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json", ""] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One whole, checked config. `revision` is the SHA-256 of the canonical document.

    `document` is the document with every default filled in, for those who compare two configs.
    """

    path: Path
    revision: str
    data_folder: Path
    brains: tuple[Brain, ...]
    channels: tuple[Channel, ...]
    routes: tuple[Route, ...]
    storage: Storage | None = None
    session: SessionRules | None = None
    server: Server = field(default_factory=Server)
    activity: Activity = field(default_factory=Activity)
    log: LogSettings = field(default_factory=LogSettings)
    document: Mapping[str, JSONValue] = field(default_factory=dict, compare=False, repr=False)

    def brain_of(self, channel: str) -> Brain:
        """Return the brain that answers on `channel`; KeyError where none does."""
        name = next((route.brain for route in self.routes if route.channel == channel), None)
        if name is None:
            raise KeyError(channel)
        return self.brain(name)

    def brain(self, name: str) -> Brain:
        for brain in self.brains:
            if brain.name == name:
                return brain
        raise KeyError(name)

    def webhook_at(self, path: str) -> Channel | None:
        """Return the channel whose messages are posted to `path`, None where none is."""
        for channel in self.channels:
            if channel.webhook is not None and channel.webhook.path == path:
                return channel
        return None

    def webhook(self, channel: str) -> Webhook | None:
        """Return where that channel listens and answers; None where there is no such channel."""
        return next((each.webhook for each in self.channels if each.name == channel), None)

    def channel(self, name: str) -> Channel:
        for channel in self.channels:
            if channel.name == name:
                return channel
        raise KeyError(name)
