"""Messages for `make bench-quality`, written by us and looked at by nobody who writes a prompt.

Eight in each of five languages. `keeps` of a note are words that its text must hold (so that it was
neither translated nor cut), of a calculation the value. A trap looks like a request to save and is
none. `KEEP` are the requests whose final replies are read. Whoever changes what a model is taught
because of a line here writes new lines first.
"""

from typing import Final

from tests.benchmarks.lane_messages import Case

__all__ = ["DECISIONS", "KEEP"]

DECISIONS: Final[dict[str, tuple[Case, ...]]] = {
    "en": (
        Case("note", "Please remember that my locker at the pool is number 58.", ("locker", "58")),
        Case("note", "Keep in mind: Priya is allergic to walnuts", ("Priya", "walnuts")),
        Case("note", "make a note, the plumber comes on Thursday at nine", ("plumber", "Thursday")),
        Case("time", "Do you know what time it is right now?"),
        Case("calc", "How much is 47 times 86?", ("4042",)),
        Case("talk", "I slept badly, any idea for a quiet evening?"),
        Case("trap", "Do you remember the name of the first man on the moon?"),
        Case("trap", "How do musicians keep long pieces in memory?"),
    ),
    "es": (
        Case("note", "Recuerda que mi abuela vive en Cuenca, por favor.", ("abuela", "Cuenca")),
        Case("note", "Apunta que no tomo leche", ("leche",)),
        Case("note", "Guarda esto: la llave del trastero es la verde", ("trastero", "verde")),
        Case("time", "¿Me dices qué hora es?"),
        Case("calc", "¿Cuánto es 918 menos 379?", ("539",)),
        Case("talk", "Hoy llueve mucho y me aburro."),
        Case("trap", "¿Por qué cuesta tanto recordar los sueños?"),
        Case("trap", "¿Dónde se guarda mejor el pan para que no se ponga duro?"),
    ),
    "ja": (
        Case("note", "猫の名前はモモだと覚えておいてください。", ("モモ",)),
        Case("note", "来週の火曜日は在宅勤務だとメモして", ("火曜日", "在宅")),
        Case("note", "私は辛い物が食べられません。忘れないでね。", ("辛い",)),
        Case("time", "今、何時ですか？"),
        Case("calc", "64かける25はいくつ？", ("1600",)),
        Case("talk", "今日は散歩が気持ちよかったです。"),
        Case("trap", "漢字を早く覚えるコツはありますか？"),
        Case("trap", "メモ帳という言葉は英語で何と言いますか？"),
    ),
    "vi": (
        Case("note", "Hãy nhớ rằng xe máy của tôi màu xanh.", ("xe máy", "xanh")),
        Case("note", "Ghi lại giúp mình: chị Lan nghỉ phép tháng tám", ("Lan", "tháng tám")),
        Case("note", "Lưu lại là tôi dị ứng với tôm nhé", ("tôm",)),
        Case("time", "Bây giờ là mấy giờ rồi?"),
        Case("calc", "720 chia 16 bằng bao nhiêu?", ("45",)),
        Case("talk", "Chào bạn, hôm nay bạn thế nào?"),
        Case("trap", "Bạn có nhớ thủ đô của nước Úc là gì không?"),
        Case("trap", "Làm sao để ghi nhớ từ vựng lâu hơn?"),
    ),
    "ko": (
        Case("note", "우리 딸 생일이 6월 12일이라는 걸 기억해 줘.", ("6월 12일",)),
        Case("note", "사무실 와이파이 이름은 바다라고 메모해 주세요", ("와이파이", "바다")),
        Case("note", "나는 커피를 안 마셔. 저장해 둬.", ("커피",)),
        Case("time", "지금 몇 시예요?"),
        Case("calc", "135 더하기 488은 얼마야?", ("623",)),
        Case("talk", "요즘 볼만한 책이 있을까?"),
        Case("trap", "사람의 기억은 왜 흐려질까요?"),
        Case("trap", "파일을 저장하는 단축키가 뭐야?"),
    ),
}
KEEP: Final[dict[str, str]] = {
    "en": "Please remember that my dentist is Dr. Okafor.",
    "es": "Recuerda que mi dentista es la doctora Rojas.",
    "ja": "歯医者は佐藤先生だと覚えておいてください。",
    "vi": "Hãy nhớ rằng nha sĩ của tôi là bác sĩ Hùng.",
    "ko": "내 치과 의사는 박 선생님이라고 기억해 줘.",
}
