"""What config states because it stands below what it speaks of: held to the real thing."""

import inspect
import pkgutil
from collections.abc import Sequence
from importlib import import_module
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brain.tools.builtin
from brain.agent.lane import NativeLane, TextLane
from brain.agent.prompt import persona_block
from brain.agent.tokens import MESSAGE_TOKENS
from brain.commands import RESERVED
from brain.config import BUILT_TOOLS, RESERVED_COMMANDS, Memory, Model, Persona
from brain.config.budget import (
    FRAME_TOKENS,
    LANE_TOKENS,
    NOTES_HEADER,
    TOOL_TOKENS,
    WITHOUT_NOTES_TOKENS,
    box_runes,
    fixed_room_tokens,
    fixed_shares,
    least_box_runes,
    unwritten_box_tokens,
)
from brain.records import ToolSpec
from brain.tokens import estimate_tokens


def specs() -> dict[str, ToolSpec]:
    package = brain.tools.builtin
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    modules = [import_module(f"{package.__name__}.{name}") for name in names]
    tools = chain.from_iterable(vars(module).values() for module in modules)
    found = [tool.spec for tool in tools if inspect.isclass(tool) and hasattr(tool, "spec")]
    return {spec.name: spec for spec in found}


def test_the_built_tools_are_those_of_the_package() -> None:
    assert set(BUILT_TOOLS) == set(specs())
    assert set(TOOL_TOKENS) == set(BUILT_TOOLS)


def test_the_reserved_commands_are_those_that_are_answered() -> None:
    assert set(RESERVED_COMMANDS) == {f"/{name}" for name in RESERVED}


@pytest.mark.parametrize("count", range(1, len(BUILT_TOOLS) + 1))
def test_no_lane_teaches_more_than_was_reckoned_with(count: int) -> None:
    for tools in combinations(specs().values(), count):
        reckoned = LANE_TOKENS + sum(TOOL_TOKENS[tool.name] for tool in tools)
        can_keep = any(tool.name == "memory_note" for tool in tools)
        reckoned += 0 if can_keep else WITHOUT_NOTES_TOKENS
        assert max(map(taught, lanes(tools))) <= reckoned


def test_a_brain_whose_notes_are_denied_is_taught_no_more_than_was_reckoned_with() -> None:
    assert TOOL_TOKENS["memory_note"] >= WITHOUT_NOTES_TOKENS


def test_the_built_tools_and_the_notes_that_ship_fit_the_context_that_ships() -> None:
    """Whoever adds calc to the shipped config should not have to learn what a context size is."""
    memory, model = Memory(), Model(provider="embedded", model_id="any", locality="local")
    shares = fixed_shares(persona="", system_prompt="", tools=BUILT_TOOLS)
    notes = unwritten_box_tokens(memory.max_notes, memory.max_note_runes)
    room = fixed_room_tokens(model.num_ctx, model.num_predict)

    assert sum(share.tokens for share in shares) + notes <= room


def lanes(tools: Sequence[ToolSpec]) -> list[NativeLane | TextLane]:
    each = tuple(tools)
    return [
        NativeLane(tools=each),
        TextLane(tools=each, constrained=True),
        TextLane(tools=each, constrained=False),
    ]


def taught(lane: NativeLane | TextLane) -> int:
    return estimate_tokens(lane.block) + lane.tools_tokens + lane.turn_tokens


def test_the_frame_covers_the_words_around_a_persona() -> None:
    empty = Persona(display_name="x", tone="x", language="x", instructions="x")

    assert estimate_tokens(persona_block(empty)) + MESSAGE_TOKENS <= FRAME_TOKENS


@pytest.mark.proves("P4")
@given(st.integers(1, 100), st.integers(1, 2000))
def test_a_full_box_is_never_longer_than_its_budget(notes: int, runes: int) -> None:
    fresh = "\n".join([NOTES_HEADER, *(f"{n}. {'x' * runes}" for n in range(1, notes + 1))])
    old = "\n".join([NOTES_HEADER, *(f"{999_999 - n}. {'x' * runes}" for n in range(notes))])

    assert len(fresh) == least_box_runes(notes, runes)
    assert len(old) == box_runes(notes, runes)
