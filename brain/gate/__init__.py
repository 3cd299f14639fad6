"""May this happen? A pure decision from facts; asked by the executor, never elsewhere.

Decides the effect of a call and the rule that gave it. Never sees arguments, the clock or I/O.
"""

from brain.gate.decide import CallFacts, Decision, Policy, decide, stricter

__all__ = ["CallFacts", "Decision", "Policy", "decide", "stricter"]
