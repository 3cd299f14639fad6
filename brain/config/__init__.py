"""Files on disk become one frozen Config, or every reason why not.

Decides whether a document is a valid config. Never talks to a model, a store or the network:
what needs those is asked by the runtime with the same Problem shape.
"""

from brain.config.budget import BUILT_TOOLS, NOTES_HEADER
from brain.config.check import Loaded, Report, check_config, load_config, with_places
from brain.config.cloud_names import is_cloud_name
from brain.config.codes import PROBLEM_CODES
from brain.config.compare import IN_PLACE, RESTART_ONLY, changed_keys, known_path, needing_restart
from brain.config.explain import Setting, explain
from brain.config.folders import control_place, find_config, is_default, is_known, remember
from brain.config.guards import install_command
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
    Server,
    ServerToken,
    SessionRules,
    Storage,
    ToolAttributes,
    Webhook,
    WebhookFields,
)
from brain.config.places import Keys, to_path, to_pointer
from brain.config.reader import Content, see
from brain.config.reference import render_reference
from brain.config.render import render_problems
from brain.config.rules import RESERVED_COMMANDS
from brain.config.schema import problem_at, schema_document, schema_text
from brain.config.secrets import is_sendable, secret_in
from brain.config.webhook_rules import BUILT_IN_FOLDERS, BUILT_IN_PATHS
from brain.config.writing import digest_of, replace_file

__all__ = [
    "BUILT_IN_FOLDERS",
    "BUILT_IN_PATHS",
    "BUILT_TOOLS",
    "IN_PLACE",
    "NOTES_HEADER",
    "PROBLEM_CODES",
    "RESERVED_COMMANDS",
    "RESTART_ONLY",
    "Activity",
    "Agent",
    "Brain",
    "Channel",
    "Config",
    "Content",
    "Grant",
    "Keys",
    "Loaded",
    "LogSettings",
    "Memory",
    "Model",
    "Persona",
    "Provider",
    "Rehearsals",
    "Report",
    "Route",
    "Server",
    "ServerToken",
    "SessionRules",
    "Setting",
    "Storage",
    "ToolAttributes",
    "Webhook",
    "WebhookFields",
    "changed_keys",
    "check_config",
    "control_place",
    "digest_of",
    "explain",
    "find_config",
    "install_command",
    "is_cloud_name",
    "is_default",
    "is_known",
    "is_sendable",
    "known_path",
    "load_config",
    "needing_restart",
    "problem_at",
    "remember",
    "render_problems",
    "render_reference",
    "replace_file",
    "schema_document",
    "schema_text",
    "secret_in",
    "see",
    "to_path",
    "to_pointer",
    "with_places",
]
