"""Files on disk become one frozen Config, or every reason why not.

Decides whether a document is a valid config. Never talks to a model, a store or the network:
what needs those is asked by the runtime with the same Problem shape.
"""

from brain.config.model import (
    Activity,
    Agent,
    Brain,
    Channel,
    Config,
    Grant,
    LogSettings,
    Memory,
    Model,
    Persona,
    Provider,
    Rehearsals,
    Route,
    SessionRules,
    Storage,
    ToolAttributes,
)

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
    "SessionRules",
    "Storage",
    "ToolAttributes",
]
