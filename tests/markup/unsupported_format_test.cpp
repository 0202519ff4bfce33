#include "markup/unsupported_format.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("A document is recognized by its first bytes", "[markup]") {
  const std::pair<std::string, std::string> documents[] = {
      {"\xEF\xBB\xBF\n<!DOCTYPE html>\n", "use --format html"},
      {"<HTML lang=\"de\">\n", "use --format html"},
      {"<?xml version=\"1.0\"?>\n<a/>", "use --format xml"},
      {"<!DOCTYPE tt>\n<tt>", "use --format xml"},
      {"<tt xmlns=\"http://www.w3.org/ns/ttml\">", "use --format xml"},
      {"<?xml version=\"1.0\"?>\n<xliff><file>", "begins as XLIFF; use --format xliff"},
      {"<x:xliff xmlns:x=\"urn:x\"><x:file>", "begins as XLIFF; use --format xliff"},
      {"<TS>\n<context><message>", "e.g. with lconvert"},
      {"{\n  \"cells\": [", "begins as JSON; not supported"},
      {"[\n {\"a\":1}]", "begins as JSON; not supported"},
      {"WEBVTT\n\n00:01.000 --> 00:02.000\n", "use --format srt"},
      {"1\r\n00:00:01,000 --> 00:00:02,000\r\n", "use --format srt"},
      {"# Translators\nmsgid \"\"\n", "use --format po"},
      {"<?php\nreturn [", "e.g. with php2po"},
      {"export default {\n", "program code"}};
  for (const auto& [document, reason] : documents) {
    INFO(document);
    CHECK(contains(unsupported_content(document), reason));
  }
}

TEST_CASE("A text may begin with the brackets of a document", "[markup]") {
  for (const std::string text : {"",
                                 "<",
                                 "{",
                                 "[",
                                 "<2en> Hallo",
                                 "<html",
                                 "<TS> Avuxeni.",
                                 "<b>fett</b>",
                                 "<3",
                                 "[Musik]",
                                 "[{",
                                 "{0} Dateien",
                                 "{\"Hallo\", sagte er.}",
                                 "[\"Hallo\"]",
                                 "# Titel",
                                 "1\n2\n",
                                 "1 00:",
                                 "WEBVTT ist ein Format.",
                                 "export default ist ein Befehl.",
                                 "1\n00:15 Uhr",
                                 "<resources> nennt man das name= Attribut.",
                                 "message",
                                 "\"a\": 1",
                                 "export"}) {
    INFO(text);
    CHECK(unsupported_content(text).empty());
  }
}

TEST_CASE("Markup in a line is told from other signs", "[markup]") {
  CHECK(first_markup("a <b>c</b>") == "</b>");
  CHECK(first_markup("<x id=\"1\"/> a") == "<x id=\"1\"/>");
  CHECK(first_markup("1 < 2 <BR>b") == "<BR>");
  CHECK(first_markup("a & b; c &amp; d") == "&amp;");
  CHECK(first_markup("Annas Hund &#39;Bello") == "&#39;");
  for (const char* line :
       {"", "&", "a & b;", "Q&A;", "&;", "&nonsense;", "AT&T", "<", "</", "a <", "1 < 2 > 1",
        "<3 />", "<2en> a", "</ b>", "a <b", "<>", "<https://example.org/>"}) {
    INFO(line);
    CHECK(first_markup(line).empty());
  }
}

}  // namespace nmt
