#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "markup/segment.h"

struct XML_ParserStruct;

namespace nmt {

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
  bool is_kept = false;        // inline, and its content is kept as written
  bool is_html = false;        // of the namespace of XHTML
  bool holds_html = false;     // elements without a prefix in it are XHTML
  bool has_paragraph = false;  // of an OpenDocument

  size_t end = 0;  // index of its end among the tokens
};

struct XmlToken {
  enum class Kind { kStart, kEnd, kText, kCdata };
  Kind kind = Kind::kText;
  size_t begin = 0;  // in the document, in bytes
  size_t size = 0;
  size_t element = kNoElement;  // that it begins, ends or is in
  std::string text;

  size_t end() const { return begin + size; }
};

/// What expat reports of an XML document in UTF-8, as tokens whose bytes do not overlap. Between
/// them are comments, declarations, references to entities (which are not expanded) and the like.
class XmlReader {
 public:
  /// The document must outlive the reader. Throws MarkupError with line and column when it is not
  /// well-formed, for more than two million tokens, which take much more memory than their bytes,
  /// and for very many attributes that the document itself declares.
  explicit XmlReader(std::string_view xml);

  /// The document from the first token to the last.
  std::string_view bytes(const XmlToken& first, const XmlToken& last) const {
    return xml_.substr(first.begin, last.end() - first.begin);
  }
  std::string_view bytes(const XmlToken& token) const { return bytes(token, token); }

  /// The element of a start tag, with its content and its end tag.
  std::string_view whole(const XmlToken& start) const {
    return bytes(start, tokens[elements[start.element].end]);
  }

  /// The text between the brackets of a CDATA section.
  std::string_view cdata_content(const XmlToken& token) const {
    return xml_.substr(token.begin + kCdataBegin.size(),
                       token.size - kCdataBegin.size() - kCdataEnd.size());
  }

  std::vector<XmlElement> elements;
  std::vector<XmlToken> tokens;

 private:
  struct Handlers;

  void add(XmlToken::Kind kind);

  std::string_view xml_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_ParserStruct*)> parser_;
  std::string problem_;
  std::set<std::string, std::less<>> html_prefixes_;
  size_t open_ = kNoElement;
  std::map<std::string, size_t, std::less<>> declared_;  // attributes of elements; see kMaxDeclared
  bool in_cdata_ = false;
};

}  // namespace nmt
