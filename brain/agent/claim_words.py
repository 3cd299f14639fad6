"""The words with which a reply claims a save, in each of five languages. Pure, and nothing but words."""

import re
from typing import Final

from brain.agent.claim_english import ENGLISH
from brain.agent.wording import AT_ONCE, NEVER, Claiming, after, any_of

__all__ = ["LANGUAGES"]

# Spanish

_ES_ASSENT: Final = (
    r"ok|okay|vale|listo|lista|perfecto|entendido|claro|claro que sí|por supuesto|de acuerdo|hecho|sí|"
    r"gracias|muchas gracias|genial|bien|muy bien|excelente|estupendo|anotado|ya está|con gusto"
)
_ES_KEPT: Final = r"(?:guardad|anotad|apuntad|registrad|almacenad|memorizad|archivad|grabad)[oa]s?"
_ES_NOTES: Final = (
    r"(?:(?:mi|mis|tu|tus|sus?|las?|los) )?(?:notas?|memoria|recuerdos|perfil|preferencias)\b"
)
_ES_FACT: Final = (
    r"(?:tus? [^,.]{1,50}?|su [^,.]{1,50}?|ya|todo|eso|esto|"
    r"(?:la|las|el|los|esta|este) (?:información|nota|fecha|preferencia|clave|contraseña|dirección|cita|"
    r"dato|datos|número|nombre|recordatorio|cumpleaños|código)[^,.]{0,30}?)"
)
_ES_ELSEWHERE: Final = (
    r"\b(?! (?:en|por|como|con|cuando|automáticamente|localmente|mediante|al|bajo|si)\b"
    rf"(?! (?:{_ES_NOTES}|nota\b|número)))"
)
_SPANISH: Final = Claiming(
    stems=(
        "guard", "anot", "apunt", "registr", "memor", "almacen", "nota", "recor", "recuerd", "cuenta",
        "presente", "olvid", "acord", "añad", "agreg", "actualiz", "dato", "archiv", "grab", "mente",
        "conserv", "constancia",
    ),
    begins=re.compile(r"\A|[,:]\s"),
    opening=after(
        _ES_ASSENT,
        # queda anotado
        rf"(?:{_ES_FACT} )?(?:ya )?(?:ha sido|han sido|ha quedado|han quedado|quedan?|quedó|quedaron|está|"
        r"están|fue|fueron|se ha|se han) (?:(?:ya|ahora|bien|correctamente) )*"
        rf"(?:{_ES_KEPT}|(?:actualizad|añadid|agregad)[oa]s? (?:a|en) {_ES_NOTES}){_ES_ELSEWHERE}",
        # ¡Anotado!
        rf"(?:{_ES_KEPT}|(?:añadid|agregad)[oa]s?)\b(?=\W*\Z|[,:)—–-]| queda| en {_ES_NOTES}|"
        rf" a {_ES_NOTES}| que\b| como nota| para | y\b| correctamente)",
        rf"(?:ya )?(?:queda|está) en {_ES_NOTES}|(?:guardando|anotando|apuntando)\b",
        r"(?:notas?|memoria|recordatorio|preferencias?|información|datos?|perfil) "
        rf"(?:{_ES_KEPT}|(?:tomad|añadid|agregad|cread|hech|actualizad)[oa]s?)\b",
        r"(?:ya )?(?:guardo|anoto|apunto|registro|memorizo) (?:que|tus?|esto|eso|est[ea]|el dato)\b",
        r"(?<=, )(?<!sí, )(?:ahora |ya )?recuerdo que\b",
    ),
    claim=any_of(
        # he guardado
        r"\b(?:he|hemos) (?:ya )?(?:guardado|anotado|apuntado|registrado|memorizado|almacenado|archivado|"
        r"grabado|dejado (?:anotad|apuntad|guardad|constancia)\w*|hecho una nota|"
        r"tomado (?:buena )?nota|tenido en cuenta|"
        rf"(?:añadido|agregado|actualizado|puesto|incluido|metido) (?:\S+ ){{0,6}}?{_ES_NOTES}|"
        r"(?:creado|añadido|agregado|programado|puesto|tomado) (?:una?|el|la) (?:nota|recordatorio))\b",
        # lo recordaré, lo anoté
        r"\b(?:recordaré|guardaré|anotaré|apuntaré|memorizaré|registraré|almacenaré|tomaré nota|"
        r"me acordaré|conservaré|(?:tendré|mantendré) (?:\w+ )?(?:en cuenta|presente|en mente)|guardé|anoté|apunté|registré|"
        r"almacené|memoricé|tomé nota|tomo nota|tomando nota|(?:añadí|agregué|actualicé) "
        rf"(?:\S+ ){{0,6}}?{_ES_NOTES}|tengo {_ES_KEPT})\b",
        r"\bno (?:(?:(?:lo|la|los|las|me) )*olvidaré|se me olvidará)\b",
        r"\bvoy a (?:(?:recordar|guardar|anotar|apuntar|memorizar|registrar|almacenar)(?:te|me)?(?:l[oa]s?)?\b|"
        r"tener(?:l[oa]s?)? (?:\w+ )?(?:en cuenta|presente)|tomar nota|no olvidar)",
        # lo anoto
        rf"\b(?:dejo|dejé) (?:{_ES_KEPT}|constancia)|\bme quedo con (?:ese|este|el) dato|"
        r"\bse (?:guardó|registró|anotó|almacenó) (?:tu|la información|esto|eso|el dato|correctamente)\b|\bestoy (?:guardando|anotando|apuntando|registrando)\b",
        r"\b(?:lo|la|los|las|eso|esto) (?:guardo|anoto|apunto|registro|memorizo|archivo|"
        rf"(?:añado|agrego|sumo) a {_ES_NOTES}|"
        rf"tengo (?:ya )?(?:{_ES_KEPT}|en cuenta|presente|en mente))\b",
        r"\b(?:d[aá]l[oa]|considéral[oa]) (?:ya )?(?:por )?(?:anotad|guardad|apuntad|recordad)[oa]\b",
    ),
    denial=re.compile(
        r"\bno (?:(?:se|te|lo|la|los|las|le|me|nos) )*(?:he|ha|han|hemos|pude|puedo|pudo|podré|voy|"
        r"fue|queda|quedó|está|están|tengo|guard|anot|apunt|record|registr|tom|tendr|memori|almacen|es)"
        r"|\b(?:nada|sin|nunca|si|cuando|como te|antes|anteriormente|ayer)\b"
    ),
    afterwards=re.compile(
        r"(?<!ré) (?:\w+ )?(?:el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b|ayer|antes|"
        r"anteriormente|la semana pasada)"
    ),
    condition=re.compile(r"\b(?:si|cuando) (?:quieres|lo|me|deseas|usted|prefieres|necesitas)\b"),
    content=re.compile(r"\bque\b|:"),
    but=re.compile(r"\bpero\b"),
)  # fmt: skip

# Japanese

_JA_NOUN: Final = r"(?:保存|メモ(?:帳|リー?)?|記録|記憶|登録|暗記|インプット|ノート)"
_JA_MINE: Final = (
    r"(?:あなた|お名前|お誕生日|誕生日|ご希望|お好み|好み|情報|内容|番号|予定|これ|それ|こちら|"
    r"[このその]{2}(?:こと|件|点|メモ|日))[^。、]{0,30}"
)
_JA_NOT_ASKED: Final = r"(?!か|と、|ので|が、)"
_JAPANESE: Final = Claiming(
    stems=(
        "保存",
        "メモ",
        "記録",
        "記憶",
        "登録",
        "暗記",
        "インプット",
        "ノート",
        "覚え",
        "控え",
        "書き",
        "忘れ",
        "留",
        "更新",
        "リマイン",
        "頭に",
    ),
    begins=AT_ONCE,
    opening=after(
        r"はい|了解です|完了",
        rf"(?:正常に|無事に)?{_JA_NOUN}(?:に(?:追加|保存|登録|記録))?されました{_JA_NOT_ASKED}",
    ),
    claim=any_of(
        rf"{_JA_NOUN}(?:に|を|として)?(?:して(?:おき|とき)|しとき|し|いた|させていただき|させて頂き|いたし|致し|"
        rf"取り|とり|残し|残しておき|書き|書き込み|刻み|留め|とどめ|留めておき|とどめておき|追加し|加え|入れ|入れておき|保存し|登録し)ま(?:した|す){_JA_NOT_ASKED}",
        rf"{_JA_NOUN}(?:が|を|は|に)?(?:完了|済み(?=です|[。！!]|\Z)|残した|残しておいた|追加した(?=[よね。！!])|"
        r"し(?:ておく|とく|といた|ておいた)(?=[よねわ。！!\s]|\Z)|した(?=[よね。！!]|\Z))",
        rf"{_JA_MINE}{_JA_NOUN}(?:に(?:追加|保存|登録|記録))?"
        rf"されました{_JA_NOT_ASKED}",
        r"(?:覚え|控え|書き留め|書いて|メモっ|(?:頭|記憶|ノート|メモ)に(?:入れ|留め|書い)|心に(?:留め|刻ん))"
        rf"(?:て|で)?(?:おき|とき)ま(?:した|す|しょう){_JA_NOT_ASKED}",
        rf"(?:覚え|控え|書き留め|書き込み)(?:させていただき)?ま(?:した|す){_JA_NOT_ASKED}",
        r"(?:覚えた|メモった|控えた)(?=[よぞね。！!]|\Z)",
        r"(?:覚え|控え|書き留め|メモっ)(?:て|と)?(?:おく|おいた|く|いた|とく|といた)(?=[よねわから。！!\s]|\Z)",
        r"(?:メモ|記憶|メモリー?|ノート|プロフィール|情報)(?:を|が)?(?:更新|追加)(?:しました|されました|いたしました|完了|済み)",
        r"リマインダー?(?:を)?(?:設定|登録|セット)しました",
        r"忘れ(?:ません|ないよ|ないね|ないでおきます|ないようにし(?:ます|ておき|とき)|ることはありません)",
        r"留意(?:いた)?し(?:て(?:おき|まいり))?ます",
    ),
    denial=re.compile(
        r"たら|れば|(?<!さよ)なら[、ば]|(?:必要|希望|不要|よろしい|いい)(?:の)?なら|場合|もし|自動的に|ボタン|キー|"
        r"コマンド|クリック|ctrl|ファイル|以前|前回|先ほど"
    ),
    afterwards=re.compile(r"(?:わけでは|つもりは|ことは|とは言え)"),
    condition=NEVER,
    content=NEVER,
    but=re.compile(r"(?:が|けど|けれど)、"),
)

# Vietnamese

_VI_ASSENT: Final = (
    r"vâng|được|ok|okay|dạ|ạ|xong|rồi|tốt|tuyệt|tuyệt vời|cảm ơn(?: bạn)?|đã rõ|đã hiểu|hiểu|chắc chắn|"
    r"tất nhiên|ừ"
)
_VI_I: Final = r"(?:tôi|mình|em|tớ|hệ thống)"
_VI_NOTES: Final = r"(?:sổ )?(?:ghi chú|bộ nhớ|trí nhớ|hồ sơ)"
_VI_KEEP: Final = (
    r"(?:lưu|ghi nhớ|ghi lại|ghi chú|ghi nhận|ghi xuống|ghi|nhớ|note|lưu ý|"
    rf"cập nhật {_VI_NOTES}|(?:thêm|đưa) [^,.]{{1,40}}? vào {_VI_NOTES}|tạo (?:ghi chú|lời nhắc)|"
    rf"đặt (?:lời )?nhắc(?: nhở)?|giữ (?:lại |kỹ )?(?:thông tin|điều)|nằm trong {_VI_NOTES}|có trong {_VI_NOTES}|"
    rf"(?:thêm|ghi|đưa) vào {_VI_NOTES})"
)
_VI_FACT: Final = (
    r"(?:thông tin|ghi chú|điều|nó|dữ liệu|lời nhắc|nội dung|ngày|số|tên|mật khẩu|sở thích|sinh nhật|"
    r"địa chỉ|mọi thứ|tất cả)"
)
_VI_ELSEWHERE: Final = (
    rf"(?! (?:lại |trữ )?(?:năm|tại|ở|trên|trong|bởi|tự động|vào|khi|là|bàn)\b(?! {_VI_NOTES}))"
)
_VIETNAMESE: Final = Claiming(
    stems=("lưu", "nhớ", "ghi ", "note", "không quên", "chẳng quên", "cập nhật", "lời nhắc", "ghi chú", "giữ"),
    begins=re.compile(r"\A|[,:]\s"),
    opening=after(
        _VI_ASSENT,
        rf"(?:đã|vừa|sẽ|xin)(?: được| luôn)? {_VI_KEEP}\b(?! bàn\b){_VI_ELSEWHERE}",
        rf"{_VI_FACT}\b[^,.]{{0,50}}? (?:đã|vừa|sẽ) (?:được )?{_VI_KEEP}\b{_VI_ELSEWHERE}",
        r"(?:lưu|ghi|nhớ|ghi nhớ|ghi chú|note|lưu ý)(?: \S+)? (?:xong|rồi|thành công)\b",
        r"(?:ghi chú|bộ nhớ|lời nhắc) (?:đã|vừa) (?:được )?(?:lưu|cập nhật|thêm|tạo|đặt)",
        rf"{_VI_I} sẽ nhớ\b",
        rf"(?<=, )(?<!vâng, ){_VI_I} nhớ (?:rằng|là)\b",
    ),
    claim=any_of(
        rf"\b{_VI_I} (?:(?:cũng|luôn|chắc chắn|xin|vẫn|đều) )*(?:đã|vừa|sẽ|xin|đang)"
        rf"(?: (?:mới|luôn|cố gắng|cố|được|cũng|giúp bạn|xin|đã))* {_VI_KEEP}\b(?! (?:bàn|nhà|em)\b)",
        rf"\b{_VI_I} (?:(?:xin )?(?:ghi nhớ|ghi nhận|ghi lại|lưu lại) (?:rằng|điều|thông tin|nhé|rồi|ngay|đây)|"
        r"(?:ghi nhớ|nhớ|lưu|ghi|note)(?: \S+){0,3}? (?:rồi|xong)\b|note lại\b)",
        rf"\b(?:của|mà) (?:bạn|anh|chị|em)\b[^,.]{{0,30}}? (?:đã|vừa|sẽ) được {_VI_KEEP}\b{_VI_ELSEWHERE}",
        r"\b(?:không|chẳng)(?: bao giờ)? quên(?! (?:nếu|khi))\b",
    ),
    denial=re.compile(
        r"\b(?:không(?!(?: bao giờ)? quên)|chưa|chẳng(?! quên)|nếu|khi bạn|trước đó|trước đây|hôm qua|"
        r"như tôi)\b|(?<!của )\bbạn đã\b(?! được)"
    ),
    afterwards=NEVER,
    condition=re.compile(r"\b(?:nếu|khi) bạn\b"),
    content=re.compile(r"\b(?:rằng|là)\b|:"),
    but=re.compile(r"\bnhưng\b"),
)  # fmt: skip

# Korean

_KO_NOUN: Final = r"(?:저장|기억|메모|기록|등록|노트|암기|입력|업데이트|보관)"
_KO_MINE: Final = (
    r"(?:정보|내용|메모|노트|이름|성함|생일|번호|취향|선호|사항|기억|알레르기|일정|약속|주소|비밀번호|당신|"
    r"사용자|회원|고객|님|말씀|이것|그것|해당)[^.,]{0,25}"
)
_KOREAN: Final = Claiming(
    stems=(
        "저장",
        "기억",
        "메모",
        "기록",
        "등록",
        "노트",
        "암기",
        "입력",
        "업데이트",
        "적어",
        "적었",
        "외워",
        "새겨",
        "남겨",
        "남겼",
        "잊",
        "명심",
        "참고",
        "알림",
        "보관",
        "간직",
        "외웠",
        "담아",
        "알아",
        "챙겨",
    ),
    begins=AT_ONCE,
    opening=after(
        r"네|예|알겠습니다|알겠어요|좋아요|좋습니다|완료|성공적으로|잘",
        rf"{_KO_NOUN}(?:되었|됐)(?:습니다|어요|네요|다\b)",
    ),
    claim=any_of(
        rf"{_KO_NOUN}(?:을|를|도)?\s?(?:해\s?(?:두었|뒀|두겠|둘게|둘께|둘 것|놓았|놨|놓겠|놓을게|드렸|드리겠|"
        r"드릴게|드릴께)|했(?:습니다|어요|어\b|다\b|음\b|네요|죠|지요|답니다)|하였습니다|하겠|할게|할께|할 것입|"
        r"할 거예|할 겁니|합니다!|완료(?!하|되지)|됨\b|함\b)",
        rf"{_KO_MINE}{_KO_NOUN}(?:되었|됐)(?:습니다|어요|네요|다\b)",
        r"(?:메모|노트|메모리|기억|목록|메모장)에\s?(?:\S+\s)?(?:추가|저장|기록|입력|적어|적었|남겼|넣었|업데이트)"
        r"(?:했|하였|해\s?(?:뒀|두|놓|놨)|되었|됐|두었|뒀|놨|습니다|어요|하겠|할게)",
        r"(?:메모|노트|기억|정보)(?:를|을|가|이)?\s?(?:추가|업데이트|갱신|작성)(?:했|하였|되었|됐)",
        r"(?:메모|기록)(?:를|을)?\s?남겼(?:습니다|어요)",
        r"기억하고\s?(?:있을게|있을께|있겠|있을 것|있도록)",
        r"(?:적어|외워|새겨|남겨|담아|알아|챙겨)\s?(?:두었|뒀|두겠|둘게|둘께|놓았|놨|놓을게|놓겠)",
        r"기억해\s?두도록|기억하도록 하겠|기억에 (?:남겨|담아)",
        r"(?<!않게 )(?:절대 |꼭 )?잊지\s?않(?:을게|을께|겠|도록 하겠|을 것|을 거)|안 잊을게",
        r"명심(?:하겠|할게)|참고(?:하겠|할게)|간직(?:하겠|할게)|외웠(?:습니다|어요)|기억에 남기겠",
        r"알림(?:을|이)?\s?(?:설정|등록)(?:했|하였|되었|됐|해\s?(?:뒀|두))",
    ),
    denial=re.compile(
        r"원하시면|원하면|필요하(?:시)?면|필요하다면|원하신다면|하시려면|하려면|말씀하시면|말씀해\s?주시면|주시면|"
        r"자동으로|파일|버튼|클릭|아무것도|이전에|지난번|어제|(?:그는|그녀는|그가|그들은|선수|팀)\b|\d년"
    ),
    afterwards=re.compile(r"\S{0,3}\s?수\s?(?:없|있)"),
    condition=NEVER,
    content=NEVER,
    but=re.compile(r"지만|그러나|하지만"),
)

LANGUAGES: Final = (ENGLISH, _SPANISH, _JAPANESE, _VIETNAMESE, _KOREAN)
