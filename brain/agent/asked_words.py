"""The words with which a user asks to have something remembered, in each of five languages.

The English ones are in `asked_english`. Pure, and nothing but words.
"""

import re
from typing import Final

from brain.agent.asked_english import ENGLISH
from brain.agent.wording import NEVER, Asking, after, any_of

__all__ = ["LANGUAGES"]

# Spanish

_ES_LEAD: Final = (
    r"por fa(?:vor|vorcito)?|porf(?:a|is)|x ?fa(?:vor)?|ok|vale|oye|oiga|mira|mirá|che|hola|y|pero|también|ahora|"
    r"entonces|bueno|pues|sí|si|gracias|siempre|brain|me|quiero|necesito|solo|a ver|una cosa|usted|tú|vos"
)
_ES_LATER: Final = (
    r"(?:para (?:luego|después|más (?:tarde|adelante)|otra(?: vez)?|la próxima|el futuro|futuras)|a futuro|"
    r"(?:de (?:ahora|aquí|acá) )?en adelante)\b"
)
_ES_IT: Final = (
    r"\W+(?:q(?:ue)?|esto|eso|lo|est[ea]|es[ea]|est[oa]s|mis?|nuestr[oa]s?|la información|el (?:dato|número)|"
    rf"en (?:tus?|mis?|las?)|{_ES_LATER}|para mí|también|por ?fa(?:vor)?|ahí|como nota)\b"
)
_ES_NOTES: Final = r"(?:tus?|mis?|las?|los?|el|un) (?:notas?|memoria|cabeza|mente|registros?|apuntes|libreta|cuaderno)\b"
_ES_NOTE: Final = (
    r"(?:buena |una |otra )?(?:nota|constancia)\b(?! (?:al?|de (?:disculpa|agradec\w+|amor)|"
    r"para (?!mí|luego|después|más|otra|la próxima|el futuro))\b)"
)
_ES_CLITICS: Final = r"(?:me|te|se|nos)?(?:l[oae]s?)?"
_ES_SAVED: Final = r"(?:anotad|apuntad|registrad|asentad|guardad|escrit)[oa]s?\b"
_ES_MIND: Final = r"(?:\S+ ){0,3}?(?:en cuenta|presentes?|en mente)"
_ES_DO: Final = (
    rf"(?:anot|apunt|registr|memoriz|agend|archiv|consign)[aá]r(?!(?:me|se|te) (?:en|al?|para el)\b){_ES_CLITICS}\b(?! (?:(?:las?|los|el|una?) "
    r"(?:diferencias?|recetas?|pasos|ingredientes|letra|ejemplos?)|dos|tres|cuatro|cinco|diez|un[ao]s|algun[ao]s)\b)|reten[eé]r(?:l[oa]s?)?\b|"
    rf"(?:guard|grab|almacen|conserv|asent)(?:[aá]r(?:(?:me|te)?l[oa]s?|te)\b|ar(?:me)?{_ES_IT})|guardarme (?:el|la) (?!secreto|sitio|asiento)|"
    rf"record[aá]r(?:(?:me)? (?:q(?:ue)?|lo (?:siguiente|de)|esto|eso|para)\b|l[oa]s?\b|te de\b|melo\b)|acordar(?:te|se) de\b|"
    rf"ten[eé]r(?:l[oa]s?)? {_ES_MIND}(?! (?:el|la|los|las) )|tomar(?:me)? (?:buena )?nota|hacer {_ES_NOTE}|no olvidar|quedar(?:te|se) con\b|"
    rf"dejar(?:me)?(?:l[oa]s?)? (?:constancia|{_ES_SAVED})|llevar (?:la|un) (?:cuenta|registro)|"
    rf"(?:añad|agreg|pon|inclu|escrib|met|sum|guard)\w*r\w{{0,4}}\b.{{0,60}}\b(?:en|a) {_ES_NOTES}"
)
# What stands behind "I want that you".
_ES_THAT: Final = (
    rf"(?:que|si) (?!me recuerden? (?:por|como)\b)(?:(?:no|lo|la|los|las|me|te|se|le|usted|tú|vos|por favor) )*(?:(?:vay|fuer)\w+ a )?(?:(?:recuerd|record|anot|apunt|"
    rf"guard|registr|memori|acuerd|acord|agend|grab|almacen|conserv|reteng|retuv|quedes con|archiv)\w*|"
    rf"(?:teng|tuv)\w+ {_ES_MIND}|(?:tom|hag|hic)\w+ {_ES_NOTE}|(?:dej)\w+ (?:constancia|{_ES_SAVED})|qued(?:e|ara?) (?:constancia|{_ES_SAVED})|"
    rf"(?:añad|agregu|pong|pusi|inclu|escrib)\w*\b.{{0,60}}\b(?:en|a) {_ES_NOTES}|(?:sep|sup)\w+ .{{0,20}}?{_ES_LATER})|"
    r"que no (?:(?:te|se|me|lo|la) )*(?:(?:vay|fuer)\w+ a )?(?:olvid|pas|escap)\w+"
)
_ES_WANT: Final = (
    r"(?:(?:me|te|le|os|yo|importa(?:ría)? si|molesta(?:ría)? si) )*(?:quiero|quisiera|querría|necesito|gustaría|encantaría|har[íi]as un favor|voy a (?:pedir|encargar)(?:te|le|os)?|pediría|rogaría|encargaría|convendría|conviene|vendría \w+|(?:cuento|confío) (?:contigo|con usted|con vos|en ti|en usted|en vos) para|pido|ruego|encargo|"
    r"agradezco|agradecería|es importante|(?:sería|estaría|es|fuera|será) (?:(?:muy|tan|much[oa]|demasiad[oa]) )?(?:\w+)|(?:quiero|quisiera|"
    r"puedo|podría|querría) (?:pedir|encargar)(?:te|le|os)?|haz(?:me)? el favor de|hay (?:forma|manera|modo) de)"
)
_ES_CAN: Final = (
    r"(?:(?:me|te|le|os|nos|lo|la|si|crees que|sería posible|no) )*(?:(?:pued[ae]s?|pudieras|podés|pueden|podrás?|podrías?|podrían|podemos|podríamos|importa|"
    r"importaría|molesta|molestaría|sería posible|haces el favor de|harías el favor de|haz(?:me)? el favor de|"
    r"(?:serías?|eres|sos|tendrías?) (?:\S+ ){1,3}de)(?: (?:usted|vos|tú|por ?fa(?:vor)?|también|ayudarme a|hacerme el favor de))*)"
)
_SPANISH: Final = Asking(
    stems=(
        "rec", "anot", "anót", "apunt", "apúnt", "guard", "guárd", "nota", "memor", "cuenta", "presente",
        "olvid", "registr", "acuérd", "acuerd", "acord", "graba", "grába", "mente", "quéd", "qued", "constancia",
        "almacen", "agend", "agénd", "asent", "archiv", "conserv", "ret", "pase", "adelante", "otra", "luego",
        "próxima", "ponme", "poneme", "escrito", "cabeza", "sepas", "supieras",
    ),
    order=after(
        _ES_LEAD,
        r"(?:recuerda|recuerde|recordá|recordad)\b(?!\W*(?:cuándo|cómo|qué|quién|dónde)\b)",
        r"(?:rec(?:ué|ue)rd[ae]|recordá|ap[úu]nt[ae]|apuntá|an[óo]t[ae]|anotá|gu[áa]rd[ae]|guardá|reg[íi]str[ae]|memor[íi]"
        r"[zc][ae]|gr[áa]b[ae]|ag[ée]nd[ae]|arch[íi]v[ae])(?:me|te|se|nos)?l[oa]s?\b",
        r"rec(?:ué|ue|o)rda(?:me|nos) (?:q(?:ue)?|el|la|los|las|mañana|en)\b|"
        r"(?:acu[ée]rdate|acordate|acu[ée]rdese|acordaos)(?: (?:de|q(?:ue)?)\b|\W*\Z)",
        r"(?:anot[aeá]|anotad|apunt[aeá]|apuntad|agend[aeá])(?:me|nos)?\b(?! (?:a\b|al\b|hacia))|guárdame\b",
        r"(?:anót|apúnt|agénd)[ae](?:me|te|se)?\b",
        r"(?:guard[aeá]|gu[áa]rd[ae](?:me|te)|guardad|registr[aeá]|memori[zc][aeá]|grab[aeá]|gráb[ae]te|almacen[ae]|"
        r"archiv[ae]|conserv[ae]|retén|retenga|consign[ae])\b"
        rf"(?:{_ES_IT}|\s*:)",
        rf"(?:ten(?:me|nos)?|tenga|tené(?:me)?|tened|tenl[oa]|ténl[oa]|tenel[oa]|teng[ae]l[oa]) {_ES_MIND}",
        rf"(?:toma|tome|tomá|haz|haga|hacé|crea|cree|deja|escribe|añade|agrega) {_ES_NOTE}",
        r"(?:m[eé]t|p[oó]n|a[ñn][aá]d|agr[eé]g|incl[uú]y|escr[ií]b|act[uú]al[ií]|su?ú?m|gu[aá]rd|an[oó]t|ap[uú]nt|gr[aá]b)"
        rf"\w{{0,7}}\b.{{0,80}}?\b{_ES_NOTES}",
        r"(?:pon|poné|ponga|deja|dejá|deje|dejemos|escrib[ei]|escribí|anota)(?:me|nos)?(?:l[oa]s?)? "
        rf"(?:(?:por )?ah[ií]\b|constancia|{_ES_SAVED})",
        r"(?:lleva|llevá|lleve|llévame|llevame) (?:la|el|un)? ?(?:cuenta|registro|control) de\b|mant[eé]n(?:me|l[oa]|ga)? (?:\S+ ){0,3}?(?:en mente|presente)|"
        r"ha(?:z|ce|cé|ga)me acordar\b|ha(?:z|cé|ga) memoria de (?:esto|que)\b",
        r"(?:ve|vete|andá|vaya) (?:anotando|apuntando|tomando nota)\b",
        rf"que (?:te )?(?:quede|conste)(?: \w+ y)? (?:grabado|:{_ES_SAVED}|constancia|en (?:acta|{_ES_NOTES})|{_ES_LATER})",
        r"(?:que )?no (?:(?:te|se|lo|la|me) )*(?:vaya[sn]? a )?(?:olvid(?:es?|és|éis|ar\w*)\b|(?:te|le) (?:pase|escape)\b)",
        r"que (?:(?:lo|no|te) )*(?:recuerdes|olvides|tengas en cuenta|anotes|apuntes|guardes)\b",
        r"(?:quédate|quedate|quédese) con (?:est[ea]|esto|eso|el|la|que)\b",
        r"(?:nota|apunte|recordatorio|nota (?:mental|para mí))\s*[:,]|"
        rf"para que (?:lo|la) (?:recuerdes|tengas (?:en cuenta|presente)|sepas {_ES_LATER})",
    ),
    wish=after(
        _ES_LEAD,
        rf"{_ES_CAN} (?:{_ES_DO})",
        rf"{_ES_WANT} (?:(?:{_ES_THAT})|(?:que|si) (?:me )?(?:pudieras|puedas|podrías|quisieras) (?:{_ES_DO}))",
        r"(?:haz(?:me)? el favor de|hay (?:forma|manera|modo) de|(?:te|le|os) (?:pido|ruego|encargo)|ay[uú]dame a|procur[aáe]|"
        rf"intent[aáe]|trat[aáe] de|(?:quiero|quisiera|necesito) (?=\w+ q(?:ue)?\b)) (?:{_ES_DO})",
        rf"{_ES_CAN} (?:que )?{_ES_THAT}",
        r"(?:(?:me|te) (?:l[oa]s? )?|l[oa]s? )(?:anotas|apuntas|guardas|anotás|apuntás|guardás|agendas|agendás)\b"
        r"(?! (?:(?:en|a) (?:el|la|un|una|clase|curso)|una?|algo|sitio|rencor)\b)",
    ),
    anywhere=any_of(
        r"\b(?:tú|vos|usted|y) (?:me|te|se) l[oa]s? (?:guard|apunt|anot|grab|memoriz)(?:as|ás|a)\b",
        r"\bpara que l[oa]s? (?:guardes|anotes|apuntes|registres|agendes|memorices|recuerdes)\b",
    ),
    tag=re.compile(
        r"\b(?:ok|okey|vale|sí|si|dale|por ?fa(?:vor)?|porfis|eh|de acuerdo|puede ser|te parece|gracias|quieres|querés)\W*\Z"
    ),
    kept=re.compile(
        r"\b(?:recuerdas|te acuerdas|guardaste|anotaste|apuntaste|registraste)\b"
        r"|\b(?:has|ha|tienes|está|quedó) (?:\S+ ){0,2}?(?:guardad|anotad|apuntad|registrad)"
        r"|\b(?:qué|cuáles|cuántas)\b[^?]{0,30}\b(?:recuerdas|sabes de mí|notas|guardad|anotad)"
    ),
    unless=re.compile(
        r"\b(?:gu[aá]rd|grab|almacen|conserv)\w*(?: \S+){0,2} (?:archivos?|ficheros?|documentos?|partida|imagen|silencio|"
        r"pdf|distancia|relación|cambios|cama)\b"
    ),
)  # fmt: skip

# Japanese: the verb comes last

_JA_KEEP: Final = r"(?:メモ|記録|記憶|保存|登録|保管|暗記|インプット|ログ)"
_JA_NOTES: Final = r"(?:メモ(?:帳|リ)?|ノート|手帳|記録|記憶|ログ|リスト)"
_JA_DO: Final = (
    r"(?:(?:覚え|おぼえ|控え|書き(?:留め|とめ|残し|足し|加え|込ん)|メモっ|心に(?:留め|とめ|刻ん)|頭(?:の片隅)?に(?:入れ|留め|置い|叩き込ん|たたき込ん))|"
    rf"{_JA_NOTES}に(?:も|これ|それ|一行|一言|一つ|\S{{1,6}}を)?(?:し|取っ|とっ|残し|書い|入れ|追加し|追記し|加え|足し|留め|とどめ|保存し|登録し|付け|つけ)|"
    rf"{_JA_KEEP}(?:を)?(?:し|取っ|とっ|残し|入れ|追加し|つけ|付け)|暗記し|"
    r"(?:書い|取っ|とっ|知っ|記し|残し|押さえ|預かっ)(?=て?(?:おい|とい|とき|とけ)))"
)
# Behind the verb: to have it done beforehand, and kept so; the dialects of the west among them.
_JA_TE: Final = r"[てで]?(?:おい|とい|とっ|い)?[てで]"
_JA_END: Final = r"(?:ー|(?![\w、,]))"
_JA_PLEASE: Final = (
    r"(?:くださ|下さ|ほしい|欲しい|ほしく|もらえ|もらいた|もろて|もらって?も?(?:いい|よ[いろ]|大丈夫|構|かま)|もらう(?:こと|の|わけ)|"
    r"いただけ|いただきた|いただいても|いただく(?:こと|の)|頂け|頂きた|頂いても|ちょうだい|ちょーだい|頂戴|おくれ|"
    r"く(?:れ|ん)(?:ない|ます|ません|へん|ねえ?|る|ん)?(?:か|かな|の|でしょうか)*[なよねや]{0,2}"
    rf"(?=[？?、]|{_JA_END})|くれ(?:ると|たら|れば)|(?:もいい|もよ)(?:です)?か|[ねよ](?!う)|[なや](?=[、〜]|{_JA_END})|{_JA_END})"
)
_JAPANESE: Final = Asking(
    stems=(
        "覚え", "おぼえ", "メモ", "記録", "記憶", "保存", "登録", "忘れ", "わすれ", "控え", "書", "留め", "入れ", "暗記",
        "インプット", "ノート", "保管", "取っ", "とっと", "とって", "知っ", "残し", "ログ", "心に", "記し", "頭に", "押さえ",
        "預か", "手帳", "留意", "承知", "含み", "見知り", "リスト", "頭の",
    ),
    order=after(
        r"[、。]",
        r"(?:自分|私|俺|僕)?(?:用|への|宛ての?)?の?(?:メモ|覚え書き|記録|備忘録?)\s*[:：]|自分(?:用|への|宛ての?)の?メモ|(?:メモ|記録)[！!]+\s*\Z",
        rf"(?:\S{{0,8}}?){_JA_NOTES}に(?:追加|追記|記入|保存|登録)(?=[:：。！!\s]|\Z)",
    ),
    wish=NEVER,
    anywhere=any_of(
        rf"{_JA_DO}{_JA_TE}{_JA_PLEASE}",
        rf"{_JA_DO}[てで]?(?:おい|とい)て[、,]|{_JA_DO}(?:とけ|[てで]?おけ|[てで]?おくように)",
        rf"{_JA_DO}(?:[てで]お|と)き(?:や|な|なよ|なさい|なはれ)?{_JA_END}",
        r"(?:覚え|おぼえ|控え|書き留め|書き残し|心に留め|入れ)と(?:いて|け)",
        rf"{_JA_DO}[てで]?(?:おく|とく)(?:こと(?:は|って)?|の(?:は|って)?)?(?:でき|可能|お願い|頼)",
        r"(?:忘|わす)れない(?:で|ように?(?:し|[。！!、]|\Z))|(?:忘|わす)れんと(?:いて|って)|"
        r"(?:忘|わす)れ(?:るな|ちゃ(?:だめ|ダメ|駄目|いや|嫌)|たらあかん|ずに(?:いて|おいて))",
        r"(?:ご(?:記憶|記録|登録|保存|留意|承知)|お(?:含み|見知り|控え))(?:おき|置き)?(?:の(?:程|ほど))?を?(?:くださ|下さ|願|お願|いただけ)",
        rf"{_JA_KEEP}(?:を|も|して)?(?:お願い|おねがい|お願|頼む|頼みます|頼める|よろしく|よろ)",
        rf"(?:これ|それ|今の|次の|以下|この\S{{1,6}}?)(?:を|も|は|って)?{_JA_KEEP}(?:を|し(?:て|と)?お?くことは?)?(?:でき|出来)",
    ),
    tag=NEVER,
    kept=re.compile(
        r"(?:覚え|メモし|記録し|保存し|登録し)て(?:い|くれ)?(?:る|ます|た|ました)(?:か|の|よね)?(?=[？?。]|\Z)"
        r"|(?:保存|メモ|記録|登録)(?:し|され)(?:ました|た)(?:か|の)?[？?]|何を(?:覚え|メモ|保存|記録)|メモを見せ"
    ),
    unless=re.compile(
        r"(?:ファイル|文書|画像|写真|動画|変更|pdf)(?:を|も|で|は)?\S{0,6}(?:保存|登録)|どうやって|どうすれば|"
        r"[てで](?:くれて|もらって(?!も|いい|よ[いろ]|大丈夫))|(?:ほし|欲し)くない|(?:ほしい|欲しい|くれ|て)(?:って|と)(?:言|いう|いわ|頼まれ|うるさ)|"
        r"(?:[りきえぎみびしいち]方|方法|レシピ|手紙|詩|文章?|歌|記事|違い|感想|続き|物語|案)を\S{0,3}(?:書|メモ|記録)|(?<!い)てくれない(?:[。！!\s]|\Z)|て(?:いる|る|い?ます)か?[？?]|"
        r"(?:への|宛て?の?|あての?|に(?:送る|渡す|出す)).{0,20}(?:メモ|ノート|書)|"
        r"(?:席|券|チケット|予約|時間|休み|場所|録画|写真|動画)[をも]?\S{0,4}(?:取|と)っ"
    ),
)  # fmt: skip

# Vietnamese

_VI_LEAD: Final = (
    r"hãy|xin|vui lòng|làm ơn|lam on|nhờ|(?:làm )?phiền|này|nè|à|ừ|ê|ok|vâng|và|rồi|thì|nhưng|cũng|ơi|bạn|em|anh|chị|cậu|mày|"
    r"luôn|cứ|chào|nếu (?:được|có thể)|từ (?:giờ|nay)(?: trở đi)?|(?:(?:tôi|mình|tui|tớ) )?(?:muốn|cần)|giúp (?:tôi|mình|em)|giùm (?:tôi|mình)|phải|nên|nhé"
)
_VI_FOR: Final = r"(?:giúp|giùm|dùm|hộ|cho|thay|giup|gium|dum)"
_VI_ME: Final = r"(?:tôi|mình|em|anh|chị|tui|tớ|tao|con(?=\W*\Z|\s?[,:]| (?:là|nha|nhé|với|ạ)\b)|cháu|bác|cô|chú|mk|với|cái|nhé|nha|nghen|toi|minh)"
_VI_NOTES: Final = r"(?:ghi chú|bộ nhớ|trí nhớ|sổ(?: tay)?|đầu|danh bạ|ghi chu|bo nho)"
_VI_SOFT: Final = r"(?:nhé|nha|nhá|nhe|nghe|nghen|nhen|hen|đấy|đó|đi|nè|ạ|với|luôn)"
_VI_KEEP: Final = (
    r"(?:ghi(?: (?:nhớ|lại|chú|chép(?: lại)?|nhận|sổ|vào sổ|tâm|lai|nho|chu))?|nhớ(?: (?:được|lấy|kỹ))?|nho|"
    r"lưu(?: (?:lại|giữ|trữ))?|luu(?: lai)?|chép(?: lại)?|giữ(?: lại)?|cất(?: giữ)?|note(?: lại)?|lưu ý|chú ý|khắc ghi)"
)
_VI_WHAT: Final = r"(?:rằng|là|này|nay|điều|thông tin|số|tên|mật khẩu|địa chỉ|việc|chuyện|cái|giúp|giùm|dùm|hộ|vào|vô|xuống)"
_VIETNAMESE: Final = Asking(
    stems=(
        "nhớ", "ghi", "lưu", "quên", "note", "nhắc", "chú ý", "bộ nhớ", "chép", "giữ", "cất", "luu", "nho", "quen",
        "muốn", "sổ", "vào đầu",
    ),
    order=after(
        _VI_LEAD,
        r"(?:ghi )?nhớ\b(?!\W*(?!là|rằng)(?:\S+ ){0,4}(?:quá|ghê|lắm|da diết)\b)(?!\W*(?:nhà|quê|mẹ|quá|lắm|em\b|anh\b|ai\b|gì|không|(?:lại |cái )?(?:hồi|ngày|lúc|thời)\b))",
        rf"(?:ghi|note|chép) (?:lại|chú|xuống|vào|vô|nhận|nhớ|lai|{_VI_FOR})\b|ghi chép lại\b|(?:lưu|chú) ý\b|(?:ghi|luu) (?:lai|nho|chu)\b",
        rf"lưu(?: lại| giữ)?(?:\W*:| (?:{_VI_FOR}|lại|rằng|là|nhé|nha|điều|thông tin|này|số|tên|mã|địa chỉ|mật khẩu|vào {_VI_NOTES})\b)",
        r"(?:lưu|ghi|note|chép|giữ|cất) (?:cái|điều|số|thông tin|mã|tên)(?: \S+)? (?:này|đó|sau)\b",
        r"cho (?:tôi|mình|em|tui|tớ) (?:lưu|note|ghi (?:lại|chú|nhớ))\b",
        rf"(?:giữ|cất) (?:lấy|kỹ|lại|{_VI_FOR}|(?:thông tin|cái|điều|số) )",
        rf"(?:thêm|đưa|cập nhật|viết) .{{0,80}}?\b{_VI_NOTES}\b|(?:cho|bỏ|nhét|ghi|lưu|cất) .{{0,80}}?\b(?:vào|vô|trong) {_VI_NOTES}\b",
        r"(?:đừng|chớ|không được|dung)(?: có| bao giờ| để)? (?:quên|quen)\b(?! đi)",
        r"(?:ghi chú|lưu ý|note)\s*:|nhắc (?:tôi|mình|em|tui|tớ)\b(?! (?:gì|về gì))|tự nhắc (?:mình|bản thân)\b",
        r"(?:tôi|mình|em|tui|tớ) muốn \S+ biết .{0,20}(?:lần sau|sau này|về sau)\b",
        r"để (?:lần sau|sau này) \S+ (?:nhớ|biết)\b",
    ),
    wish=after(
        _VI_LEAD,
        rf"(?:(?:có thể|giúp|làm ơn|vui lòng|phiền|nhờ|muốn|hãy|không biết|liệu|tôi|mình|em|anh|chị|bạn|tui|cậu|được) )*"
        rf"(?:có thể|giúp|làm ơn|vui lòng|phiền|nhờ)(?: (?:hãy|tôi|mình|em|anh|chị|bạn|tui|cậu|vui lòng|làm ơn|giúp))* (?:{_VI_KEEP} (?:\S+ )?{_VI_WHAT}|(?:ghi|lưu|note|chép) lại|{_VI_KEEP} (?:\S+ ){{0,5}}?(?:là|rằng))\b",
        rf"(?:nhớ|ghi nhớ|ghi lại|ghi|lưu|lưu lại|ghi chú) {_VI_FOR}\b",
        r"(?:đừng|chớ)(?: có)? quên\b(?! đi)",
    ),
    anywhere=any_of(
        rf"(?<!đã )(?<!không )(?<!chưa )(?<!đừng )(?<!khỏi )\b{_VI_KEEP} (?:\S+ )?{_VI_FOR} {_VI_ME}\b",
        rf"\A(?!.*\b(?:tôi|mình|em|tui|tớ) (?:đã )?(?:nhớ|ghi|lưu|chép)\b).*"
        rf"\b(?:nhớ|lưu lại|ghi lại|ghi vậy|ghi vào|luu lai|ghi lai|giữ lấy|note lại|chép lại)(?: (?:kỹ|lấy|luôn|cho kỹ|này))* {_VI_SOFT}"
        rf"(?: {_VI_SOFT})*\W*\Z",
        r"(?<!đã )\b(?:lưu|note|ghi (?:lại|chú|nhớ)) (?:\S+ ){1,4}?(?:giúp|giùm|dùm|hộ) (?:tôi|mình|em|tui|tớ)\b",
        r"\bnhờ (?:bạn|anh|chị|em|cậu|mày) (?:có thể |hãy |giúp )?(?:ghi nhớ|ghi lại|ghi chú|nhớ|lưu|note|chép|giữ)\b",
        rf"\b(?:nếu|mong|ước gì|giá mà|giá như|hy vọng) (?:bạn|em|anh|chị|cậu) (?:có thể |sẽ )?{_VI_KEEP} (?:\S+ ){{0,2}}?{_VI_WHAT}\b",
    ),
    tag=re.compile(
        rf"\b(?:{_VI_SOFT}|(?:được|ok|dc|đc)(?: (?:không|ko|k|hông|hem|chứ))?|ok)(?: (?:ạ|vậy|bạn|em|anh|chị))?\W*\Z"
    ),
    kept=re.compile(
        r"\b(?:có|đã|còn)\b[^?]{0,40}\b(?:nhớ|lưu|ghi)\b[^?]{0,60}\b(?:không|chưa)\b"
        r"|\b(?:nhớ|biết|lưu|ghi) (?:những )?gì\b|\bghi chú nào\b|\bxem ghi chú\b"
    ),
    unless=re.compile(
        r"\b(?:lưu|giữ|cất)(?: lại| giúp| giùm| hộ| tôi| mình)* (?:\S+ ){0,1}?(?:tệp|file|tập tin|ảnh|tài liệu|thay đổi|hình|chỗ)\b|"
        r"(?:đừng|không cần|khỏi|chưa cần) (?:phải )?(?:ghi|lưu|nhớ|giữ|chép|note)\b|"
        r"\b(?:đã|có) (?:\S+ )?(?:ghi|lưu|nhớ|chép|giữ)\b.*\b(?:chưa|không đó)\W*\Z"
    ),
)  # fmt: skip

# Korean: the verb comes last

_KO_KEEP: Final = r"(?:기억|저장|메모|기록|등록|암기|노트|입력|보관|명심|유념|숙지)"
_KO_DO: Final = (
    rf"(?:{_KO_KEEP}(?:을|를|도|에|좀|장에)?\s?(?:잘|꼭|좀)?\s?(?:해|추가해|저장해|적어|남겨)|"
    r"(?:메모|메모장|노트|기억|머릿속|머리|수첩|기록)(?:에|에다|에다가|속에)\s?(?:\S+ ){0,3}?(?:넣어|추가해|올려|담아|새겨)|"
    r"적어|외워|새겨|남겨|(?:써|알아|챙겨|담아|염두에)(?=\s?(?:두|둬|놔|놓)))"
)
_KO_PLEASE: Final = (
    r"\s?(?:두?어?\s?(?:줘(?!서|도)|주세요|주라|주십|줄래|주실(?! 필요)|주시(?:면 (?:좋겠|감사|고맙|안|어)|겠|길|기)|줬으면|"
    r"주면 (?:좋겠|고맙|감사|안)|주셨으면|주겠|달라|줄 (?:수|거)|주길|주삼|줭|[조죠쥬](?=\W|\Z))|"
    r"두(?:세요|십|라|렴|자|길|실(?! 필요)|시(?:면|겠|길|기)|셨으면|면 (?:좋겠|고맙|감사))|"
    r"둬(?!서|도)|둘래|둘 수|놔(?!서|도)|놓아|놓으|놓자|놓을래|놓을 수)"
)
_KOREAN: Final = Asking(
    stems=(
        "저장", "기억", "메모", "기록", "등록", "노트", "암기", "입력", "적어", "외워", "새겨", "남겨", "써",
        "잊", "까먹", "까묵", "보관", "명심", "유념", "숙지", "알아", "챙겨", "담아", "넣어", "갖고", "가지고", "수첩", "염두",
    ),
    order=any_of(
        r"\W*(?:\S+ ){0,2}?(?:메모|기록|기억할 것|노트)\s*:",
        rf".*{_KO_KEEP}(?:해|하세요|하십시오|하도록|하렴|해라|하고\s?있어(?:\s?줘|라)?)\s*[.!~,]*\Z",
        rf".*{_KO_KEEP}\s?(?:좀|요망|바람|바랍니다|ㄱㄱ|고고|플리즈)\W*\Z",
        r"\W*(?:(?:이거|이것|그거|꼭|좀|잘|지금|자|받아)\s)*(?:(?:받아)?적어|외워|(?:갖고|가지고)\s?있어)(?:요|라|줘)?\W*\Z",
    ),
    wish=NEVER,
    anywhere=any_of(
        rf"{_KO_DO}{_KO_PLEASE}",
        r"(?:잊지|(?:잊어|까먹어)\s?(?:버리|뿌|먹)지|까[먹묵]지)\s?(?:좀\s?)?(?:마|말|않(?:도록|았으면|아 ?줘|아 ?주[셨시]|으셨으면|게 (?:해|기억)))|"
        r"(?:잊|까먹|잊어\s?버리)으?면 안",
        rf"{_KO_KEEP}\s?(?:을\s?|를\s?)?(?:(?:좀\s?)?부탁|좀\s*[:：])",
        r"(?:갖고|가지고|알고|외우고|기억하고)\s?있어\s?(?:줘(?!서|도)|줄래|줄 수|주[세실시십])",
        rf"(?:이거|이걸|이것(?:을|도)?|이 \S+)\s?(?:좀 )?{_KO_KEEP}(?:할|해\s?둘) 수 (?:있|없)",
    ),
    tag=NEVER,
    kept=re.compile(
        r"(?:기억|저장|메모|기록|등록)[^?.]{0,12}(?:했|하고 있|해\s?(?:뒀|놨|두었)|되었|됐|나|니|해|지)\S{0,4}\s*\?"
        r"|(?:뭘|뭐를|무엇을|무슨)[^?]{0,10}(?:기억|저장|메모|기록)|메모(?:를)? (?:보여|뭐)"
    ),
    unless=re.compile(
        r"(?:파일|문서|이미지|사진|변경\s?사항)(?:을|를|도|은|좀)?\s?(?:\S+ ){0,2}?저장|버튼|어떻게|"
        r"(?:방법|[는은]\s?법|차이점?|레시피|편지|쪽지|가사)(?:을|를|도)?\s?(?:좀\s?)?(?:적어|써|알려|메모)|(?:나는|난|저는|걔는|그는|그녀는|우리는) [^,.]*(?:기억|메모|기록|저장)해\W*\Z|줘서|줘도|"
        r"(?:두|세|네|다섯|몇|\d+)\s?(?:개|가지)(?:만|를)?\s?(?:적어|써)|"
        r"라(?:고|며)\s?(?:하|했|해|그|부탁|당부|말)|"
        r"(?:달라|좋겠다)(?:는|고)"
    ),
)  # fmt: skip

LANGUAGES: Final = (ENGLISH, _SPANISH, _JAPANESE, _VIETNAMESE, _KOREAN)
