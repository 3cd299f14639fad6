"""The runtime's own sentences in five languages, and which of them a person writes in.

Pure. The languages: English (also for all others), Spanish, Japanese, Vietnamese, Korean.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, Literal

from brain.records import Effect

__all__ = [
    "Key",
    "Language",
    "is_note_answer",
    "known_language",
    "language_of",
    "note_answer",
    "nothing_saved",
    "sentence",
]

Language = Literal["en", "es", "ja", "vi", "ko"]
Key = Literal[
    "saved",
    "duplicate",
    "rehearsed",
    "held",
    "full",
    "too_long",
    "denied",
    "refused",
    "nothing_saved",
]

_CATALOGUE: Final[Mapping[Language, Mapping[Key, str]]] = {
    "en": {
        "saved": "I saved that as note {number}.",
        "duplicate": "I did not save it again: note {number} already says the same.",
        "rehearsed": (
            "I did not save that. Saving notes is only rehearsed here; "
            "what I would have saved is kept as rehearsal {number}."
        ),
        "held": (
            "I did not save that yet. It is held as {number} until the operator decides, because "
            "this conversation contains text from outside."
        ),
        "full": "I could not save that: the notes are full.",
        "too_long": "I could not save that: it is too long for a note.",
        "denied": "I could not save that: notes are not permitted here.",
        "refused": "I did not save that. The line below says why.",
        "nothing_saved": "nothing was saved",
    },
    "es": {
        "saved": "Lo guardé como nota {number}.",
        "duplicate": "No lo guardé otra vez: la nota {number} ya dice lo mismo.",
        "rehearsed": (
            "No lo guardé. Aquí guardar notas solo se ensaya; "
            "lo que habría guardado queda como ensayo {number}."
        ),
        "held": (
            "Todavía no lo guardé. Queda retenido con el número {number} hasta que el operador "
            "decida, porque esta conversación contiene texto de fuera."
        ),
        "full": "No pude guardarlo: las notas están llenas.",
        "too_long": "No pude guardarlo: es demasiado largo para una nota.",
        "denied": "No pude guardarlo: aquí no se permiten notas.",
        "refused": "No lo guardé. La línea de abajo dice por qué.",
        "nothing_saved": "no se guardó nada",
    },
    "ja": {
        "saved": "メモ {number} として保存しました。",
        "duplicate": "同じ内容がメモ {number} にあるため、保存し直しませんでした。",
        "rehearsed": (
            "保存していません。ここではメモの保存は予行だけです。"
            "保存するはずだった内容は予行 {number} として残っています。"
        ),
        "held": (
            "まだ保存していません。この会話には外部の文章が含まれているため、"
            "運用者が決めるまで {number} 番として保留します。"
        ),
        "full": "保存できませんでした。メモがいっぱいです。",
        "too_long": "保存できませんでした。メモには長すぎます。",
        "denied": "保存できませんでした。ここではメモは許可されていません。",
        "refused": "保存しませんでした。理由は下の行にあります。",
        "nothing_saved": "何も保存されていません",
    },
    "vi": {
        "saved": "Tôi đã lưu điều đó thành ghi chú {number}.",
        "duplicate": "Tôi không lưu lại lần nữa: ghi chú {number} đã có nội dung đó.",
        "rehearsed": (
            "Tôi không lưu điều đó. Ở đây việc lưu ghi chú chỉ là diễn tập; "
            "nội dung lẽ ra được lưu nằm ở bản diễn tập {number}."
        ),
        "held": (
            "Tôi chưa lưu điều đó. Nó được giữ lại với số {number} cho đến khi người vận hành "
            "quyết định, vì cuộc trò chuyện này có văn bản từ bên ngoài."
        ),
        "full": "Tôi không thể lưu điều đó: ghi chú đã đầy.",
        "too_long": "Tôi không thể lưu điều đó: quá dài cho một ghi chú.",
        "denied": "Tôi không thể lưu điều đó: ở đây không được phép ghi chú.",
        "refused": "Tôi không lưu điều đó. Dòng bên dưới nói lý do.",
        "nothing_saved": "không có gì được lưu",
    },
    "ko": {
        "saved": "메모 {number}번으로 저장했습니다.",
        "duplicate": "같은 내용이 메모 {number}번에 있어 다시 저장하지 않았습니다.",
        "rehearsed": (
            "저장하지 않았습니다. 여기서는 메모 저장을 연습만 합니다. "
            "저장했을 내용은 연습 {number}번으로 남아 있습니다."
        ),
        "held": (
            "아직 저장하지 않았습니다. 이 대화에 외부 글이 들어 있어 "
            "운영자가 결정할 때까지 {number}번으로 보류합니다."
        ),
        "full": "저장하지 못했습니다. 메모가 가득 찼습니다.",
        "too_long": "저장하지 못했습니다. 메모로는 너무 깁니다.",
        "denied": "저장하지 못했습니다. 여기서는 메모가 허용되지 않습니다.",
        "refused": "저장하지 않았습니다. 이유는 아래 줄에 있습니다.",
        "nothing_saved": "아무것도 저장되지 않았습니다",
    },
}

# How the reasons of an effects line begin that have a sentence of their own.
_REASONS: Final[tuple[tuple[str, Key], ...]] = (
    ("the box is full", "full"),
    ("the notes would take ", "full"),
    ("the note has ", "too_long"),
    ("the note would take ", "too_long"),
    ("memory_note is not permitted", "denied"),
)

_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HAN: Final = re.compile(r"[\u3005\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL: Final = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_LATIN_WORD: Final = re.compile(r"[^\W\d_]+")
_VIETNAMESE_LETTER: Final = re.compile(r"[\u0103\u0111\u01a1\u01b0\u1ea0-\u1ef9]")
_LETTERS_OF_A_SYLLABLE: Final = 3  # a Japanese or Korean character says about as much

_ENGLISH: Final = """
    the a an is are am was i i'm you he she it we they my your his her our of to in on
    at for and or but not don't what when where who why how which please remember note
    save keep tell that this do does can could would will have has hello hi thanks me
"""
_SPANISH: Final = """
    el los las una unos unas y es soy eres son está estoy están mi mis tu tus su sus yo
    él ella nosotros ellos qué cuál cuándo dónde quién cómo por porque para con del al
    que hola gracias favor tengo tiene tienes hay hoy mañana ayer recuerda recuerde
    recuérdalo anota anote apunta guarda guarde guárdalo guardes olvides nota gusta
    quiero puedes puede hora mucho muy también pero cuánto cuántos dime haz esto eso lo
    la de en se
"""
_VIETNAMESE: Final = """
    hãy là tôi của và không có cho này anh em bạn mình ghi xin chào cảm nào gì sao ai đi
    làm giúp với thì mà để trong ngày nhé ơi con cái cũng rất hôm nay mai giờ bao tên
"""
# Neighbours that share words with those above and have no catalogue of their own.
_OTHERS: Final = """
    je j'ai tu il elle nous vous est suis et le les des du une mon ma mes que qui dans
    pour avec pas quoi bonjour merci não é meu minha você uma um os as em do da eu sou
    são lembre io sono è gli che di del della un mio mia non ich bin ist und der die das
    ein eine mein nicht mit
"""
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset(_ENGLISH.split()),
    "es": frozenset(_SPANISH.split()),
    "vi": frozenset(_VIETNAMESE.split()),
    "other": frozenset(_OTHERS.split()),
}


def language_of(text: str) -> Language:
    """Return the language to speak to whoever wrote a text; "en" where it is not known."""
    return known_language(text) or "en"


def known_language(text: str) -> Language | None:
    """Return the language a text is written in, by script and common words; None where unsure.

    A name or a quoted word of another language does not decide: what most of the text is in does.
    """
    composed = unicodedata.normalize("NFC", text).casefold()
    kana, hangul = len(_KANA.findall(composed)), len(_HANGUL.findall(composed))
    words = _LATIN_WORD.findall(_HAN.sub(" ", _KANA.sub(" ", _HANGUL.sub(" ", composed))))
    latin = sum(map(len, words))
    japanese = kana + len(_HAN.findall(composed)) if kana else 0
    if max(japanese, hangul) * _LETTERS_OF_A_SYLLABLE >= max(latin, 1):
        return "ko" if hangul > japanese else "ja"
    return _language_of_words(words)


def _language_of_words(words: list[str]) -> Language | None:
    scores = {name: sum(word in known for word in words) for name, known in _WORDS.items()}
    scores["vi"] += sum(1 for word in words if _VIETNAMESE_LETTER.search(word))
    best = max(scores.values())
    if best == 0 or best == scores["other"]:
        return None
    if best == scores["en"]:
        return "en"
    return "vi" if scores["vi"] == best else "es"


def sentence(language: Language, key: Key, *, number: int = 0) -> str:
    """Return one sentence of the catalogue; `number` is the note's, rehearsal's or held call's."""
    return _CATALOGUE[language][key].format(number=number)


def note_answer(language: Language, effects: tuple[Effect, ...]) -> str:
    """Return the runtime's reply to an exchange whose only call was `memory_note`.

    `effects` is what the exchange did to the box; empty: the call was denied.
    """
    if not effects:
        return sentence(language, "denied")
    return " ".join(_of_effect(language, effect) for effect in effects)


def _of_effect(language: Language, effect: Effect) -> str:
    if effect.kind == "refused":
        named = (key for start, key in _REASONS if effect.reason.startswith(start))
        return sentence(language, next(named, "refused"))
    return sentence(language, effect.kind, number=effect.number)


_OF_A_NOTE: Final[tuple[Key, ...]] = ("saved", "duplicate")
_ANSWERS: Final = tuple(
    (key, re.compile(re.escape(text).replace(re.escape("{number}"), r"([0-9]+)")))
    for sentences in _CATALOGUE.values()
    for key, text in sentences.items()
)


def is_note_answer(text: str) -> tuple[bool, int]:
    """Tell whether a reply is a `note_answer` of one effect, and the note it names, or 0."""
    for key, known in _ANSWERS:
        if match := known.fullmatch(text):
            return True, int(match[1]) if key in _OF_A_NOTE else 0
    return False, 0


def nothing_saved(language: Language) -> str:
    """Return the truth line: what `truth` lets follow a reply."""
    return sentence(language, "nothing_saved")
