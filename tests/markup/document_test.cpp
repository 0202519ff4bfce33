#include "markup/document.h"

#include <string>
#include <vector>

#include "errors/error.h"
#include "markup/made_translation.h"
#include "support/catch.h"
#include "support/expect_error.h"

using namespace nmt;

namespace {

std::vector<std::string> sentences_of(const std::string& text, DocumentFormat format) {
  return Document(text, format, [](std::string_view line) { return split_text(line); }).sentences();
}

std::string upper(const std::string& text, DocumentFormat format) {
  return translate_made(text, format, in_upper_case);
}

constexpr auto kHtml = DocumentFormat::kHtml;
constexpr auto kXml = DocumentFormat::kXml;
constexpr auto kMarkdown = DocumentFormat::kMarkdown;

}  // namespace

TEST_CASE("only block elements of HTML end a sentence") {
  REQUIRE(sentences_of("<h1>One <em>big</em> title</h1><p>First&nbsp;&amp; <b>sec</b>ond.\n  Then "
                       "<a href=x>a link</a>!</p><ul><li>item<li>more</ul>left<br><br>right",
                       kHtml) == std::vector<std::string>{"One big title", "First & second.",
                                                          "Then a link!", "item", "more", "left",
                                                          "right"});
  REQUIRE(sentences_of("a b<br>c d", kHtml) == std::vector<std::string>{"a b c d"});
  REQUIRE(sentences_of("a <b>b</b>\nc d\n", kHtml) == std::vector<std::string>{"a b c d"});
}

TEST_CASE("a line that begins with a list mark is an item") {
  REQUIRE(sentences_of("<p>a b<br>\n- c d <br/><b>1) e f</b><br>g - h<br>- 5</p>", kHtml) ==
          std::vector<std::string>{"a b", "- c d", "1) e f g - h - 5"});
  const Document unsplit("<p>a b<br>- c d</p>", kHtml,
                         [](std::string_view text) { return whole_text(text); });
  REQUIRE(unsplit.sentences() == std::vector<std::string>{"a b - c d"});
  const auto of_items = [](const std::string& text, DocumentFormat format) {
    return translate_made(text, format, reversed);
  };
  REQUIRE(of_items("<p>\u2022 a b<br>\n\u2022 c d</p>", kHtml) ==
          "<p>b a \u2022<br>\nd c \u2022</p>");
  REQUIRE(of_items("| x |\n|---|\n| \u2022 a b<br>\u2022 c d |\n", kMarkdown) ==
          "| x |\n|---|\n| b a \u2022<br>d c \u2022 |\n");
}

TEST_CASE("what is not text of an HTML document keeps its bytes") {
  const std::string page =
      "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>the title &mdash; "
      "x</title>\n<style>p > b { color: red }</style><script>if (a < b) \"</p>\";</script>\n"
      "</head>\n<body class='x'  id=y>\n<!-- a comment -->\n<p  title=\"a > b\">one\n    two "
      "<b>three</B> four.</p>\n\n<pre> kept  &amp;\n as it is</pre>\n"
      "<p translate=\"no\">kept</p><div class=\"a notranslate\"><p>kept</p></div>\n"
      "<svg><text>kept</text></svg>\n<td>1,234.5</td>\n<p>&#8212;</p>\n</body>\n</html>\n";
  auto expected = page;
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = expected.find(from);
    REQUIRE(at != std::string::npos);
    expected.replace(at, from.size(), to);
  };
  replace("the title &mdash; x", "THE TITLE — X");
  replace("one\n    two <b>three</B> four.", "ONE TWO <b>THREE</B> FOUR.");
  REQUIRE(upper(page, kHtml) == expected);
}

TEST_CASE("Each line of text with tags is a fragment", "[markup]") {
  const std::string lines = "press <b>save</b>\r\n\n<i>a & b\nc</i> < d &amp; e";
  const std::vector<std::string> sentences = {"press save", "a & b", "c < d & e"};
  CHECK(sentences_of(lines, DocumentFormat::kHtmlLines) == sentences);
  CHECK(upper(lines, DocumentFormat::kHtmlLines) ==
        "PRESS <b>SAVE</b>\r\n\n<i>A &amp; B\nC</i> &lt; D &amp; E");
  CHECK(upper("a\t<b>b c</b>\t\td\n", DocumentFormat::kHtmlLines) == "A\t<b>B C</b>\t\tD\n");
  CHECK(upper("a <a\thref=\"x\">b</a>", DocumentFormat::kHtmlLines) == "A <a\thref=\"x\">B</a>");
  CHECK(upper("", DocumentFormat::kHtmlLines).empty());
}

TEST_CASE("Cells of a table that a spreadsheet quoted keep their quotes", "[markup]") {
  constexpr auto kTable = DocumentFormat::kTable;
  const std::string table =
      "no.\ttext\r\n1\t\"he says \"\"yes\"\" to me.\nwe go.\"\t\"a dog\"\r\n2\t\"\"\"a dog\"\" "
      "runs\"\t\"\"\n";
  CHECK(sentences_of("a man\\nruns.\\nWe go.\\n\tb", kTable) ==
        std::vector<std::string>{"a man runs.", "We go.", "b"});
  CHECK(sentences_of(table, kTable) == std::vector<std::string>{"no.", "text",
                                                                "he says \"yes\" to me.", "we go.",
                                                                "a dog", "\"a dog\" runs"});
  CHECK(upper(table, kTable) ==
        "NO.\tTEXT\r\n1\t\"HE SAYS \"\"YES\"\" TO ME.\nWE GO.\"\t\"A DOG\"\r\n2\t\"\"\"A DOG\"\" "
        "RUNS\"\t\"\"\n");
  const std::pair<const char*, const char*> plain[] = {
      {"\"yes\", she said\tno", "\"YES\", SHE SAID\tNO"},
      {"a 5\" disk\tb", "A 5\" DISK\tB"},
      {"\"not closed\tb\nc", "\"NOT CLOSED\tB\nC"},
      {"a & <b>\t%s", "A & <B>\t%S"},
      {"{{ user.name }} a %1$s b\tc", "{{ user.name }} A %1$s B\tC"},
      {"\"a ${name} \"\"b\"\"\"\tc", "\"A ${name} \"\"B\"\"\"\tC"},
      {"\"", "\""},
      {"one.\\ntwo:\\nthree C:\\new\\name\tb", "ONE.\\nTWO:\\nTHREE C:\\NEW\\NAME\tB"},
      {"\t\t\n\n", "\t\t\n\n"}};
  for (const auto& [text, translated] : plain) {
    CAPTURE(text);
    CHECK(upper(text, kTable) == translated);
  }
}

TEST_CASE("Very many line ends in a path of a table stay", "[markup]") {
  std::string path = "C:";
  for (int i = 0; i < 300000; ++i) path += "\\n";
  CHECK(sentences_of(path + " runs.\\nWe go.", DocumentFormat::kTable) ==
        std::vector<std::string>{path + " runs.", "We go."});
}

TEST_CASE("the root element gets the language of the translation") {
  const auto translated = [](const std::string& text, DocumentFormat format) {
    return translate_made(Document(text, format, {split_line, "en", {"fr", "de"}}), in_upper_case);
  };
  const std::pair<std::string, std::string> pages[] = {
      {"<!DOCTYPE html>\n<!-- <html lang=de> -->\n<html class=\"x\" lang=\"de\">\n<head><title>",
       "<!DOCTYPE html>\n<!-- <html lang=de> -->\n<html class=\"x\" lang=\"en\">\n<head><title>"},
      {"<HTML Lang = 'de-AT' dir=ltr><body>", "<HTML Lang = 'en' dir=ltr><body>"},
      {"<html lang=de><p>", "<html lang=en><p>"},
      {"<html lang=fr><p>", "<html lang=en><p>"},
      {"<html data-lang=\"de\" hidden lang=\"it\"><p>",
       "<html data-lang=\"de\" hidden lang=\"it\"><p>"},
      {"<html><p lang=\"de\">", "<html><p lang=\"de\">"},
      {"<html lang><p>", "<html lang><p>"},
      // Of LibreOffice and Word.
      {"<html>\n<head><title></title></head>\n<body lang=\"de-DE\" dir=\"ltr\"><p lang=\"de-DE\">",
       "<html>\n<head><title></title></head>\n<body lang=\"en\" dir=\"ltr\"><p lang=\"de-DE\">"},
      {"<html><!-- <body lang=DE> --><BODY lang=DE style='a:b'>",
       "<html><!-- <body lang=DE> --><BODY lang=en style='a:b'>"},
      {"<html><SCRIPT>'<body lang=de>'</SCRIPT><body lang=de>",
       "<html><SCRIPT>'<body lang=de>'</SCRIPT><body lang=en>"},
      {"<html lang=de><body lang=it>", "<html lang=en><body lang=it>"}};
  for (const auto& [page, expected] : pages) {
    INFO(page);
    CHECK(translated(page + "word", kHtml) == expected + "WORD");
    CHECK(upper(page + "word", kHtml) == page + "WORD");  // of unknown languages
  }
  CHECK(
      translated("<?xml version=\"1.0\"?>\n<a lang=\"de\" xml:lang=\"de\"><b>word</b></a>", kXml) ==
      "<?xml version=\"1.0\"?>\n<a lang=\"de\" xml:lang=\"en\"><b>WORD</b></a>");
  CHECK(translated("<html><title>one</title><body lang='de'>two</body></html>", kHtml) ==
        "<html><title>ONE</title><body lang='en'>TWO</body></html>");
  const std::string kept = "<html lang=\"de\" translate=\"no\"><body>word</body></html>";
  CHECK(translated(kept, kHtml) == kept);
}

TEST_CASE("soft hyphens are no text") {
  const std::string text = "Donau&#173;schiff a\u00ADb";
  const std::vector<std::string> read = {"Donauschiff ab"};
  CHECK(sentences_of("<p>" + text + "</p>", kHtml) == read);
  CHECK(sentences_of("<p>" + text + "</p>", kXml) == read);
  CHECK(sentences_of(text, kMarkdown) == read);
  CHECK(upper("<p>a&shy;b <code>c&shy;d</code></p>", kHtml) == "<p>AB <code>c&shy;d</code></p>");
}

TEST_CASE("text that HTML would take for markup is escaped again") {
  REQUIRE(upper("<p>a &lt;b&gt; c &amp;amp; d</p>", kHtml) == "<p>A &lt;B&gt; C &amp;AMP; D</p>");
}

TEST_CASE("white space between sentences stays, with tags around them") {
  REQUIRE(upper("<p>\n  One is. <b>Two\n is.</b>\n\n\tThree <i>is.</i> </p>", kHtml) ==
          "<p>\n  ONE IS. <b>TWO IS.</b>\n\n\tTHREE <i>IS.</i> </p>");
  REQUIRE(upper("One is.<br>\n  Two is.<br/>Three is.", kHtml) ==
          "ONE IS.<br>\n  TWO IS.<br/>THREE IS.");
}

TEST_CASE("A no-break space after a number stays", "[markup]") {
  CHECK(translate_made("<p>5&nbsp;\u20AC or 10\u202F000 <b>dogs</b></p>", kHtml, reversed) ==
        "<p><b>dogs</b> 10\u202F000 or 5\u00A0\u20AC</p>");
  CHECK(sentences_of("<p>a&nbsp;b 5 c</p>", kHtml) == std::vector<std::string>{"a b 5 c"});
  // What another element has is another word.
  CHECK(sentences_of("<p>5&nbsp;<b>c</b> <i>5</i>&nbsp;d</p>", kHtml) ==
        std::vector<std::string>{"5 c 5 d"});
}

TEST_CASE("a space between two formats keeps its own") {
  for (const std::string page : {"<p>one.<b> </b><u>two.</u></p>", "<p>one<b> </b><u>two</u></p>",
                                 "<p><i>one.</i><b> \n</b>two <u> </u>now</p>"}) {
    auto upper_page = page;
    for (const std::string word : {"one", "two", "now"}) {
      const size_t at = page.find(word);
      if (at != page.npos) upper_page.replace(at, word.size(), in_upper_case(word).text);
    }
    CHECK(upper(page, kHtml) == upper_page);
  }
}

TEST_CASE("a format around a line end or before one ends no sentence") {
  const auto backwards = [](const std::string& text, DocumentFormat format) {
    return translate_made(text, format, reversed);
  };
  CHECK(backwards("<p>one<b> </b><br>two</p>", kHtml).find("two") <
        backwards("<p>one<b> </b><br>two</p>", kHtml).find("one"));
  const std::string times = "1\n00:00:01,000 --> 00:00:02,000\n";
  CHECK(
      upper(times + "one two<i>\n</i>three four\n", DocumentFormat::kSubtitles).find("twothree") ==
      std::string::npos);
  CHECK(words_of_line(upper(times + "one two<i>\n</i>three four\n", DocumentFormat::kSubtitles))
            .size() >= 8);
}

TEST_CASE("code and text marked as not translatable keep their place in a sentence") {
  REQUIRE(upper("<p>run <code>a  &amp;&amp; b</code> now</p>", kHtml) ==
          "<p>RUN <code>a  &amp;&amp; b</code> NOW</p>");
  REQUIRE(upper("<p>by <span translate=no>the <b>firm</b></span>, now</p>", kHtml) ==
          "<p>BY <span translate=no>the <b>firm</b></span>, NOW</p>");
  REQUIRE(upper("<p>by <span translate=\"NO\">the firm</span> now</p>", kHtml) ==
          "<p>BY <span translate=\"NO\">the firm</span> NOW</p>");
  REQUIRE(upper("run `x*y` now", kMarkdown) == "RUN `x*y` NOW");
}

TEST_CASE("code with only marks between stays together") {
  const auto backwards = [](const std::string& text, DocumentFormat format) {
    return translate_made(text, format, reversed);
  };
  CHECK(backwards("<p>press <kbd>A</kbd>+<kbd>B</kbd>&amp;<kbd>C</kbd> <i>now</i>!</p>", kHtml) ==
        "<p><i>now</i>! <kbd>A</kbd>+<kbd>B</kbd>&amp;<kbd>C</kbd> press</p>");
  CHECK(backwards("one `a`/`b`, `c` - `d` two", kMarkdown) == "two `d` - `c` `a`/`b`, one");
  CHECK(backwards("<p>one <kbd>A</kbd>+<kbd><kbd>B</kbd></kbd> two</p>", kHtml) ==
        "<p>two <kbd>A</kbd>+<kbd><kbd>B</kbd></kbd> one</p>");
  CHECK(backwards("one `a{{x}}`/`b{{y}}c` two", kMarkdown) == "two `a{{x}}`/`b{{y}}c` one");
  CHECK(backwards("<p>one <code>f</code>(<code>x</code>) two</p>", kHtml) ==
        "<p>two <code>f</code>(<code>x</code>) one</p>");
  CHECK(backwards("<p>one {{a}}\u2013{{b}} <b>two</b></p>", kHtml) ==
        "<p><b>two</b> {{a}}\u2013{{b}} one</p>");
}

TEST_CASE("what is of a template comes along as written") {
  const std::string values = "{{ name }}, {{{ a.b }}} ${y} %1$s %2$d %(z)d";
  REQUIRE(upper("<p>one " + values + " two</p>", kHtml) == "<p>ONE " + values + " TWO</p>");
  REQUIRE(upper("<p>one " + values + " two</p>", kXml) == "<p>ONE " + values + " TWO</p>");
  REQUIRE(upper("one " + values + " **two**", kMarkdown) == "ONE " + values + " **TWO**");
  REQUIRE(upper("<p>one {% if x %}<b>two</b>{% endif %} <%= x %> three</p>", kHtml) ==
          "<p>ONE {% if x %}<b>TWO</b>{% endif %} <%= x %> THREE</p>");
  REQUIRE(upper("<p>one {{ a && b &amp; c }} <%= d && e %> two &amp; {x</p>", kHtml) ==
          "<p>ONE {{ a && b &amp; c }} <%= d && e %> TWO &amp; {X</p>");
  const std::string alone = "<p>{% if a < b %}</p><p><%= link(c) %></p><p>{{ d }}</p>";
  REQUIRE(upper(alone, kHtml) == alone);
  REQUIRE(upper("<p>a {b} %s @c :d: e%(f) $g {{h {i} 5% j <% k</p>", kHtml) ==
          "<p>A {B} %S @C :D: E%(F) $G {{H {I} 5% J &lt;% K</p>");
}

TEST_CASE("attributes of elements of Markdown stay as they are") {
  CHECK(upper("# a b {#ab .c}\n\n![x](c.png){width=50%} {y} [z](u){: lang=de}\n", kMarkdown) ==
        "# A B {#ab .c}\n\n![x](c.png){width=50%} {Y} [Z](u){: lang=de}\n");
  CHECK(upper("<p>a {#b}</p>", kHtml) == "<p>A {#B}</p>");
}

TEST_CASE("a tag's name may be a number") {
  for (const auto format : {kHtml, DocumentFormat::kHtmlLines}) {
    CHECK(upper("see <0>the <12>cat</12></0> here<1/>.", format) ==
          "SEE <0>THE <12>CAT</12></0> HERE<1/>.");
  }
  const auto backwards = [](const std::string& text) {
    return translate_made(text, kHtml, reversed);
  };
  CHECK(backwards("one <0>two</0> three") == "three <0>two</0> one");
  CHECK(upper("a <3 b <4", kHtml) == "A &lt;3 B &lt;4");
}

TEST_CASE("what is kept as written is named to the translator", "[markup]") {
  const auto copied = [](const std::string& text, DocumentFormat format) {
    const Document document(text, format, [](std::string_view line) { return split_text(line); });
    std::vector<std::string> all;
    const auto constraints = document.constraints({"prefix", {}});
    for (size_t i = 0; i < document.sentences().size(); ++i) {
      CHECK(constraints.at(i).prefix == "prefix");
      for (const auto& [begin, end] : constraints.at(i).copied) {
        all.push_back(document.sentences()[i].substr(begin, end - begin));
      }
      all.push_back("|");
    }
    return all;
  };
  using Texts = std::vector<std::string>;
  CHECK(copied("<p>One is. Two <code> a  b </code>, {{c}}. Go</p><p>d %1$s</p>", kHtml) ==
        Texts{"|", "a b", "{{c}}", "|", "|", "%1$s", "|"});
  CHECK(copied("one <b>two</b>", kHtml) == Texts{"|"});
}

TEST_CASE("text next to what comes along as written is translated") {
  REQUIRE(upper("<p>one %1$stwo <b>three</b>%2$s {{a}}four{{b}}five{{c}}.</p>", kHtml) ==
          "<p>ONE %1$sTWO <b>THREE</b>%2$s {{a}}FOUR{{b}}FIVE{{c}}.</p>");
  const auto backwards = [](const std::string& text) {
    return translate_made(text, kHtml, reversed);
  };
  REQUIRE(backwards("<p>one {{a}}two{{b}} three</p>") == "<p>three{{b}} two {{a}}one</p>");
  REQUIRE(upper("a<code>b</code>-cde <code>f</code>-gh <i>i{{j}}</i> {{k}}l", kHtml) ==
          "A <code>b</code> -CDE <code>f</code> <i>I {{j}}</i> {{k}}");
}

TEST_CASE("a sentence of a paragraph that is only code or numbers stays as it is") {
  const std::string page =
      "<p>one is. <code>git -m \"two men\". x</code> <b>3</b> + <kbd>Del</kbd>. Two is. "
      "1,234.5</p>";
  REQUIRE(sentences_of(page, kHtml) == std::vector<std::string>{"one is.", "Two is."});
  const auto garble = [](const std::string& sentence) {
    return made_translation(sentence, "leaks " + sentence, {});
  };
  REQUIRE(
      translate_made(page, kHtml, garble) ==
      "<p>leaks one is. <code>git -m \"two men\". x</code> <b>3</b> + <kbd>Del</kbd>. leaks Two "
      "is. 1,234.5</p>");
  REQUIRE(translate_made("one is. `ab  cd`. Two is.", kMarkdown, garble) ==
          "leaks one is. `ab  cd`. leaks Two is.");
}

TEST_CASE("a sentence whose translation is empty stays in a document, not in text") {
  for (const std::string text : {"", " "}) {
    const auto laughs = [&](const std::string& sentence) {
      return sentence == "(laughs)" ? made_translation(sentence, text, {})
                                    : in_upper_case(sentence);
    };
    CHECK(translate_made("<p>(<i>laughs</i>)</p><div>one is.</div>", kHtml, laughs) ==
          "<p>(<i>laughs</i>)</p><div>ONE IS.</div>");
    CHECK(translate_made("# (laughs)\n\none\n", kMarkdown, laughs) == "# (laughs)\n\nONE\n");
    CHECK(translate_made("(laughs)", DocumentFormat::kText, laughs) == text);
  }
}

TEST_CASE("a sentence of whose translation only what the model does not read is left stays") {
  for (const std::string mark : {"-", "\u2022", "1)", "a)", "https://x.org", "42", "\u2728"}) {
    INFO(mark);
    const auto only_mark = [&](const std::string& sentence) {
      return sentence == mark + " (laughs)" ? made_translation(sentence, mark, {0})
                                            : in_upper_case(sentence);
    };
    CHECK(translate_made("<p>" + mark + " (laughs)</p><p>one is.</p>", kHtml, only_mark) ==
          "<p>" + mark + " (laughs)</p><p>ONE IS.</p>");
  }
  const auto number = [](const std::string& sentence) {
    return made_translation(sentence, sentence == "two." ? "2." : "x B", {0});
  };
  CHECK(translate_made("<p>two.</p>", kHtml, number) == "<p>2.</p>");
  CHECK(translate_made("<p>x b a</p>", kHtml, number) == "<p>x B</p>");
}

TEST_CASE("marks of footnotes are no text, numbers in words are") {
  const std::string notes =
      "<p>one is.<sup>[2]</sup> two is.<sup id=r><a href='#n'>[3]</a></sup> a man<sup>1</sup>, "
      "the<a href='#n'><sup>(b)</sup></a> end.<a href=n>1</a></p>";
  REQUIRE(sentences_of(notes, kHtml) ==
          std::vector<std::string>{"one is.", "two is.", "a man, the end."});
  REQUIRE(upper(notes, kHtml) ==
          "<p>ONE IS.<sup>[2]</sup> TWO IS.<sup id=r><a href='#n'>[3]</a></sup> A MAN<sup>1</sup>, "
          "THE<a href='#n'><sup>(b)</sup></a> END.<a href=n>1</a></p>");
  REQUIRE(sentences_of("H<sub>2</sub>O, CO<sub>2</sub>, x<sup>2</sup>y <sup>th</sup> in "
                       "<a href=y>1999</a> (<a href=p>7</a>)",
                       kHtml) == std::vector<std::string>{"H2O, CO2, x2y th in 1999 (7)"});
  REQUIRE(upper("<p>one.<sup>1, 2</sup> two<sup>†</sup><sup>3</sup>!</p>", kXml) ==
          "<p>ONE.<sup>1, 2</sup> TWO<sup>†</sup><sup>3</sup>!</p>");
  REQUIRE(sentences_of("one is.<sup>1</sup> two", kMarkdown) ==
          std::vector<std::string>{"one is.", "two"});
}

TEST_CASE("malformed HTML loses nothing") {
  REQUIRE(upper("<p>a <b>b <i>c</b> d</i> e", kHtml) == "<p>A <b>B <i>C D</i></b> E");
  REQUIRE(upper("a </b> b <i> c", kHtml) == "A </b> B <i> C");
  REQUIRE(upper("<a href=x><div>a</div></a> b <", kHtml) == "<a href=x><div>A</div></a> B &lt;");
  REQUIRE(upper("<table>a <tr><td>b</table>", kHtml) == "<table>A <tr><td>B</table>");
  REQUIRE(upper("a <!-- c --> b <?php x ?> d", kHtml) == "A <!-- c --> B <?php x ?> D");
  REQUIRE(upper("", kHtml).empty());
  REQUIRE(upper("<", kHtml) == "<");
}

TEST_CASE("End tags within attributes close no element") {
  std::string html;
  for (int i = 0; i < 20000; ++i) html += "<div a=\"</div>\">";
  REQUIRE_THROWS_AS(upper(html + "word", kHtml), Error);
  std::string divs;
  for (int i = 0; i < 20000; ++i) divs += "<div a = \">\">";
  for (const std::string start : {"", "<a x=y=\">", "<a href==\">", "<a b=' '\">"}) {
    REQUIRE_THROWS_AS(upper(start + divs + "word", kHtml), Error);
  }
}

TEST_CASE("thousands of nested elements are translated or refused") {
  const auto nested = [](const std::string& tag, size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) text += "<" + tag + ">";
    text += "word";
    for (size_t i = 0; i < depth; ++i) text += "</" + tag + ">";
    return text;
  };
  for (const auto* tag : {"i", "div", "x"}) {
    INFO(tag);
    REQUIRE(upper(nested(tag, 3000), kHtml).find("WORD") != std::string::npos);
    REQUIRE_THROWS_AS(upper(nested(tag, 20000), kHtml), Error);
    REQUIRE_THROWS_AS(upper("<SCRIPT></SCRIPT><!-- --!>" + nested(tag, 20000), kHtml), Error);
    const auto mixed = "<r>text " + nested(tag, 100000) + "</r>";
    REQUIRE(upper(mixed, kXml).size() == mixed.size());
  }
  REQUIRE(upper(std::string(10000, '>') + " word", kMarkdown).find("WORD") != std::string::npos);
}

TEST_CASE("HTML that would fill the memory or take hours is refused") {
  std::string unclosed = "<p>";
  for (int i = 0; i < 700; ++i) unclosed += "<b " + std::to_string(i) + ">";
  for (int i = 0; i < 3300; ++i) unclosed += "<p>1";
  std::string attributes = "<a";
  for (int i = 0; i < 1000; ++i) attributes += " b" + std::to_string(i) + " = '/ /'";
  CHECK_THROWS_AS(upper(unclosed + " word", kHtml), MarkupError);
  CHECK(upper(attributes + ">word</a>", kHtml) == attributes + ">WORD</a>");
  for (const std::string more : {" c", "/c", "c", "\nc=d"}) {
    INFO(more);
    CHECK_THROWS_AS(upper(attributes + more + ">word</a>", kHtml), MarkupError);
    CHECK_THROWS_AS(upper("<td" + attributes.substr(2) + more + ">word", kHtml), MarkupError);
  }
  CHECK_THROWS_AS(upper(attributes + " c>word</a>", kMarkdown), MarkupError);
}

TEST_CASE("HTML of many unclosed tags is translated in linear time") {
  std::string kept;
  for (int i = 0; i < 5000; ++i) kept += "<span translate=no>";
  for (int i = 0; i < 50000; ++i) kept += "<i></i>";
  CHECK(upper("<p>word</p>" + kept, kHtml) == "<p>WORD</p>" + kept);
  CHECK(upper("<p>word<div translate=no>" + kept + "<p>word</div>word", kHtml) ==
        "<p>WORD<div translate=no>" + kept + "<p>word</div>WORD");
  std::string meta = "<meta content=\"";
  for (int i = 0; i < 200000; ++i) meta += "<meta ";
  CHECK(upper("<p>word</p>" + meta, kHtml) == "<p>WORD</p>" + meta);
  CHECK(upper("<meta charset=x><meta charset=y a><p>word", kHtml) ==
        "<meta charset=UTF-8><meta charset=UTF-8 a><p>WORD");
}

TEST_CASE("HTML is refused for its depth alone") {
  const auto times = [](size_t count, const std::string& text) {
    std::string repeated;
    for (size_t i = 0; i < count; ++i) repeated += text;
    return repeated;
  };
  const auto script = "<script>" + times(20000, "if(i<n)x();") + "</script>";
  for (const auto& before :
       {"<svg>" + times(20000, "<path/>") + "</svg>", script, times(20000, "<p>a<br>"),
        "<!-- " + times(20000, "<b>") + " -->", "<table>" + times(20000, "<tr><td>a"),
        times(20000, "<ruby>a<rt>b</ruby>")}) {
    INFO(before.substr(0, 40));
    REQUIRE(upper(before + "<div>word</div>", kHtml).find("WORD") != std::string::npos);
  }
  for (const auto& text : {times(20000, "<div></x>"), times(20000, "<div><!--</div>-->"),
                           "<svg>" + times(20000, "<td>"), times(100000, "<rt>")}) {
    INFO(text.substr(0, 40));
    REQUIRE_THROWS_AS(upper(text, kHtml), Error);
  }
  const auto uncounted = "<svg><b></b>" + times(400000, "<x/>");
  REQUIRE(upper(uncounted + "word", kHtml).find("WORD") != std::string::npos);
}

TEST_CASE("text of XML marked as not translatable stays in CDATA and in lines of its own") {
  for (const std::string kept : {"<w translate=\"no\"><![CDATA[two  men]]></w>",
                                 "<code xml:space=\"preserve\">two\nmen</code>"}) {
    REQUIRE(upper("<p>see " + kept + " now</p>", kXml) == "<p>SEE " + kept + " NOW</p>");
  }
}

TEST_CASE("white space of every kind stays between and around sentences") {
  REQUIRE(upper("<p>\u3000one is.\u3000\u3000two &#x2003; is.&emsp;</p>", kHtml) ==
          "<p>\u3000ONE IS.\u3000\u3000TWO IS.&emsp;</p>");
  REQUIRE(sentences_of("<p>\u3000one\u2003is.\u3000two</p>", kHtml) ==
          std::vector<std::string>{"one is.", "two"});
}

TEST_CASE("XML whose text is not all to be translated is refused by its root element") {
  const std::pair<std::string, std::string> documents[] = {
      {"<xliff version='1.2'><file>a</file></xliff>", "begins as XLIFF; use --format xliff"},
      {"<!DOCTYPE TS [<!ENTITY a 'b'>]>\n<TS><context><message>a</message></context></TS>",
       "Qt Linguist's format is not supported; convert it to .po"},
      {"<!-- <a> --><tmx><header/><body>a</body></tmx>", "a TMX holds translations already"},
      {"<root><resheader name='a'>b</resheader></root>", "resx is not supported; convert it"},
      {"<resources>\n<string name='a'>b</string></resources>",
       "Android's resources are not supported; convert them to .po"}};
  for (const auto& [document, reason] : documents) {
    CHECK_THAT(error_of([&] { upper("<?xml version='1.0'?>\n" + document, kXml); }),
               Catch::Matchers::StartsWith("XML: " + reason));
  }
  CHECK(upper("<root><a>one</a></root>", kXml) == "<root><a>ONE</a></root>");
  CHECK(upper("<resources><a>one</a></resources>", kXml) == "<resources><a>ONE</a></resources>");
  CHECK(upper("<a><xliff>one<file/></xliff></a>", kXml) == "<a><xliff>ONE<file/></xliff></a>");
}

TEST_CASE("a page that declares another encoding becomes UTF-8") {
  const std::pair<std::string, std::string> declarations[] = {
      {"<meta charset=\"iso-8859-1\">", "<meta charset=\"UTF-8\">"},
      {"<META name=a><Meta CharSet = latin1 />", "<META name=a><Meta CharSet = UTF-8 />"},
      {"<meta id='a' charset=x-sjis>", "<meta id='a' charset=UTF-8>"},
      {"<meta http-equiv=\"Content-Type\"\n content=\"text/html; charset=windows-1252\">",
       "<meta http-equiv=\"Content-Type\"\n content=\"text/html; charset=UTF-8\">"},
      {"<meta content=\"İİ\" charset=\"iso-8859-1\">", "<meta content=\"İİ\" charset=\"UTF-8\">"},
      {"<title>a</title>\n<meta charset=ascii>", "<title>A</title>\n<meta charset=UTF-8>"}};
  for (const auto& [declared, expected] : declarations) {
    CHECK(upper("<html><head>" + declared + "</head><p>word</p>", kHtml) ==
          "<html><head>" + expected + "</head><p>WORD</p>");
  }
  for (const std::string kept :
       {"<meta charset=\"utf-8\">", "<meta charset=utf8>", "<meta charset>", "<meta charset=\"\">",
        "<meta charset=\"{{ charset }}\">", "<!-- <meta charset=latin1> -->", "<meta charset",
        "<meta name=\"description\" content=\"charset=latin1\">",
        "<script>'<meta charset=latin1>'</script>"}) {
    CHECK(upper("<html><head>" + kept + "</head><p>word</p>", kHtml).find(kept) !=
          std::string::npos);
  }
}

TEST_CASE("XML elements beside text are inline, others end a sentence") {
  const std::string xml =
      "<?xml version=\"1.0\"?>\n<!-- c --><doc>\n <p>one <x:b a='1'>two</x:b> three.</p>\n"
      " <p><y>four</y></p><z xml:space=\"preserve\">a  b\n  c</z>\n"
      " <p translate=\"no\">kept</p><p>five<br/> <i translate=\"no\">six</i> &lt;7&gt;</p>"
      "<c><![CDATA[eight < nine & x]]></c><c><![CDATA[<p>ten <b>&amp;</b></p>]]></c></doc>\n";
  REQUIRE(sentences_of(xml, kXml) == std::vector<std::string>{"one two three.", "four", "a b", "c",
                                                              "five six <7>", "eight < nine & x",
                                                              "ten &"});
  auto expected = xml;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"one <x:b a='1'>two</x:b> three", "ONE <x:b a='1'>TWO</x:b> THREE"},
           {">four<", ">FOUR<"},
           {"a  b\n  c<", "A B\n  C<"},
           {">five<", ">FIVE<"},
           {"eight < nine & x", "EIGHT < NINE & X"},
           {">ten <", ">TEN <"}}) {
    expected.replace(expected.find(from), from.size(), to);
  }
  REQUIRE(upper(xml, kXml) == expected);
}

TEST_CASE("blocks of XHTML in XML end a sentence beside text, too") {
  const std::string list = "<li>a dog<ul><li>a <b>cat</b>.</li></ul><pre>kept</pre> now</li>";
  const std::vector<std::string> items = {"a dog", "a cat.", "now"};
  const std::string name = "'http://www.w3.org/1999/xhtml'";
  REQUIRE(sentences_of("<html><ul>" + list + "</ul></html>", kXml) == items);
  REQUIRE(upper("<feed><ul xmlns=" + name + ">" + list + "</ul></feed>", kXml) ==
          "<feed><ul xmlns=" + name +
              "><li>A DOG<ul><li>A <b>CAT</b>.</li></ul><pre>kept</pre> NOW</li></ul></feed>");
  REQUIRE(sentences_of("<x:div xmlns:x=" + name + ">a<x:p>b</x:p></x:div>", kXml) ==
          std::vector<std::string>{"a", "b"});
  REQUIRE(sentences_of("<doc>a<p>b</p></doc>", kXml) == std::vector<std::string>{"ab"});
  REQUIRE(sentences_of("<html>a<doc xmlns='urn:x'>b<p>c</p></doc></html>", kXml) ==
          std::vector<std::string>{"abc"});
  REQUIRE(upper("<html><span>a <div>b</div> c</span></html>", kXml) ==
          "<html><span>A <div>B</div> C</span></html>");
  // Within what comes along as written, they do not.
  for (const std::string kept : {"<span translate='no'>keep <div>a <p>cat</p></div></span>",
                                 "<code>f(<div>a</div>)</code>"}) {
    REQUIRE(upper("<html><p>some " + kept + " now</p></html>", kXml) ==
            "<html><p>SOME " + kept + " NOW</p></html>");
  }
}

TEST_CASE("XML with entities of its own does not expand them") {
  const std::string xml =
      "<!DOCTYPE d [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><d>one &b; two</d>";
  REQUIRE(sentences_of(xml, kXml) == std::vector<std::string>{"one two"});
  REQUIRE(upper(xml, kXml).find("<d>ONE &b; TWO</d>") != std::string::npos);
}

TEST_CASE("XML that declares very many attributes is refused") {
  const auto document = [](int count, const std::string& attribute) {
    std::string declared;
    for (int i = 0; i < count; ++i) declared += " a" + std::to_string(i) + attribute;
    return "<!DOCTYPE d [<!ATTLIST e" + declared + ">]><d>one<e/></d>";
  };
  for (const auto& xml : {document(101, " CDATA 'x'"), document(1001, " CDATA #IMPLIED"),
                          document(1, " CDATA '" + std::string(20000, 'x') + "'")}) {
    CHECK(error_of([&] { upper(xml, kXml); }) ==
          "XML: more than 1,000 attributes, or too many defaults, in ATTLIST of e; shorten it");
  }
  for (const auto& xml : {document(90, " CDATA 'x'"), document(1000, " CDATA #IMPLIED")}) {
    CHECK(sentences_of(xml, kXml) == std::vector<std::string>{"one"});
  }
  std::string type = "<!DOCTYPE d [";  // each element has few of them
  for (int i = 0; i < 2000; ++i) type += "<!ATTLIST e" + std::to_string(i) + " a CDATA #IMPLIED>";
  CHECK(sentences_of(type + "]><d>one<e1/></d>", kXml) == std::vector<std::string>{"one"});
}

TEST_CASE("XML that declares ASCII becomes UTF-8") {
  const auto with = [](const std::string& encoding, const std::string& text) {
    return "<?xml version='1.0' encoding='" + encoding + "'?>\n<a>" + text + "</a>";
  };
  CHECK(upper(with("US-ASCII", "caf&#233;"), kXml) == with("UTF-8", "CAFé"));
  CHECK(upper(with("utf-8", "caf&#233;"), kXml) == with("utf-8", "CAFé"));
  const std::string style = "<?xml-stylesheet href='us-ascii.css'?><a>";
  CHECK(upper(style + "one</a>", kXml) == style + "ONE</a>");
  const auto xliff = [](const std::string& encoding, const std::string& target) {
    return "<?xml version=\"1.0\" encoding=\"" + encoding +
           "\"?><xliff version=\"2.0\" srcLang=\"en\"><file id=\"f\"><unit "
           "id=\"u\"><segment><source>one</source>" +
           target + "</segment></unit></file></xliff>";
  };
  CHECK(upper(xliff("us-ascii", ""), DocumentFormat::kXliff) ==
        xliff("UTF-8", "<target>ONE</target>"));
}

TEST_CASE("a byte order mark stays where it is") {
  const std::string mark = "\xEF\xBB\xBF";
  REQUIRE(upper(mark + "<a>one &lt; <b>two</b></a>", kXml) == mark + "<a>ONE &lt; <b>TWO</b></a>");
  REQUIRE(upper(mark + "<a>one</a>", kHtml) == mark + "<a>ONE</a>");
  REQUIRE(upper(mark + "# one **two**", kMarkdown) == mark + "# ONE **TWO**");
  REQUIRE(upper(mark + "msgid \"one\"\nmsgstr \"\"\n", DocumentFormat::kGettext) ==
          mark + "msgid \"one\"\nmsgstr \"ONE\"\n");
}

TEST_CASE("a document that cannot be read is one clear error") {
  const auto message = [](const std::string& text, DocumentFormat format) {
    return error_of([&] { upper(text, format); });
  };
  REQUIRE(message("<a>\n <b></a>", kXml) ==
          "XML: line 2, column 7: mismatched tag; correct the document");
  REQUIRE(message("<html>&nbsp;</html>", kXml) ==
          "XML: line 1, column 7: undefined entity; declare it or use --format html");
  REQUIRE(message("<a>&nbsp;</a>", kXml) ==
          "XML: line 1, column 4: undefined entity; correct the document");
  REQUIRE(message("<?xml version='1.0' encoding='EUC-KR'?><a/>", kXml) ==
          "XML: encoding EUC-KR; convert the document and this declaration to UTF-8");
  REQUIRE(message("a\xFF", kHtml) ==
          "html: byte 2 is not valid UTF-8; convert the document, for example with iconv -f "
          "WINDOWS-1252 -t UTF-8 (or from its encoding, e.g. EUC-KR)");
  REQUIRE(message(std::string("\xFF\xFE"
                              "1\0",
                              4),
                  DocumentFormat::kSubtitles) ==
          "srt: byte 1 is not valid UTF-8; convert the document, for example with iconv -f UTF-16 "
          "-t UTF-8");
}

TEST_CASE("Markdown keeps its markup and passes code, links and images unchanged") {
  const std::string markdown =
      "---\ntitle: kept\n---\n# the *title*\n\nsome **bold _and_** text\nwith ~~a~~ [link `c` "
      "d](http://x.y \"t\") and\n![image](i.png) [![b](s)](h) more.\n\n> quoted\n> text\n\n"
      "1. one\n   - two **x**\n     y\n\n```sh\nkept *as* it is\n```\n\n    kept too\n\n"
      "<div>\nkept\n</div>\n\n| a | **b** |\n|---|---|\n| c d | `e` |\n\nsee <http://a.b/c> "
      "and a<br>b &amp; c\\*d\\\ne\n\n[ref]: http://z \"kept\"\n";
  auto expected = markdown;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"the *title*", "THE *TITLE*"},
           {"some **bold _and_** text\nwith ~~a~~ [link `c` d](",
            "SOME **BOLD _AND_** TEXT WITH "
            "~~A~~ [LINK `c` D]("},
           {") and\n!", ") AND !"},
           {") more", ") MORE"},
           {"quoted\n> text", "QUOTED TEXT"},
           {"one\n", "ONE\n"},
           {"two **x**\n     y", "TWO **X** Y"},
           {"| a | **b**", "| A | **B**"},
           {"c d", "C D"},
           {"see <", "SEE <"},
           {"> \nand a<br>b &amp; c\\*d\\\ne", ""},
       }) {
    const size_t at = expected.find(from);
    if (at != std::string::npos) expected.replace(at, from.size(), to);
  }
  const std::string last = "and a<br>b &amp; c\\*d\\\ne";
  expected.replace(expected.find(last), last.size(), "AND A<br>B & C\\*D\\\nE");
  REQUIRE(upper(markdown, kMarkdown) == expected);
}

TEST_CASE("a table of Markdown may have one hyphen per column") {
  REQUIRE(upper("| a | b |\n|-|:-:|\n| c | [d](e) |\n\nf **g**\n", kMarkdown) ==
          "| A | B |\n|-|:-:|\n| C | [D](e) |\n\nF **G**\n");
  REQUIRE(upper("> a | b\n> --|--\n> c | d\n", kMarkdown) == "> A | B\n> --|--\n> C | D\n");
  REQUIRE(upper("- a | b\n- | -\n", kMarkdown) == "- A | B\n- | -\n");
  REQUIRE(upper("a `b\n|-|` c\n", kMarkdown) == "A `b\n|-|` C\n");
}

TEST_CASE("footnotes and alerts of Markdown keep their labels") {
  REQUIRE(upper("one[^1] two.[^n_o][^2]\n\n[^1]: three\n[^n_o]:\n    *four*\n[^2]: http://x.y\n",
                kMarkdown) ==
          "ONE[^1] TWO.[^n_o][^2]\n\n[^1]: THREE\n[^n_o]:\n    *FOUR*\n[^2]: http://x.y\n");
  REQUIRE(sentences_of("[^1]: one\n[^2]: two", kMarkdown) ==
          std::vector<std::string>{"one", "two"});
  REQUIRE(upper("**one.**[^1] \\*a[^2] `[^3]` \\[^4]", kMarkdown) ==
          "**ONE.**[^1] \\*A[^2] `[^3]` \\[^4\\]");
  REQUIRE(upper("> [!NOTE]\n> one\n> two\n", kMarkdown) == "> [!NOTE]\n> ONE TWO\n");
}

TEST_CASE("a Markdown link whose text is its label keeps the label") {
  const std::string definitions = "\n\n[Red Book]: /1\n[a dog]: /2\n[*x* y]: /3\n";
  REQUIRE(upper("the [red book][] and [a dog] or [b][A dog], [c](d) [e] [*x* y][]" + definitions,
                kMarkdown) ==
          "THE [RED BOOK][red book] AND [A DOG][a dog] OR [B][A dog], [C](d) \\[E\\] "
          "[*X* Y][*x* y]" +
              definitions);
  REQUIRE(upper("> a [red\n> book] b" + definitions, kMarkdown) ==
          "> A [RED BOOK][red book] B" + definitions);
}

TEST_CASE("math of Markdown passes unchanged, amounts of money do not") {
  REQUIRE(upper("run $x_1 + y$ now, **$z$ too**\n\n$$\na \\\\\nb\n$$\n\n> one $$\n> c\n> $$ two\n",
                kMarkdown) ==
          "RUN $x_1 + y$ NOW, **$z$ TOO**\n\n$$\na \\\\\nb\n$$\n\n> ONE $$\n> c\n> $$ TWO\n");
  REQUIRE(upper("from $5 to **a** $10 or $a/$b\n", kMarkdown) == "FROM $5 TO **A** $10 OR $A/$B\n");
}

TEST_CASE("a rule before a blank line begins no header of Markdown") {
  REQUIRE(upper("---\n\n# one\n\ntwo\n\n---\n\nthree\n", kMarkdown) ==
          "---\n\n# ONE\n\nTWO\n\n---\n\nTHREE\n");
  REQUIRE(upper("---\r\n \r\none\r\n\r\n---\r\n", kMarkdown) == "---\r\n \r\nONE\r\n\r\n---\r\n");
  REQUIRE(upper("---\n---\none\n", kMarkdown) == "---\n---\nONE\n");
}

TEST_CASE("a header of Markdown in TOML is kept") {
  REQUIRE(upper("+++\ntitle = \"kept\"\n+++\none\n", kMarkdown) ==
          "+++\ntitle = \"kept\"\n+++\nONE\n");
}

TEST_CASE("translated text does not become Markdown") {
  const auto translated = [](const std::string& target) {
    return translate_made("word", kMarkdown, [&](const std::string& sentence) {
      return made_translation(sentence, target, {});
    });
  };
  REQUIRE(translated("1. a *b* [c](d) `e` <f> f_g_h _i_ &amp; 2 < 3") ==
          "1\\. a \\*b\\* \\[c\\](d) \\`e\\` \\<f> f_g_h \\_i\\_ &amp;amp; 2 < 3");
  REQUIRE(translated("# a") == "\\# a");
  REQUIRE(translated("a ____ b __ c_d") == "a ____ b __ c_d");
  REQUIRE(translated("a!") == "a!");
  REQUIRE(translated("- a") == "\\- a");
  // Before a link, "!" would make an image of it.
  const auto same = [](const std::string& sentence) {
    return made_translation(sentence, sentence, {0});
  };
  REQUIRE(translate_made("a\\![c](d)", kMarkdown, same) == "a\\![c](d)");
}

TEST_CASE("plain text needs no words and keeps its lines") {
  const std::string text = "one is.  Two is.\n\n <b> c\n";
  const Document document(text, DocumentFormat::kText,
                          [](std::string_view line) { return split_text(line); });
  REQUIRE_FALSE(document.needs_words());
  REQUIRE(upper(text, DocumentFormat::kText) == "ONE IS.  TWO IS.\n\n <B> C\n");
}
