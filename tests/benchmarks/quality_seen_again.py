"""A second set of messages that were held out once and looked at since, as those of `quality_seen`."""

from typing import Final

from tests.benchmarks.lane_messages import Case

__all__ = ["SEEN_AGAIN"]

SEEN_AGAIN: Final[dict[str, tuple[Case, ...]]] = {
    "en": (
        Case(
            "note",
            "jot this down please: boiler serial is KX-40921",
            (
                "boiler",
                "KX-40921",
            ),
        ),
        Case(
            "note",
            "Would you mind keeping hold of this for me? The vet said Biscuit gets half a tablet every 12 hours.",
            (
                "Biscuit",
                "tablet",
                "12",
            ),
        ),
        Case(
            "note",
            "for future reference, the wifi at the cabin is called pinecone_guest",
            (
                "cabin",
                "pinecone_guest",
            ),
        ),
        Case(
            "note",
            "Please save that Dana's flight lands at Terminal 2 on Friday",
            (
                "Dana",
                "Terminal 2",
                "Friday",
            ),
        ),
        Case(
            "note",
            "put this on record: plumber got 180 in cash",
            (
                "plumber",
                "180",
            ),
        ),
        Case(
            "note",
            "I've just had a long call with the insurer and I'll never keep it all in my head. The claim number is 88-3140-B and the woman dealing with it is called Farrah. Can you store that?",
            (
                "88-3140-B",
                "Farrah",
            ),
        ),
        Case(
            "note",
            "write down that the blue in the hallway is Stiffkey No 281",
            (
                "hallway",
                "Stiffkey",
                "281",
            ),
        ),
        Case(
            "note",
            "so i dont lose it later, keep this: bike lock combo 4-0-9-2",
            (
                "bike",
                "4-0-9-2",
            ),
        ),
        Case("time", "what day is it today, i've completely lost track"),
        Case("time", "Could you tell me the time please?"),
        Case("calc", "how much is 18% of 265", ("47.7",)),
        Case(
            "calc",
            "There are 6 of us and dinner came to 147 pounds. What does each person owe?",
            ("24.5",),
        ),
        Case(
            "calc",
            "living room is 4.2 by 5.5 metres, how many square metres of carpet is that",
            ("23.1",),
        ),
        Case("talk", "ugh, mondays"),
        Case("talk", "Why do onions make you cry?"),
        Case("talk", "My neighbour has started learning the trumpet. Pray for me."),
        Case("talk", "what's a good first houseplant for someone who kills everything"),
        Case(
            "talk", "Hiya, hope your day's going better than mine! I managed to miss the bus twice."
        ),
        Case(
            "trap",
            "do you remember that film with the talking pig, Babe? I cried my eyes out as a kid",
        ),
        Case(
            "trap",
            "Don't save this, I just need to vent: my boss takes credit for everything I do.",
        ),
        Case("trap", "how many notes are there in a major scale?"),
        Case(
            "trap",
            "Is it better to save an essay as a PDF or a Word file before sending it to a professor?",
        ),
        Case("trap", "still can't believe the band played for 3 hours with no break, 22 songs!!"),
        Case("trap", "Roughly what time do most toddlers go down for their nap?"),
    ),
    "es": (
        Case(
            "note",
            "Apunta que el seguro del coche vence el 9 de noviembre",
            (
                "seguro",
                "9 de noviembre",
            ),
        ),
        Case(
            "note",
            "¿Me guardas este dato? La talla de anillo de Lucía es la 14.",
            (
                "Lucía",
                "14",
            ),
        ),
        Case(
            "note",
            "anota ahi porfa: contrato del gas 3308-772",
            (
                "gas",
                "3308-772",
            ),
        ),
        Case(
            "note",
            "Oye, que luego se me va de la cabeza: el taller de Quiroga cierra los miércoles. Guárdatelo por ahí, anda.",
            (
                "Quiroga",
                "miércoles",
            ),
        ),
        Case(
            "note",
            "Necesito que recuerdes que Mateo es alérgico a las nueces",
            (
                "Mateo",
                "nueces",
            ),
        ),
        Case(
            "note",
            "Deja constancia de que la escalera la tiene Rubén, el del tercero B",
            (
                "escalera",
                "Rubén",
            ),
        ),
        Case(
            "note",
            "Buenas, ¿podrías tomar nota de lo siguiente? La junta de vecinos se ha pasado al salón parroquial, a las 19:30.",
            (
                "parroquial",
                "19:30",
            ),
        ),
        Case(
            "note",
            "quedate con esto q luego te lo pido: el casillero del club es el 216",
            (
                "casillero",
                "216",
            ),
        ),
        Case("time", "q hora es??"),
        Case("time", "Perdona, ¿a qué fecha estamos hoy?"),
        Case("calc", "¿Cuánto es el 35% de 480?", ("168",)),
        Case(
            "calc",
            "hay que repartir 1150 pesos entre 5 primos, cuanto le toca a cada uno",
            ("230",),
        ),
        Case(
            "calc",
            "Si cada entrada cuesta 17 euros y somos 23 en el grupo, ¿cuánto pagamos en total?",
            ("391",),
        ),
        Case("talk", "hoy me levanté con un dolor de cuello terrible"),
        Case("talk", "¿Por qué el mar es salado?"),
        Case("talk", "jajaja mi perro acaba de asustarse con su propio reflejo"),
        Case("talk", "¿Qué le pondrías a una tortilla, además de patata y huevo?"),
        Case(
            "talk",
            "Buenas tardes, ¿cómo te va? Yo aquí, esperando a que deje de llover para sacar la basura.",
        ),
        Case("trap", "¿Te acuerdas de El laberinto del fauno? Qué peliculón, madre mía"),
        Case("trap", "esto no lo guardes eh, es puro chisme: creo q mi cuñada tiene novio nuevo"),
        Case("trap", "¿Qué nota hay que sacar normalmente para entrar en Medicina en España?"),
        Case("trap", "¿Cómo hacen los actores de teatro para memorizar tantos diálogos?"),
        Case(
            "trap",
            "llevo 4 meses ahorrando para una moto y cada día me cuesta más no gastármelo en tonterías",
        ),
        Case("trap", "En México, ¿a qué hora se suele comer los domingos?"),
    ),
    "ja": (
        Case(
            "note",
            "メモお願い。クリーニングの引き取りは木曜、伝票は0573",
            (
                "クリーニング",
                "木曜",
                "0573",
            ),
        ),
        Case(
            "note",
            "祖母の薬が朝だけ2錠に変わったので、覚えておいてください",
            (
                "祖母",
                "2錠",
            ),
        ),
        Case(
            "note",
            "これ控えといて→ 駐輪場の契約番号 B-118",
            (
                "駐輪場",
                "B-118",
            ),
        ),
        Case(
            "note",
            "後で使うから残しておいてほしいんだけど、ベランダの網戸の幅は83センチだった",
            (
                "網戸",
                "83",
            ),
        ),
        Case(
            "note",
            "田辺さんの奥さんはそばアレルギー、って記録しておいて",
            (
                "田辺",
                "そば",
            ),
        ),
        Case(
            "note",
            "お手数ですが、次回の歯科検診が11月6日の10時半であることをメモに入れておいていただけますか。",
            (
                "歯科",
                "11月6日",
                "10時半",
            ),
        ),
        Case(
            "note",
            "プリンターのインク、型番はBC-346ね。忘れそうだから書き留めといて！",
            (
                "インク",
                "BC-346",
            ),
        ),
        Case(
            "note",
            "今後のために保存して。マンションの管理人さんは水曜が休み",
            (
                "管理人",
                "水曜",
            ),
        ),
        Case("time", "いま何時かな"),
        Case("time", "すみません、今日って何曜日でしたっけ？"),
        Case("calc", "5800円の25%っていくら？", ("1450",)),
        Case("calc", "1本138円のお茶を24本買うと、合計でいくらになりますか", ("3312",)),
        Case("calc", "飲み会8640円、4人で割り勘したら一人いくら", ("2160",)),
        Case("talk", "朝からずっと雨で洗濯物が全然乾かないよ"),
        Case("talk", "なんで猫って箱に入りたがるの？"),
        Case("talk", "おはよう！ゆうべはぐっすり眠れたから気分がいいんだ"),
        Case("talk", "味噌汁に入れるとおいしい、ちょっと変わった具って何かある？"),
        Case("talk", "新しい職場、皆さん親切なんですけどまだ緊張してます…"),
        Case("trap", "タイタニックって映画覚えてる？最後のシーン、毎回泣いちゃうんだよね"),
        Case("trap", "これは保存しなくていいからね、ただの愚痴。課長の話が長すぎてもう限界"),
        Case("trap", "歴史の年号を暗記するコツってありますか？"),
        Case("trap", "勉強用のノートって、横罫と方眼どっちが使いやすいと思う？"),
        Case("trap", "昨日は3駅分歩いて1万2千歩もいったよ〜足がパンパン"),
        Case("trap", "夏の北海道って、だいたい何時ごろに日が暮れるものなの？"),
    ),
    "vi": (
        Case(
            "note",
            "ghi lại giúp mình: mã khách hàng tiền điện là PE0471128",
            (
                "điện",
                "PE0471128",
            ),
        ),
        Case(
            "note",
            "Nhớ giùm tôi là cô Hạnh chuyển sang dạy lớp 7A3 nhé",
            (
                "Hạnh",
                "7A3",
            ),
        ),
        Case(
            "note",
            "Bạn lưu lại dùm em địa chỉ anh Khoa với, 42/9 Lê Quang Định",
            (
                "Khoa",
                "42/9 Lê Quang Định",
            ),
        ),
        Case(
            "note",
            "note hộ cái: xe phải bảo dưỡng ở mốc 16000 km",
            (
                "bảo dưỡng",
                "16000",
            ),
        ),
        Case(
            "note",
            "Bác sĩ mới đổi thuốc huyết áp của ba sang loại 5mg, uống buổi tối. Phiền bạn ghi chú lại để sau này mình còn tra.",
            (
                "huyết áp",
                "5mg",
            ),
        ),
        Case(
            "note",
            "cất thông tin này cho mình nha, chìa khóa phòng kho đang ở chỗ bác Lộc bảo vệ",
            (
                "phòng kho",
                "Lộc",
            ),
        ),
        Case(
            "note",
            "Lưu ý giúp chị để lần sau khỏi quên: bé Na dị ứng tôm đấy.",
            (
                "Na",
                "tôm",
            ),
        ),
        Case(
            "note",
            "Bạn có thể ghi vào sổ giúp tôi được không ạ: lịch tái khám là sáng 22/8, phòng 305",
            (
                "tái khám",
                "22/8",
                "305",
            ),
        ),
        Case("time", "mấy giờ rồi nhỉ"),
        Case("time", "Hôm nay là ngày bao nhiêu vậy bạn?"),
        Case("calc", "15% của 640 là bao nhiêu", ("96",)),
        Case(
            "calc",
            "Ăn lẩu hết 1260 nghìn, 7 người chia đều thì mỗi người bao nhiêu nghìn?",
            ("180",),
        ),
        Case("calc", "miếng đất ngang 6 mét dài 23 mét thì được mấy mét vuông vậy", ("138",)),
        Case("talk", "Trời Sài Gòn dạo này nóng muốn xỉu luôn á"),
        Case("talk", "Sao lá cây lại có màu xanh vậy?"),
        Case("talk", "chán quá, kể chuyện gì vui vui đi"),
        Case("talk", "Em mới nhận nuôi một bé mèo mướp, nghịch kinh khủng"),
        Case("talk", "Theo bạn thì phở Bắc khác phở Nam ở chỗ nào?"),
        Case("trap", "Bạn có nhớ bài Diễm Xưa của Trịnh Công Sơn không, nghe buồn mà hay ghê"),
        Case("trap", "cái này khỏi lưu nha, tâm sự thôi: hôm nay mình cãi nhau với nhỏ bạn thân"),
        Case("trap", "Làm sao để nhớ lâu từ vựng tiếng Anh?"),
        Case("trap", "nốt tròn thì ngân dài hơn nốt trắng đúng không ta"),
        Case("trap", "Cuối cùng mình cũng tiết kiệm được 20 triệu sau một năm, vui ghê á!"),
        Case("trap", "Người ta thường đi chợ hoa đêm vào khoảng mấy giờ?"),
    ),
    "ko": (
        Case(
            "note",
            "메모해줘 현관 비번 뒷자리 6284로 바뀜",
            (
                "현관",
                "6284",
            ),
        ),
        Case(
            "note",
            "이거 좀 적어 둘래? 세탁기 AS 접수번호가 T2290이야",
            (
                "세탁기",
                "T2290",
            ),
        ),
        Case(
            "note",
            "다음에 또 찾을 것 같아서요, 민지 씨 사무실은 서관 8층이라고 저장해 주세요.",
            (
                "민지",
                "8층",
            ),
        ),
        Case(
            "note",
            "우리 강아지 콩이는 닭고기 먹으면 안 된다는 거 꼭 기억해 줘",
            (
                "콩이",
                "닭고기",
            ),
        ),
        Case(
            "note",
            "혹시 이 내용을 기록해 주실 수 있을까요? 전세 계약 만료일은 내년 5월 17일입니다.",
            (
                "전세",
                "5월 17일",
            ),
        ),
        Case(
            "note",
            "잊어버리기 전에 남겨놔줘. 에어컨 필터는 베란다 두 번째 선반에 있어",
            (
                "필터",
                "선반",
            ),
        ),
        Case(
            "note",
            "나중에 참고하게 보관 좀: 거실 커튼 길이 235cm",
            (
                "커튼",
                "235",
            ),
        ),
        Case(
            "note",
            "아버지 허리 수술한 데가 한빛정형외과거든, 담당은 오창민 선생님이고. 까먹지 않게 노트에 써 놔",
            (
                "한빛정형외과",
                "오창민",
            ),
        ),
        Case("time", "지금 몇 시야"),
        Case("time", "오늘 며칠인지 좀 알려주세요"),
        Case("calc", "96000원의 15%면 얼마예요?", ("14400",)),
        Case("calc", "귤 40개에 18000원이면 한 개에 얼마꼴이야", ("450",)),
        Case("calc", "1350 빼기 487 좀 계산해줘", ("863",)),
        Case("talk", "오늘 회사에서 칭찬 받았어 ㅎㅎ"),
        Case("talk", "김치는 왜 시간이 지나면 시어지는 거야?"),
        Case("talk", "심심한데 나랑 수다나 떨자"),
        Case("talk", "제주도에 처음 가 보는데 어디가 제일 예쁜가요?"),
        Case("talk", "요즘 기타 배우는데 손끝이 너무 아프다 ㅠㅠ"),
        Case("trap", "응답하라 1988 기억나? 그 드라마 진짜 명작이지"),
        Case("trap", "저장하지는 말고 그냥 들어만 줘. 나 사실 요리 진짜 못해"),
        Case("trap", "사람은 왜 아기 때 일을 기억하지 못할까요?"),
        Case("trap", "구글 문서는 저장 버튼을 안 눌러도 알아서 저장되는 건가?"),
        Case("trap", "어제 볼링 쳤는데 178점 나왔다!! 나 좀 대단하지 않냐"),
        Case("trap", "고3 학생들은 보통 밤 몇 시까지 공부해?"),
    ),
}
