"""More messages for measuring the text lane, half of them traps, written by us in five languages.

`PROBED` was looked at while the teaching was written, `CHECKED` was run to compare what it came to.
The lines are read as those of `lane_messages`.
"""

from tests.benchmarks.lane_messages import cases_of

__all__ = ["CHECKED", "PROBED"]

PROBED = cases_of("""
trap | Do you remember who painted the Mona Lisa?
trap | Do you remember my name?
trap | How do I memorise a long poem?
trap | What did you note about me?
trap | Can you remember things between our chats?
trap | My cousin moved to Oslo last year.
trap | Which note comes after G on a piano?
trap | I forgot my umbrella again today.
trap | Should I write down my dreams?
trap | How much money should I save each month?
trap | Don't keep this, but I hate my new haircut.
trap | Remind me what photosynthesis is.
talk | Good morning!
talk | Give me three ideas for dinner.
note | Remember this please: Anna's train gets in at 18:20. | Anna,18:20
note | Jot down that the printer code is 7719. | 7719
note | I'd like you to remember that I can't stand coriander. | coriander
note | My doctor is Dr. Lim, please keep that. | Lim
note | Save: rent is due on the 5th | rent,5th
note | Can you make a note that Paul owes me 40 euros? | Paul,40
time | What's the time?
time | What day of the week is it?
calc | 15% of 240 is how much? | 36
calc | What do I get when I add 129 and 388? | 517
trap | ¿Te acuerdas de quién pintó las Meninas?
trap | ¿Recuerdas cómo me llamo?
trap | ¿Cómo memorizo un discurso largo?
trap | ¿Qué has anotado sobre mí?
trap | ¿Puedes guardar cosas entre conversaciones?
trap | Mi primo se mudó a Oslo el año pasado.
trap | ¿Qué nota sigue a sol en el piano?
trap | Hoy se me olvidó otra vez el paraguas.
trap | ¿Cuánto dinero debería ahorrar al mes?
trap | Esto no lo guardes: no soporto mi nuevo peinado.
talk | ¡Buenos días!
talk | Dame tres ideas para cenar.
note | Recuerda esto: el tren de Ana llega a las 18:20. | Ana,18:20
note | Toma nota de que el código de la impresora es 7719. | 7719
note | Quiero que recuerdes que no soporto el cilantro. | cilantro
note | Mi médico es el doctor Lima, no lo olvides. | Lima
note | Guarda que el alquiler se paga el día 5. | alquiler,5
note | ¿Puedes apuntar que Pablo me debe 40 euros? | Pablo,40
time | ¿Qué día es hoy?
time | Dime la hora.
calc | ¿Cuánto es el 15% de 240? | 36
calc | Suma 129 y 388. | 517
trap | モナリザを描いたのは誰か覚えてる？
trap | 私の名前を覚えていますか？
trap | 長いスピーチを暗記するにはどうすればいい？
trap | 私について何をメモしましたか？
trap | 会話の内容を覚えておくことはできますか？
trap | いとこが去年オスロに引っ越しました。
trap | 良いメモの取り方を教えてください。
trap | 今日また傘を忘れちゃった。
trap | 毎月いくら貯金すればいいと思う？
trap | これは記録しないでね。新しい髪型が嫌いなんだ。
talk | おはようございます！
talk | 夕飯のアイデアを三つください。
note | アンナの電車は18時20分に着くと覚えておいて。 | アンナ,18時20分
note | プリンターの暗証番号は7719だとメモしてください。 | 7719
note | パクチーが苦手だということを覚えていてほしい。 | パクチー
note | 主治医は林先生です。忘れないでください。 | 林
note | 家賃は5日払い、と保存しておいて。 | 家賃,5日
note | ポールに40ユーロ貸している、と書き留めて。 | 40
time | 今日は何曜日？
time | 現在の時刻を教えて。
calc | 240の15%はいくら？ | 36
calc | 129と388を足して。 | 517
trap | Bạn có nhớ ai vẽ bức Mona Lisa không?
trap | Bạn còn nhớ tên tôi không?
trap | Làm thế nào để học thuộc một bài thơ dài?
trap | Bạn đã ghi chú gì về tôi?
trap | Bạn có thể ghi nhớ mọi thứ giữa các lần nói chuyện không?
trap | Anh họ tôi chuyển đến Oslo năm ngoái.
trap | Có nên ghi lại giấc mơ không?
trap | Hôm nay tôi lại quên ô ở nhà rồi.
trap | Mỗi tháng nên để dành bao nhiêu tiền?
trap | Đừng ghi lại nhé, nhưng tôi ghét kiểu tóc mới của mình.
talk | Chào buổi sáng!
talk | Cho tôi ba ý tưởng cho bữa tối.
note | Nhớ nhé: tàu của Anna đến lúc 18:20. | Anna,18:20
note | Ghi chú lại mã máy in là 7719. | 7719
note | Tôi muốn bạn nhớ rằng tôi không ăn được rau mùi. | rau mùi
note | Bác sĩ của tôi là bác sĩ Lâm, đừng quên nhé. | Lâm
note | Lưu giúp tôi: tiền nhà trả ngày 5. | ngày 5
note | Bạn ghi lại là Paul nợ tôi 40 euro được không? | Paul,40
time | Hôm nay là thứ mấy?
time | Mấy giờ rồi?
calc | 15% của 240 là bao nhiêu? | 36
calc | Cộng 129 với 388. | 517
trap | 모나리자를 누가 그렸는지 기억해?
trap | 내 이름 기억하고 있어?
trap | 긴 시를 어떻게 외우면 좋을까?
trap | 나에 대해 뭐라고 메모했어?
trap | 대화 내용을 계속 기억할 수 있어?
trap | 사촌이 작년에 오슬로로 이사했어.
trap | 메모를 잘하는 방법이 뭐야?
trap | 오늘 또 우산을 잊어버렸어.
trap | 한 달에 얼마씩 저축해야 할까?
trap | 이건 기록하지 말아 줘. 새 머리가 마음에 안 들어.
talk | 좋은 아침이에요!
talk | 저녁 메뉴 세 가지만 추천해 줘.
note | 안나의 기차가 18시 20분에 도착한다고 기억해 줘. | 안나,18시 20분
note | 프린터 비밀번호는 7719라고 메모해 주세요. | 7719
note | 내가 고수를 못 먹는다는 걸 기억해 줬으면 해. | 고수
note | 내 주치의는 임 선생님이야. 잊지 말아 줘. | 임 선생님
note | 월세는 5일에 낸다고 저장해 둬. | 월세,5일
note | 폴이 나한테 40유로 빚졌다고 적어 줄래? | 40유로
time | 오늘 무슨 요일이야?
time | 현재 시각을 알려 줘.
calc | 240의 15%는 얼마야? | 36
calc | 129하고 388을 더해 줘. | 517
""")

CHECKED = cases_of("""
trap | Do you remember what year the Berlin Wall fell?
trap | Do you remember what I said about my boss?
trap | What's the best way to remember vocabulary?
trap | Have you saved anything about my family?
trap | Do you keep notes on me?
trap | I grew up in a small town near Leeds.
trap | What does "keep in mind" mean?
trap | I can't remember where I put my keys.
trap | Where are notes saved on an iPhone?
trap | You don't need to remember this: I'm in a bad mood.
trap | Do you remember the chorus of Yesterday?
trap | I remember my first day at school well.
talk | Hi, how are you doing?
talk | Write a short note of thanks to my teacher.
note | Please keep in mind that my mother only speaks Polish. | Polish
note | note to self: tyres need 2.4 bar | 2.4
note | The spare key is under the blue pot. Don't forget it. | blue pot
note | Would you remember that I'm left-handed? | left-handed
time | Is it already past noon?
calc | Divide 1728 by 12. | 144
trap | ¿Recuerdas en qué año cayó el muro de Berlín?
trap | ¿Recuerdas lo que dije de mi jefe?
trap | ¿Cuál es la mejor forma de aprender vocabulario?
trap | ¿Has guardado algo sobre mi familia?
trap | Crecí en un pueblo cerca de Toledo.
trap | ¿Qué significa "tener en cuenta"?
trap | No recuerdo dónde dejé las llaves.
trap | ¿Dónde se guardan las notas en el móvil?
trap | No hace falta que recuerdes esto: estoy de mal humor.
trap | Recuérdame qué es la fotosíntesis.
talk | Hola, ¿qué tal?
talk | Escribe una nota de agradecimiento para mi profesora.
note | Ten presente que mi madre solo habla polaco. | polaco
note | La llave de repuesto está bajo la maceta azul, que no se te olvide. | maceta azul
note | Anótalo: los neumáticos van a 2,4 bares | 2,4
note | ¿Podrías recordar que soy zurdo? | zurdo
time | ¿Ya es mediodía?
calc | Divide 1728 entre 12. | 144
trap | ベルリンの壁が崩れた年を覚えていますか？
trap | 上司について私が言ったこと、覚えてる？
trap | 英単語を忘れない方法はありますか？
trap | 私の家族について何か保存していますか？
trap | 私は仙台の近くの小さな町で育ちました。
trap | 「念頭に置く」とはどういう意味？
trap | 鍵をどこに置いたか思い出せない。
trap | スマホのメモはどこに保存されますか？
trap | これは覚えなくていいけど、今日は機嫌が悪い。
trap | 光合成って何だったか思い出させて。
talk | こんにちは、元気ですか？
talk | 先生へのお礼の一言を書いて。
note | 母はポーランド語しか話せないと覚えておいてください。 | ポーランド語
note | 予備の鍵は青い鉢の下。忘れないで。 | 青い鉢
note | タイヤの空気圧は2.4、と記録しておいて。 | 2.4
note | 私が左利きだと覚えておいてくれる？ | 左利き
time | もうお昼を過ぎましたか？
calc | 1728を12で割って。 | 144
trap | Bạn có nhớ bức tường Berlin sụp đổ năm nào không?
trap | Bạn có nhớ tôi nói gì về sếp không?
trap | Cách nào để không quên từ mới?
trap | Bạn đã lưu gì về gia đình tôi chưa?
trap | Tôi lớn lên ở một thị trấn nhỏ gần Huế.
trap | "Ghi nhớ" tiếng Anh là gì?
trap | Tôi không nhớ mình để chìa khóa ở đâu.
trap | Ghi chú trên điện thoại được lưu ở đâu?
trap | Không cần nhớ điều này đâu: hôm nay tôi bực mình.
trap | Nhắc lại cho tôi quang hợp là gì.
talk | Xin chào, bạn khỏe không?
talk | Viết một lời cảm ơn ngắn gửi cô giáo.
note | Hãy ghi nhớ mẹ tôi chỉ nói tiếng Ba Lan. | Ba Lan
note | Chìa khóa dự phòng ở dưới chậu xanh, đừng quên. | chậu xanh
note | Ghi vào: lốp xe bơm 2.4 | 2.4
note | Bạn nhớ giúp tôi là tôi thuận tay trái nhé? | tay trái
time | Đã quá trưa chưa?
calc | Lấy 1728 chia cho 12. | 144
trap | 베를린 장벽이 무너진 해를 기억하니?
trap | 내가 상사에 대해 한 말 기억나?
trap | 영어 단어를 안 잊어버리는 방법이 있을까?
trap | 우리 가족에 대해 저장해 둔 게 있어?
trap | 나는 강릉 근처 작은 마을에서 자랐어.
trap | "명심하다"는 무슨 뜻이야?
trap | 열쇠를 어디에 뒀는지 기억이 안 나.
trap | 휴대폰 메모는 어디에 저장돼?
trap | 이건 기억할 필요 없어. 오늘 기분이 안 좋아.
trap | 광합성이 뭔지 다시 알려 줘.
talk | 안녕, 잘 지냈어?
talk | 선생님께 드릴 짧은 감사 인사를 써 줘.
note | 우리 엄마는 폴란드어만 하신다는 걸 기억해 주세요. | 폴란드어
note | 여분 열쇠는 파란 화분 밑에 있어. 잊지 마. | 파란 화분
note | 타이어 공기압은 2.4라고 기록해 둬. | 2.4
note | 내가 왼손잡이라는 거 기억해 줄래? | 왼손잡이
time | 벌써 정오가 지났어?
calc | 1728을 12로 나눠 줘. | 144
""")
