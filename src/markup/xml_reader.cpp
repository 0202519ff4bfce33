#include "markup/xml_reader.h"

#include <expat.h>

#include <limits>
#include <new>
#include <utility>

#include "files/xml_position.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr size_t kMaxTokens = 2000000;
constexpr size_t kMaxDeclared = 1000;  // attributes; one with a default counts as 10 or more
constexpr std::string_view kXhtml = "http://www.w3.org/1999/xhtml";

std::string local_name(std::string_view name) {
  return to_ascii_lower(name.substr(name.find(':') + 1));  // all of it without a colon
}

}  // namespace

/// What expat calls; `data` is the XmlReader.
struct XmlReader::Handlers {
  static XmlReader& self(void* data) { return *static_cast<XmlReader*>(data); }

  static void start(void* data, const XML_Char* name, const XML_Char** attributes) {
    auto& reader = self(data);
    XmlElement element;
    element.parent = reader.open_;
    element.name = local_name(name);
    element.holds_html = element.name == "html";
    if (element.parent != kNoElement) {
      const auto& parent = reader.elements[element.parent];
      element.keeps_space = parent.keeps_space;
      element.holds_html = parent.holds_html;
    }
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view key = attributes[0];
      const std::string_view value = attributes[1];
      if (key == "id" || key == "xml:id") element.has_id = true;
      if (local_name(key) == "translate" && value == "no") element.translates = false;
      if (key == "xml:space") element.keeps_space = value == "preserve";
      if (key == "xmlns") element.holds_html = value == kXhtml;
      if (key.substr(0, 6) == "xmlns:" && value == kXhtml) {
        reader.html_prefixes_.emplace(key.substr(6));
      }
    }
    const std::string_view full = name;
    const size_t colon = full.find(':');
    element.is_html = colon == std::string_view::npos
                          ? element.holds_html
                          : reader.html_prefixes_.count(full.substr(0, colon)) > 0;
    reader.open_ = reader.elements.size();
    reader.elements.push_back(std::move(element));
    reader.add(XmlToken::Kind::kStart);
  }

  static void end(void* data, const XML_Char*) {
    auto& reader = self(data);
    auto& element = reader.elements[reader.open_];
    element.end = reader.tokens.size();
    reader.add(XmlToken::Kind::kEnd);
    reader.open_ = element.parent;
  }

  static void characters(void* data, const XML_Char* text, int length) {
    auto& reader = self(data);
    const std::string_view read(text, static_cast<size_t>(length));
    if (reader.in_cdata_) return;
    reader.add(XmlToken::Kind::kText);
    reader.tokens.back().text = read;
    const bool is_blank = read.find_first_not_of(" \t\r\n") == read.npos;
    if (!is_blank) reader.elements[reader.open_].has_text = true;
  }

  static void cdata_start(void* data) {
    auto& reader = self(data);
    reader.add(XmlToken::Kind::kCdata);
    reader.in_cdata_ = true;
  }

  static void cdata_end(void* data) {
    auto& reader = self(data);
    auto& token = reader.tokens.back();
    token.size = xml_token_begin(reader.parser_.get()) + kCdataEnd.size() - token.begin;
    reader.in_cdata_ = false;
  }

  static void declaration(void* data, const XML_Char*, const XML_Char* encoding, int) {
    const auto name = to_ascii_lower(encoding == nullptr ? "utf-8" : encoding);
    if (name == "utf-8" || name == "us-ascii") return;
    auto& reader = self(data);
    reader.problem_ = "encoding " + std::string(encoding) +
                      "; convert the document and this declaration to UTF-8";
    XML_StopParser(reader.parser_.get(), XML_FALSE);
  }

  /// Expat goes through an element's declarations each time it occurs, and start() gets the
  /// defaults.
  static void attribute(void* data, const XML_Char* element, const XML_Char* name, const XML_Char*,
                        const XML_Char* value, int) {
    auto& reader = self(data);
    const auto size = [](const XML_Char* text) { return std::string_view(text).size(); };
    auto& declared = reader.declared_[element];
    declared += value == nullptr ? 1 : 10 + (size(name) + size(value)) / 10;
    if (declared <= kMaxDeclared) return;
    reader.problem_ = "more than 1,000 attributes, or too many defaults, in ATTLIST of " +
                      std::string(element) + "; shorten it";
    XML_StopParser(reader.parser_.get(), XML_FALSE);
  }
};

XmlReader::XmlReader(std::string_view xml)
    : xml_(xml), parser_(XML_ParserCreate("UTF-8"), XML_ParserFree) {
  auto* parser = parser_.get();
  if (parser == nullptr) throw std::bad_alloc();
  if (xml.size() > static_cast<size_t>(std::numeric_limits<int>::max())) {
    throw MarkupError("XML: larger than 2 GiB; divide the document");
  }
  XML_SetUserData(parser, this);
  XML_SetElementHandler(parser, Handlers::start, Handlers::end);
  XML_SetCharacterDataHandler(parser, Handlers::characters);
  XML_SetCdataSectionHandler(parser, Handlers::cdata_start, Handlers::cdata_end);
  XML_SetXmlDeclHandler(parser, Handlers::declaration);
  XML_SetAttlistDeclHandler(parser, Handlers::attribute);
  XML_SetDefaultHandler(parser, [](void*, const XML_Char*, int) {});  // expands no entities
  if (XML_Parse(parser, xml.data(), static_cast<int>(xml.size()), 1) == XML_STATUS_OK) return;
  if (!problem_.empty()) throw MarkupError("XML: " + problem_);
  const auto code = XML_GetErrorCode(parser);
  const bool is_html =
      code == XML_ERROR_UNDEFINED_ENTITY && !elements.empty() && elements.front().is_html;
  throw MarkupError("XML: line " + std::to_string(xml_line(parser)) + ", column " +
                    std::to_string(xml_column(parser)) + ": " + XML_ErrorString(code) +
                    (is_html ? "; declare it or use --format html" : "; correct the document"));
}

void XmlReader::add(XmlToken::Kind kind) {
  auto* parser = parser_.get();
  tokens.push_back({kind, xml_token_begin(parser), xml_token_size(parser), open_, ""});
  if (tokens.size() <= kMaxTokens) return;
  problem_ = "more than 2,000,000 tags and lines; divide the document";
  XML_StopParser(parser, XML_FALSE);
}

}  // namespace nmt
