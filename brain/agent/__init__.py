"""The loop between a model and its tools: from a stored user turn to a stored reply.

Decides what rides in a prompt and when an exchange has ended. Never decides whether a call may
happen (the executor and the gate do), and knows no provider and no channel.
"""

from brain.agent.answer import Agent
from brain.agent.exchange import Apart, Exchange
from brain.agent.loading import Loaded, load

__all__ = ["Agent", "Apart", "Exchange", "Loaded", "load"]
