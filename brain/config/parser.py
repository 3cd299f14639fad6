"""Strict JSON in which every value keeps its line and column.

Agrees with `json.loads` on what a value is, and is stricter in what it takes: no duplicate keys,
no NaN or Infinity, no number that overflows, no lone surrogate, no nesting over 64, nothing after
the document. What can be told without losing the thread is told and read on, so that one reading
names every problem; a broken syntax ends it.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from math import isinf
from typing import NoReturn

from brain.config.places import Keys, Place, to_path, to_pointer, visible
from brain.errors import Problem
from brain.records import JSONValue

__all__ = ["Document", "parse_document"]

MAX_DEPTH = 64

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_CHUNK = re.compile(r'[^"\\\x00-\x1f]*')
_HEX = re.compile(r"[0-9A-Fa-f]{4}")
_WORD = re.compile(r"-?[A-Za-z][A-Za-z0-9_]*")
_ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip
_LITERALS: dict[str, JSONValue] = {"true": True, "false": False, "null": None}
_HIGH = range(0xD800, 0xDC00)  # the halves of a surrogate pair
_LOW = range(0xDC00, 0xE000)
_MAX_INTEGER_DIGITS = 4300  # Python's own limit for reading an integer


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What was read. `value` is only of use where `is_whole`; `places` knows every value in it.

    `key_places` holds where the key of a member stands. `problems` are those of reading, and
    `doubtful` the keys of values that were told of already.
    """

    file: str
    value: JSONValue = None
    is_whole: bool = False
    places: dict[Keys, Place] = field(default_factory=dict)
    key_places: dict[Keys, Place] = field(default_factory=dict)
    texts: dict[Keys, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    doubtful: frozenset[Keys] = frozenset()

    def place(self, keys: Keys, *, of_key: bool = False) -> Place:
        """Return where `keys` stands, or the nearest value around it that stands in the file."""
        if of_key and keys in self.key_places:
            return self.key_places[keys]
        while keys and keys not in self.places:
            keys = keys[:-1]
        return self.places.get(keys, Place(1, 1))

    def keys_of(self, pointer: str) -> Keys:
        """Return the keys that an RFC 6901 pointer names; a number is one only in a list."""
        keys: Keys = ()
        for word in pointer.split("/")[1:]:
            item = (*keys, int(word)) if word.isdecimal() else keys
            name = word.replace("~1", "/").replace("~0", "~")
            keys = item if item != keys and item in self.places else (*keys, name)
        return keys


def parse_document(text: str, *, shown_as: str) -> Document:
    """Read one JSON document from `text`. Never raises: what is wrong stands in `problems`."""
    reading = _Reading(text, shown_as)
    value: JSONValue = None
    is_whole = False
    try:
        value = reading.document()
        is_whole = True
    except _BrokenError:
        pass  # its problem is among those of the reading
    return Document(
        file=shown_as,
        value=value,
        is_whole=is_whole,
        places=reading.places,
        key_places=reading.key_places,
        texts=reading.texts,
        problems=tuple(reading.problems),
        doubtful=frozenset(reading.doubtful),
    )


class _BrokenError(Exception):
    """The text cannot be read on; the problem is recorded."""


class _Reading:
    """One pass over a text, by recursive descent; depth is bounded, so the stack is."""

    def __init__(self, text: str, shown_as: str) -> None:
        self._text = text
        self._file = shown_as
        self._at = 0
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.places: dict[Keys, Place] = {}
        self.key_places: dict[Keys, Place] = {}
        self.texts: dict[Keys, str] = {}
        self.problems: list[Problem] = []
        self.doubtful: set[Keys] = set()

    def document(self) -> JSONValue:
        self._skip_space()
        if self._at == len(self._text):
            self._break("not_json", "an empty file", "one JSON object", (), self._at)
        value = self._value((), 1)
        self._skip_space()
        if self._at < len(self._text):
            self._break(
                "trailing_text",
                f"{self._here()} after the end of the document",
                "nothing more",
                (),
                self._at,
                "remove it, or look for a closing bracket too many",
            )
        return value

    def _value(self, keys: Keys, depth: int) -> JSONValue:
        self.places[keys] = self._place(self._at)
        match self._text[self._at : self._at + 1]:
            case "{":
                return self._object(keys, depth)
            case "[":
                return self._array(keys, depth)
            case '"':
                return self._string(keys)
            case _:
                return self._scalar(keys)

    def _object(self, keys: Keys, depth: int) -> JSONValue:
        self._check_depth(keys, depth)
        self._at += 1
        members: dict[str, JSONValue] = {}
        self._skip_space()
        if self._take("}"):
            return members
        while True:
            if self._text[self._at : self._at + 1] != '"':
                self._break_at_here("a key in double quotes", keys)
            key_at = self._at
            key = self._string(keys)
            inner = (*keys, key)
            self._note_key(inner, key_at, is_repeated=key in members)
            self._skip_space()
            if not self._take(":"):
                self._break_at_here("':' after the key", inner)
            self._skip_space()
            members[key] = self._value(inner, depth + 1)
            self._skip_space()
            if self._take("}"):
                return members
            if not self._take(","):
                self._break_at_here("',' or '}'", keys)
            comma_at = self._at - 1
            self._skip_space()
            if self._text[self._at : self._at + 1] == "}":
                self._break(
                    "not_json", "',' before '}'", "another key, or no comma", keys, comma_at,
                    "remove the comma",
                )  # fmt: skip

    def _note_key(self, inner: Keys, key_at: int, *, is_repeated: bool) -> None:
        if is_repeated:
            first = self.key_places[inner]
            self._tell(
                "duplicate_key",
                f"the key {visible(str(inner[-1]))!r} a second time",
                f"each key once (the first is at line {first.line} column {first.column})",
                inner,
                key_at,
                "remove one of the two",
            )
            return
        self.key_places[inner] = self._place(key_at)

    def _array(self, keys: Keys, depth: int) -> JSONValue:
        self._check_depth(keys, depth)
        self._at += 1
        items: list[JSONValue] = []
        self._skip_space()
        if self._take("]"):
            return items
        while True:
            items.append(self._value((*keys, len(items)), depth + 1))
            self._skip_space()
            if self._take("]"):
                return items
            if not self._take(","):
                self._break_at_here("',' or ']'", keys)
            comma_at = self._at - 1
            self._skip_space()
            if self._text[self._at : self._at + 1] == "]":
                self._break(
                    "not_json", "',' before ']'", "another value, or no comma", keys, comma_at,
                    "remove the comma",
                )  # fmt: skip

    def _string(self, keys: Keys) -> str:
        start = self._at
        self._at += 1
        parts: list[str] = []
        while True:
            chunk = _CHUNK.match(self._text, self._at)
            if chunk:
                parts.append(chunk.group())
                self._at = chunk.end()
            if self._take('"'):
                break
            if self._take("\\"):
                parts.append(self._escape(keys))
            elif self._at == len(self._text):
                self._break("not_json", "a text without its end", "'\"' at its end", keys, start)
            else:
                self._break_in_text(keys)
        text = "".join(parts)
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            self._tell(
                "lone_surrogate",
                "one half of a surrogate pair alone",
                "both halves, or the character itself",
                keys,
                start,
            )
        return text

    def _break_in_text(self, keys: Keys) -> NoReturn:
        if self._text[self._at] in "\r\n":
            self._break(
                "not_json",
                "a line that ends inside a text",
                "'\"' at the end of the text",
                keys,
                self._at,
                "add the '\"', or write \\n for a line break inside the text",
            )
        self._break(
            "not_json",
            "a control character inside a text",
            "its escape, as \\u0007",
            keys,
            self._at,
        )

    def _escape(self, keys: Keys) -> str:
        at = self._at
        letter = self._text[at : at + 1]
        if letter in _ESCAPES and letter:
            self._at += 1
            return _ESCAPES[letter]
        unit = self._unit(at, keys)
        if unit in _HIGH and self._text[self._at : self._at + 2] == "\\u":
            resume = self._at
            self._at += 1
            low = self._unit(self._at, keys)
            if low in _LOW:
                return chr(0x10000 + ((unit - _HIGH.start) << 10) + (low - _LOW.start))
            self._at = resume
        return chr(unit)

    def _unit(self, at: int, keys: Keys) -> int:
        digits = _HEX.match(self._text, at + 1)
        if self._text[at : at + 1] != "u" or not digits:
            self._break(
                "not_json",
                f"the escape \\{visible(self._text[at : at + 1])}",
                'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t, or \\u with four hexadecimal digits',
                keys,
                at - 1,
                "write \\\\ for a backslash",
            )
        self._at = digits.end()
        return int(digits.group(), 16)

    def _scalar(self, keys: Keys) -> JSONValue:
        number = _NUMBER.match(self._text, self._at)
        word = _WORD.match(self._text, self._at)
        if number:
            return self._number(number, keys)
        if word and word.group() in _LITERALS:
            self._at = word.end()
            return _LITERALS[word.group()]
        if word and word.group() in ("NaN", "Infinity", "-Infinity"):
            self._tell("not_finite", word.group(), "a finite number", keys, self._at)
            self._at = word.end()
            return 0
        if word and word.group().lower() in ("true", "false", "null", "none"):
            mended = word.group().lower().replace("none", "null")
            self._break("not_json", word.group(), "a JSON value", keys, self._at, f"write {mended}")
        return self._break_at_here("a JSON value", keys)

    def _number(self, number: re.Match[str], keys: Keys) -> JSONValue:
        start = self._at
        self._at = number.end()
        self.texts[keys] = number.group()
        whole, fraction, exponent = number.groups()
        if fraction is None and exponent is None:
            if len(whole) > _MAX_INTEGER_DIGITS:
                self._tell_overflow(f"a number of {len(whole)} digits", keys, start)
                return 0
            return int(whole)
        value = float(number.group())
        if isinf(value):
            self._tell_overflow(visible(number.group()), keys, start)
            return 0
        return value

    def _tell_overflow(self, found: str, keys: Keys, at: int) -> None:
        self._tell("number_overflow", found, "a number that fits in 64 bits", keys, at)

    def _check_depth(self, keys: Keys, depth: int) -> None:
        if depth > MAX_DEPTH:
            self._break(
                "too_deep", f"nesting over {MAX_DEPTH}", f"at most {MAX_DEPTH} levels",
                keys[:8], self._at,
            )  # fmt: skip

    def _skip_space(self) -> None:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at

    def _take(self, character: str) -> bool:
        if self._text.startswith(character, self._at):
            self._at += 1
            return True
        return False

    def _place(self, at: int) -> Place:
        line = bisect_right(self._starts, at)
        return Place(line, at - self._starts[line - 1] + 1)

    def _here(self) -> str:
        if self._at >= len(self._text):
            return "the end of the file"
        word = re.compile(r"[A-Za-z0-9_.+-]+").match(self._text, self._at)
        return f"'{visible(word.group() if word else self._text[self._at], limit=20)}'"

    def _break_at_here(self, expected: str, keys: Keys) -> NoReturn:
        fix = ""
        if self._text.startswith(("//", "/*", "#"), self._at):
            fix = 'JSON has no comments; a "_comment" key may stand in any object'
        elif self._text.startswith("'", self._at):
            fix = "use double quotes"
        self._break("not_json", self._here(), expected, keys, self._at, fix)

    def _break(
        self, code: str, found: str, expected: str, keys: Keys, at: int, fix: str = ""
    ) -> NoReturn:
        self._tell(code, found, expected, keys, at, fix)
        raise _BrokenError

    def _tell(
        self, code: str, found: str, expected: str, keys: Keys, at: int, fix: str = ""
    ) -> None:
        place = self._place(at)
        self.doubtful.add(keys)
        self.problems.append(
            Problem(
                code=code,
                path=to_path(keys),
                pointer=to_pointer(keys),
                found=found,
                expected=expected,
                fix=fix,
                file=self._file,
                line=place.line,
                column=place.column,
            )
        )
