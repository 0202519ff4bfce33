#include "text/sentence_splitter.h"

#include "support/catch.h"

namespace nmt {
namespace {

using Texts = std::vector<std::string>;

Texts sentences_of(const std::string& text) { return split_text(text).sentences; }

}  // namespace

TEST_CASE("A text joined from its own sentences is what it was", "[text]") {
  for (const std::string text :
       {"", " ", "\n", "One.", "  One.  Two!\n\n\tThree\r\n", "저는 책을 읽어요. 좋아요?\n네.\n",
        "a\nb\n", "\"Really?\" she said. No…  Yes?!", "...", "3.14 is. e.g. this"}) {
    const auto pieces = split_text(text);
    REQUIRE(pieces.between.size() == pieces.sentences.size() + 1);
    REQUIRE(join_text(pieces, pieces.sentences) == text);
    const auto whole = whole_text(text);
    REQUIRE(join_text(whole, whole.sentences) == text);
  }
}

TEST_CASE("Lines are split after sentences", "[text]") {
  REQUIRE(sentences_of("One. Two! Three? Four") == Texts{"One.", "Two!", "Three?", "Four"});
  REQUIRE(sentences_of("One\ntwo") == Texts{"One", "two"});
  REQUIRE(sentences_of("(One.) \"Two!\" Three") == Texts{"(One.)", "\"Two!\"", "Three"});
  REQUIRE(sentences_of("Wait... What?! Oh") == Texts{"Wait...", "What?!", "Oh"});
}

TEST_CASE("Wide marks end a sentence without white space, and English then gets a space",
          "[text]") {
  const auto pieces = split_text("今日は。元気？はい");
  REQUIRE(pieces.sentences == Texts{"今日は。", "元気？", "はい"});
  REQUIRE(join_text(pieces, {"Hello.", "Well?", "Yes"}) == "Hello. Well? Yes");
}

TEST_CASE("Abbreviations, numbers and addresses are not split", "[text]") {
  for (const std::string text : {"Mr. Kim met Dr. Lee", "e.g. this", "J. S. Bach", "1. First",
                                 "It costs 3.50 now", "see www.example.org today"}) {
    REQUIRE(sentences_of(text) == Texts{text});
  }
  REQUIRE(sentences_of("It was I. He knew 1984. So") == Texts{"It was I.", "He knew 1984.", "So"});
}

TEST_CASE("Each line is read once, whatever the length of the text before it", "[text]") {
  std::string text;
  for (int i = 0; i < 150000; ++i) text += "a\n";
  REQUIRE(sentences_of(text).size() == 150000);
  REQUIRE(sentences_of("Meet (here. Bring\ntea. So) there. Now (now. Or then.) here.") ==
          Texts{"Meet (here.", "Bring", "tea.", "So) there.", "Now (now. Or then.) here."});
}

TEST_CASE("Titles, initials, times and counted things do not end a sentence", "[text]") {
  for (const std::string text :
       {"Frau Dr. Weiß wohnt in St. Gallen.", "Das gilt z. B. hier.", "Das gilt z.B. hier.",
        "See Fig. 3 and No. 5 for it.", "Am 3. Oktober feiern wir.", "Katzen, Hunde usw. sind da.",
        "Jones et al. wrote it.", "М. Горький писал.", "He has a Ph.D. in Linguistics.",
        "Meet (at 5. Bring tea.) there.", "“Why?” he asked.", "Well... maybe.", "So … ja."}) {
    REQUIRE(sentences_of(text) == Texts{text});
  }
  REQUIRE(sentences_of("Come at 5 p.m. Bring tea.") == Texts{"Come at 5 p.m.", "Bring tea."});
  REQUIRE(sentences_of("No. I can't.") == Texts{"No.", "I can't."});
  REQUIRE(sentences_of("Cats etc. Dogs too.") == Texts{"Cats etc.", "Dogs too."});
  REQUIRE(sentences_of("I saw example.org. Then I left.") ==
          Texts{"I saw example.org.", "Then I left."});
  REQUIRE(sentences_of("hello. how are you? fine") == Texts{"hello.", "how are you?", "fine"});
  REQUIRE(sentences_of("Wait... What?") == Texts{"Wait...", "What?"});
  REQUIRE(sentences_of("이리 와 봐. 재미있어.") == Texts{"이리 와 봐.", "재미있어."});
  REQUIRE(sentences_of("A smile :( Here. There.") == Texts{"A smile :( Here.", "There."});
}

TEST_CASE("Each script's own marks end its sentences", "[text]") {
  REQUIRE(sentences_of("هل أنت بخير؟ نعم.") == Texts{"هل أنت بخير؟", "نعم."});
  REQUIRE(sentences_of("یہ گھر ہے۔ وہ باغ ہے۔") == Texts{"یہ گھر ہے۔", "وہ باغ ہے۔"});
  REQUIRE(sentences_of("यह घर है। वह बाग है।") == Texts{"यह घर है।", "वह बाग है।"});
  REQUIRE(sentences_of("Սա տուն է։ Նա այգի է։") == Texts{"Սա տուն է։", "Նա այգի է։"});
  REQUIRE(sentences_of("ነገ እመጣለሁ። ደህና ሁን።") == Texts{"ነገ እመጣለሁ።", "ደህና ሁን።"});
  REQUIRE(sentences_of("你好?我很好!再见") == Texts{"你好?", "我很好!", "再见"});
  REQUIRE(sentences_of("「はい。」と言った。次。") == Texts{"「はい。」と言った。", "次。"});
  REQUIRE(sentences_of("圆周率是３．１４。对。") == Texts{"圆周率是３．１４。", "对。"});
  REQUIRE(sentences_of("„Komm!“ »Nein.« «Si.» ¿Qué?") ==
          Texts{"„Komm!“", "»Nein.«", "«Si.»", "¿Qué?"});
  REQUIRE(sentences_of("สวัสดีครับ วันนี้อากาศดี") == Texts{"สวัสดีครับ วันนี้อากาศดี"});
  REQUIRE(sentences_of("គាត់មក៕ យើងនៅ។") == Texts{"គាត់មក៕", "យើងនៅ។"});
  REQUIRE(sentences_of("„როგორ ხარ?“ ის წავიდა… მე დავრჩი.") ==
          Texts{"„როგორ ხარ?“", "ის წავიდა…", "მე დავრჩი."});
}

TEST_CASE("A guillemet after a space closes a French quotation or opens a German one", "[text]") {
  REQUIRE(sentences_of("« Viens ! » Il partit. « Où vas-tu ? Reste. » Non.") ==
          Texts{"« Viens ! »", "Il partit.", "« Où vas-tu ?", "Reste. »", "Non."});
  REQUIRE(sentences_of("Il dit :\u00A0«\u00A0Non !\u202F» Oui.") ==
          Texts{"Il dit :\u00A0«\u00A0Non !\u202F»", "Oui."});
  REQUIRE(sentences_of("« Viens ! » dit-il.") == Texts{"« Viens ! » dit-il."});
  REQUIRE(sentences_of("»Komm!« »Nein!« »Doch!«") == Texts{"»Komm!«", "»Nein!«", "»Doch!«"});
}

TEST_CASE("A semicolon ends Greek questions only", "[text]") {
  REQUIRE(sentences_of("Είδες το BBC; Ναι. «Ποιος;» ρώτησε. Πώς;! Έτσι.") ==
          Texts{"Είδες το BBC;", "Ναι.", "«Ποιος;» ρώτησε.", "Πώς;!", "Έτσι."});
  REQUIRE(sentences_of("Πού\u037E Εδώ.") == Texts{"Πού\u037E", "Εδώ."});
  for (const std::string text : {"The rate is α; it falls.", "Er kam; sie ging."}) {
    REQUIRE(sentences_of(text) == Texts{text});
  }
}

TEST_CASE("A quotation mark belongs to the text that follows it directly", "[text]") {
  REQUIRE(sentences_of("你好。”他说。“再见。”") == Texts{"你好。”", "他说。", "“再见。”"});
  REQUIRE(sentences_of("他说：‘好。’“真的吗？”") == Texts{"他说：‘好。’", "“真的吗？”"});
  REQUIRE(sentences_of("真的!“好”。“《红楼梦》？“——好。“") ==
          Texts{"真的!", "“好”。", "“《红楼梦》？", "“——好。“"});
  REQUIRE(sentences_of("„Komm!“ Sie kam. „Ja!“, rief er. „Nein.“") ==
          Texts{"„Komm!“", "Sie kam.", "„Ja!“, rief er.", "„Nein.“"});
}

TEST_CASE("Emoji and footnotes directly after a mark belong to its sentence", "[text]") {
  REQUIRE(sentences_of("Great!👍 See you at 5.👍👍🏽 Bring tea.❤️") ==
          Texts{"Great!👍", "See you at 5.👍👍🏽", "Bring tea.❤️"});
  REQUIRE(sentences_of("„Ja!“👍 (Why?👍) So") == Texts{"„Ja!“👍", "(Why?👍)", "So"});
  REQUIRE(sentences_of("好。👍走吧!👍再见") == Texts{"好。👍", "走吧!👍", "再见"});
  REQUIRE(sentences_of("She came.[2] He left![3][14] So") ==
          Texts{"She came.[2]", "He left![3][14]", "So"});
  for (const std::string text : {"Great!👍See you", "The U.S.[3] President", "Am 3.[1] Oktober",
                                 "See x.[n] and a.[2]b", "“Great!👍” she said."}) {
    REQUIRE(sentences_of(text) == Texts{text});
  }
}

TEST_CASE("Note marks, dashes and the end of emphasis directly after a mark belong to its sentence",
          "[text]") {
  for (const std::string mark : {"*", "**", "†", "‡", "¹²", "[a]", "[*]", "(1)", "_", "—", "–",
                                 "--", "~", "*[1]", "”*", "*”", "“*", "_”", "*)"}) {
    CAPTURE(mark);
    CHECK(sentences_of("She came." + mark + " He left!" + mark + " So") ==
          Texts{"She came." + mark, "He left!" + mark, "So"});
    CHECK(sentences_of("그는 봐요." + mark + " 재미있어." + mark).size() == 2);
    for (const auto& text : {"Dr." + mark + " Lee", "Why?" + mark + " he asked",
                             "Cats etc." + mark + " and dogs", "Am 3." + mark + " Oktober",
                             "The U.S." + mark + " President", "so..." + mark + " or not"}) {
      CHECK(sentences_of(text) == Texts{text});
    }
  }
  for (const std::string text :
       {"3.5*2 Is", "See www.a.b_c Now", "All *.txt Files", "All *.* Files", "Type .* Here",
        "Since 2.0.* It works", "See java.util.* There", "Es kostet 1250.– Franken", "a.*b C",
        "He came.--She went", "He came.- She went", "~/.* Files", "Wait …— Now", "Sie kam.[ja] Er",
        "A <!-- Comment"}) {
    CHECK(sentences_of(text) == Texts{text});
  }
  CHECK(sentences_of("你好。*再见*。你好!(1)再见") == Texts{"你好。", "*再见*。", "你好!(1)再见"});
}

TEST_CASE("Only brackets that are closed hold sentences together", "[text]") {
  CHECK(sentences_of("A man (with a hat sits. Two dogs play. A (happy) woman sings.") ==
        Texts{"A man (with a hat sits.", "Two dogs play.", "A (happy) woman sings."});
  CHECK(sentences_of("No :( I sit. We eat. Yes :-) Well (so. Or :) not.) So") ==
        Texts{"No :( I sit.", "We eat.", "Yes :-) Well (so. Or :) not.)", "So"});
  CHECK(sentences_of("a) One. b) Two (or. [So] not. Or) so. Yes.") ==
        Texts{"a) One.", "b) Two (or. [So] not. Or) so.", "Yes."});
}

TEST_CASE("Invisible marks after a sentence belong to it", "[text]") {
  for (const std::string mark : {"\u200B", "\u200D", "\u200E", "\u200F", "\u2069", "\uFEFF"}) {
    CAPTURE(mark);
    CHECK(sentences_of("شكرا." + mark + " أنا." + mark) == Texts{"شكرا." + mark, "أنا." + mark});
    CHECK(sentences_of("Ja!" + mark + "“" + mark + " Nein.") ==
          Texts{"Ja!" + mark + "“" + mark, "Nein."});
    for (const auto& text : {"Dr." + mark + " Lee", "“Why?”" + mark + " he asked.",
                             "Am 3." + mark + " Oktober", "a." + mark + "b"}) {
      CHECK(sentences_of(text) == Texts{text});
    }
  }
}

TEST_CASE("A tab divides cells, and stays between them", "[text]") {
  const std::string text = "\tName:\tEin Mann (oder\t\tmehr). Ja\n1.\tMr.\tKim";
  const auto pieces = split_text(text);
  REQUIRE(pieces.sentences == Texts{"Name:", "Ein Mann (oder", "mehr).", "Ja", "1.", "Mr.", "Kim"});
  REQUIRE(pieces.between == Texts{"\t", "\t", "\t\t", " ", "\n", "\t", "\t", ""});
  REQUIRE(split_lines("Ein Mann\tläuft\n").sentences == Texts{"Ein Mann\tläuft"});
}

TEST_CASE("A starter begins a sentence where no mark ends the one before", "[text]") {
  const SentenceHints hints{{"A", "Zwei"}};
  const auto split = [&](const char* text) { return split_text(text, hints).sentences; };
  REQUIRE(split("A man sits on a bench A woman, in red, stands Zwei") ==
          Texts{"A man sits on a bench", "A woman, in red, stands Zwei"});
  REQUIRE(split("A man sits Zwei kleine Hunde bellen laut") ==
          Texts{"A man sits", "Zwei kleine Hunde bellen laut"});
  REQUIRE(split("Grade A, A and (A or so) apply").size() == 1);
  REQUIRE(split("Plan A works well A") == Texts{"Plan A works well A"});
  // Capitals tell nothing where all words have them.
  for (const char* capitals :
       {"A Man Sits On A Bench Near Zwei Dogs", "A MAN SITS ON A BENCH NEAR A DOG"}) {
    CHECK(split(capitals) == Texts{capitals});
  }
  REQUIRE(split("A Man Sits On A Bench\nA man sits A dog barks") ==
          Texts{"A Man Sits On A Bench", "A man sits", "A dog barks"});
}

TEST_CASE("Emoji, dashes and URLs may stand between an unmarked sentence and a starter", "[text]") {
  const SentenceHints hints{{"Eine"}};
  const std::string first = "Ein Mann winkt";
  for (const std::string end : {" 🚲", "🚲", " 👍🏽 ❤️", "\u200B", " https://example.org/a/",
                                " www.a.de/", "e\u0301"}) {
    CAPTURE(end);
    CHECK(split_text(first + end + " Eine Frau lacht", hints).sentences ==
          Texts{first + end, "Eine Frau lacht"});
  }
  for (const std::string mark : {"–", "-", "*", "→"}) {
    CAPTURE(mark);
    CHECK(split_text(first + " " + mark + " Eine Frau lacht", hints).sentences ==
          Texts{first, mark + " Eine Frau lacht"});
  }
  for (const std::string text : {"🚲 🚲 🚲 Eine Frau lacht", "Ein Mann winkt, Eine Frau lacht"}) {
    CHECK(split_text(text, hints).sentences == Texts{text});
  }
}

TEST_CASE("Separators between spaces divide a line and stay as they are", "[text]") {
  for (const std::string mark : {"|", "·", "•", "›", "»"}) {
    CAPTURE(mark);
    const auto pieces = split_text("Ein Mann " + mark + " Zwei  " + mark + " 3 Kinder " + mark);
    CHECK(pieces.sentences == Texts{"Ein Mann", mark, "Zwei", mark, "3 Kinder", mark});
    CHECK(pieces.between == Texts{"", " ", " ", "  ", " ", " ", ""});
  }
  CHECK(sentences_of("Ein Mann & zwei").size() == 1);
  const SentenceHints hints{{}, U"&–"};  // symbols that a model does not know
  CHECK(split_text("Ein Mann & zwei – x", hints).sentences ==
        Texts{"Ein Mann", "&", "zwei", "–", "x"});
  for (const std::string text :
       {"C & A", "von 3 – 5", "10 % – 20 %", "am 3. Mai – 15. Mai", "Q&A für alle", "– Ein Mann",
        "Hier (Mann & Frau)", "„Hund & Katze“ ist ein Film", "Mann &"}) {
    CHECK(split_text(text, hints).sentences == Texts{text});
  }
  CHECK(sentences_of("| Name | Alter |\t| 3") == Texts{"|", "Name", "|", "Alter", "|", "|", "3"});
  CHECK(sentences_of("• Ein Mann • Zwei") == Texts{"• Ein Mann", "•", "Zwei"});
  CHECK(sentences_of("。· 3").size() == 3);
  CHECK(sentences_of("Contact | À propos") == Texts{"Contact", "|", "À propos"});
  for (const std::string text :
       {"« Oui » dit-il", "Non » dit-il", "3 · 4 ist zwölf", "Hier (A | B) steht", "a|b", "A — B",
        "Zwei ›Worte‹ und »drei« hier", "l·l", "F = m · a.", "E=m · c² ist", "2a · b",
        "Die Menge A | B ist"}) {
    CHECK(sentences_of(text) == Texts{text});
  }
}

TEST_CASE("List marks and boxes to tick stay with their items", "[text]") {
  CHECK(sentences_of("가. 책을 봅니다.\n나. 책") == Texts{"가. 책을 봅니다.", "나. 책"});
  CHECK(sentences_of("그래. 나. 나는 책") == Texts{"그래.", "나.", "나는 책"});
  CHECK(sentences_of("A. 신청서") == Texts{"A. 신청서"});
  CHECK(sentences_of("아. 그래요?") == Texts{"아.", "그래요?"});
  CHECK(sentences_of("☐ Ja ☒ Nein") == Texts{"☐ Ja", "☒ Nein"});
  CHECK(sentences_of("Ja  ☐ Nein") == Texts{"Ja", "☐ Nein"});
  CHECK(sentences_of("( ) Ja (x) Nein") == Texts{"( ) Ja", "(x) Nein"});
  CHECK(sentences_of("○ Ja  ○ Nein") == Texts{"○ Ja", "○ Nein"});
  CHECK(sentences_of("a) ein Hund b) ein (c) Kind c) zwei") ==
        Texts{"a) ein Hund", "b) ein (c) Kind", "c) zwei"});
  CHECK(sentences_of("(9) ein Hund (10) Kind") == Texts{"(9) ein Hund", "(10) Kind"});
  CHECK(sentences_of("① 책 ② 물") == Texts{"① 책", "② 물"});
  for (const std::string text : {"a) wie in c) oder d) oben", "Siehe b) und c) oben", "a) x (b) y",
                                 "Ein Kreis ( ) und ein [ ] Feld"}) {
    CHECK(sentences_of(text) == Texts{text});
  }
  for (const std::string text : {"Ja □", "다음 □ 안에 알맞은 말"}) {
    CHECK(sentences_of(text) == Texts{text});
  }
}

TEST_CASE("A path of menus is divided, quoted text and comparisons are not", "[text]") {
  CHECK(sentences_of("Datei > Neues Fenster > Leer") ==
        Texts{"Datei", ">", "Neues Fenster", ">", "Leer"});
  for (const std::string text :
       {"> > Ein Hund", "> Ein Hund", "x > 5", "Preis > 5", "ein > zwei"}) {
    CHECK(sentences_of(text) == Texts{text});
  }
}

TEST_CASE("Dots between spaces are a blank before a noun, not before a sentence", "[text]") {
  const std::string gap = "Er rennt durch ..... Gras.";
  CHECK(sentences_of(gap) == Texts{gap});
  CHECK(split_text("Er rennt ..... Ein Mann singt.", {{"Ein"}}).sentences ==
        Texts{"Er rennt .....", "Ein Mann singt."});
  CHECK(sentences_of("Er rennt..... Gras.") == Texts{"Er rennt.....", "Gras."});
  CHECK(sentences_of("저는 책을 읽어요 …… 저는") == Texts{"저는 책을 읽어요 ……", "저는"});
}

TEST_CASE("A mark between letters ends a sentence where it cannot be part of a name", "[text]") {
  for (const std::string mark : {".", "!", "?", "…", "...", "?!", "!👍"}) {
    CAPTURE(mark);
    CHECK(sentences_of("책을 읽어요" + mark + "민수는 가요.") ==
          Texts{"책을 읽어요" + mark, "민수는 가요."});
  }
  CHECK(sentences_of("네.좋아요") == Texts{"네.", "좋아요"});
  CHECK(sentences_of("Er fährt!Sie lacht?Don't!¿Qué?Да!да") ==
        Texts{"Er fährt!", "Sie lacht?", "Don't!", "¿Qué?", "Да!", "да"});
  const SentenceHints hints{{"In", "Eine"}};
  CHECK(split_text("Er fährt.Eine Frau lacht", hints).sentences ==
        Texts{"Er fährt.", "Eine Frau lacht"});
  for (const std::string text :
       {"한.미 회담", "“안녕.”이라고 했다", "https://a.b/c?Q=x!Y hier", "a.de/!Eine Frau",
        "Eine sch?ne Stra?e", "x?y", "Node.js ist", "www.Example.com ist", "z.B.Eine Frau ist",
        "a.b.Eine Frau", "DB.In Use ist", "https://a.b/~user?Name=Y hier", "정치.경제.사회 분야",
        "Yahoo!s Aktien", "Tabelle1!A1", "Er fährt.Dann ist"}) {
    CAPTURE(text);
    CHECK(split_text(text, hints).sentences == Texts{text});
  }
}

TEST_CASE("Ordinal numbers and abbreviations of several kinds do not end a sentence", "[text]") {
  for (const std::string text : {"Am 3.-5. Mai",
                                 "Am 3./4. Mai",
                                 "Am 3.–5. Mai",
                                 "Am 3.5. und danach",
                                 "Ludwig XIV. fährt",
                                 "Dr. med. Weiß",
                                 "Dr.-Ing. Weiß",
                                 "Sie ist geb. Weiß",
                                 "Mit 2 Mio. Menschen",
                                 "3 Std. mit Pause",
                                 "50 v. Chr. war das",
                                 "Mo. und Di. zu",
                                 "So. 5. Mai",
                                 "Hauptstr. 5 und Hauptstr. in Ulm",
                                 "Tel. 030",
                                 "1 Pck. Vanille",
                                 "max. 5 und mind. drei",
                                 "2 tbsp. of sugar",
                                 "State Dept. officials",
                                 "Avda. de Mayo",
                                 "Y Ud. sabe",
                                 "La pág. 5",
                                 "50 av. J.-C. Ici",
                                 "Carne, ecc. fa male"}) {
    CAPTURE(text);
    CHECK(sentences_of(text) == Texts{text});
  }
  for (const std::string text : {"So. Do it", "Do. It", "I met Min. He left", "Never mind. They go",
                                 "World War II. He", "It costs 3.50. He", "It is 36.5. He"}) {
    CAPTURE(text);
    CHECK(sentences_of(text).size() == 2);
  }
}

TEST_CASE("A starter begins a sentence after a number", "[text]") {
  const SentenceHints hints{{"Eine"}};
  const auto count = [&](const char* text) { return split_text(text, hints).sentences.size(); };
  for (const char* text : {"Auf Platz 12. Eine Frau lacht", "Mit Ludwig XIV. Eine Frau lacht",
                           "Am 3.5. Eine Frau lacht", "Am 3./4. Eine Frau lacht",
                           "Note 1.3. Alle Hunde laufen", "Es sind 5 Mio. Eine Frau lacht"}) {
    CAPTURE(text);
    CHECK(count(text) == 2);
  }
  for (const char* text :
       {"1. Eine Frau lacht", "IV. Eine Frau lacht", "- 1. Eine Frau lacht", "Am 3. Mai lacht sie",
        "Im II. Stock lacht sie", "Am 4.5. Fahrrad fahren"}) {
    CAPTURE(text);
    CHECK(count(text) == 1);
  }
  CHECK(split_text("Er lacht. 2. Eine Frau", hints).sentences ==
        Texts{"Er lacht.", "2. Eine Frau"});
}

TEST_CASE("Brackets around whole sentences do not hold them together", "[text]") {
  CHECK(sentences_of("(Er fährt. Sie lacht.) Er (oder. Sie) kommt.") ==
        Texts{"(Er fährt.", "Sie lacht.)", "Er (oder. Sie) kommt."});
}

TEST_CASE("White space of every kind is kept between sentences", "[text]") {
  const auto pieces = split_text("One.\u00a0\u2003Two.\u2028Three");
  REQUIRE(pieces.sentences == Texts{"One.", "Two.", "Three"});
  REQUIRE(pieces.between == Texts{"", "\u00a0\u2003", "\u2028", ""});
}

TEST_CASE("A translation gets the space that its source does not need", "[text]") {
  const auto joined = [](const std::string& first, const std::string& second) {
    return join_text({{"一。", "二"}, {"", "", ""}}, {first, second});
  };
  for (const char* first : {"He said “no.”", "Wait…", "»Nein«", "Café", "Да", "네"}) {
    CHECK(joined(first, "Well?") == std::string(first) + " Well?");
  }
  for (const char* first : {"他说“不。”", "「はい」", "等等…", "はい、", "ไทย"}) {
    CHECK(joined(first, "二") == std::string(first) + "二");
  }
}

}  // namespace nmt
