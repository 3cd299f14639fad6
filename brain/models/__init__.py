"""Text in, text or calls out; and the proof that a model is where it claims to be.

Decides whether a model may be used now and where it runs. Never decides what a tool may do, and
knows neither notes nor channels.
"""

from brain.models.codes import ERRORS_BY_CODE, code_of
from brain.models.lineup import Lineup, Picked, Standing
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
from brain.models.scripted import Script, ScriptedModel

__all__ = [
    "ERRORS_BY_CODE",
    "CallDelta",
    "Capabilities",
    "ChatModel",
    "ChatRequest",
    "Delta",
    "Done",
    "Lineup",
    "Picked",
    "Proof",
    "ProofStep",
    "Script",
    "ScriptedModel",
    "Standing",
    "TextDelta",
    "ThinkingDelta",
    "code_of",
]
