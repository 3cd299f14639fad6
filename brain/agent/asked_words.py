"""The words with which a user asks to have something remembered, in each of five languages.

Pure, and nothing but words.
"""

import re
from typing import Final

from brain.agent.wording import NEVER, Asking, after, any_of

__all__ = ["LANGUAGES"]

# English

_EN_LEAD: Final = (
    r"please|pls|ok|okay|hey|hi|hello|so|and|but|also|now|then|well|oh|just|brain|assistant|thanks|yes|"
    r"always|fyi|kindly|make sure (?:to|you|that you)|be sure to|help me(?: to)?|try to|let['’]s|"
    r"i(?:['’]d| would)? (?:want|need|like|love) you to|you (?:should|must|have to|need to)|"
    r"it(?:['’]s| is) important (?:that you|to)|do me a favou?r and"
)
_EN_NOTES: Final = r"(?:your |my |the |a )?(?:notes?|memory)\b"
_EN_IT: Final = (
    r"(?:this|that|it|these|those|them|somewhere|down|i\b|i['’]|(?:my|our|his|her|their)\b|"
    r"the (?:fact|following|info|information|number|name|date|code|password|address)|"
    rf"for (?:me|later|next|future)|(?:in|to|into|as) {_EN_NOTES}|:)"
)
_EN_KEEP: Final = (
    r"(?:memori[sz]e (?:that|this|it|these|my|our)|note (?:that|this|it|my|our|the fact|down|for)\b|"
    rf"(?:save|store|record|log|keep)\W+{_EN_IT}|keep in mind|bear (?:\S+ )?in mind|"
    r"keep (?:an? (?:note|record)|track)|keep (?:\S+ ){1,8}?in (?:mind|memory)|"
    r"(?:make|take|add|create|leave|write|save|keep) (?:yourself )?(?:an? )?(?:quick |mental |new )?note\b|"
    r"(?:write|jot|put|get) (?:(?:that|this|it|these|them|my (?:\S+ ){1,3}?) ?)?down\b|jot\b|"
    rf"(?:add|put|save|store|write|enter) (?:\S+ ){{0,12}}?(?:to|in|into|on) {_EN_NOTES}|"
    rf"update {_EN_NOTES}|commit (?:\S+ ){{1,4}}?to memory|remind me (?:to|that|on|about|tomorrow|next)\b)"
)
_ENGLISH: Final = Asking(
    stems=(
        "rememb", "note", "memo", "mind", "save", "saving", "store", "record", "log", "keep", "down",
        "forget", "add", "update", "reference", "noting", "jot",
    ),
    order=after(
        _EN_LEAD,
        r"remember\b(?!\W*(?:when|how|why|who|whom|whose|where|what|which|me\b|us\b|the time (?:we|i|you)))",
        _EN_KEEP,
        r"(?:don['’]?t|do not|never) (?:you )?(?:ever )?forget\b(?!\W*(?:about it|me\b))",
        r"(?:note|memo|reminder|note to self)\s*:",
        r"for (?:the record|future reference|(?:your|my) (?:notes|memory|records))\b",
    ),
    wish=after(
        _EN_LEAD,
        r"(?:(?:can|could|would|will|won['’]t|may) you(?: please| kindly| also| just| quickly)*) "
        r"(?:remember (?:that|this|it|these|for me|i\b|i['’]|:)|not forget\b|"
        rf"{_EN_KEEP})",
        r"(?:would|do) you mind (?:noting|saving|remembering|keeping|writing|storing|recording)\b",
    ),
    anywhere=NEVER,
    kept=re.compile(
        r"\b(?:did|do|have|has|had|was|were|is|are) (?:you|it|that|this|my\b[^?]{0,30}?|the\b[^?]{0,30}?)\b"
        r"[^?]{0,30}\b(?:remember|sav|noted|note\b|stor|recorded|kept|keep|memor|written)"
        r"|\b(?:what|which|how many|show)\b[^?]{0,40}\b(?:remember|notes?|memory|saved|noted|know about me)\b"
    ),
    unless=re.compile(
        r"\b(?:file|files|document|image|picture|spreadsheet|script|pdf|disk|game|webpage|short|brief|simple|"
        r"going|quiet|calm|secret|money|time|energy)\b(?=\W*\Z)|\b(?:keep|save) (?:it|this|that) (?:short|brief|simple|up|"
        r"as (?:an? )?(?:pdf|file|image|csv)|to (?:disk|a file))\b"
    ),
)  # fmt: skip

# Spanish

_ES_LEAD: Final = (
    r"por favor|porfa|ok|vale|oye|hola|y|pero|también|ahora|entonces|bueno|pues|sí|gracias|siempre|brain|"
    r"me|quiero|necesito|solo"
)
_ES_IT: Final = (
    r"\W+(?:que|esto|eso|lo|est[ea]|est[oa]s|mis?|nuestr[oa]s?|la información|el (?:dato|número)|"
    r"en (?:tus?|mis?|las?)|para (?:luego|después|más tarde|mí|la próxima|el futuro)|también|"
    r"por favor|ahí|como nota)\b"
)
_SPANISH: Final = Asking(
    stems=(
        "rec", "anot", "anót", "apunt", "apúnt", "guard", "guárd", "nota", "memor", "cuenta", "presente",
        "olvid", "registr", "acuérd", "acord", "graba", "mente", "quéd", "constancia", "almacen",
    ),
    order=after(
        _ES_LEAD,
        r"(?:recuerda|recuerde|recordá|recordad)\b(?!\W*(?:cuándo|cómo|qué|quién|dónde)\b)",
        r"(?:recuérd[ae]|recordá|apúnt[ae]|apuntá|anót[ae]|anotá|guárd[ae]|guardá|regístr[ae]|memoríz[ae]|"
        r"grába)(?:me|te|nos)?l[oa]s?\b",
        r"recuérda(?:me|nos) (?:que|el|la|los|las|mañana|en)\b|(?:acuérdate|acordate|acuérdese) (?:de|que)\b",
        r"(?:anota|anote|anotá|anotad|apunta|apunte|apuntá|apuntad)(?:me)?\b(?! (?:a\b|al\b|hacia))",
        r"(?:anótame|apúntame|guárdame)\b",
        r"(?:guarda|guarde|guardá|guardad|registra|registre|memoriza|memorice|graba|almacena)\b"
        rf"(?:{_ES_IT}|\s*:)",
        r"(?:ten|tenga|tené|tened|tenl[oa]|ténl[oa]|teng[ae]l[oa]) (?:\S+ ){0,3}?(?:en cuenta|presente|en mente)",
        r"(?:toma|tome|tomá|haz|haga|hacé|crea|cree|deja|escribe|añade|agrega) "
        r"(?:buena |una |otra )?(?:nota|constancia)\b",
        r"(?:añade|agrega|pon|mete|incluye|escribe|añádel[oa]|agrégal[oa]|ponl[oa]|actualiza)\b.{0,80}"
        r"\b(?:tus?|mis?|las?) (?:notas?|memoria)\b",
        r"(?:que )?no (?:(?:te|se|lo|la|me) )*olvid(?:es?|és|éis)\b",
        r"(?:quiero|quisiera|necesito|me gustaría|te pido|es importante|agradecería) que (?:(?:no|lo|la|me|te) )*"
        r"(?:recuerd|anot|apunt|guard|teng|tom|registr|memori|olvid|acuerd)\w+",
        r"que (?:(?:lo|no|te) )*(?:recuerdes|olvides|tengas en cuenta|anotes|apuntes|guardes)\b",
        r"(?:quédate|quédese) con (?:est[ea]|esto|eso|el|la|que)\b",
        r"(?:nota|apunte|recordatorio)\s*:|para que lo (?:recuerdes|tengas en cuenta)\b",
    ),
    wish=after(
        _ES_LEAD,
        r"(?:puedes?|podrías?|podés|te importaría|te importa)(?: por favor| también)? "
        r"(?:recordar(?:me)? (?:que|lo|la|esto|eso|para)\b|recordarl[oa]|acordarte de\b|"
        r"(?:anotar|apuntar|guardar|registrar|memorizar)(?:me)?(?:l[oa]s?)?\b|"
        r"tener(?:l[oa])? (?:\S+ ){0,3}?(?:en cuenta|presente)|tomar (?:buena )?nota|hacer una nota|no olvidar)",
        r"(?:lo |la )?(?:anotas|apuntas|guardas)\b",
    ),
    anywhere=NEVER,
    kept=re.compile(
        r"\b(?:recuerdas|te acuerdas|guardaste|anotaste|apuntaste|registraste)\b"
        r"|\b(?:has|ha|tienes|está|quedó) (?:\S+ ){0,2}?(?:guardad|anotad|apuntad|registrad)"
        r"|\b(?:qué|cuáles|cuántas)\b[^?]{0,30}\b(?:recuerdas|sabes de mí|notas|guardad|anotad)"
    ),
    unless=re.compile(
        r"\b(?:archivos?|ficheros?|documento|partida|imagen|silencio|pdf|distancia|relación|cambios|cama)\b"
    ),
)  # fmt: skip

# Japanese: the verb comes last

_JA_DO: Final = (
    r"(?:覚え|控え|書き留め|書き残し|メモっ|心に留め|頭に(?:入れ|留め)|(?:メモ|ノート|記録|記憶)(?:に)?(?:を)?"
    r"(?:し|取っ|とっ|残し|書い|入れ|追加し|加え|留め|保存し|登録し)|(?:保存|登録|暗記|インプット)(?:を)?し|書い(?=て?(?:おい|とい)))"
)
_JA_PLEASE: Final = (
    r"(?:くださ|下さ|ほしい|欲しい|もらえ|もらいた|いただけ|いただきた|頂け|頂きた|ちょうだい|頂戴|"
    r"くれ(?:ない|ます|ません|る)?(?:か|かな)?[なよね]?(?=[？?。！!\s、]|\Z)|くれ(?:ると|たら)|"
    r"[ねよ](?!う)|な(?=[。！!]|\Z)|(?=[。！!?？：:\s]|\Z))"
)
_JAPANESE: Final = Asking(
    stems=(
        "覚え", "メモ", "記録", "記憶", "保存", "登録", "忘れ", "控え", "書", "留め", "入れ", "暗記",
        "インプット", "ノート",
    ),
    order=after(r"[、。]", r"(?:メモ|覚え書き|記録|備忘録?)\s*[:：]"),
    wish=NEVER,
    anywhere=any_of(
        rf"{_JA_DO}(?:て)?(?:おい|とい|い)?て{_JA_PLEASE}",
        rf"{_JA_DO}(?:て)?(?:おい|とい)て[、,]|{_JA_DO}(?:とけ|て?おけ|て?おくように)",
        r"(?:覚え|控え|書き留め|書き残し|心に留め|入れ)と(?:いて|け)",
        r"忘れない(?:で|ように?(?:し|[。！!、]|\Z))|忘れんといて",
        r"(?:メモ|記録|記憶|保存|登録)(?:を|も|して)?(?:お願い|おねがい|頼む|頼みます|よろしく)",
    ),
    kept=re.compile(
        r"(?:覚え|メモし|記録し|保存し|登録し)て(?:い|くれ)?(?:る|ます|た|ました)(?:か|の|よね)?(?=[？?。]|\Z)"
        r"|(?:保存|メモ|記録|登録)(?:し|され)(?:ました|た)(?:か|の)?[？?]|何を(?:覚え|メモ|保存|記録)|メモを見せ"
    ),
    unless=re.compile(
        r"ファイル|文書を|画像|変更を|ボタン|どうやって|方法|て(?:くれて|もらって)|(?:ほし|欲し)くない|"
        r"て(?:いる|る|い?ます)か?[？?]"
    ),
)  # fmt: skip

# Vietnamese

_VI_LEAD: Final = (
    r"hãy|xin|vui lòng|làm ơn|nhờ|phiền|này|à|ừ|ok|vâng|và|rồi|thì|nhưng|cũng|ơi|bạn|em|anh|cậu|"
    r"luôn|cứ|chào|từ (?:giờ|nay)(?: trở đi)?|tôi (?:muốn|cần)|mình (?:muốn|cần)|giúp (?:tôi|mình|em)|giùm (?:tôi|mình)|phải|nên|nhé"
)
_VI_FOR: Final = r"(?:giúp|giùm|dùm|hộ|cho)"
_VI_NOTES: Final = r"(?:ghi chú|bộ nhớ|trí nhớ|sổ tay)"
_VIETNAMESE: Final = Asking(
    stems=("nhớ", "ghi", "lưu", "quên", "note", "nhắc", "chú ý", "bộ nhớ"),
    order=after(
        _VI_LEAD,
        r"(?:ghi )?nhớ\b(?!\W*(?:nhà|quê|mẹ|quá|lắm|em\b|anh\b|ai\b|không|lại (?:hồi|ngày|lúc)))",
        rf"(?:ghi|note) (?:lại|chú|xuống|vào|nhận|{_VI_FOR})\b|(?:lưu|chú) ý\b",
        rf"lưu(?: lại| giữ)?(?:\W*:| (?:{_VI_FOR}|lại|rằng|là|nhé|nha|điều|thông tin|này|vào {_VI_NOTES})\b)",
        rf"(?:thêm|đưa|cập nhật|viết) .{{0,80}}\b{_VI_NOTES}\b",
        r"(?:đừng|chớ|không được)(?: có| bao giờ)? quên\b",
        r"(?:ghi chú|lưu ý|note)\s*:|nhắc (?:tôi|mình|em)\b(?! (?:gì|về gì))",
    ),
    wish=after(
        _VI_LEAD,
        r"(?:có thể|giúp|làm ơn)(?: giúp| hãy)*(?: tôi| mình| em)? (?:ghi nhớ|nhớ|ghi lại|ghi chú|lưu lại|lưu|ghi)\b"
        rf".{{0,12}}\b(?:{_VI_FOR}|rằng|là|lại)\b",
        rf"(?:nhớ|ghi nhớ|ghi lại|ghi|lưu|lưu lại|ghi chú) {_VI_FOR}\b",
        r"(?:đừng|chớ)(?: có)? quên\b",
    ),
    anywhere=any_of(
        rf"\b(?:nhớ|ghi lại|ghi nhớ|lưu lại) {_VI_FOR} (?:tôi|mình|em)(?: với| được không| nhé| nha)*\W*\Z",
        r"\A(?!.*\b(?:tôi|mình|em) nhớ\b).*\bnhớ (?:nhé|nha|đấy|nghe)\W*\Z",
    ),
    kept=re.compile(
        r"\b(?:có|đã|còn)\b[^?]{0,40}\b(?:nhớ|lưu|ghi)\b[^?]{0,60}\b(?:không|chưa)\b"
        r"|\b(?:nhớ|biết|lưu|ghi) (?:những )?gì\b|\bghi chú nào\b|\bxem ghi chú\b"
    ),
    unless=re.compile(
        r"\b(?:tệp|file|tập tin|ảnh|tài liệu|thay đổi)\b|(?:đừng|không cần|khỏi|chưa cần) (?:phải )?(?:ghi|lưu|nhớ)\b"
    ),
)  # fmt: skip

# Korean: the verb comes last

_KO_DO: Final = (
    r"(?:(?:기억|저장|메모|기록|등록|암기|노트|입력)(?:을|를|도|에|좀|장에)?\s?(?:잘|꼭|좀)?\s?"
    r"(?:해|추가해|저장해|적어|남겨)|적어|외워|새겨|남겨|써(?=\s?(?:두|둬|놔|놓)))"
)
_KO_PLEASE: Final = (
    r"\s?(?:줘(?!서|도)|주세요|주라|주십|줄래|주실|주셨으면|주시(?:면 (?:좋|감사|고맙)|겠|길|기)|줬으면|"
    r"주면 (?:좋|고맙|감사)|달라|줄 수|주길|두세요|두십|둬(?!서|도)|두라|두렴|둘래|두자|놔(?!서|도)|놓아|놓으)"
)
_KOREAN: Final = Asking(
    stems=(
        "저장", "기억", "메모", "기록", "등록", "노트", "암기", "입력", "적어", "외워", "새겨", "남겨", "써",
        "잊", "까먹",
    ),
    order=any_of(
        r"\W*(?:메모|기록|기억할 것)\s*:",
        r".*(?:기억|저장|메모|기록)(?:해|하세요|하십시오|하도록|하렴|해라|하고\s?있어(?:\s?줘|라)?)\s*[.!~,]*\Z",
    ),
    wish=NEVER,
    anywhere=any_of(
        rf"{_KO_DO}{_KO_PLEASE}",
        r"(?:잊지|잊어버리지|까먹지)\s?(?:마|말|않(?:도록|았으면|아 줘|게 (?:해|기억)))|(?:잊|까먹)으면 안",
        r"(?:메모|기록|기억|저장)\s?(?:을\s?)?(?:좀\s?)?부탁",
    ),
    kept=re.compile(
        r"(?:기억|저장|메모|기록|등록)[^?.]{0,12}(?:했|하고 있|해\s?(?:뒀|놨|두었)|되었|됐|나|니|해|지)\S{0,4}\s*\?"
        r"|(?:뭘|뭐를|무엇을|무슨)[^?]{0,10}(?:기억|저장|메모|기록)|메모(?:를)? (?:보여|뭐)"
    ),
    unless=re.compile(
        r"파일|문서|이미지|사진을|변경|버튼|어떻게|방법|(?:나는|난|저는|그는|그녀는|우리는) [^,.]*기억해\W*\Z|"
        r"줘서|줘도"
    ),
)  # fmt: skip

LANGUAGES: Final = (_ENGLISH, _SPANISH, _JAPANESE, _VIETNAMESE, _KOREAN)
