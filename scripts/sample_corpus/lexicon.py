"""Words of the sample corpus: one English word for each Korean word, in one sense."""

from english import Verb
from korean import Predicate


class Noun:
    def __init__(self, ko, en, plural="", counter=None):
        """plural: "" is regular, None has no plural (mass). counter: (Korean, English measure)."""
        self.ko, self.en, self.counter = ko, en, counter
        self.plural = plural if plural != "" else regular_plural(en)


def regular_plural(en):
    if en.endswith(("s", "sh", "ch", "x")):
        return en + "es"
    if en.endswith("y") and en[-2] not in "aeiou":
        return en[:-1] + "ies"
    return en + "s"


def nouns(text, counter=None):
    """Lines "ko en [plural]"; '_' for a space, '-' for no plural."""
    result = []
    for line in text.split(","):
        parts = [part.replace("_", " ") for part in line.split()]
        plural = parts[2] if len(parts) > 2 else ""
        result.append(Noun(parts[0], parts[1], None if plural == "-" else plural, counter))
    return result


PIECE = ("개", "")
FOOD = (nouns("사과 apple, 바나나 banana, 오렌지 orange, 빵 loaf loaves, 달걀 egg, 샌드위치 sandwich,"
              "과자 cookie, 토마토 tomato tomatoes, 감자 potato potatoes, 사탕 candy, 딸기 strawberry,"
              "당근 carrot", PIECE)
        + nouns("밥 rice -, 고기 meat -, 김치 kimchi -, 국수 noodle_soup -, 치즈 cheese -, 수박 watermelon"))
DRINK = (nouns("커피 coffee -, 차 tea -", ("잔", "cup"))
         + nouns("우유 milk -, 주스 juice -, 맥주 beer -, 물 water -", ("병", "bottle")))
READING = (nouns("책 book, 잡지 magazine, 소설 novel, 사전 dictionary, 만화책 comic_book", ("권", ""))
           + nouns("신문 newspaper, 편지 letter, 기사 article"))
WRITING = nouns("편지 letter, 일기 diary, 이메일 email, 보고서 report, 시 poem, 이야기 story")
WATCHING = nouns("영화 movie, 드라마 drama, 뉴스 news -, 연극 play, 경기 game, 사진 picture")
MUSIC = nouns("음악 music -, 노래 song, 라디오 radio")
GOODS = (nouns("가방 bag, 시계 watch, 우산 umbrella, 모자 hat, 컵 cup, 의자 chair, 연필 pencil,"
               "상자 box, 열쇠 key, 지갑 wallet, 공 ball, 인형 doll, 베개 pillow,"
               "선물 present, 전화기 phone, 램프 lamp, 거울 mirror, 칼 knife knives", PIECE)
         + nouns("컴퓨터 computer, 자전거 bicycle, 카메라 camera, 자동차 car, 텔레비전 television", ("대", ""))
         + nouns("표 ticket, 그림 painting, 엽서 postcard, 지도 map", ("장", ""))
         + nouns("꽃 flower, 장미 rose", ("송이", ""))
         + nouns("셔츠 shirt, 코트 coat, 치마 skirt", ("벌", ""))
         + nouns("공책 notebook", ("권", "")))
ANIMALS = nouns("고양이 cat, 개 dog, 새 bird, 말 horse, 물고기 fish fish, 토끼 rabbit, 소 cow, 돼지 pig,"
                "양 sheep sheep, 원숭이 monkey", ("마리", ""))
PEOPLE = nouns("학생 student, 선생님 teacher, 의사 doctor, 간호사 nurse, 요리사 cook, 가수 singer,"
               "배우 actor, 경찰관 police_officer, 농부 farmer, 화가 painter, 작가 writer, 운전사 driver,"
               "아이 child children, 남자 man men, 여자 woman women, 친구 friend, 이웃 neighbor,"
               "손님 guest, 변호사 lawyer, 기자 reporter, 군인 soldier, 과학자 scientist", ("명", ""))
FAMILY = nouns("어머니 mother, 아버지 father, 형 brother, 여동생 sister, 할머니 grandmother,"
               "할아버지 grandfather, 아들 son, 딸 daughter, 삼촌 uncle, 사촌 cousin")
# Whom one can call one's own.
OWNED_PEOPLE = {"friend", "neighbor", "teacher", "doctor", "guest", "driver", "cook"}
FEMALE = {"mother", "sister", "grandmother", "daughter", "woman"}
PLACES = nouns("학교 school, 도서관 library, 공원 park, 병원 hospital, 은행 bank, 시장 market,"
               "식당 restaurant, 박물관 museum, 극장 theater, 우체국 post_office, 공항 airport,"
               "호텔 hotel, 카페 cafe, 회사 office, 교실 classroom, 부엌 kitchen, 정원 garden,"
               "해변 beach beaches, 서점 bookstore, 수영장 swimming_pool, 체육관 gym, 기차역 train_station")
INSIDE = {"library", "park", "museum", "restaurant", "cafe", "classroom", "kitchen", "garden",
          "hospital", "theater"}


def at(place):
    return ("in the " if place.en in INSIDE else "at the ") + place.en


CITIES = [("서울", "Seoul"), ("부산", "Busan"), ("제주도", "Jeju"), ("파리", "Paris"),
          ("런던", "London"), ("도쿄", "Tokyo"), ("한국", "Korea"), ("미국", "America"),
          ("독일", "Germany"), ("중국", "China")]
FURNITURE = nouns("책상 desk, 침대 bed, 탁자 table, 문 door, 나무 tree, 소파 sofa, 창문 window, 냉장고 refrigerator")
LANGUAGES = nouns("한국어 Korean -, 영어 English -, 독일어 German -, 수학 mathematics -, 역사 history -,"
                  "과학 science -, 중국어 Chinese -")
SPORTS = nouns("축구 soccer -, 야구 baseball -, 농구 basketball -, 테니스 tennis -, 배구 volleyball -")
INSTRUMENTS = nouns("피아노 piano, 기타 guitar, 바이올린 violin")
ABSTRACT = LANGUAGES + SPORTS  # no one of a kind: neither this nor a new one
VEHICLES = [("버스", "bus"), ("기차", "train"), ("택시", "taxi"), ("지하철", "subway"),
            ("비행기", "plane"), ("배", "ship"), ("자전거", "bicycle")]
NAMES = [("민수", "Minsu", "he"), ("준호", "Junho", "he"), ("영호", "Youngho", "he"),
         ("동현", "Donghyun", "he"), ("지영", "Jiyoung", "she"), ("수진", "Sujin", "she"),
         ("은지", "Eunji", "she"), ("미나", "Mina", "she"), ("하나", "Hana", "she"), ("톰", "Tom", "he")]

# Korean predicate, English verb, what its object can be.
TRANSITIVE = [
    (Predicate("먹", "먹어"), Verb("eat", "ate"), FOOD),
    (Predicate("마시", "마셔"), Verb("drink", "drank"), DRINK),
    (Predicate("읽", "읽어"), Verb("read", "read"), READING),
    (Predicate("쓰", "써"), Verb("write", "wrote"), WRITING),
    (Predicate("보", "봐"), Verb("watch", "watched"), WATCHING),
    (Predicate("듣", "들어", "들으"), Verb("listen to", "listened"), MUSIC),
    (Predicate("사", "사"), Verb("buy", "bought"), GOODS + FOOD),
    (Predicate("팔", "팔아"), Verb("sell", "sold"), GOODS),
    (Predicate("만들", "만들어"), Verb("make", "made"), FOOD[3:7] + GOODS[5:12]),
    (Predicate("찾", "찾아"), Verb("look for", "looked"), GOODS + PEOPLE),
    (Predicate("잃어버리", "잃어버려"), Verb("lose", "lost"), GOODS),
    (Predicate("고치", "고쳐"), Verb("repair", "repaired"), GOODS[-16:-11] + GOODS[:6]),
    (Predicate("씻", "씻어"), Verb("wash", "washed"), FOOD[:3] + GOODS[4:5]),
    (Predicate("그리", "그려"), Verb("draw", "drew"), ANIMALS + PEOPLE),
    (Predicate("만나", "만나"), Verb("meet", "met"), PEOPLE),
    (Predicate("돕", "도와", "도우"), Verb("help", "helped"), PEOPLE),
    (Predicate("기다리", "기다려"), Verb("wait for", "waited"), PEOPLE),
    (Predicate("부르", "불러"), Verb("call", "called"), PEOPLE),
    (Predicate("초대하", "초대해"), Verb("invite", "invited"), PEOPLE),
    (Predicate("기르", "길러"), Verb("raise", "raised"), ANIMALS),
    (Predicate("배우", "배워"), Verb("learn", "learned"), LANGUAGES),
    (Predicate("공부하", "공부해"), Verb("study", "studied"), LANGUAGES),
    (Predicate("가르치", "가르쳐"), Verb("teach", "taught"), LANGUAGES),
    (Predicate("연습하", "연습해"), Verb("practice", "practiced"), SPORTS + INSTRUMENTS),
    (Predicate("요리하", "요리해"), Verb("cook", "cooked"), FOOD[-6:-1]),
    (Predicate("청소하", "청소해"), Verb("clean", "cleaned"), PLACES),
    (Predicate("가져오", "가져와"), Verb("bring", "brought"), GOODS + FOOD),
    (Predicate("빌리", "빌려"), Verb("borrow", "borrowed"), GOODS + READING[:5]),
    (Predicate("열", "열어"), Verb("open", "opened"), FURNITURE[3:4] + FURNITURE[6:] + GOODS[7:8]),
    (Predicate("닫", "닫아"), Verb("close", "closed"), FURNITURE[3:4] + FURNITURE[6:] + GOODS[7:8]),
    (Predicate("고르", "골라"), Verb("choose", "chose"), GOODS),
    (Predicate("바꾸", "바꿔"), Verb("change", "changed"), GOODS),
    (Predicate("입", "입어"), Verb("wear", "wore"), [n for n in GOODS if n.counter == ("벌", "")]),
    (Predicate("사용하", "사용해"), Verb("use", "used"), GOODS),
    (Predicate("끓이", "끓여"), Verb("boil", "boiled"), DRINK[1:2] + DRINK[-1:] + FOOD[4:5]),
    (Predicate("자르", "잘라"), Verb("cut", "cut"), FOOD[:3] + FOOD[-1:]),
    (Predicate("찍", "찍어"), Verb("take", "took"), WATCHING[-1:]),
]
# Verbs that like or dislike a whole kind: the bare object is an English plural.
GENERIC = [
    (Predicate("좋아하", "좋아해"), Verb("like", "liked")),
    (Predicate("싫어하", "싫어해"), Verb("hate", "hated")),
]
GENERIC_OBJECTS = FOOD[:12] + DRINK + ANIMALS + LANGUAGES + SPORTS + WATCHING[:2] + MUSIC[:1]
GIVING = [
    (Predicate("주", "줘"), Verb("give", "gave")),
    (Predicate("보내", "보내"), Verb("send", "sent")),
    (Predicate("보여 주", "보여 줘"), Verb("show", "showed")),
    (Predicate("빌려주", "빌려줘"), Verb("lend", "lent")),
]
MOTION = [
    (Predicate("가", "가"), Verb("go", "went")),
    (Predicate("오", "와"), Verb("come", "came")),
    (Predicate("뛰어가", "뛰어가"), Verb("run", "ran")),
    (Predicate("걸어가", "걸어가"), Verb("walk", "walked")),
    (Predicate("돌아가", "돌아가"), Verb("return", "returned")),
]
ACTIVITY = [
    (Predicate("일하", "일해"), Verb("work", "worked")),
    (Predicate("쉬", "쉬어"), Verb("rest", "rested")),
    (Predicate("놀", "놀아"), Verb("play", "played")),
    (Predicate("노래하", "노래해"), Verb("sing", "sang")),
    (Predicate("춤추", "춤춰"), Verb("dance", "danced")),
    (Predicate("자", "자"), Verb("sleep", "slept")),
    (Predicate("울", "울어"), Verb("cry", "cried")),
    (Predicate("웃", "웃어"), Verb("laugh", "laughed")),
    (Predicate("이야기하", "이야기해"), Verb("talk", "talked")),
    (Predicate("운동하", "운동해"), Verb("exercise", "exercised")),
]
SWIMMING = (Predicate("수영하", "수영해"), Verb("swim", "swam"))
SWIMMING_PLACES = [n for n in PLACES if n.en in ("beach", "swimming pool")]
# Korean, English, comparative, what it is said of.
_P, _T, _A = PEOPLE + FAMILY, GOODS, ANIMALS
ADJECTIVES = [
    (Predicate("크", "커", kind="adjective"), "big", "bigger", _T + _A),
    (Predicate("작", "작아", kind="adjective"), "small", "smaller", _T + _A),
    (Predicate("비싸", "비싸", kind="adjective"), "expensive", "more expensive", _T),
    (Predicate("싸", "싸", kind="adjective"), "cheap", "cheaper", _T),
    (Predicate("무겁", "무거워", "무거우", "adjective"), "heavy", "heavier", _T),
    (Predicate("가볍", "가벼워", "가벼우", "adjective"), "light", "lighter", _T),
    (Predicate("예쁘", "예뻐", kind="adjective"), "pretty", "prettier", _T + _A),
    (Predicate("새롭", "새로워", "새로우", "adjective"), "new", "newer", _T),
    (Predicate("낡", "낡아", kind="adjective"), "old", "older", _T),
    (Predicate("빨갛", "빨개", "빨가", "adjective"), "red", "redder", _T),
    (Predicate("하얗", "하얘", "하야", "adjective"), "white", "whiter", _T + _A),
    (Predicate("까맣", "까매", "까마", "adjective"), "black", "blacker", _T + _A),
    (Predicate("깨끗하", "깨끗해", kind="adjective"), "clean", "cleaner", _T + PLACES),
    (Predicate("더럽", "더러워", "더러우", "adjective"), "dirty", "dirtier", _T),
    (Predicate("튼튼하", "튼튼해", kind="adjective"), "strong", "stronger", _T),
    (Predicate("맛있", "맛있어", kind="existence"), "delicious", "more delicious", FOOD),
    (Predicate("달", "달아", kind="adjective"), "sweet", "sweeter", FOOD[:8]),
    (Predicate("뜨겁", "뜨거워", "뜨거우", "adjective"), "hot", "hotter", DRINK),
    (Predicate("차갑", "차가워", "차가우", "adjective"), "cold", "colder", DRINK),
    (Predicate("재미있", "재미있어", kind="existence"), "interesting", "more interesting", READING + WATCHING[:5]),
    (Predicate("지루하", "지루해", kind="adjective"), "boring", "more boring", READING + WATCHING[:5]),
    (Predicate("길", "길어", kind="adjective"), "long", "longer", READING + WATCHING[:2]),
    (Predicate("짧", "짧아", kind="adjective"), "short", "shorter", READING + WATCHING[:2]),
    (Predicate("어렵", "어려워", "어려우", "adjective"), "difficult", "more difficult", READING),
    (Predicate("쉽", "쉬워", "쉬우", "adjective"), "easy", "easier", READING),
    (Predicate("바쁘", "바빠", kind="adjective"), "busy", "busier", _P),
    (Predicate("친절하", "친절해", kind="adjective"), "kind", "kinder", _P),
    (Predicate("똑똑하", "똑똑해", kind="adjective"), "smart", "smarter", _P + _A),
    (Predicate("행복하", "행복해", kind="adjective"), "happy", "happier", _P),
    (Predicate("슬프", "슬퍼", kind="adjective"), "sad", "sadder", _P),
    (Predicate("피곤하", "피곤해", kind="adjective"), "tired", "more tired", _P),
    (Predicate("유명하", "유명해", kind="adjective"), "famous", "more famous", _P + PLACES),
    (Predicate("젊", "젊어", kind="adjective"), "young", "younger", PEOPLE),
    (Predicate("아프", "아파", kind="adjective"), "sick", "sicker", _P + _A),
    (Predicate("조용하", "조용해", kind="adjective"), "quiet", "quieter", PLACES + _P),
    (Predicate("넓", "넓어", kind="adjective"), "wide", "wider", PLACES),
    (Predicate("아름답", "아름다워", "아름다우", "adjective"), "beautiful", "more beautiful", PLACES),
]
NATIVE = [("두", "two"), ("세", "three"), ("네", "four"), ("다섯", "five"), ("여섯", "six"),
          ("일곱", "seven"), ("여덟", "eight"), ("아홉", "nine"), ("열", "ten")]
HOURS = [("한", "one")] + NATIVE + [("열한", "eleven"), ("열두", "twelve")]
SINO = [("이", "two"), ("삼", "three"), ("사", "four"), ("오", "five"), ("육", "six"),
        ("칠", "seven"), ("팔", "eight"), ("구", "nine"), ("십", "ten")]
MONTHS = [("일월", "January"), ("이월", "February"), ("삼월", "March"), ("사월", "April"),
          ("오월", "May"), ("유월", "June"), ("칠월", "July"), ("팔월", "August"),
          ("구월", "September"), ("시월", "October"), ("십일월", "November"), ("십이월", "December")]
PRICES = [("천", "one thousand"), ("이천", "two thousand"), ("삼천", "three thousand"),
          ("오천", "five thousand"), ("만", "ten thousand"), ("이만", "twenty thousand"),
          ("오만", "fifty thousand"), ("십만", "one hundred thousand")]
DAYS = [("월요일", "Monday"), ("화요일", "Tuesday"), ("수요일", "Wednesday"), ("목요일", "Thursday"),
        ("금요일", "Friday"), ("토요일", "Saturday"), ("일요일", "Sunday")]
ANY_TIME = ([(ko + "에", "on " + en) for ko, en in DAYS]
            + [(ko + " 시에", "at " + en + " o'clock") for ko, en in HOURS]
            + [("아침에", "in the morning"), ("오후에", "in the afternoon"),
               ("저녁에", "in the evening"), ("밤에", "at night"), ("오늘", "today"),
               ("주말에", "on the weekend"), ("봄에", "in spring"), ("여름에", "in summer"),
               ("가을에", "in autumn"), ("겨울에", "in winter")]
            + [(ko + "에", "in " + en) for ko, en in MONTHS])
TIMES = {
    "past": ANY_TIME + [("어제", "yesterday"), ("지난주에", "last week"), ("작년에", "last year"),
                        ("어젯밤에", "last night"), ("지난달에", "last month")] * 5,
    "present": ANY_TIME + [("매일", "every day"), ("자주", "often"), ("가끔", "sometimes"),
                           ("요즘", "these days"), ("매주", "every week")] * 5,
    "future": ANY_TIME + [("내일", "tomorrow"), ("다음 주에", "next week"),
                          ("내년에", "next year"), ("곧", "soon"), ("다음 달에", "next month")] * 5,
    "ongoing": [("지금", "now")],
}
POSITIONS = [("위", "on"), ("아래", "under"), ("옆", "next to"), ("앞", "in front of"), ("뒤", "behind")]
DEGREES = [("아주", "very"), ("너무", "too"), ("조금", "a little"), ("정말", "really")]
