"""The only road to an effect: find, decide, check, record, run, record.

Decides nothing by itself about permission (the gate does) and never lets a call go round it.

    Executor(tools=, policy_in_force=, clock=)
    executor.begin(context, journal) -> Calls        .announced, .run(calls), .effects, .is_tainted
    executor.decisions(context) -> {tool: Decision}  for `/tools` and `brain policy explain`
    executor.run_as_operator(call, context, journal) -> OperatorCall     `/notes add`
    executor.promote(rehearsal, context, journal) -> OperatorCall        `/notes promote`
    record_interrupted(store, recorder, dead_runs) -> int                at a start

`ToolCall(id=…, name="memory_note", arguments={"note": text})` is the call of `/notes add`.
A StoreError leaves every one of them; whatever else goes wrong with a call is an observation.
"""

from brain.tools.context import CallContext, Policy
from brain.tools.executor import Calls, Executor, OperatorCall
from brain.tools.interrupted import record_interrupted
from brain.tools.ports import AnswerTool, OutsideTool, StoreTool, Tool, ToolOutcome

__all__ = [
    "AnswerTool",
    "CallContext",
    "Calls",
    "Executor",
    "OperatorCall",
    "OutsideTool",
    "Policy",
    "StoreTool",
    "Tool",
    "ToolOutcome",
    "record_interrupted",
]
