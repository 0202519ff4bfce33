#include "text/protected_spans.h"

#include <string>

#include "support/catch.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

using Texts = std::vector<std::string>;

Texts spans_of(const std::string& text, SpanKind kind) {
  Texts found;
  for (const auto& span : find_protected_spans(text)) {
    if (span.kind == kind) found.push_back(text.substr(span.begin, span.end - span.begin));
  }
  return found;
}

}  // namespace

TEST_CASE("URLs end before the marks of their sentence", "[text]") {
  const auto urls = [](const std::string& text) { return spans_of(text, SpanKind::kUrl); };
  REQUIRE(urls("See https://example.org/a?b=1&c=2#d, (or www.example.org).") ==
          Texts{"https://example.org/a?b=1&c=2#d", "www.example.org"});
  REQUIRE(urls("https://example.org/a_(b)를 보세요") == Texts{"https://example.org/a_(b)"});
  REQUIRE(urls("(https://a.org/R_(b)), [https://a.org/R_(b)]! (https://a.org/ (www.a.org(") ==
          Texts{"https://a.org/R_(b)", "https://a.org/R_(b)", "https://a.org/", "www.a.org"});
  REQUIRE(urls("<ftp://example.org>") == Texts{"ftp://example.org"});
  REQUIRE(urls("http:// and www. and a://").empty());
  REQUIRE(urls("Www.example.org or WWW.EXAMPLE.ORG") ==
          Texts{"Www.example.org", "WWW.EXAMPLE.ORG"});
}

TEST_CASE("Hundreds of letters without a space are data", "[text]") {
  const auto urls = [](const std::string& text) { return spans_of(text, SpanKind::kUrl); };
  const std::string data(150, 'a');
  const std::string more(49, 'Z');
  CHECK(urls("see " + data + "+" + more + ".") == Texts{data + "+" + more});
  CHECK(urls("see " + data + more + ".").empty());
  CHECK(urls("see " + data + ", " + data + ".").empty());
}

TEST_CASE("Letters beyond ASCII belong to URLs and addresses; text may follow directly", "[text]") {
  const auto urls = [](const std::string& text) { return spans_of(text, SpanKind::kUrl); };
  for (const std::string url :
       {"https://de.wikipedia.org/wiki/Straße", "https://münchen.de/rathaus",
        "https://a.org/Ko\u0308ln", "https://ru.wikipedia.org/wiki/Москва_(река)",
        "https://ko.wikipedia.org/wiki/서울_한강", "https://zh.wikipedia.org/wiki/北京",
        "https://th.wikipedia.org/wiki/กรุงเทพ", "https://a.org/?q=서울&x=1"}) {
    CAPTURE(url);
    CHECK(urls("a „" + url + "“, b " + url + ".") == Texts{url, url});
  }
  for (const std::string url : {"https://ko.wikipedia.org/wiki/서울_(도시)",
                                "https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)",
                                "https://ko.wikipedia.org/wiki/위키백과:대문",
                                "https://ko.wikipedia.org/wiki/대한민국#역사",
                                "https://zh.wikipedia.org/wiki/中华人民共和国-历史"}) {
    CAPTURE(url);
    CHECK(urls(url + ". (" + url + ")。") == Texts{url, url});
  }
  CHECK(urls("https://ko.wikipedia.org/wiki/서울_(도시)을 https://a.org/b-를") ==
        Texts{"https://ko.wikipedia.org/wiki/서울_(도시)", "https://a.org/b-"});
  CHECK(
      urls("https://a.org/를 https://a.org/b를 https://de.wikipedia.org/wiki/Köln에서 http://를") ==
      Texts{"https://a.org/", "https://a.org/b", "https://de.wikipedia.org/wiki/Köln"});
  CHECK(urls("请看https://a.org/然后https://b.org，很好") ==
        Texts{"https://a.org/", "https://b.org"});
  CHECK(spans_of("an jürgen.müller@example.de, ju\u0308rgen@münchen.de. 메일은a@b.org로",
                 SpanKind::kEmail) ==
        Texts{"jürgen.müller@example.de", "ju\u0308rgen@münchen.de", "a@b.org"});
}

TEST_CASE("Flags of regions and emoji in text style are whole", "[text]") {
  const std::string england = "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F";
  CHECK(spans_of("a " + england + " b ☺\uFE0E.", SpanKind::kEmoji) == Texts{england, "☺\uFE0E"});
}

TEST_CASE("A number has its thousands, and a unit may be written to it", "[text]") {
  const auto numbers = [](const std::string& text) { return spans_of(text, SpanKind::kNumber); };
  CHECK(numbers("4217km, 42kg을 37,5l 50m² 120km/h 10h.") ==
        Texts{"4217", "42", "37,5", "50", "120", "10"});
  CHECK(numbers("3D 4K 1st 5m2 10h30 1980s 2e 7kmx").empty());
  CHECK(numbers("15 Uhr") == Texts{"15"});
  CHECK(numbers("1'234'567.50 12’345 46\u00A0639 1\u202F234\u202F567 9\u2009999km") ==
        Texts{"1'234'567.50", "12’345", "46\u00A0639", "1\u202F234\u202F567", "9\u2009999"});
  CHECK(numbers("12 345, 2019\u00A0100, 1\u00A02345, '90' 5'1, 1'234\u00A0567") ==
        Texts{"12", "345", "2019", "100", "1", "2345", "90", "5", "1", "1'234", "567"});
  CHECK(numbers("1'000-2'000 1:25'000 5-1'000'000 2024-05-01'") ==
        Texts{"1'000-2'000", "1:25'000", "5-1'000'000", "2024-05-01"});
}

TEST_CASE("Citations are found", "[text]") {
  const auto tags = [](const std::string& text) { return spans_of(text, SpanKind::kTag); };
  CHECK(tags("Der Mann[1] sitzt [3, 4], liest [5–7] [8;9][10].") ==
        Texts{"[1]", "[3, 4]", "[5–7]", "[8;9]", "[10]"});
  CHECK(tags("Ein Mann¹ mit „Hut“²³, der (noch)⁴ rennt⁵. 저는⁶ 책") ==
        Texts{"¹", "²³", "⁴", "⁵", "⁶"});
  CHECK(tags("12 m² und km³, x² ¹ und H¹N und a¹ 5² mc² sin²").empty());
  CHECK(tags("a [] [x] [1, S. 5] [2024] [1 2] [ 1] [1,] [1").empty());
}

TEST_CASE("Identifiers count as numbers", "[text]") {
  const auto numbers = [](const std::string& text) { return spans_of(text, SpanKind::kNumber); };
  for (const std::string identifier :
       {"A4711", "INV-2024-0815", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00",
        "550e8400-e29b-41d4-a716-446655440000", "a3f5c9d4e1", "MH370", "X/12-B3", "v2.10.1",
        "V2.10.1-rc3"}) {
    CAPTURE(identifier);
    for (const std::string after : {"", ".", ", ja", " ja", "를 ja", ")"}) {
      CHECK(numbers("Nr. " + identifier + after) == Texts{identifier});
    }
  }
  for (const std::string text : {"B12", "H1N1", "1990ern", "1990ER", "A380-Flugzeug", "iPhone1234",
                                 "abc1234x", "facade12", "Ab1234"}) {
    CAPTURE(text);
    CHECK(numbers(text).empty());
  }
  CHECK(numbers("500MB von 12:30-13:00 a 3.5") == Texts{"500", "12:30-13:00", "3.5"});
}

TEST_CASE("Placeholders of whole numbers", "[text]") {
  for (const std::string text : {"%d", "%1$d", "%ld", "%(n)s", "%(total)d", "%n", "%u", "{count}",
                                 "{{ count }}", "${num}", "{n}"}) {
    CAPTURE(text);
    CHECK(is_number_placeholder(text));
  }
  for (const std::string text : {"%s", "%1$s", "%(name)s", "{0}", "{name}", "{{ discount }}", "n",
                                 "count", "%", "ls -n", "{", ""}) {
    CAPTURE(text);
    CHECK_FALSE(is_number_placeholder(text));
  }
}

TEST_CASE("Units and factors belong to a measurement", "[text]") {
  for (const std::string text :
       {"12,5 mm", "3kg", "5 m²", "80 km/h", "12 x", "24cm x", "5\u00A0µm"}) {
    CAPTURE(text);
    const size_t at = text.find_last_of("0123456789") + 1;
    const auto followed = text + (text.back() == 'x' ? " 3" : "");
    CHECK(measurement_end(followed, at) == text.size());
    CHECK(measurement_end(followed + " Rad", at) == text.size());
  }
  for (const std::string text :
       {"3 Hunde", "3 mmx", "3 x", "3  kg", "3 кг", "3", "ab kg", "3 Meter"}) {
    CAPTURE(text);
    CHECK(measurement_end(text, 1) == 1);
  }
}

TEST_CASE("Groups of digits between spaces are one number", "[text]") {
  const auto numbers = [](const std::string& text) { return spans_of(text, SpanKind::kNumber); };
  CHECK(numbers("06 12 34 56 78, 089 123 4567. 4111 1111 1111 1111!") ==
        Texts{"06 12 34 56 78", "089 123 4567", "4111 1111 1111 1111"});
  CHECK(numbers("+33 6 12 34 56 78 (+49 89 1234)") == Texts{"33 6 12 34 56 78", "49 89 1234"});
  CHECK(numbers("030 1234567, 0 12345, 30 1234567") ==
        Texts{"030 1234567", "0", "12345", "30", "1234567"});
  CHECK(numbers("10 20 30, 2 3 4 5, 01 02.") ==
        Texts{"10", "20", "30", "2", "3", "4", "5", "01", "02"});
  CHECK(numbers("03 04 05 3,5 12a") == Texts{"03 04 05", "3,5"});
  CHECK(numbers("44 607 €, 1 234 567,50\u00A0€, 12 345 km, 2024 100 €") ==
        Texts{"44 607", "1 234 567,50", "12", "345", "2024", "100"});
}

TEST_CASE("A range is one number; digits may be of any script", "[text]") {
  const auto numbers = [](const std::string& text) { return spans_of(text, SpanKind::kNumber); };
  CHECK(
      numbers("27–38 09:30–17:45 3~5권 3×4 1—2 1−2 1’000–2’000 5.– 7 – 8 9–x") ==
      Texts{"27–38", "09:30–17:45", "3~5", "3×4", "1—2", "1−2", "1’000–2’000", "5", "7", "8", "9"});
  CHECK(numbers("３７권, ３．５ １，２３４~5 ٣٧٫٥ १२:३०에 제３ a７ ３D") ==
        Texts{"３７", "３", "５", "１", "２３４~5", "٣٧٫٥", "१२:३०", "３"});
  CHECK(numbers("٣٧") == Texts{"٣٧"});
}

TEST_CASE("Keycaps are emoji", "[text]") {
  CHECK(spans_of("2️⃣ 3\u20E3 #️⃣*️⃣ 1️⃣2️⃣", SpanKind::kEmoji) ==
        Texts{"2️⃣", "3\u20E3", "#️⃣", "*️⃣", "1️⃣", "2️⃣"});
  CHECK(spans_of("2 #\uFE0F * 1", SpanKind::kEmoji).empty());
}

TEST_CASE("A host is a URL before a path, or with a domain that is no word", "[text]") {
  const auto urls = [](const std::string& text) { return spans_of(text, SpanKind::kUrl); };
  CHECK(
      urls("bit.ly/3xYz, (youtu.be/a?b=1) example.org. a-b.example.com:80/c 메일example.org를") ==
      Texts{"bit.ly/3xYz", "youtu.be/a?b=1", "example.org", "a-b.example.com:80/c", "example.org"});
  CHECK(urls("mailto:jo@example.org www.example.org?a=1#b -example.org example.net/.") ==
        Texts{"mailto:jo@example.org", "www.example.org?a=1#b", "example.net/"});
  CHECK(urls("Ende.Der Tag. z.B. bzw.und/oder it.is so.de, bit.ly config.py .com").empty());
  CHECK(urls("jo.com@example.org jo@example.org example.organ example.com_a").empty());
}

TEST_CASE("Names and topics of social media are found", "[text]") {
  const auto tags = [](const std::string& text) { return spans_of(text, SpanKind::kTag); };
  CHECK(tags("@anna: #Köln,#Rad_2 (#서울#2024wahl) „@a.b“.") ==
        Texts{"@anna", "#Köln", "#Rad_2", "#서울#2024wahl", "@a.b"});
  CHECK(tags("👍#ja ❤️#nein @user@example.org, @angular/core.") ==
        Texts{"#ja", "#nein", "@user@example.org", "@angular/core"});
  CHECK(tags("Danke @anna.Das war nett. Gruß @张三") == Texts{"@anna"});
  CHECK(tags("@jürgen @Größe_1 @minsu님 @김민수 @محمد @2pm은 @_iu_는 @1강") ==
        Texts{"@jürgen", "@Größe_1", "@minsu", "@김민수", "@محمد", "@2pm", "@_iu_"});
  for (const std::string text :
       {"#1", "C# F#", "@ 5", "@", "# a", "a@b.org", "&#x27;", "&#xe4;", "a#b", "## a", "#️⃣",
        "@5", "https://a.org/#b https://a.org/@c", "3@4", "a_@b"}) {
    CAPTURE(text);
    CHECK(tags(text).empty());
  }
}

TEST_CASE("Blanks are runs of signs that are no ellipsis", "[text]") {
  const auto blanks = [](const std::string& text) { return spans_of(text, SpanKind::kBlank); };
  CHECK(blanks("Name:____ a___b ___를 (____).") == Texts{"____", "___", "___", "____"});
  CHECK(blanks("Ein __ läuft, a__b __init__ x__") == Texts{"__"});
  CHECK(blanks("am __.__.____ um __:__ Uhr") == Texts{"__.__.____", "__:__"});
  CHECK(blanks("Datum: .... Ort:....... …… x") == Texts{"....", ".......", "……"});
  CHECK(blanks("1..........5 Wort…………………………") == Texts{"..........", "…………………………"});
  CHECK(blanks("a_b __init__ ... Wait.... ....so 我……我 …. .......… …").empty());
  CHECK(blanks("Wait!.... Was?…… ~.... 뭐？…… (?).....") == Texts{"....."});
  CHECK(blanks("https://a.org/a___b").empty());
}

TEST_CASE("List marks stand before white space and letters", "[text]") {
  for (const std::string mark :
       {"-",  "–",  "—",  "•",  "·",    "*",   "#",     ">",    ">>",  "> >", "> -",
        "→",  "※",  "①",  "1)", "(12)", "a)",  "(B)",   "* 1)", "[1]", "[a]", "[*]",
        "†",  "¹²", "◎",  "▲",  "☆",    "❖",   "⇒",     "⑴",    "ⓐ",   "㉠",  "㈎",
        "ㅇ", "ㅁ", "ㆍ", "☑",  "(가)", "하)", "[...]", "(…)",  "[ ]", "( )", "[x]"}) {
    CAPTURE(mark);
    CHECK(list_mark_length(mark + " Ein Mann") == mark.size());
    CHECK(list_mark_length(mark + "\u3000저는") == mark.size());
    CHECK(list_mark_length(mark + "Ein Mann") < mark.size());
    CHECK(list_mark_length(mark + " 5 %") == (has_letters(mark) ? mark.size() : 0));
    CHECK(list_mark_length(mark + " ") == 0);
    CHECK(list_mark_length(mark) == 0);
  }
  CHECK(list_mark_length("1. 저는") == 2);
  CHECK(list_mark_length("A. 저는") == 2);
  CHECK(list_mark_length("가. 저는") == 4);
  CHECK(list_mark_length("아. 저는") == 0);
  for (const std::string mark : {"1.)", "12.)", "IV)", "iv.)", "(ii)", "[12:30]", "(0:12:30)"}) {
    CAPTURE(mark);
    CHECK(list_mark_length(mark + " Ein Mann") == mark.size());
  }
  const auto begins_sentence = [](std::string_view word) { return word == "Ein"; };
  for (const std::string section : {"2.1", "2.1.3", "10.1.", "2.1)"}) {
    CAPTURE(section);
    CHECK(list_mark_length(section + " Ein Mann", begins_sentence) == section.size());
    for (const std::string after : {" Millionen", " ein Mann", "Ein Mann", " 5 Ein"}) {
      CHECK(list_mark_length(section + after, begins_sentence) == 0);
    }
  }
  CHECK(list_mark_length("1.5 리터") == 0);
  CHECK(list_mark_length("1.5. 리터") == 4);
  CHECK(list_mark_length("1. Ein Mann", begins_sentence) == 2);
  CHECK(list_mark_length("X. Ein Mann", begins_sentence) == 2);
  CHECK(list_mark_length("1. ein Mann", begins_sentence) == 2);
  CHECK(list_mark_length("1. Ein 3. Mann", begins_sentence) == 2);
  CHECK(list_mark_length("1. ein 3-jähriger", begins_sentence) == 2);
  for (const std::string ordinal : {"1. Mai", "1. und", "1. ein 3.", "1999. Ein", "1. 5. Ein"}) {
    CAPTURE(ordinal);
    CHECK(list_mark_length(ordinal + " Tag", begins_sentence) == 0);
  }
  for (const std::string ellipsis : {"...", "…", "..", "- ..."}) {
    CAPTURE(ellipsis);
    CHECK(list_mark_length(ellipsis + " und ein Mann") == ellipsis.size());
    CHECK(list_mark_length(ellipsis + "und ein Mann") == ellipsis.size());
  }
  for (const std::string mark : {"\u200F•", "\u2068-", "\uFEFF1)", "> \u200E-"}) {
    CHECK(list_mark_length(mark + " Ein Mann") == mark.size());
  }
  for (const char* none : {"",         "Ein - Mann",    "1. Mai",  "1. 5. 저", "1.2 Ein", "1999) a",
                           "3 Hunde",  "-v, --verbose", "Ein) a",  "5 - a",    "A. Mann", "J. 저",
                           "가. Mann", "갸) a",         "[1) a",   "[ein] a",  "1] a",    "[] a",
                           "XA) a",    "[1:2] a",       "12:30) a"}) {
    CAPTURE(none);
    CHECK(list_mark_length(none) == 0);
  }
}

TEST_CASE("Footnotes begin after the mark of their sentence", "[text]") {
  CHECK(footnotes_begin("Sie kam.[2]") == 8);
  CHECK(footnotes_begin("好。[3][14]") == 6);
  for (const std::string note :
       {"*", "**", "†", "‡", "¹²", "[a]", "[*]", "(1)", "—", "--", "*[1]"}) {
    CAPTURE(note);
    CHECK(footnotes_begin("Sie kam." + note) == 8);
    CHECK(footnotes_begin("„Sie kam?“" + note) == 14);
  }
  for (const std::string none :
       {"", "]", "[2]", "2]", "Sie kam.", "Sie[2]", "Sie kam.[]", "Sie kam. [2]", ".2]", "Sie kam*",
        "*Sie kam.*", "Sie *kam.*", "Sie kam.[ja]", "3.5*2", "Sie kam.-", "—", "*"}) {
    CAPTURE(none);
    CHECK(footnotes_begin(none) == none.size());
  }
}

TEST_CASE("Addresses, emoji and numbers are found", "[text]") {
  REQUIRE(spans_of("Mail jo.doe+x@mail.example.org. Or @jo, a@b", SpanKind::kEmail) ==
          Texts{"jo.doe+x@mail.example.org"});
  REQUIRE(spans_of("좋아요👍🏽 👨‍👩‍👧❤️ 🇰🇷 © ™ ↑",
                   SpanKind::kEmoji) == Texts{"👍🏽", "👨‍👩‍👧❤️", "🇰🇷"});
  REQUIRE(spans_of("3,500.75 at 12:30 on 2024-05-01, 7. 3권, B12, 21st, a1", SpanKind::kNumber) ==
          Texts{"3,500.75", "12:30", "2024-05-01", "7", "3"});
  REQUIRE(find_protected_spans("저는 책을 읽어요. No more").empty());
}

}  // namespace nmt
