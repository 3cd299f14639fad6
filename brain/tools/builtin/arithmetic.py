"""Arithmetic on numbers that are written out: parsed here, never evaluated as code.

    sum     = product { ("+" | "-") product }
    product = share { ("*" | "/" | "%") share }
    share   = signed [ "%" ]                    a percent sign, where a factor stands beside it
    signed  = { "+" | "-" } power
    power   = atom [ "**" signed ]
    atom    = number | "(" sum ")"

`7 % 4` is the remainder, `17.5% * 240` and `240 * 17.5%` are a share: no number follows the sign there.
`200 + 10%` is refused, since people mean two things by it. Numbers are exact fractions until the answer is written, so that 0.1 + 0.2 is 0.3 and 10 ** 30 has
all its digits. Size, depth and exponents are bounded: no text makes it slow.
"""

import math
import re
from fractions import Fraction
from typing import Final

from brain.errors import BadArguments

__all__ = ["MAX_EXPRESSION_BYTES", "calculate"]

MAX_EXPRESSION_BYTES: Final = 1024
_MAX_DEPTH: Final = 50
_MAX_EXPONENT: Final = 1024
_MAX_BITS: Final = 8192
"""Of a numerator or denominator: about 2466 decimal digits."""
_MAX_LITERAL_EXPONENT: Final = 400

_TOKEN: Final = re.compile(
    r"[ \t\r\n\xa0]*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<sign>\*\*|[-+*/%()]))",
    re.ASCII,
)
_SPELLINGS: Final = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},  # full-width forms
    **str.maketrans("×·⋅÷∕−–\u3000", "***//-- "),
}


def calculate(expression: str) -> str:
    """Return the value of `expression` in decimal digits.

    A value that is no whole number is written as the nearest float. Raises BadArguments with a
    sentence that says what is wrong.
    """
    if len(expression.encode("utf-8", "replace")) > MAX_EXPRESSION_BYTES:
        raise BadArguments(f"the expression is longer than {MAX_EXPRESSION_BYTES} bytes")
    tokens = _tokens(expression.translate(_SPELLINGS).strip())
    if not any(token[0].isdigit() or token[0] == "." for token in tokens):
        raise BadArguments("there is no arithmetic in it")
    return _written(_Reader(tokens).whole())


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            stranger = text[position:].lstrip()[:1]
            raise BadArguments(
                f"{stranger!r} is no arithmetic; numbers, + - * / ** % and parentheses are"
            )
        tokens.append(found.group("number") or found.group("sign"))
        position = found.end()
    return tokens


class _Reader:
    """Reads tokens from left to right; one method for each line of the grammar."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0

    def whole(self) -> Fraction:
        value = self._sum()
        if self._position < len(self._tokens):
            raise BadArguments(f"{self._tokens[self._position]!r} is where an operator should be")
        return value

    def _take(self, *wanted: str) -> str | None:
        if self._position < len(self._tokens) and self._tokens[self._position] in wanted:
            self._position += 1
            return self._tokens[self._position - 1]
        return None

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._take("+", "-"):
            right = self._product()
            value = _bounded(value + right if sign == "+" else value - right)
        return value

    def _product(self) -> Fraction:
        value = self._share("")
        while sign := self._take("*", "/", "%"):
            right = self._share(sign)
            if sign != "*" and right == 0:
                raise BadArguments("it divides by zero")
            match sign:
                case "*":
                    value = _bounded(value * right)
                case "/":
                    value = _bounded(value / right)
                case _:
                    value = _bounded(value % right)
        return value

    def _share(self, before: str) -> Fraction:
        value = self._signed()
        sign, after = [*self._tokens[self._position : self._position + 2], "", ""][:2]
        is_beside_factor = after in ("*", "/") or (before in ("*", "/") and after in ("", ")"))
        if sign != "%" or not is_beside_factor:
            return value
        self._position += 1
        return value / 100

    def _signed(self) -> Fraction:
        is_negative = False
        while sign := self._take("+", "-"):
            is_negative ^= sign == "-"
        value = self._power()
        return -value if is_negative else value

    def _power(self) -> Fraction:
        base = self._atom()
        if not self._take("**"):
            return base
        self._go_deeper()
        exponent = self._signed()
        self._depth -= 1
        return _raised(base, exponent)

    def _atom(self) -> Fraction:
        if self._take("("):
            self._go_deeper()
            value = self._sum()
            self._depth -= 1
            if not self._take(")"):
                raise BadArguments("a ')' is missing")
            return value
        if self._position == len(self._tokens):
            raise BadArguments("it ends where a number should be")
        token = self._tokens[self._position]
        if token[0] not in "0123456789.":
            raise BadArguments(f"{token!r} is where a number should be")
        self._position += 1
        return _number(token)

    def _go_deeper(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise BadArguments(f"it is nested more than {_MAX_DEPTH} levels deep")


def _number(token: str) -> Fraction:
    _, _, exponent = token.lower().partition("e")
    if exponent and abs(int(exponent)) > _MAX_LITERAL_EXPONENT:
        raise BadArguments(f"the exponent of {token[:20]!r} is over {_MAX_LITERAL_EXPONENT}")
    return _bounded(Fraction(token))


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise BadArguments("a value in it is too large")
    return value


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if base == 0 and exponent < 0:
        raise BadArguments("it divides by zero")
    if abs(exponent) > _MAX_EXPONENT:
        raise BadArguments(f"an exponent in it is over {_MAX_EXPONENT}")
    if exponent.denominator != 1:
        return _root(base, exponent)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if (bits - 1) * abs(exponent) > _MAX_BITS:
        raise BadArguments("a value in it is too large")
    return _bounded(base**exponent.numerator)


def _root(base: Fraction, exponent: Fraction) -> Fraction:
    if base < 0:
        raise BadArguments("a root of a negative number is no real number")
    try:
        value = math.pow(float(base), float(exponent))
    except (OverflowError, ValueError):
        raise BadArguments("a value in it is too large") from None
    return Fraction(value)


def _written(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    try:
        nearest = float(value)
    except OverflowError:
        raise BadArguments("the result is too large") from None
    if nearest == 0:
        raise BadArguments("the result is too close to zero")
    return repr(int(nearest)) if nearest.is_integer() else repr(nearest)
