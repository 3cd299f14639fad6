"""Text in, text or calls out; and the proof that a model is where it claims to be.

Decides whether a model may be used now and where it runs. Never decides what a tool may do, and
knows neither notes nor channels.
"""

from brain.models.ahead import import_ahead
from brain.models.codes import ERRORS_BY_CODE, code_of
from brain.models.embedded import EmbeddedModel, Engines
from brain.models.guards import (
    locality_problems,
    needs_local,
    refuse_remote_models,
    refuse_unfit_weights,
    weights_problems,
)
from brain.models.lineup import Lineup, Picked, Standing
from brain.models.opening import Models, OpenModel, build_lineup, open_lineups
from brain.models.ports import (
    CallDelta,
    Capabilities,
    ChatModel,
    ChatRequest,
    Delta,
    Done,
    Proof,
    ProofStep,
    TextDelta,
    ThinkingDelta,
)
from brain.models.pull import Pulled, PullProgress, pull_embedded
from brain.models.scripted import Script, ScriptedModel
from brain.models.weights import CATALOGUE, CatalogueEntry, find_weights

__all__ = [
    "CATALOGUE",
    "ERRORS_BY_CODE",
    "CallDelta",
    "Capabilities",
    "CatalogueEntry",
    "ChatModel",
    "ChatRequest",
    "Delta",
    "Done",
    "EmbeddedModel",
    "Engines",
    "Lineup",
    "Models",
    "OpenModel",
    "Picked",
    "Proof",
    "ProofStep",
    "PullProgress",
    "Pulled",
    "Script",
    "ScriptedModel",
    "Standing",
    "TextDelta",
    "ThinkingDelta",
    "build_lineup",
    "code_of",
    "find_weights",
    "import_ahead",
    "locality_problems",
    "needs_local",
    "open_lineups",
    "pull_embedded",
    "refuse_remote_models",
    "refuse_unfit_weights",
    "weights_problems",
]
