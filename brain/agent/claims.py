"""Whether a reply says that something was saved: best effort, by its words (P13).

Pure. It reads English, Spanish, Japanese, Vietnamese and Korean, each clause for itself; a clause
that denies, asks or offers is no claim. A promise to remember is one: nothing would be remembered.
`docs/truth-line.md` publishes precision and recall per language.
"""

import re
from typing import Final

__all__ = ["claims_save"]

_CLAUSE: Final = re.compile(r"[^.!?。！？;\n]+[.!?。！？;\n]*")
_QUESTION: Final = re.compile(r"[?？]|(?:ですか|ますか|でしょうか|까요|습니까|ㄹ까)\s*[.。]?\s*\Z")

# What each language says of a save that was made, or promises to remember.
_ENGLISH: Final = (
    r"\bi(?:['’]ve| have)? (?:now |just |already |also |successfully )*(?:saved|stored|noted|"
    r"recorded|remembered|written|wrote|jotted|made a note|memori[sz]ed)\b"
    r"|\bi(?:['’]ll| will| shall|['’]m going to) (?:now |also |definitely |always |be sure to |"
    r"make sure to )*(?:remember|note|save|store|record|keep|make a note|memori[sz]e|bear)\b"
    r"|\b(?:has|have|had|is|are|was|were|['’]s) (?:now |just |already |successfully )*(?:been )?"
    r"(?:saved|stored|noted|recorded|remembered|memori[sz]ed|added to (?:my|your|the) "
    r"(?:notes?|memory))\b"
    r"|\badded (?:it|that|this|them) to (?:my|your|the) (?:notes?|memory)\b"
    r"|\A\W*(?:(?:ok|okay|sure|got it|alright|done|understood|great)\W+)*"
    r"(?:saved|noted|stored|recorded|remembered|note saved|duly noted)\b"
)
_SPANISH: Final = (
    r"\b(?:he|hemos) (?:ya )?(?:guardado|anotado|apuntado|registrado|memorizado|almacenado|"
    r"tomado nota|añadido)\b"
    r"|\b(?:recordaré|guardaré|anotaré|apuntaré|tendré en cuenta|tendré presente|tomaré nota|memorizaré)\b"
    r"|\bvoy a (?:recordar|guardar|anotar|apuntar|tener en cuenta)(?:lo|la)?\b"
    r"|\b(?:guardé|anoté|apunté|registré|tomé nota|tomo nota)\b"
    r"|\b(?:ha|han|fue|queda|quedó|quedan|está|están|ha quedado) (?:ya )?(?:sido )?"
    r"(?:guardad|anotad|apuntad|registrad|almacenad|memorizad)[oa]s?\b"
    r"|\A\W*(?:(?:ok|vale|listo|perfecto|entendido|claro|de acuerdo|hecho|sí)\W+)*"
    r"(?:guardad|anotad|apuntad|registrad)[oa]s?\b"
)
_JAPANESE: Final = (
    r"(?:保存|メモ|記録|記憶|登録)(?:に)?(?:(?:して)?おき|して|し|いた|され|させていただき|致)*ま(?:した|す)(?!か)"
    r"|(?:保存|メモ|記録|記憶|登録)(?:が|を)?(?:完了|済み|しておく|しとく|しといた|しておいた)"
    r"|(?:覚え|控え|書き留め)(?:て)?(?:おき|い)?ま(?:した|す)(?!か)"
    r"|メモに(?:残|追加)しま(?:した|す)(?!か)"
    r"|覚えて(?:おく|おいた|いる|る)(?=[よねわ。！!\s]|\Z)"
)
_VIETNAMESE: Final = (
    r"(?<!bạn )\b(?:đã|vừa|sẽ)(?: được| luôn)? (?:lưu|ghi nhớ|ghi lại|ghi chú|ghi|nhớ)\b"
    r"|\A\W*(?:(?:vâng|được|ok|dạ|xong)\W+)*(?:đã lưu|đã ghi|ghi nhớ rồi|lưu rồi)\b"
    r"|\b(?:tôi|mình|em) (?:ghi nhớ|nhớ|lưu|ghi) rồi\b"
)
_KOREAN: Final = (
    r"(?:저장|기억|메모|기록|등록|메모에 추가)(?:을|를)?\s?"
    r"(?:해\s?(?:두|뒀|둘|놓|놨|드렸|드리)|했|하였|하겠|할게|할께|되었|됐|완료)"
    r"|(?:적어|외워)\s?(?:두|뒀|둘|놓|놨)"
)
_CLAIM: Final = re.compile(
    f"{_ENGLISH}|{_SPANISH}|{_JAPANESE}|{_VIETNAMESE}|{_KOREAN}", re.IGNORECASE
)
# A text in ASCII can be neither Japanese, Vietnamese nor Korean here: each way to say it in those has
# a letter beyond ASCII. Most replies are in ASCII, and this is a quarter of the search.
_ASCII_CLAIM: Final = re.compile(f"{_ENGLISH}|{_SPANISH}", re.IGNORECASE | re.ASCII)

# What makes a clause deny, or put under a condition, what it would else claim.
_DENIAL: Final = re.compile(
    r"\b(?:not|never|cannot|nothing|unable|without|if|would|could)\b|n['’]t\b|\bwhen you\b"
    r"|\bcuando\b|自動的に|\bkhi bạn\b|자동으로"
    r"|\bno (?:(?:se|te|lo|la|los|las|le|me|nos) )*(?:he|ha|han|hemos|pude|puedo|pudo|podré|voy|"
    r"fue|queda|quedó|está|están|guard|anot|apunt|record|registr|tom|tendr|memori|almacen)"
    r"|\bnada\b|\bsin\b|\bsi (?:quieres|lo|me|deseas|usted|prefieres)\b"
    r"|(?:し|でき|られ|え|い|され)(?:て)?(?:い)?(?:ません|ない|なかった)|(?:たら|れば|なら|場合)"
    r"|\b(?:không|chưa|chẳng|nếu)\b"
    r"|지\s?(?:않|못)|못\s?했|안\s?했|수\s?없|아무것도|했을|으면|려면",
    re.IGNORECASE,
)


# A promise not to forget is a promise to remember, whatever it denies.
_NOT_FORGETTING: Final = re.compile(
    r"\bi(?:['’]ll| will| shall)? (?:never|not|won['’]t) forget\b"
    r"|\bno (?:lo |la |los |las |me )?olvidaré\b|忘れません|忘れないよ|忘れないね"
    r"|\bsẽ không quên\b|잊지\s?않(?:을게|겠)",
    re.IGNORECASE,
)


def claims_save(text: str) -> bool:
    """Tell whether a reply says that something was saved, or promises to remember it."""
    text = _NOT_FORGETTING.sub(" I will remember ", text)
    claim = _ASCII_CLAIM if text.isascii() else _CLAIM
    return any(
        claim.search(clause) and not _DENIAL.search(clause) and not _QUESTION.search(clause)
        for clause in _CLAUSE.findall(text)
    )
