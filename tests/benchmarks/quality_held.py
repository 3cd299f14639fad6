"""Messages for `make bench-quality` that nobody who teaches a model has looked at.

Written by somebody who had not seen what is taught. `keeps` of a note are words that its text must hold
(so that it was neither translated nor cut), of a calculation the value. A trap looks like a request to
save, or for a tool, and is none. `ASKED` are facts that are noted, and a question for each with what its
answer must hold. Whoever changes what is taught because of a line moves it to `quality_seen` and has new
lines written.
"""

from typing import Final

from tests.benchmarks.lane_messages import Case

__all__ = ["ASKED", "HELD"]

HELD: Final[dict[str, tuple[Case, ...]]] = {
    "en": (
        Case(
            "note",
            "Remember that Ingrid's flight lands at 6:40 on Thursday",
            ("Ingrid", "6:40", "Thursday"),
        ),
        Case(
            "note",
            "could you jot down the landlord's new number for me? it's 555-0182",
            ("555-0182",),
        ),
        Case("note", "note: eye test moved to March 14 with Dr Okafor", ("March 14", "Okafor")),
        Case(
            "note",
            "For future reference, the boiler pressure should sit at 1.5 bar.",
            ("boiler", "1.5"),
        ),
        Case(
            "note",
            "pls save this for later - the hallway paint is Farrow & Ball Skimming Stone",
            ("Skimming Stone",),
        ),
        Case(
            "note",
            "Would you mind keeping a record that Tomasz is allergic to walnuts? He's coming for dinner again in the spring and I always blank on it.",
            ("Tomasz", "walnut"),
        ),
        Case("note", "don't let me forget i lent the ladder to Beatrice", ("ladder", "Beatrice")),
        Case(
            "note",
            "ok so the garage finally called, the Skoda needs new brake pads by October and they quoted 310 pounds. Write that down please",
            ("brake pads", "October", "310"),
        ),
        Case("time", "what day is it today"),
        Case("time", "Sorry to bother you, could you tell me what time it is right now?"),
        Case("calc", "whats 18% of 245", ("44.1",)),
        Case(
            "calc",
            "If I buy 7 trays of seedlings at 13 each and 4 bags of soil at 9 each, what do I pay altogether?",
            ("127",),
        ),
        Case("talk", "Next door's rooster started crowing at dawn again, I'm absolutely wrecked."),
        Case("talk", "what's the difference between jam and marmalade anyway"),
        Case("talk", "morning! hope you're in a better mood than my cat"),
        Case("talk", "Just finished repainting the shed. Looks so much better in green"),
        Case("trap", "do you still remember what I told you about Tomasz?"),
        Case("trap", "Any good tricks for memorising the kings and queens of England?"),
        Case(
            "trap",
            "please don't write this down anywhere, but I can't stand my brother-in-law's cooking",
        ),
        Case("trap", "What notes make up a C minor chord?"),
    ),
    "es": (
        Case(
            "note",
            "Apunta que la revisión del coche es el 9 de mayo en el taller Robledo",
            ("9 de mayo", "Robledo"),
        ),
        Case(
            "note",
            "oye me guardas esto porfa: la talla de zapatos de Nico es la 34",
            ("Nico", "34"),
        ),
        Case(
            "note",
            "¿Podrías anotar que la profesora de piano de Lucía se llama Fermina?",
            ("Lucía", "Fermina"),
        ),
        Case(
            "note",
            "Para que quede constancia, el contador del agua marcaba 1872 cuando entramos en el piso.",
            ("contador", "1872"),
        ),
        Case(
            "note",
            "recuerda que los martes no hay pan en la tienda de Eulalia",
            ("martes", "Eulalia"),
        ),
        Case(
            "note",
            "Acabo de hablar con la gestoría y dicen que el plazo para la declaración acaba el 30 de junio. Tenlo guardado para más adelante, por favor.",
            ("30 de junio",),
        ),
        Case(
            "note",
            "nota: el vino que gustó en la boda era un Godello de Valdeorras",
            ("Godello", "Valdeorras"),
        ),
        Case(
            "note",
            "No quiero que se me olvide: Ramiro tiene prestada la tienda de campaña. ¿Lo registras?",
            ("Ramiro", "tienda de campaña"),
        ),
        Case("time", "me dices la hora? es que no llevo reloj"),
        Case("time", "¿Me dices a qué fecha estamos hoy, por favor?"),
        Case("calc", "Cuánto es el 21% de 650?", ("136.5",)),
        Case(
            "calc", "si reparto 1344 caramelos entre 24 niños, cuántos le tocan a cada uno", ("56",)
        ),
        Case("talk", "Hoy me ha salido la tortilla de patatas de escándalo, jugosita por dentro"),
        Case("talk", "cuántos años vive más o menos una tortuga?"),
        Case("talk", "Buenas, ¿qué tal? Yo aquí, muerto de calor con el ventilador a tope."),
        Case("talk", "¿Quién pintó Las meninas?"),
        Case("trap", "¿Te acuerdas de lo que te conté de Ramiro?"),
        Case("trap", "qué nota sacaba Einstein en matemáticas?"),
        Case("trap", "Esto no lo guardes, es solo para desahogarme: mi jefa me tiene frita."),
        Case("trap", "¿A qué hora suelen cenar los alemanes?"),
    ),
    "ja": (
        Case("note", "来週の水曜に佐伯さんが浄水器を見に来るってメモしといて", ("佐伯", "浄水器")),
        Case(
            "note",
            "母の新しい住所を控えておいていただけますか。松本市浅間3-12です。",
            ("松本市浅間3-12",),
        ),
        Case("note", "覚えておいて:プリンターのインクはBCI-381", ("BCI-381",)),
        Case("note", "今後のために記録お願いします。庭の梅は2月に剪定済みです。", ("梅", "2月")),
        Case(
            "note",
            "あとで見返したいから残しといてほしいんだけど、昨日の店の名前は「とり勘」で、予約は電話のみらしい",
            ("とり勘", "電話"),
        ),
        Case("note", "メモ 燃えないゴミは第3金曜", ("第3金曜",)),
        Case(
            "note",
            "悠斗の保護者会が6月18日になったので、忘れないように書き留めてもらえる?",
            ("悠斗", "保護者会", "6月18日"),
        ),
        Case("note", "健康診断の結果、血圧が132だったから保存しておいてください", ("血圧", "132")),
        Case("time", "いま何時?"),
        Case("time", "すみません、今日は何曜日でしたっけ"),
        Case("calc", "4800円の35%っていくら?", ("1680",)),
        Case("calc", "78かける46を計算してください", ("3588",)),
        Case("talk", "今朝、ベランダのアサガオがやっと咲いたんだよ!"),
        Case("talk", "なんで空は青いの"),
        Case("talk", "はぁ、月曜はほんとにだるいなあ"),
        Case("talk", "日本でいちばん長い川ってどこですか?"),
        Case("trap", "前に話した佐伯さんのこと、覚えてる?"),
        Case("trap", "英単語を効率よく暗記するコツってある?"),
        Case("trap", "これは記録しなくていいんだけど、正直いまの髪型ぜんぜん気に入ってない"),
        Case("trap", "江戸時代の人は一日に何食食べていたんですか"),
    ),
    "vi": (
        Case(
            "note",
            "Ghi lại giúp mình là cô Hạnh dạy bơi bé Tít vào chiều thứ Bảy nhé",
            ("Hạnh", "Tít", "Bảy"),
        ),
        Case(
            "note",
            "nhớ hộ cái này: biển số xe của anh Quang là 43A-287.15",
            ("Quang", "43A-287.15"),
        ),
        Case(
            "note",
            "Bạn lưu lại dùm tôi được không, tiệm may áo dài ở số 52 Trần Quý Cáp",
            ("52 Trần Quý Cáp",),
        ),
        Case("note", "note lại: tiền điện tháng 8 hết 740 nghìn", ("tháng 8", "740")),
        Case(
            "note",
            "Để sau này khỏi quên thì ghi chú cho em là bà ngoại không ăn được tôm ạ",
            ("bà ngoại", "tôm"),
        ),
        Case(
            "note",
            "Hôm nay họp tổ dân phố xong rồi, người ta bảo sẽ cắt nước ngày 22 từ sáng tới trưa. Lưu thông tin này lại cho anh với.",
            ("nước", "22"),
        ),
        Case("note", "làm ơn nhớ rằng giống xoài trồng sau nhà là xoài cát Hòa Lộc", ("Hòa Lộc",)),
        Case(
            "note",
            "Chị Thảo mượn nồi áp suất từ hôm Tết, em ghi vào sổ giúp chị kẻo quên",
            ("Thảo", "nồi áp suất"),
        ),
        Case("time", "mấy giờ rồi bạn ơi"),
        Case("time", "Cho mình hỏi hôm nay là ngày bao nhiêu?"),
        Case("calc", "15% của 860 là bao nhiêu", ("129",)),
        Case("calc", "Tôi có 925 viên gạch, lát hết 378 viên thì còn lại mấy viên?", ("547",)),
        Case("talk", "Trời mưa rả rích thế này mà có tô bún riêu thì hết sẩy"),
        Case("talk", "vì sao lá cây lại có màu xanh?"),
        Case("talk", "Chào buổi sáng nha, hôm qua mình ngủ ngon lắm luôn"),
        Case("talk", "Ai là tác giả của Truyện Kiều vậy?"),
        Case("trap", "bạn có nhớ hôm trước mình kể gì về cô Hạnh không?"),
        Case("trap", "Có cách nào học thuộc bảng cửu chương nhanh không?"),
        Case(
            "trap", "Cái này đừng ghi lại nha, tôi nói vậy thôi chứ tôi chán ông hàng xóm lắm rồi"
        ),
        Case("trap", "Thời gian nào trong năm đi Sa Pa là đẹp nhất?"),
    ),
    "ko": (
        Case("note", "하윤이 태권도 승급 심사가 11월 8일이라고 적어 둬", ("하윤", "11월 8일")),
        Case("note", "세탁소 전화번호 좀 저장해 주실래요? 031-555-7420이에요", ("031-555-7420",)),
        Case("note", "메모: 거실 커튼 길이 230센티", ("커튼", "230")),
        Case(
            "note",
            "나중에 참고하게 기록해 주세요. 김치냉장고 보증 기간은 2027년 3월까지입니다.",
            ("김치냉장고", "2027년 3월"),
        ),
        Case("note", "기억해줘 민석이 생일선물로 등산화 갖고 싶대", ("민석", "등산화")),
        Case(
            "note",
            "방금 관리사무소에서 연락이 왔는데 다음 주 목요일에 승강기 점검을 한대. 까먹을 것 같으니까 좀 남겨 줄래?",
            ("목요일", "승강기"),
        ),
        Case(
            "note",
            "지난번 제주에서 묵은 펜션 이름이 '돌담별채'였다고 메모 부탁드려요",
            ("제주", "돌담별채"),
        ),
        Case(
            "note",
            "윤 과장님 복숭아 알레르기 있으시다는 거 잊지 않게 기록 좀 해줘",
            ("윤 과장", "복숭아"),
        ),
        Case("time", "오늘이 무슨 요일이더라"),
        Case("time", "오늘이 무슨 요일인지 알려 주시겠어요?"),
        Case("calc", "56000원의 12퍼센트가 얼마예요?", ("6720",)),
        Case("calc", "133 더하기 489 빼기 57은?", ("565",)),
        Case("talk", "오늘 회사 앞에 첫눈이 왔는데 진짜 예쁘더라"),
        Case("talk", "고양이는 왜 골골거리는 거야?"),
        Case("talk", "안녕하세요~ 오늘도 잘 부탁드려요"),
        Case("talk", "훈민정음을 만든 왕이 누구예요?"),
        Case("trap", "내가 저번에 민석이에 대해 뭐라고 했는지 기억나?"),
        Case("trap", "원주율 외우는 좋은 방법 있을까요"),
        Case("trap", "이건 저장하지 말고 그냥 들어만 줘. 요즘 남편이 너무 얄미워"),
        Case("trap", "라면은 보통 몇 분 끓여야 제일 맛있어?"),
    ),
}

ASKED: Final[dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]]] = {
    "en": (
        ("My gym locker is number 417", "what number is my gym locker?", ("417",)),
        (
            "I promised Delphine a jar of honey",
            "Who did I promise a jar of honey to?",
            ("Delphine",),
        ),
        (
            "My train to Leeds leaves from platform 9",
            "Which platform does my train to Leeds go from?",
            ("9",),
        ),
    ),
    "es": (
        ("Mi grupo sanguíneo es AB negativo", "¿cuál es mi grupo sanguíneo?", ("AB", "negativo")),
        ("Dejé el paraguas en casa de Casilda", "¿Dónde me dejé el paraguas?", ("Casilda",)),
        ("Mi clase de cerámica es los jueves", "qué día tengo clase de cerámica", ("jueves",)),
    ),
    "ja": (
        ("私の歯医者は桜井クリニックです", "私の歯医者はどこだっけ?", ("桜井",)),
        ("炊飯器は8万円で買った", "炊飯器いくらで買ったか教えて", ("8万",)),
        ("うちの犬の名前はきなこ", "うちの犬の名前は何でしょう", ("きなこ",)),
    ),
    "vi": (
        ("Con gái tôi học lớp 4B", "Con gái tôi học lớp nào?", ("4B",)),
        ("Mình gửi cây mai ở nhà bác Lương", "mình gửi cây mai ở nhà ai nhỉ", ("Lương",)),
        ("Tôi hẹn khám mắt vào thứ Tư", "Tôi hẹn khám mắt hôm nào vậy?", ("Tư",)),
    ),
    "ko": (
        ("내 사물함 번호는 253번이야", "내 사물함 번호가 몇 번이지?", ("253",)),
        ("나는 정형외과를 서진병원으로 다녀", "내가 다니는 정형외과가 어디야?", ("서진",)),
        ("우리 딸은 첼로를 배워요", "우리 딸이 배우는 악기가 뭐였죠?", ("첼로",)),
    ),
}
