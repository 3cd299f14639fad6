"""The only road to an effect: find, check, decide, record, run, record.

Decides nothing by itself about permission (the gate does) and never lets a call go round it.
"""

from brain.tools.context import CallContext, Policy
from brain.tools.executor import Calls, Executor
from brain.tools.ports import AnswerTool, OutsideTool, StoreTool, Tool, ToolOutcome

__all__ = [
    "AnswerTool",
    "CallContext",
    "Calls",
    "Executor",
    "OutsideTool",
    "Policy",
    "StoreTool",
    "Tool",
    "ToolOutcome",
]
