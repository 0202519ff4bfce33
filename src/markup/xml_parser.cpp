#include "markup/xml_parser.h"

#include <expat.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "markup/html_elements.h"
#include "markup/html_parser.h"

namespace nmt {
namespace {

constexpr std::string_view kCdataBegin = "<![CDATA[";
constexpr std::string_view kCdataEnd = "]]>";

struct XmlElement {
  size_t parent = kNoElement;
  std::string name;  // without the prefix, in lower case
  bool has_text = false;
  bool has_id = false;
  bool translates = true;
  bool keeps_space = false;
  bool is_inline = false;
  size_t end = 0;  // index of its end among the tokens
};

struct XmlToken {
  enum class Kind { kStart, kEnd, kText, kCdata };
  Kind kind = Kind::kText;
  size_t begin = 0;  // in the document, in bytes
  size_t size = 0;
  size_t element = kNoElement;  // which it begins or ends, or is in
  std::string text;
};

std::string local_name(std::string_view name) {
  const size_t colon = name.find(':');
  return tag_name("<" +
                  std::string(colon == std::string_view::npos ? name : name.substr(colon + 1)));
}

bool is_white_space(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// What expat reports, as tokens; their bytes do not overlap. What is between them is comments,
/// declarations, references to entities and the like.
class XmlReader {
 public:
  explicit XmlReader(std::string_view xml) : parser_(XML_ParserCreate("UTF-8"), XML_ParserFree) {
    auto* parser = parser_.get();
    if (parser == nullptr) throw std::bad_alloc();
    if (xml.size() > static_cast<size_t>(std::numeric_limits<int>::max())) {
      throw MarkupError("XML: larger than 2 GiB; divide the document");
    }
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, characters);
    XML_SetCdataSectionHandler(parser, cdata_start, cdata_end);
    XML_SetXmlDeclHandler(parser, declaration);
    XML_SetDefaultHandler(parser, [](void*, const XML_Char*, int) {});  // expands no entities
    if (XML_Parse(parser, xml.data(), static_cast<int>(xml.size()), 1) == XML_STATUS_OK) return;
    if (!problem_.empty()) throw MarkupError("XML: " + problem_);
    throw MarkupError("XML: line " + std::to_string(XML_GetCurrentLineNumber(parser)) +
                      ", column " + std::to_string(XML_GetCurrentColumnNumber(parser) + 1) + ": " +
                      XML_ErrorString(XML_GetErrorCode(parser)) + "; correct the document");
  }

  std::vector<XmlElement> elements;
  std::vector<XmlToken> tokens;

 private:
  static XmlReader& self(void* data) { return *static_cast<XmlReader*>(data); }

  void add(XmlToken::Kind kind, size_t element) {
    XmlToken token;
    token.kind = kind;
    token.begin = static_cast<size_t>(XML_GetCurrentByteIndex(parser_.get()));
    token.size = static_cast<size_t>(XML_GetCurrentByteCount(parser_.get()));
    token.element = element;
    tokens.push_back(std::move(token));
  }

  static void start(void* data, const XML_Char* name, const XML_Char** attributes) {
    auto& reader = self(data);
    XmlElement element;
    element.parent = reader.open_;
    element.name = local_name(name);
    if (element.parent != kNoElement) {
      element.keeps_space = reader.elements[element.parent].keeps_space;
    }
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view key = attributes[0];
      const std::string_view value = attributes[1];
      if (key == "id" || key == "xml:id") element.has_id = true;
      if (local_name(key) == "translate" && value == "no") element.translates = false;
      if (key == "xml:space") element.keeps_space = value == "preserve";
    }
    reader.open_ = reader.elements.size();
    reader.elements.push_back(std::move(element));
    reader.add(XmlToken::Kind::kStart, reader.open_);
  }

  static void end(void* data, const XML_Char*) {
    auto& reader = self(data);
    auto& element = reader.elements[reader.open_];
    element.end = reader.tokens.size();
    reader.add(XmlToken::Kind::kEnd, reader.open_);
    reader.open_ = element.parent;
  }

  static void characters(void* data, const XML_Char* text, int length) {
    auto& reader = self(data);
    const std::string_view read(text, static_cast<size_t>(length));
    if (reader.in_cdata_) return;
    reader.add(XmlToken::Kind::kText, reader.open_);
    reader.tokens.back().text = read;
    if (!is_white_space(read)) reader.elements[reader.open_].has_text = true;
  }

  static void cdata_start(void* data) {
    auto& reader = self(data);
    reader.add(XmlToken::Kind::kCdata, reader.open_);
    reader.in_cdata_ = true;
  }

  static void cdata_end(void* data) {
    auto& reader = self(data);
    auto& token = reader.tokens.back();
    token.size = static_cast<size_t>(XML_GetCurrentByteIndex(reader.parser_.get())) +
                 kCdataEnd.size() - token.begin;
    reader.in_cdata_ = false;
  }

  static void declaration(void* data, const XML_Char*, const XML_Char* encoding, int) {
    auto name = encoding == nullptr ? "utf-8" : tag_name("<" + std::string(encoding));
    if (name == "utf-8" || name == "us-ascii") return;
    auto& reader = self(data);
    reader.problem_ = "encoding " + std::string(encoding) + "; convert the document to UTF-8";
    XML_StopParser(reader.parser_.get(), XML_FALSE);
  }

  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::string problem_;
  size_t open_ = kNoElement;
  bool in_cdata_ = false;
};

class XmlDocument {
 public:
  XmlDocument(std::string_view xml, SegmentBuilder& builder)
      : xml_(xml), builder_(builder), origin_(builder.position()), reader_(xml) {
    for (auto& element : reader_.elements) {
      if (element.parent == kNoElement) continue;
      const auto& parent = reader_.elements[element.parent];
      element.is_inline = parent.has_text || parent.is_inline;
    }
  }

  void add() {
    for (size_t i = 0; i < reader_.tokens.size(); ++i) {
      const auto& token = reader_.tokens[i];
      add_between(token.begin);
      switch (token.kind) {
        case XmlToken::Kind::kStart:
          i = add_start(i);
          break;
        case XmlToken::Kind::kEnd:
          add_end(token);
          break;
        case XmlToken::Kind::kText:
          add_text(token);
          break;
        case XmlToken::Kind::kCdata:
          add_cdata(token);
          break;
      }
    }
    add_between(xml_.size());
  }

 private:
  std::string_view bytes(const XmlToken& token) const {
    return xml_.substr(token.begin, token.size);
  }

  void add_between(size_t end) {
    const size_t at = builder_.position() - origin_;
    if (at < end) builder_.add_point(xml_.substr(at, end - at));
  }

  /// Returns the last token that it added.
  size_t add_start(size_t index) {
    const auto& token = reader_.tokens[index];
    const auto& element = reader_.elements[token.element];
    const auto& last = reader_.tokens[element.end];
    const auto whole = xml_.substr(token.begin, last.begin + last.size - token.begin);
    const auto kind = element_kind(element.name);
    const bool opaque = kind == ElementKind::kOpaque || kind == ElementKind::kOpaqueBlock;
    const auto placement = element_placement(kind, element.has_id, element.translates);
    if (!element.is_inline) {
      const bool unchanged = opaque || placement == Placement::kVerbatim;
      builder_.add_block(unchanged ? whole : bytes(token));
      return unchanged ? element.end : index;
    }
    if (opaque || element.end == index + 1) {
      builder_.add_point(whole, kind == ElementKind::kLineBreak);
      return element.end;
    }
    builder_.open(element.name, placement, bytes(token));
    return index;
  }

  void add_end(const XmlToken& token) {
    const auto& element = reader_.elements[token.element];
    if (element.is_inline) {
      builder_.close(element.name, bytes(token));
    } else {
      builder_.add_block(bytes(token));
    }
  }

  void add_text(const XmlToken& token) {
    const bool line_end = reader_.elements[token.element].keeps_space && token.text == "\n";
    if (line_end) {
      builder_.add_block(bytes(token));
    } else {
      builder_.add_text(token.text, bytes(token));
    }
  }

  /// A section is a document of its own: HTML in a feed, or text.
  void add_cdata(const XmlToken& token) {
    builder_.add_block(kCdataBegin);
    const auto content =
        bytes(token).substr(kCdataBegin.size(), token.size - kCdataBegin.size() - kCdataEnd.size());
    const size_t tag = content.find('<');
    if (tag != std::string_view::npos) {
      builder_.set_syntax(MarkupSyntax::kHtml);
      parse_html(content, builder_);
    } else {
      builder_.set_syntax(MarkupSyntax::kCdata);
      builder_.add_text(content, content);
    }
    builder_.add_block(kCdataEnd);
    builder_.set_syntax(MarkupSyntax::kXml);
  }

  std::string_view xml_;
  SegmentBuilder& builder_;
  size_t origin_;  // of the XML in the builder's document
  XmlReader reader_;
};

}  // namespace

void parse_xml(std::string_view xml, SegmentBuilder& builder) { XmlDocument(xml, builder).add(); }

}  // namespace nmt
