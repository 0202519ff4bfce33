#include "markup/word_parser.h"

#include <string>
#include <vector>

#include "markup/made_translation.h"
#include "markup/xml_parser.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "unicode/substrings.h"

using namespace nmt;

namespace {

const std::string kRun = "<w:r><w:t xml:space=\"preserve\">";
const std::string kBold = "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">";
const std::string kEnd = "</w:t></w:r>";

std::string part(const std::string& body) {
  return "<?xml version=\"1.0\"?>\n<w:document xmlns:w=\"urn:w\"><w:body>" + body +
         "<w:sectPr/></w:body></w:document>";
}

std::string run(const std::string& text, const std::string& properties = "") {
  return "<w:r>" + properties + "<w:t>" + text + "</w:t></w:r>";
}

std::string translated(const std::string& body, const MadeTranslator& translate) {
  return translate_made(Document(parse_word_part(part(body)), split_line), translate);
}

std::string open_document(const std::string& body, const MadeTranslator& translate) {
  const auto whole = [](const std::string& content) {
    return "<office:text xmlns:office=\"urn:o\" xmlns:text=\"urn:t\">" + content + "</office:text>";
  };
  const auto result =
      translate_made(Document(parse_open_document(whole(body)), split_line), translate);
  const auto begin = whole("").find("</");
  return result.substr(begin, result.size() - whole("").size());
}

}  // namespace

TEST_CASE("Text of a Word document stays in runs, and formatting follows its words") {
  const auto bold = "<w:rPr><w:b/></w:rPr>";
  const auto body = "<w:p w:id=\"1\"><w:pPr><w:jc/></w:pPr>" + run("one two ") +
                    run("three", bold) + run(" four &amp; five") + "</w:p>";
  REQUIRE(translated(body, in_upper_case) ==
          part("<w:p w:id=\"1\"><w:pPr><w:jc/></w:pPr>" + kRun + "ONE TWO " + kEnd + kBold +
               "THREE" + kEnd + kRun + " FOUR &amp; FIVE" + kEnd + "</w:p>"));
  REQUIRE(translated(body, reversed) ==
          part("<w:p w:id=\"1\"><w:pPr><w:jc/></w:pPr>" + kRun + "five &amp; four " + kEnd + kBold +
               "three" + kEnd + kRun + " two one" + kEnd + "</w:p>"));
}

TEST_CASE("What is of a template comes along as written in a Word document") {
  const std::string values = "{{ a &gt; b }} {% if c &lt; 2 %}";
  const std::string last = " &lt;%= d &amp; e %&gt; ";
  const auto body = "<w:p>" + run("one " + values + "two" + last + "{three}") + "</w:p>";
  REQUIRE(translated(body, in_upper_case) ==
          part("<w:p>" + kRun + "ONE " + values + "TWO" + last + "{THREE}" + kEnd + "</w:p>"));
}

TEST_CASE("A word that Word divides between runs of one formatting is one word") {
  const auto divided = "<w:p>" + run("o", "<w:rPr><w:lang w:val=\"de\"/></w:rPr>") +
                       "<w:proofErr/>" + run("n") + "<w:r><w:lastRenderedPageBreak/></w:r>" +
                       run("e") + "</w:p>";
  REQUIRE(translated(divided, in_upper_case) == part("<w:p>" + kRun + "ONE" + kEnd + "</w:p>"));
}

TEST_CASE("Links, breaks and pictures keep their places, what has no text its bytes") {
  const auto link = "<w:p>" + run("see ") + "<w:hyperlink r:id=\"7\">" + run("the page") +
                    "</w:hyperlink>" + run(" now") + "</w:p>";
  REQUIRE(translated(link, in_upper_case) ==
          part("<w:p>" + kRun + "SEE " + kEnd + "<w:hyperlink r:id=\"7\">" + kRun + "THE PAGE" +
               kEnd + "</w:hyperlink>" + kRun + " NOW" + kEnd + "</w:p>"));
  const auto tab = "<w:p>" + run("one") + "<w:r><w:tab/></w:r>" + run("two") + "</w:p>";
  REQUIRE(
      translated(tab, in_upper_case) ==
      part("<w:p>" + kRun + "ONE" + kEnd + "<w:r><w:tab/></w:r>" + kRun + "TWO" + kEnd + "</w:p>"));
  const auto kept =
      "<w:p/><w:p><w:pPr/></w:p><w:p><w:r><w:drawing><a:t>chart</a:t></w:drawing>"
      "</w:r></w:p><w:p><w:del>" +
      run("gone") + "</w:del></w:p>";
  REQUIRE(translated(kept, in_upper_case) == part(kept));
}

TEST_CASE("A field of a Word document, such as a link, keeps its text") {
  const auto mark = [](const std::string& type) {
    return "<w:r><w:fldChar w:fldCharType=\"" + type + "\"/></w:r>";
  };
  const auto field = [&](const std::string& instruction, const std::string& content) {
    return mark("begin") + "<w:r><w:instrText>" + instruction + "</w:instrText></w:r>" +
           mark("separate") + content + mark("end");
  };
  const auto paragraph = [](const std::string& content) { return "<w:p>" + content + "</w:p>"; };
  const auto link = paragraph(run("see ") + field("HYPERLINK x", run("the page")) + run(" now"));
  // No word of the translation comes from the link's.
  const auto translate = [](const std::string& sentence) {
    return made_translation(sentence, "A B", {0, 3});
  };
  const auto element = [&](const std::string& words) {
    return field("HYPERLINK x", kRun + words + kEnd);
  };
  REQUIRE(translated(link, translate) == part(paragraph(element("A") + kRun + " B" + kEnd)));
  REQUIRE(translated(link, reversed) ==
          part(paragraph(kRun + "now " + kEnd + element("page the") + kRun + " see" + kEnd)));
  // Fields in what one shows, in a wrapper, and with a part of them in another paragraph.
  const auto nested =
      paragraph(run("a ") + field("FORMTEXT", run("b ") + field("PAGE", run("3"))) + run(" c"));
  REQUIRE(contains(translated(nested, reversed),
                   field("FORMTEXT", field("PAGE", kRun + "3" + kEnd) + kRun + " b" + kEnd)));
  const auto wrapped = paragraph(run("a ") + "<w:ins>" + field("FORMTEXT", run("b")) + "</w:ins>");
  REQUIRE(contains(translated(wrapped, in_upper_case), field("FORMTEXT", kRun + "B" + kEnd)));
  const std::string half =
      mark("begin") + "<w:r><w:instrText>TOC</w:instrText></w:r>" + mark("separate");
  for (const auto& body : {paragraph(run("a b ") + half + run("c ") + field("X", run("d"))) +
                               paragraph(run("e f") + mark("end") + run(" g")),
                           paragraph(run("a ") + mark("begin") + "<w:ins>" + mark("separate") +
                                     run("b") + mark("end") + "</w:ins>" + run(" c")),
                           // A field in the instruction of another.
                           paragraph(run("a ") + mark("begin") + field("X", run("b")) + run(" c ") +
                                     mark("separate") + run("d") + mark("end") + run(" e")),
                           paragraph(run("a ") + mark("begin") + field("X", "") + mark("separate") +
                                     run("d") + mark("end") + run(" e")),
                           paragraph(run("a") + mark("separate") + mark("end") + run(" b"))}) {
    INFO(body);
    const auto result = translated(body, in_upper_case);
    const auto marks = [](std::string text) {
      std::string found;
      for (size_t at = text.find("CharType="); at != std::string::npos;
           at = text.find("CharType=", at + 1)) {
        found += text.substr(at + 10, 1);
      }
      return found;
    };
    REQUIRE(marks(result) == marks(body));
    REQUIRE(contains(result, "A"));
  }
}

TEST_CASE("What a word processor computes again stays as it is") {
  const auto complex = [](const std::string& instruction, const std::string& content) {
    const auto mark = [](const std::string& type) {
      return "<w:r><w:fldChar w:fldCharType=\"" + type + "\"/></w:r>";
    };
    // In two runs, as Word divides it.
    const auto part_of = [](const std::string& text) {
      return "<w:r><w:instrText xml:space=\"preserve\">" + text + "</w:instrText></w:r>";
    };
    return mark("begin") + part_of(instruction.substr(0, 3)) + part_of(instruction.substr(3)) +
           mark("separate") + content + mark("end");
  };
  const auto simple = [](const std::string& instruction, const std::string& content) {
    return "<w:fldSimple w:instr=\"" + instruction + "\">" + content + "</w:fldSimple>";
  };
  const auto written = [](const std::string& text) { return kRun + text + kEnd; };
  // The model translates all of it.
  const auto translate = [](const std::string& sentence) {
    return made_translation(sentence, "SIDE TWO OF NINE", {0, 1, 2, 3});
  };
  REQUIRE(translated("<w:p>" + run("page ") + complex(" PAGE ", run("2")) + run(" of ") +
                         simple(" NUMPAGES \\* Arabic ", run("9")) + "</w:p>",
                     translate) ==
          part("<w:p>" + written("SIDE ") + complex(" PAGE ", written("2")) + written(" OF ") +
               simple(" NUMPAGES \\* Arabic ", written("9")) + "</w:p>"));
  // Others are text.
  for (const std::string instruction : {" HYPERLINK \"x\"", "hyperlink x", "TOC", " FORMTEXT "}) {
    INFO(instruction);
    std::string code = instruction;
    replace_all(code, "\"", "&quot;");
    const auto result = translated("<w:p>" + run("a ") + complex(code, run("b")) + run(" c ") +
                                       simple(code, run("d")) + "</w:p>",
                                   in_upper_case);
    CHECK(contains(result, complex(code, written("B"))));
    CHECK(contains(result, simple(code, written("D"))));
  }
  const std::string fields =
      "by <text:author-name>hans</text:author-name>, <text:placeholder>&lt;b&gt;</text:placeholder>"
      " and <text:sender-city>rom</text:sender-city>";
  auto expected = "<text:p>" + fields + "</text:p><text:p><text:text-input>A B</text:text-input>";
  replace_all(expected, "by", "BY");
  replace_all(expected, " and", " AND");
  REQUIRE(open_document("<text:p>" + fields +
                            "</text:p><text:p><text:text-input>a b</text:text-input></text:p>",
                        in_upper_case) == expected + "</text:p>");
}

TEST_CASE("A tab of a word processor ends a sentence") {
  const std::string tab = "<w:r><w:tab/></w:r>";
  const auto row = "<w:p>" + tab + run("name: ") + tab + run("a man") + tab + run("7") + tab +
                   "<w:hyperlink>" + run("two") + tab + run("dogs") + "</w:hyperlink></w:p>";
  const Document document(parse_word_part(part(row)), split_line);
  REQUIRE(document.sentences() == std::vector<std::string>{"name:", "a man", "two", "dogs"});
  REQUIRE(translated(row, in_upper_case) ==
          part("<w:p>" + tab + kRun + "NAME: " + kEnd + tab + kRun + "A MAN" + kEnd + tab + kRun +
               "7" + kEnd + tab + "<w:hyperlink>" + kRun + "TWO" + kEnd + tab + kRun + "DOGS" +
               kEnd + "</w:hyperlink></w:p>"));
  REQUIRE(open_document("<text:p>name: <text:tab/>a man<text:tab/>7 b</text:p>", reversed) ==
          "<text:p>name: <text:tab/>man a<text:tab/>b 7</text:p>");
  REQUIRE(open_document("<text:p>- a b<text:line-break/>- c d <text:s/>- e</text:p>", reversed) ==
          "<text:p>b a -<text:line-break/>e - d c -<text:s/></text:p>");
  // Also in a link, such as an entry of a table of contents, and where it has a format of its own.
  REQUIRE(translated("<w:p><w:hyperlink>" + run("4.2") + tab + run("two dogs") + tab + run("12") +
                         "</w:hyperlink></w:p>",
                     reversed) ==
          part("<w:p><w:hyperlink>" + kRun + "4.2" + kEnd + tab + kRun + "dogs two" + kEnd + tab +
               kRun + "12" + kEnd + "</w:hyperlink></w:p>"));
  for (const std::string one : {"<text:tab/>", "<text:span><text:tab/></text:span>"}) {
    REQUIRE(open_document("<text:p><text:a>a man" + one + "7 b</text:a></text:p><text:p>c d" + one +
                              "e f</text:p>",
                          reversed) == "<text:p><text:a>man a" + one +
                                           "b 7</text:a></text:p><text:p>d c" + one +
                                           "f e</text:p>");
  }
}

TEST_CASE("A text box in a Word document is translated by itself, and moves with its place") {
  const auto box = [](const std::string& paragraphs) {
    return "<w:r><w:drawing><wps:txbx><w:txbxContent>" + paragraphs +
           "</w:txbxContent></wps:txbx></w:drawing></w:r>";
  };
  const auto paragraph = [](const std::string& content) { return "<w:p>" + content + "</w:p>"; };
  // In a paragraph without text of its own, and of numbers alone.
  REQUIRE(translated(paragraph(box(paragraph(run("in the box")))), reversed) ==
          part(paragraph(box(paragraph(kRun + "box the in" + kEnd)))));
  const auto number = translated(paragraph(run("7") + box(paragraph(run("in")))), in_upper_case);
  REQUIRE(contains(number, ">7</w:t>"));
  REQUIRE(contains(number, box(paragraph(kRun + "IN" + kEnd))));
  const auto beside =
      paragraph(run("one ") + box(paragraph(run("a b")) + paragraph(run("c d"))) + run("two"));
  const Document document(parse_word_part(part(beside)), split_line);
  REQUIRE(document.sentences() == std::vector<std::string>{"one two", "a b", "c d"});
  const auto inner = box(paragraph(kRun + "b a" + kEnd) + paragraph(kRun + "d c" + kEnd));
  REQUIRE(translated(beside, reversed) ==
          part("<w:p>" + inner + kRun + "two one" + kEnd + "</w:p>"));
  // Word writes each box twice, for old readers too.
  const auto twice =
      "<mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent>" + paragraph(run("a")) +
      "</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><v:textbox>"
      "<w:txbxContent>" +
      paragraph(run("a")) + "</w:txbxContent></v:textbox></mc:Fallback></mc:AlternateContent>";
  const auto both =
      translated("<w:p><w:r>" + twice + "</w:r>" + run("b") + "</w:p>", in_upper_case);
  const auto first = both.find(">A</w:t>");
  REQUIRE(first != std::string::npos);
  REQUIRE(both.find(">A</w:t>", first + 1) != std::string::npos);
  // A box in a box, to a depth that files have.
  REQUIRE(contains(translated(paragraph(box(paragraph(box(paragraph(run("in")))))), in_upper_case),
                   ">IN</w:t>"));
  std::string deep = run("in");
  for (int i = 0; i < 1000; ++i) deep = box(paragraph(deep));
  REQUIRE(translated(paragraph(deep), in_upper_case) == part(paragraph(deep)));
  // What is not where a box may be is kept, too.
  const auto astray =
      paragraph(run("a") + "<w:txbxContent>" + paragraph(run("b")) + "</w:txbxContent>");
  REQUIRE(contains(translated(astray, in_upper_case), "<w:txbxContent>" + paragraph(run("b"))));
  // What looks like a box that was taken out.
  const auto fake = "<?nmt-content 9?>" + beside;
  REQUIRE(contains(translated(fake, in_upper_case), "<?nmt-content 9?>"));
}

TEST_CASE(
    "A Word document gets no runs without text, a paragraph without letters keeps its bytes") {
  const std::string bookmark = "<w:bookmarkStart/><w:bookmarkEnd/>";
  const auto number = "<w:p>" + bookmark + run("4") + "<w:r><w:br/></w:r></w:p>";
  REQUIRE(translated(number, in_upper_case) == part(number));
  REQUIRE(translated("<w:p>" + bookmark + run("one") + bookmark + "</w:p>", in_upper_case) ==
          part("<w:p>" + bookmark + kRun + "ONE" + kEnd + bookmark + "</w:p>"));
}

TEST_CASE("A new page or column of a Word document ends a sentence, a new line does not") {
  const auto backwards = [](const std::string& line_break) {
    const auto breaks = "<w:r>" + line_break + "</w:r>";
    return translated("<w:p>" + run("one two") + breaks + run("three") + "</w:p>", reversed);
  };
  for (const std::string type : {"page", "column"}) {
    const auto line_break = "<w:br w:type=\"" + type + "\"/>";
    CHECK(backwards(line_break) == part("<w:p>" + kRun + "two one" + kEnd + "<w:r>" + line_break +
                                        "</w:r>" + kRun + "three" + kEnd + "</w:p>"));
  }
  const auto line = backwards("<w:br/>");
  CHECK(line.find("three") < line.find("two"));
}

TEST_CASE("A link of a Word or OpenDocument file does not go into another link") {
  const auto link = [](const std::string& id, const std::string& content) {
    return "<w:hyperlink r:id=\"" + id + "\">" + content + "</w:hyperlink>";
  };
  const auto translate = [](const std::string& sentence) {
    return made_translation(sentence, "B", {1});
  };
  REQUIRE(translated("<w:p>" + link("1", run("a")) + run(" ") + link("2", run("b")) + "</w:p>",
                     translate) ==
          part("<w:p>" + link("1", "") + link("2", kRun + "B" + kEnd) + "</w:p>"));
  REQUIRE(open_document("<text:p><text:a>a</text:a> <text:a>b</text:a></text:p>", translate) ==
          "<text:p><text:a></text:a><text:a>B</text:a></text:p>");
}

TEST_CASE("A content control is read through") {
  const auto control = "<w:p><w:sdt><w:sdtPr><w:id/></w:sdtPr><w:sdtContent>" + run("one") +
                       "</w:sdtContent></w:sdt></w:p>";
  const auto result = translated(control, in_upper_case);
  REQUIRE(contains(result, kRun + "ONE" + kEnd + "</w:sdtContent></w:sdt>"));
  REQUIRE(contains(result, "<w:sdt><w:sdtPr><w:id/></w:sdtPr><w:sdtContent>" + kRun + "ONE"));
}

TEST_CASE("A part that is not XML is refused with its line") {
  REQUIRE(contains(error_of([] { parse_word_part("<w:p>\n</w:q>"); }), "XML: line 2"));
}

TEST_CASE("Runs whose properties would fill the memory are refused") {
  const auto message = [](size_t size, size_t breaks) {
    std::string properties = "<w:rPr><!--" + std::string(size, 'a') + "--></w:rPr>";
    for (size_t i = 0; i < breaks; ++i) properties += "<w:br/>";
    return error_of([&] { parse_word_part(part("<w:p>" + run("one", properties) + "</w:p>")); });
  };
  CHECK(message(66000, 0) ==
        "Word: the properties of a run have more than 64 KiB; clear its formatting");
  CHECK(message(60000, 5000) ==
        "Word: the properties of its runs take more than 128 MiB; divide the document");
  REQUIRE(contains(
      translated("<w:p>" + run("one", "<w:rPr>" + std::string(60000, ' ') + "</w:rPr>") + "</w:p>",
                 in_upper_case),
      ">ONE<"));
  // Over all parts.
  const auto paragraph = part("<w:p>" + run("one", "<w:rPr><w:b/></w:rPr>") + "</w:p>");
  size_t copied = size_t{128} << 20;
  CHECK(contains(error_of([&] { parse_word_part(paragraph, copied); }), "more than 128 MiB"));
}

TEST_CASE("A paragraph of an OpenDocument is one text, comments in it are kept") {
  REQUIRE(open_document("<text:p><text:span>one </text:span><text:span>two</text:span></text:p>",
                        reversed) ==
          "<text:p><text:span>two</text:span> <text:span>one</text:span></text:p>");
  const std::string note = "<office:annotation><text:p>kept</text:p></office:annotation>";
  REQUIRE(open_document("<text:h>one" + note +
                            " two</text:h><text:list><text:list-item><text:p>"
                            "three<text:tab/>four</text:p></text:list-item></text:list>",
                        in_upper_case) ==
          "<text:h>ONE" + note +
              " TWO</text:h><text:list><text:list-item><text:p>"
              "THREE<text:tab/>FOUR</text:p></text:list-item></text:list>");
  const std::string deleted = "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>";
  REQUIRE(open_document(deleted, in_upper_case) == deleted);
}

TEST_CASE("The small text over a word of an OpenDocument stays over its translation") {
  const auto ruby = [](const std::string& word) {
    return "<text:ruby><text:ruby-base>" + word +
           "</text:ruby-base><text:ruby-text>casa</text:ruby-text></text:ruby>";
  };
  const auto of = [&](const std::string& before, const std::string& word,
                      const std::string& after) {
    return "<text:p>" + before + ruby(word) + after + "</text:p>";
  };
  REQUIRE(open_document(of("a ", "house", " sits."), in_upper_case) == of("A ", "HOUSE", " SITS."));
  REQUIRE(open_document(of("a ", "house", "."), in_upper_case) == of("A ", "HOUSE", "."));
  REQUIRE(open_document(of("a ", "house", " sits"), reversed) == of("sits ", "house", " a"));
  const auto drop = [](const std::string& sentence) { return made_translation(sentence, "", {}); };
  REQUIRE(open_document(of("a ", "house", " sits"), drop) == of("a ", "house", " sits"));
  const auto inner = of("a ", "two <text:span>men</text:span>", " sit");
  REQUIRE(open_document(inner, in_upper_case) ==
          of("A ", "TWO <text:span>MEN</text:span>", " SIT"));
  const std::string no_base =
      "<text:p>a <text:ruby> <text:ruby-base>b</text:ruby-base></text:ruby> c</text:p>";
  REQUIRE(contains(open_document(no_base, in_upper_case),
                   "<text:ruby> <text:ruby-base>b</text:ruby-base></text:ruby>"));
}

TEST_CASE("Tags whose other halves are in the next line keep their order") {
  REQUIRE(
      open_document("<text:p>z<text:a><text:span xml:space=\"preserve\">y x\nw</text:span>"
                    "</text:a></text:p>",
                    reversed) ==
      "<text:p><text:a><text:span xml:space=\"preserve\">x zy\nw</text:span></text:a></text:p>");
}

TEST_CASE("Notes and text boxes of an OpenDocument are translated by themselves") {
  const auto note = [](const std::string& text) {
    return "<text:note><text:note-citation>i</text:note-citation><text:note-body><text:p>" + text +
           "</text:p></text:note-body></text:note>";
  };
  REQUIRE(open_document("<text:p>one" + note("see there") + " two</text:p>", in_upper_case) ==
          "<text:p>ONE" + note("SEE THERE") + " TWO</text:p>");
  // Where the note has formatting, and is all of it.
  REQUIRE(open_document("<text:p>one<text:span>" + note("a b") + "</text:span></text:p>",
                        in_upper_case) ==
          "<text:p>ONE<text:span>" + note("A B") + "</text:span></text:p>");
  const auto frame = [](const std::string& text) {
    return "<draw:frame><draw:text-box><text:p>" + text +
           "</text:p></draw:text-box><svg:title>picture</svg:title></draw:frame>";
  };
  REQUIRE(open_document("<text:p>" + frame("a b") + "</text:p>" + frame("c d"), reversed) ==
          "<text:p>" + frame("b a") + "</text:p>" + frame("d c"));
}

TEST_CASE("Wrappers around runs are read to a depth that files have") {
  const auto nested = [](size_t depth) {
    std::string begin;
    std::string end;
    for (size_t i = 0; i < depth; ++i) {
      begin += "<w:ins>";
      end += "</w:ins>";
    }
    return "<w:p>" + begin + run("one") + end + "</w:p>";
  };
  REQUIRE(contains(translated(nested(50), in_upper_case), ">ONE<"));
  REQUIRE(translated(nested(50000), in_upper_case) == part(nested(50000)));
  for (const std::string wrapper : {"w:bdo", "w:dir"}) {
    const auto wrapped = "<w:p><" + wrapper + ">" + run("one") + "</" + wrapper + "></w:p>";
    REQUIRE(contains(translated(wrapped, in_upper_case), ">ONE<"));
  }
}

TEST_CASE("Properties stay the first thing in what has them") {
  const std::string properties = "<w:p>\n  <w:pPr><w:jc/></w:pPr>";
  REQUIRE(translated(properties + "\n  " + run("one") + "\n</w:p>", in_upper_case) ==
          part(properties + kRun + "ONE" + kEnd + "</w:p>"));
  const std::string tag = "<w:smartTag>\n<w:smartTagPr/>";
  REQUIRE(contains(translated("<w:p>" + tag + run("one") + "</w:smartTag></w:p>", in_upper_case),
                   tag + kRun + "ONE"));
}

TEST_CASE("Text outside of paragraphs of an OpenDocument is no text") {
  const std::string style =
      "<number:date-style xmlns:number=\"urn:n\"><number:day/><number:text>. of "
      "</number:text></number:date-style>";
  REQUIRE(open_document(style + "<text:p>one</text:p>", in_upper_case) ==
          style + "<text:p>ONE</text:p>");
}
