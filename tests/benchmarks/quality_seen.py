"""Messages that were held out once and looked at since, of `make bench-quality --seen`.

What a model is taught, and the words by which requests are known, may be changed because of them.
"""

from typing import Final

from tests.benchmarks.lane_messages import Case

__all__ = ["SEEN"]

SEEN: Final[dict[str, tuple[Case, ...]]] = {
    "en": (
        Case(
            "note",
            "remember my gym code is 7719, i always mix it up",
            (
                "gym",
                "7719",
            ),
        ),
        Case(
            "note",
            "Could you make a note that the car is due for inspection on March 14?",
            (
                "inspection",
                "March 14",
            ),
        ),
        Case(
            "note",
            "note: landlord's number is 555 0148",
            (
                "landlord",
                "555 0148",
            ),
        ),
        Case(
            "note",
            "Don't forget that Ollie can't have any dairy.",
            (
                "Ollie",
                "dairy",
            ),
        ),
        Case(
            "note",
            "hey can you keep track of this for me, spare key is with Mrs. Henley in flat 12",
            (
                "key",
                "Henley",
                "12",
            ),
        ),
        Case(
            "note",
            "For future reference, I wear size 42 shoes and I hate wool.",
            (
                "42",
                "wool",
            ),
        ),
        Case(
            "note",
            "jot down that grandma's train gets in at 16:35 on saturday",
            (
                "grandma",
                "16:35",
                "saturday",
            ),
        ),
        Case(
            "note",
            "I'd like you to remember something: my wife's name is Marisol and our anniversary is September 3rd",
            (
                "Marisol",
                "September 3",
            ),
        ),
        Case("time", "what's today's date?"),
        Case("time", "quick, whats the time"),
        Case("calc", "whats 17.5% of 240", ("42",)),
        Case("calc", "If six of us split a bill of 187.20, how much is that each?", ("31.2",)),
        Case("talk", "morning! how's it going"),
        Case("talk", "Can you explain what a mortgage is in two sentences?"),
        Case("talk", "I finally finished painting the kitchen today, feels great"),
        Case("talk", "what could i cook with leftover rice and two eggs"),
        Case("trap", "do you remember that movie with the guy stuck on mars? whats it called"),
        Case("trap", "Don't save this anywhere, but I think my boss is about to quit."),
        Case("trap", "My teacher told me to memorise the periodic table, any tricks?"),
        Case(
            "trap",
            "i forgot my locker combination again lol what do people usually do in that case",
        ),
        Case(
            "note",
            "Please remember that my locker at the pool is number 58.",
            (
                "locker",
                "58",
            ),
        ),
        Case(
            "note",
            "Keep in mind: Priya is allergic to walnuts",
            (
                "Priya",
                "walnuts",
            ),
        ),
        Case(
            "note",
            "make a note, the plumber comes on Thursday at nine",
            (
                "plumber",
                "Thursday",
            ),
        ),
        Case("time", "Do you know what time it is right now?"),
        Case("calc", "How much is 47 times 86?", ("4042",)),
        Case("talk", "I slept badly, any idea for a quiet evening?"),
        Case("trap", "Do you remember the name of the first man on the moon?"),
        Case("trap", "How do musicians keep long pieces in memory?"),
        Case(
            "note",
            "note that my vet is Dr. Lindqvist on Harbour Road",
            (
                "Lindqvist",
                "Harbour",
            ),
        ),
        Case("note", "Please remember that my dentist is Dr. Okafor.", ("Okafor",)),
    ),
    "es": (
        Case(
            "note",
            "acuérdate de que el código del portal es 2486",
            (
                "portal",
                "2486",
            ),
        ),
        Case(
            "note",
            "¿Podrías anotar que mi cita con el oculista es el 9 de mayo?",
            (
                "oculista",
                "9 de mayo",
            ),
        ),
        Case(
            "note",
            "Nota: el fontanero se llama Ramiro y cobra 40 euros la hora",
            (
                "fontanero",
                "Ramiro",
                "40",
            ),
        ),
        Case("note", "no olvides que soy celíaca", ("celíac",)),
        Case(
            "note",
            "Ten presente que los martes salgo del trabajo a las 19:30.",
            (
                "martes",
                "19:30",
            ),
        ),
        Case(
            "note",
            "porfa guárdame este dato, la talla de Lucía es la 38",
            (
                "Lucía",
                "38",
            ),
        ),
        Case(
            "note",
            "Quiero que recuerdes una cosa: dejé el coche en la planta -2, plaza 117.",
            (
                "coche",
                "117",
            ),
        ),
        Case(
            "note",
            "Registra que el perro toma su pastilla cada 12 horas",
            (
                "perro",
                "pastilla",
                "12",
            ),
        ),
        Case("time", "qué día es hoy"),
        Case("time", "Disculpa, ¿tienes hora?"),
        Case("calc", "cuánto es el 15 por ciento de 360", ("54",)),
        Case("calc", "Si compro 7 cajas de 24 botellas, ¿cuántas botellas son en total?", ("168",)),
        Case("talk", "hola, qué tal todo"),
        Case("talk", "¿Me recomiendas una película para ver con niños?"),
        Case("talk", "Estoy nervioso porque mañana empiezo en un trabajo nuevo"),
        Case("talk", "por qué el cielo se ve rojo al atardecer"),
        Case("trap", "¿Qué tienes apuntado sobre mí?"),
        Case("trap", "No guardes esto, pero creo que me voy a separar."),
        Case("trap", "olvidé la contraseña del wifi, cómo la recupero"),
        Case(
            "trap",
            "Mi profe dijo que recordáramos las fechas de la Revolución francesa, ¿cuáles son las principales?",
        ),
        Case(
            "note",
            "Recuerda que mi abuela vive en Cuenca, por favor.",
            (
                "abuela",
                "Cuenca",
            ),
        ),
        Case("note", "Apunta que no tomo leche", ("leche",)),
        Case(
            "note",
            "Guarda esto: la llave del trastero es la verde",
            (
                "trastero",
                "verde",
            ),
        ),
        Case("time", "¿Me dices qué hora es?"),
        Case("calc", "¿Cuánto es 918 menos 379?", ("539",)),
        Case("talk", "Hoy llueve mucho y me aburro."),
        Case("trap", "¿Por qué cuesta tanto recordar los sueños?"),
        Case("trap", "¿Dónde se guarda mejor el pan para que no se ponga duro?"),
        Case("note", "Apúntame que mi veterinaria es la doctora Iturbe.", ("Iturbe",)),
        Case("note", "Recuerda que mi dentista es la doctora Rojas.", ("Rojas",)),
    ),
    "ja": (
        Case(
            "note",
            "自転車の鍵の番号は3862、覚えといて",
            (
                "自転車",
                "3862",
            ),
        ),
        Case(
            "note",
            "恐れ入りますが、4月18日に車検があることを記録していただけますか。",
            (
                "4月18日",
                "車検",
            ),
        ),
        Case(
            "note",
            "メモ：大家さんの名前は小野寺さん",
            (
                "大家",
                "小野寺",
            ),
        ),
        Case(
            "note",
            "妹はそばアレルギーだから忘れないようにして",
            (
                "妹",
                "そば",
            ),
        ),
        Case(
            "note",
            "ちなみに毎週木曜は19時からヨガなので、頭に入れておいてください。",
            (
                "木曜",
                "19時",
                "ヨガ",
            ),
        ),
        Case(
            "note",
            "書き留めといてほしいんだけど、プリンターのインクの型番はBCI-381",
            (
                "インク",
                "BCI-381",
            ),
        ),
        Case(
            "note",
            "これ保存しといて。予備の鍵は青い引き出しの中",
            (
                "鍵",
                "青い引き出し",
            ),
        ),
        Case(
            "note",
            "娘の靴のサイズが19センチになったので、覚えておいてもらえると助かります。",
            (
                "娘",
                "靴",
                "19",
            ),
        ),
        Case("time", "今日って何日だっけ"),
        Case("time", "すみません、今の時刻を教えてください。"),
        Case("calc", "1980円の3割引きっていくら？", ("1386",)),
        Case("calc", "54000円を12人で割り勘すると、一人いくらですか？", ("4500",)),
        Case("talk", "おはよう！今日も頑張ろう"),
        Case("talk", "眠れない夜におすすめの過ごし方はありますか？"),
        Case("talk", "昨日初めて一人でラーメン屋に入ったよ"),
        Case("talk", "虹はどうして七色に見えるの"),
        Case("trap", "去年の大河ドラマのタイトル覚えてる？"),
        Case("trap", "これは記録しないでほしいんだけど、実は転職を考えてる"),
        Case("trap", "銀行の暗証番号を忘れてしまいました。どうすればいいですか？"),
        Case(
            "trap",
            "先生に公式を覚えておきなさいと言われたけど、三角形の面積の公式ってどんなのだっけ",
        ),
        Case("note", "猫の名前はモモだと覚えておいてください。", ("モモ",)),
        Case(
            "note",
            "来週の火曜日は在宅勤務だとメモして",
            (
                "火曜日",
                "在宅",
            ),
        ),
        Case("note", "私は辛い物が食べられません。忘れないでね。", ("辛い",)),
        Case("time", "今、何時ですか？"),
        Case("calc", "64かける25はいくつ？", ("1600",)),
        Case("talk", "今日は散歩が気持ちよかったです。"),
        Case("trap", "漢字を早く覚えるコツはありますか？"),
        Case("trap", "メモ帳という言葉は英語で何と言いますか？"),
        Case("note", "かかりつけの獣医は三浦先生です。覚えておいて", ("三浦",)),
        Case("note", "歯医者は佐藤先生だと覚えておいてください。", ("佐藤",)),
    ),
    "vi": (
        Case(
            "note",
            "nhớ giúp mình mã cửa nhà là 5093 nhé",
            (
                "mã cửa",
                "5093",
            ),
        ),
        Case(
            "note",
            "Bạn làm ơn ghi chú rằng ngày 22 tháng 10 tôi có lịch khám răng.",
            (
                "22 tháng 10",
                "khám răng",
            ),
        ),
        Case(
            "note",
            "Ghi chú: số điện thoại thợ điện là 0912 345 118",
            (
                "thợ điện",
                "0912 345 118",
            ),
        ),
        Case(
            "note",
            "đừng quên là bé Na không ăn được đậu phộng",
            (
                "bé Na",
                "đậu phộng",
            ),
        ),
        Case(
            "note",
            "Lưu ý giúp em, sáng thứ tư em học bơi lúc 6 giờ 30",
            (
                "thứ tư",
                "bơi",
                "6 giờ 30",
            ),
        ),
        Case(
            "note",
            "Từ giờ hãy nhớ tên tôi là Quỳnh, tôi sống ở Đà Lạt.",
            (
                "Quỳnh",
                "Đà Lạt",
            ),
        ),
        Case(
            "note",
            "bạn ghi vào sổ giùm: chìa khóa dự phòng để ở nhà cô Hạnh",
            (
                "chìa khóa",
                "Hạnh",
            ),
        ),
        Case("note", "Tôi muốn bạn ghi nhớ biển số xe của tôi là 59X2-417.36", ("59X2-417.36",)),
        Case("time", "hôm nay là ngày mấy vậy"),
        Case("time", "Cho tôi hỏi bây giờ là mấy giờ?"),
        Case("calc", "18% của 350 là bao nhiêu", ("63",)),
        Case("calc", "Mỗi hộp 36 viên, 14 hộp thì có tất cả bao nhiêu viên?", ("504",)),
        Case("talk", "chào buổi sáng, chúc một ngày vui"),
        Case("talk", "Bạn gợi ý giúp tôi vài món ăn nhẹ buổi tối nhé?"),
        Case("talk", "hôm nay kẹt xe quá trời, mệt ghê"),
        Case("talk", "Vì sao nước biển lại mặn?"),
        Case("trap", "bạn còn nhớ ai là tác giả truyện Dế Mèn phiêu lưu ký không"),
        Case("trap", "Chuyện này đừng lưu lại nhé: mình sắp chia tay người yêu."),
        Case("trap", "mình quên mật khẩu zalo rồi, giờ làm sao"),
        Case("trap", "Cô giáo dặn phải nhớ bảng cửu chương, học cách nào cho nhanh?"),
        Case(
            "note",
            "Hãy nhớ rằng xe máy của tôi màu xanh.",
            (
                "xe máy",
                "xanh",
            ),
        ),
        Case(
            "note",
            "Ghi lại giúp mình: chị Lan nghỉ phép tháng tám",
            (
                "Lan",
                "tháng tám",
            ),
        ),
        Case("note", "Lưu lại là tôi dị ứng với tôm nhé", ("tôm",)),
        Case("time", "Bây giờ là mấy giờ rồi?"),
        Case("calc", "720 chia 16 bằng bao nhiêu?", ("45",)),
        Case("talk", "Chào bạn, hôm nay bạn thế nào?"),
        Case("trap", "Bạn có nhớ thủ đô của nước Úc là gì không?"),
        Case("trap", "Làm sao để ghi nhớ từ vựng lâu hơn?"),
        Case("note", "Ghi nhớ giúp tôi: bác sĩ thú y nhà tôi là anh Khoa.", ("Khoa",)),
        Case("note", "Hãy nhớ rằng nha sĩ của tôi là bác sĩ Hùng.", ("Hùng",)),
    ),
    "ko": (
        Case(
            "note",
            "현관 비밀번호 6604야 기억해놔",
            (
                "현관",
                "6604",
            ),
        ),
        Case(
            "note",
            "다음 달 5일에 건강검진이 있다고 적어 주시겠어요?",
            (
                "5일",
                "건강검진",
            ),
        ),
        Case(
            "note",
            "메모: 집주인 연락처는 010-3355-0172",
            (
                "집주인",
                "010-3355-0172",
            ),
        ),
        Case(
            "note",
            "우리 조카는 복숭아 알레르기 있으니까 잊지 마",
            (
                "조카",
                "복숭아",
            ),
        ),
        Case(
            "note",
            "참고로 저는 매주 금요일 8시에 수영 강습이 있어요. 기억해 두세요.",
            (
                "금요일",
                "8시",
                "수영",
            ),
        ),
        Case(
            "note",
            "차는 지하 3층 B구역에 세워뒀어 이거 좀 기록해줘",
            (
                "지하 3층",
                "B구역",
            ),
        ),
        Case(
            "note",
            "저희 강아지 이름은 두부예요. 기억해 주셨으면 좋겠어요.",
            (
                "강아지",
                "두부",
            ),
        ),
        Case(
            "note",
            "내 신발 사이즈 265라고 저장 부탁",
            (
                "신발",
                "265",
            ),
        ),
        Case("time", "오늘 며칠이야"),
        Case("time", "혹시 지금 시간이 어떻게 되나요?"),
        Case("calc", "45000원의 12퍼센트면 얼마지", ("5400",)),
        Case("calc", "하루에 35쪽씩 18일 읽으면 모두 몇 쪽인가요?", ("630",)),
        Case("talk", "안녕 오늘 기분 어때"),
        Case("talk", "비 오는 날 집에서 뭐 하면 좋을까요?"),
        Case("talk", "드디어 운전면허 시험 붙었다!!"),
        Case("talk", "김치는 왜 오래 둘수록 시어지나요?"),
        Case("trap", "2002년 월드컵 때 한국 감독 이름 기억나?"),
        Case("trap", "이건 저장하지 말고 그냥 들어줘, 나 요즘 회사 그만두고 싶어"),
        Case("trap", "나에 대해서 지금까지 뭐 적어 놨어?"),
        Case("trap", "엄마가 약은 식후 30분에 먹으라고 꼭 기억하라던데, 왜 그런 거예요?"),
        Case("note", "우리 딸 생일이 6월 12일이라는 걸 기억해 줘.", ("6월 12일",)),
        Case(
            "note",
            "사무실 와이파이 이름은 바다라고 메모해 주세요",
            (
                "와이파이",
                "바다",
            ),
        ),
        Case("note", "나는 커피를 안 마셔. 저장해 둬.", ("커피",)),
        Case("time", "지금 몇 시예요?"),
        Case("calc", "135 더하기 488은 얼마야?", ("623",)),
        Case("talk", "요즘 볼만한 책이 있을까?"),
        Case("trap", "사람의 기억은 왜 흐려질까요?"),
        Case("trap", "파일을 저장하는 단축키가 뭐야?"),
        Case("note", "우리 동물병원 선생님은 윤 선생님이야, 기억해 줘", ("윤 선생님",)),
        Case("note", "내 치과 의사는 박 선생님이라고 기억해 줘.", ("박 선생님",)),
    ),
}
