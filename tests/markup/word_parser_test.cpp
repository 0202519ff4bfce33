#include "markup/word_parser.h"

#include <string>

#include "markup/made_translation.h"
#include "markup/xml_parser.h"
#include "support/catch.h"
#include "support/expect_error.h"

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
  const auto kept = "<w:p/><w:p><w:pPr/></w:p><w:p><w:r><w:drawing><w:p>" + run("box") +
                    "</w:p></w:drawing></w:r></w:p><w:p><w:del>" + run("gone") + "</w:del></w:p>";
  REQUIRE(translated(kept, in_upper_case) == part(kept));
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

TEST_CASE("A paragraph of an OpenDocument is one text, notes and frames in it are kept") {
  REQUIRE(open_document("<text:p><text:span>one </text:span><text:span>two</text:span></text:p>",
                        reversed) ==
          "<text:p><text:span>two</text:span> <text:span>one</text:span></text:p>");
  const std::string note = "<text:note><text:p>kept</text:p></text:note>";
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
