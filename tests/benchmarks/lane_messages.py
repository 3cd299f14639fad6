"""Messages for measuring the text lane, written by us in five languages.

`kind`: `note` wants memory_note with the words in `keeps` (so it was not translated), `time` and
`calc` that tool, `talk` and `trap` a reply; a trap looks like a request to save and is none.
`TUNED` was looked at while the teaching was written, `HELD` was not.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["note", "time", "calc", "talk", "trap"]


@dataclass(frozen=True, slots=True)
class Case:
    kind: Kind
    text: str
    keeps: tuple[str, ...] = ()


def cases_of(text: str) -> tuple[Case, ...]:
    """Read lines `kind | message | kept words separated by commas`."""
    cases = []
    for line in text.strip().splitlines():
        kind, message, *kept = (part.strip() for part in line.split("|"))
        words = tuple(word.strip() for word in kept[0].split(",")) if kept else ()
        cases.append(Case(kind, message, words))  # type: ignore[arg-type]
    return tuple(cases)


TUNED = cases_of("""
note | Remember that my locker number is 52. | locker,52
note | Please note: the plumber comes on Friday at nine. | plumber,Friday
note | Don't forget I'm vegetarian. | vegetarian
note | Can you keep in mind that my boss is called Irene? | Irene
note | Save this for later: the wifi password is blue-lake-7 | blue-lake-7
note | My favourite colour is green, remember that. | green
note | I want you to remember our anniversary is on May 3rd | May 3
note | Make a note that Tom is away until Monday. | Tom,Monday
trap | Don't save this, but I think my neighbour is odd.
trap | I can never remember names.
trap | Do you remember what I told you?
trap | How do I save a file in vim?
talk | Hello, who are you?
talk | What is the capital of France?
talk | I had a long day at work.
talk | Write me a two-line poem about rain.
time | What time is it now?
time | Which day is it today?
calc | What is 17 times 23?
calc | How much is (120 + 45) / 3?
note | Recuerda que mi taquilla es la 52. | taquilla,52
note | Anota que el fontanero viene el viernes. | fontanero,viernes
note | No olvides que soy vegetariana. | vegetariana
note | Guarda esto: la clave del wifi es lago-azul-7 | lago-azul-7
note | Ten en cuenta que mi jefa se llama Irene. | Irene
trap | No apuntes esto: mi vecino es raro.
trap | ¿Recuerdas lo que te dije ayer?
talk | ¿Cuál es la capital de Francia?
talk | Hoy he tenido un día muy largo.
time | ¿Qué hora es?
calc | ¿Cuánto es 17 por 23?
note | ロッカーの番号は52番だと覚えておいて。 | ロッカー,52
note | メモして：金曜日に配管工が来る。 | 金曜,配管工
note | 私がベジタリアンだということを忘れないで。 | ベジタリアン
note | 上司の名前は中村さんだから覚えといてね。 | 中村
note | Wi-Fiのパスワードは blue-lake-7 です。保存してください。 | blue-lake-7
trap | これは保存しないで。隣の人が苦手なんだ。
trap | 人の名前が覚えられないんだ。
talk | フランスの首都はどこですか？
talk | 今日は仕事が長くて疲れた。
time | 今何時？
calc | 17かける23はいくつ？
note | Hãy nhớ tủ của tôi là số 52. | tủ,52
note | Ghi lại giúp tôi: thứ Sáu thợ sửa ống nước đến. | thứ Sáu
note | Đừng quên là tôi ăn chay nhé. | ăn chay
note | Nhớ giùm mình sếp tên là Lan. | Lan
note | Lưu lại: mật khẩu wifi là ho-xanh-7 | ho-xanh-7
trap | Đừng lưu điều này: hàng xóm của tôi hơi lạ.
trap | Bạn có nhớ tôi đã nói gì không?
talk | Thủ đô của Pháp là gì?
talk | Hôm nay tôi làm việc mệt quá.
time | Bây giờ là mấy giờ?
calc | 17 nhân 23 bằng bao nhiêu?
note | 내 사물함 번호는 52번이라고 기억해 줘. | 사물함,52
note | 메모해 줘: 금요일에 배관공이 와. | 금요일,배관공
note | 내가 채식주의자라는 거 잊지 마. | 채식
note | 우리 팀장님 이름은 김지수야. 기억해. | 김지수
note | 와이파이 비밀번호는 blue-lake-7이야, 저장해 줘. | blue-lake-7
trap | 이건 저장하지 마. 옆집 사람이 좀 이상해.
trap | 나는 사람 이름을 잘 기억 못 해.
talk | 프랑스의 수도는 어디야?
talk | 오늘 일이 너무 길어서 피곤해.
time | 지금 몇 시야?
calc | 17 곱하기 23은 얼마야?
""")

HELD = cases_of("""
note | Remember, my flight leaves at 6:40 on Sunday. | 6:40,Sunday
note | Note that I parked on level 3. | level 3
note | Please don't forget that grandma can't eat gluten. | gluten
note | For the record, keep this: invoice 8841 is still open. | 8841
note | I take my coffee without sugar. Remember it, please. | coffee,sugar
note | Could you write down that the dentist is at Elm Street 9? | Elm Street 9
note | Store the fact that my daughter's school ends at 13:15. | 13:15
note | Keep in mind for next time that I prefer short answers. | short answers
trap | Never mind saving it, I just wanted to say I'm happy.
trap | Forget it, don't note that down.
trap | What notes do you have about me?
trap | Is it hard to remember passwords?
talk | Can you suggest a name for a cat?
talk | Thanks, that was helpful!
talk | Why is the sky blue?
talk | I bought a new bicycle yesterday.
time | Could you tell me the current time?
time | What's today's date?
calc | Calculate 980 - 145
calc | If I pay 12.50 four times, how much is that?
note | Recuerda, mi vuelo sale a las 6:40 el domingo. | vuelo,6:40
note | Apunta que aparqué en la planta 3. | planta 3
note | Por favor, no olvides que la abuela no puede comer gluten. | gluten
note | Quédate con este dato: la factura 8841 sigue abierta. | 8841
note | Tomo el café sin azúcar, recuérdalo. | café,azúcar
trap | Olvídalo, no lo anotes.
trap | ¿Es difícil recordar contraseñas?
talk | ¿Me sugieres un nombre para un gato?
talk | Ayer me compré una bicicleta nueva.
time | ¿Me dices la hora, por favor?
calc | Calcula 980 menos 145
note | 日曜の6時40分の便だって覚えておいてください。 | 6時40分
note | 車は3階に停めたとメモしておいて。 | 3階
note | おばあちゃんはグルテンがだめなんだ、忘れないでね。 | グルテン
note | 請求書8841はまだ未払い、と記録して。 | 8841
note | コーヒーは砂糖なしが好き。覚えておいて。 | コーヒー,砂糖
trap | やっぱりいいや、メモしなくていいよ。
trap | パスワードを覚えるのは難しい？
talk | 猫の名前を考えてくれる？
talk | 昨日新しい自転車を買ったよ。
time | 今日は何月何日ですか？
calc | 980引く145を計算して
note | Nhớ là chuyến bay của tôi cất cánh lúc 6:40 Chủ nhật. | 6:40
note | Ghi chú giúp: tôi đỗ xe ở tầng 3. | tầng 3
note | Đừng quên bà không ăn được gluten. | gluten
note | Hãy lưu ý hóa đơn 8841 vẫn chưa thanh toán. | 8841
note | Tôi uống cà phê không đường, nhớ nhé. | cà phê
trap | Thôi, không cần ghi lại đâu.
trap | Nhớ mật khẩu có khó không?
talk | Gợi ý cho tôi một cái tên cho mèo nhé?
talk | Hôm qua tôi mua xe đạp mới.
time | Cho tôi biết giờ hiện tại.
calc | Tính 980 trừ 145
note | 일요일 6시 40분 비행기라는 거 기억해 줘. | 6시 40분
note | 3층에 주차했다고 적어 둬. | 3층
note | 할머니는 글루텐을 못 드셔. 잊지 말아 줘. | 글루텐
note | 청구서 8841이 아직 미납이라고 기록해 줘. | 8841
note | 나는 커피에 설탕을 안 넣어, 기억해 둬. | 커피,설탕
trap | 됐어, 메모 안 해도 돼.
trap | 비밀번호를 기억하는 건 어려워?
talk | 고양이 이름 하나 추천해 줄래?
talk | 어제 새 자전거를 샀어.
time | 지금 시간 좀 알려 줘.
calc | 980 빼기 145를 계산해 줘
""")
