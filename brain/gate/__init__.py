"""May this happen? A pure decision from facts; asked by the executor, never elsewhere.

Decides the effect of a call and the rule that gave it. Never sees arguments, the clock or I/O.
"""

from brain.gate.decide import CallFacts, Decision, Policy, Rule, decide, stricter
from brain.gate.policy import compile_policy

__all__ = ["CallFacts", "Decision", "Policy", "Rule", "compile_policy", "decide", "stricter"]
