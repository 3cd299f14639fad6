"""The cross-field rules of an agent: its tools, its grants, its notes, its prompt."""

from collections.abc import Iterator

from brain import __version__
from brain.config.budget import (
    BUILT_TOOLS,
    LATER_TOOLS,
    NOTES_HEADER,
    Share,
    fixed_room_tokens,
    fixed_shares,
    least_box_runes,
    unwritten_box_tokens,
)
from brain.config.defaults import View
from brain.config.draft import Draft, unknown_name
from brain.config.places import visible
from brain.config.wording import did_you_mean, one_of, quoted
from brain.counts import counted
from brain.errors import Problem

__all__ = ["AGENT_RULES"]


def tools_are_known(draft: Draft) -> Iterator[Problem]:
    for brain_view in draft.brains:
        agent = brain_view.get("agent")
        for tool in agent.get("tools").items():
            if tool.text in LATER_TOOLS:
                yield draft.problem(
                    tool,
                    "not_built",
                    found=f"'{tool.text}', which is not built yet in brain {__version__}",
                    expected=one_of(BUILT_TOOLS),
                    fix="remove it, and its grants",
                )
            elif tool.text and tool.text not in BUILT_TOOLS:
                yield draft.problem(
                    tool,
                    "unknown_tool",
                    found=f"no tool is named {quoted(tool.text)}",
                    expected=one_of(BUILT_TOOLS),
                    fix=did_you_mean(tool.text, BUILT_TOOLS),
                )
        listed = agent.get("tools").texts
        for name, attributes in agent.get("tool_attrs").members():
            if attributes.is_object and name != "_comment" and name not in listed:
                yield draft.problem(
                    attributes,
                    "attributes_without_tool",
                    found=f"attributes of {quoted(name)}, which is not listed",
                    expected=one_of(listed),
                    fix=did_you_mean(name, listed) or "remove them, or list the tool",
                    of_key=True,
                )


def governance_fits(draft: Draft) -> Iterator[Problem]:
    for brain_view in draft.brains:
        agent = brain_view.get("agent")
        tools, governance = agent.get("tools"), agent.get("governance")
        grants = [grant for grant in governance.items() if grant.is_object]
        if not isinstance(governance.value, list) or not tools.texts:
            continue
        if not governance.value:
            yield draft.problem(
                governance,
                "governance_empty",
                found="no grant, but tools",
                expected="at least one grant for each listed tool",
                fix=f'add {{"tool": "{visible(tools.texts[0])}", "mode": "shadow"}}',
            )
            continue
        yield from _tools_without_grant(draft, tools, grants)
        yield from _grants_without_tool(draft, tools.texts, grants)
        yield from _grants_overlap(draft, grants)
        for grant in grants:
            for channel in grant.get("channels").items():
                yield from unknown_name(draft, channel, draft.channel_names, "channel")


def _tools_without_grant(draft: Draft, tools: View, grants: list[View]) -> Iterator[Problem]:
    granted = {grant.get("tool").text for grant in grants}
    for tool in tools.items():
        if tool.text in BUILT_TOOLS and tool.text not in granted:
            yield draft.problem(
                tool,
                "tool_without_grant",
                found=f"no grant names {quoted(tool.text)}",
                expected="at least one grant for each listed tool",
                fix=f'add {{"tool": "{tool.text}", "mode": "shadow"}} to governance',
            )


def _grants_without_tool(
    draft: Draft, listed: tuple[str, ...], grants: list[View]
) -> Iterator[Problem]:
    for grant in grants:
        tool = grant.get("tool")
        if tool.text and tool.text not in listed:
            yield draft.problem(
                tool,
                "grant_without_tool",
                found=f"a grant for {quoted(tool.text)}, which is not listed",
                expected=one_of(listed),
                fix=did_you_mean(tool.text, listed) or "list the tool, or remove the grant",
            )


def _grants_overlap(draft: Draft, grants: list[View]) -> Iterator[Problem]:
    covered: dict[str, set[str]] = {}
    for grant in grants:
        tool, channels = grant.get("tool").text, grant.get("channels")
        names = channels.texts if channels.is_there else ("",)
        seen = covered.setdefault(tool, set())
        for name in names:
            if tool and name in seen:
                where = f"channel {quoted(name)}" if name else "the rest of the channels"
                yield draft.problem(
                    grant,
                    "grants_overlap",
                    found=f"a second grant of {quoted(tool)} for {where}",
                    expected="each channel in one grant of a tool, and one grant for the rest",
                    fix="remove one of the two, or give it other channels",
                )
        seen.update(names)


def memory_fits(draft: Draft) -> Iterator[Problem]:
    for brain_view in draft.brains:
        agent = brain_view.get("agent")
        memory, tools = agent.get("memory"), agent.get("tools")
        listed = next((tool for tool in tools.items() if tool.text == "memory_note"), None)
        if listed and not memory.is_there:
            yield draft.problem(
                listed,
                "tool_without_memory",
                found="the tool 'memory_note', but no 'memory' block",
                expected="'memory' in this agent: it says where notes go and how many",
                fix='add this line to the agent: "memory": {},',
            )
        if memory.is_object and not listed and isinstance(tools.value, list):
            yield draft.problem(
                memory,
                "memory_without_tool",
                found="'memory', but the tool 'memory_note' is not listed",
                expected="both, or neither",
                fix='add "memory_note" to tools and a grant for it, or remove "memory"',
                of_key=True,
            )
        yield from _budget_holds_a_box(draft, memory)
        if memory.get("scope").text == "brain":
            yield from _models_claim_local(draft, brain_view)


def _models_claim_local(draft: Draft, brain_view: View) -> Iterator[Problem]:
    for model in brain_view.get("models").items():
        locality = model.get("locality")
        if locality.text == "cloud":
            yield draft.problem(
                locality,
                "scope_brain_cloud",
                found="\"cloud\" in a brain whose memory.scope is 'brain'",
                expected='"local" for every model: notes of all talks ride in its prompt',
                fix='remove the model, or set memory.scope to "conversation"',
            )


def _budget_holds_a_box(draft: Draft, memory: View) -> Iterator[Problem]:
    budget = memory.get("budget_runes").number
    notes, runes = memory.get("max_notes").number, memory.get("max_note_runes").number
    if budget is None or notes is None or runes is None:
        return
    least = least_box_runes(notes, runes)
    if budget < least:
        header = len(NOTES_HEADER)
        numbers = least - header - notes * runes
        yield draft.problem(
            memory.get("budget_runes"),
            "budget_too_small",
            found=str(budget),
            expected=f"at least {least} = header {header} + line breaks and numbers {numbers} "
            f"+ {counted(notes, 'note')} of {runes}",
            fix=f"write {least} or more, or remove the key",
        )


def fixed_part_fits(draft: Draft) -> Iterator[Problem]:
    for brain_view in draft.brains:
        shares = _fixed_shares(brain_view)
        total = sum(share.tokens for share in shares)
        for model in brain_view.get("models").items():
            context, reply = model.get("num_ctx").number, model.get("num_predict").number
            if context is None or reply is None or reply >= context:
                continue
            room = fixed_room_tokens(context, reply)
            if total > room:
                parts = " + ".join(f"{share.what} {share.tokens}" for share in shares)
                yield draft.problem(
                    model.get("num_ctx"),
                    "fixed_part_too_long",
                    found=f"a fixed prompt of up to {total} tokens: {parts}",
                    expected=f"at most {room}: (num_ctx {context} - num_predict {reply}) / 2",
                    fix=f"set num_ctx to {2 * total + reply} or more, or shorten these parts",
                )


def _fixed_shares(brain_view: View) -> list[Share]:
    agent, persona = brain_view.get("agent"), brain_view.get("persona")
    spoken = "".join(view.text for name, view in persona.members() if name != "_comment")
    shares = fixed_shares(
        persona=spoken,
        system_prompt=agent.get("system_prompt").text,
        tools=agent.get("tools").texts,
    )
    notes = agent.get("memory", "max_notes").number
    runes = agent.get("memory", "max_note_runes").number
    if notes is not None and runes is not None:
        shares.append(
            Share(f"{counted(notes, 'note')} of {runes}", unwritten_box_tokens(notes, runes))
        )
    return [share for share in shares if share.tokens]


AGENT_RULES = (
    tools_are_known,
    governance_fits,
    memory_fits,
    fixed_part_fits,
)
