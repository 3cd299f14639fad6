"""Whether a number was said: in digits, or in words of the five languages. Best effort.

Pure. `34` is said by "34", "3,4", "thirty-four", "treinta y cuatro", 三十四, "ba mươi bốn", 서른넷; a
share or a price by its digits, wherever the point stands: 0.15 by "15 %", 35000 by "35 nghìn".
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["any_number_said"]

_ENGLISH: Final = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_ENGLISH_TENS: Final = "ten twenty thirty forty fifty sixty seventy eighty ninety"
_SPANISH: Final = """
    un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve
"""
_SPANISH_TENS: Final = "diez veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_SPANISH_HUNDREDS: Final = """
    cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos
    novecientos
"""
_VIETNAMESE: Final = "một hai ba bốn năm sáu bảy tám chín mười"
_KOREAN: Final = "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열"
_KOREAN_TENS: Final = "열 스물 서른 마흔 쉰 예순 일흔 여든 아흔"

_WORDS: Final = {
    **{
        word: number * step
        for words, step in (
            (_ENGLISH, 1), (_ENGLISH_TENS, 10), (_SPANISH, 1), (_SPANISH_TENS, 10),
            (_SPANISH_HUNDREDS, 100), (_VIETNAMESE, 1),
        )
        for number, word in enumerate(words.split(), 1)
    },
    "hundred": 100, "thousand": 1000, "million": 10**6, "dozen": 12, "half": 2, "twice": 2, "double": 2,
    "uno": 1, "una": 1, "ciento": 100, "mil": 1000, "millón": 10**6, "docena": 12, "mitad": 2, "doble": 2,
    "mốt": 1, "tư": 4, "lăm": 5, "bẩy": 7, "mươi": 10, "trăm": 100, "nghìn": 1000, "ngàn": 1000,
    "triệu": 10**6, "tá": 12, "nửa": 2, "đôi": 2,
}  # fmt: skip
# Without spaces between words, these are looked for wherever they stand.
_RUNES: Final = {
    **{rune: number for number, rune in enumerate("一二三四五六七八九十", 1)},
    **{rune: number for number, rune in enumerate("일이삼사오육칠팔구십", 1)},
    **{word: number for number, word in enumerate(_KOREAN.split(), 1)},
    **{word: number * 10 for number, word in enumerate(_KOREAN_TENS.split(), 1)},
    "百": 100, "千": 1000, "万": 10**4, "億": 10**8, "半分": 2, "倍": 2,
    "백": 100, "천": 1000, "만": 10**4, "억": 10**8, "절반": 2, "배로": 2,
    "한": 1, "두": 2, "세": 3, "네": 4, "스무": 20,
}  # fmt: skip
_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_LETTERS: Final = re.compile(r"[^\W\d_]+")


def any_number_said(expression: str, talk: Iterable[str]) -> bool:
    """Tell whether one of the numbers in `expression` was said in one of the texts of `talk`."""
    numbers = _DIGITS.findall(_composed(expression))
    plain = {_plain(number) for number in numbers} - {""}
    whole = [number for number in numbers if number.isdecimal()]
    return any(
        plain & _in_digits(text) or any(_is_in_words(number, text) for number in whole)
        for text in map(_composed, talk)
    )


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _plain(number: str) -> str:
    """Return the digits of a number between its first and its last that is not 0."""
    return re.sub(r"\D", "", number).strip("0")


def _in_digits(text: str) -> set[str]:
    return {_plain(number) for number in _DIGITS.findall(text)}


def _is_in_words(digits: str, text: str) -> bool:
    """Tell whether words for a number stand in `text`: for itself, or for each digit with its place."""
    values = {_WORDS[word] for word in _LETTERS.findall(text) if word in _WORDS}
    values |= {value for word, value in _RUNES.items() if word in text}
    if int(digits) in values:
        return True
    places = [
        (int(digit), 10**power) for power, digit in enumerate(reversed(digits)) if digit != "0"
    ]
    return bool(places) and all(
        digit * place in values or (place in values and (digit == 1 or digit in values))
        for digit, place in places
    )
