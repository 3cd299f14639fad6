"""Arithmetic: exact, bounded, and never code."""

import contextlib
import operator
import re
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import BadArguments
from brain.tools.builtin.arithmetic import calculate


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1", "1"),
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("7 / 2", "3.5"),
        ("6 / 2", "3"),
        ("0.1 + 0.2", "0.3"),
        ("1 / 3", "0.3333333333333333"),
        ("7 % 4", "3"),
        ("-7 % 4", "1"),
        ("7.5 % 2", "1.5"),
        ("17.5%*240", "42"),
        ("240 * 17.5%", "42"),
        ("(50%*50%)*8", "2"),
        ("100 / 50%", "200"),
        ("-5% * 200", "-10"),
        ("100 * 7 % 4", "0"),
        ("2 ** 10", "1024"),
        ("2 ** 3 ** 2", "512"),
        ("-2 ** 2", "-4"),
        ("(-2) ** 2", "4"),
        ("2 ** -2", "0.25"),
        ("2 ** 0.5", "1.4142135623730951"),
        ("--3", "3"),
        ("2 - -3", "5"),
        ("+4", "4"),
        (".5 * 2.", "1"),
        ("1e3 + 1.5E-1", "1000.15"),
        ("10 ** 30", "1" + "0" * 30),
        ("9007199254740993 + 0", "9007199254740993"),
        ("6 × 7", "42"),
        ("8 ÷ 2 − 1", "3"),
        ("（１＋２）＊３", "9"),
        ("\t2\n+ 2 ", "4"),
        ("0 ** 0", "1"),
    ],
)
def test_an_expression_has_the_value_that_arithmetic_gives_it(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("", "there is no arithmetic in it"),
        ("+ - *", "there is no arithmetic in it"),
        ("()", "there is no arithmetic in it"),
        ("hello", "'h' is no arithmetic"),
        ("2 + x", "'x' is no arithmetic"),
        ("__import__('os')", "'_' is no arithmetic"),
        ("2 + 2 =", "'=' is no arithmetic"),
        ("1,000 * 2", "',' is no arithmetic"),
        ("3²", "'²' is no arithmetic"),
        ("٣ + 1", "'٣' is no arithmetic"),
        ("2 +", "it ends where a number should be"),
        ("200 + 10%", "it ends where a number should be"),
        ("2 3", "'3' is where an operator should be"),
        ("2 (3)", "'(' is where an operator should be"),
        ("2 * / 3", "'/' is where a number should be"),
        ("(2", "a ')' is missing"),
        ("2)", "')' is where an operator should be"),
        ("1 / 0", "it divides by zero"),
        ("1 % 0", "it divides by zero"),
        ("0 ** -1", "it divides by zero"),
        ("(-8) ** 0.5", "no real number"),
        ("2 ** 1025", "an exponent in it is over 1024"),
        ("9 ** 9 ** 9", "an exponent in it is over 1024"),
        ("(10 ** 1000) ** 1000", "a value in it is too large"),
        ("10 ** 1000 * 10 ** 1000 * 10 ** 1000", "a value in it is too large"),
        ("10 ** 400 / 3", "the result is too large"),
        ("(10 ** 400) ** 0.5", "a value in it is too large"),
        ("1 / 3 / 10 ** 400", "the result is too close to zero"),
        ("1e401", "the exponent of '1e401' is over 400"),
        ("1e999999999999", "the exponent of '1e999999999999' is over 400"),
        ("1" * 1025, "longer than 1024 bytes"),
        ("é" * 513, "longer than 1024 bytes"),
        ("(" * 500 + "1" + ")" * 500, "nested more than 50 levels"),
        ("2**" * 300 + "1", "nested more than 50 levels"),
    ],
)
def test_what_is_no_arithmetic_is_told_what_is_wrong(expression: str, told: str) -> None:
    with pytest.raises(BadArguments) as caught:
        calculate(expression)
    assert told in caught.value.message


def test_a_thousand_signs_are_no_depth() -> None:
    assert calculate("-" * 1000 + "1") == "1"


TREES = st.recursive(
    st.integers(min_value=0, max_value=999).map(lambda number: (str(number), Fraction(number))),
    lambda inner: st.builds(
        lambda left, sign, right: (
            f"({left[0]} {sign} {right[0]})",
            {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign](left[1], right[1]),
        ),
        inner,
        st.sampled_from("+-*"),
        inner,
    ),
    max_leaves=20,
)


@given(tree=TREES)
def test_whole_numbers_are_calculated_exactly(tree: tuple[str, Fraction]) -> None:
    expression, value = tree
    assert calculate(expression) == str(value)


@given(numbers=st.lists(st.integers(min_value=0, max_value=99), min_size=2, max_size=8))
def test_equal_operators_go_from_left_to_right(numbers: list[int]) -> None:
    value = numbers[0]
    for number in numbers[1:]:
        value -= number
    assert calculate(" - ".join(str(number) for number in numbers)) == str(value)


@given(text=st.text(max_size=60) | st.text(alphabet="0123456789.eE+-*/%() ", max_size=60))
def test_any_text_has_a_value_or_a_sentence(text: str) -> None:
    with contextlib.suppress(BadArguments):
        assert re.fullmatch(r"-?\d+(\.\d+)?(e[-+]\d+)?", calculate(text))


@pytest.mark.parametrize(
    "expression",
    [
        "*".join(["9" * 9] * 100),
        "2**1024*" * 80 + "1",
        "1/3+" * 250 + "1",
        "1e400**20",
        "9**1024**1",
    ],
)
def test_no_expression_is_slow(expression: str) -> None:
    began = time.perf_counter()
    with contextlib.suppress(BadArguments):
        calculate(expression)
    assert time.perf_counter() - began < 1
