"""Text in, text or calls out; and the proof that a model is where it claims to be.

Decides whether a model may be used now and where it runs. Never decides what a tool may do, and
knows neither notes nor channels.
"""

from brain.models.lineup import Lineup, Picked
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

__all__ = [
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
    "TextDelta",
    "ThinkingDelta",
]
