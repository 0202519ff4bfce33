#include "markup/nested_content.h"

#include <charconv>

#include "markup/xml_reader.h"

namespace nmt {
namespace {

constexpr int kMaxDepth = 3;  // a note in a text box in a text box; deeper ones stay unchanged
constexpr std::string_view kBegin = "<?nmt-content ";
constexpr std::string_view kEnd = "?>";

struct Contents {
  std::string outer;
  std::vector<std::string_view> inner;
};

Contents take_out(std::string_view xml, const std::set<std::string>& paths) {
  Contents contents;
  const XmlReader reader(xml);
  size_t done = 0;  // bytes
  for (size_t i = 0; i < reader.tokens.size(); ++i) {
    const auto& token = reader.tokens[i];
    if (token.kind != XmlToken::Kind::kStart) continue;
    const auto& element = reader.elements[token.element];
    if (element.parent == kNoElement) continue;
    const auto path = reader.elements[element.parent].name + "/" + element.name;
    if (paths.count(path) == 0) continue;
    contents.outer += xml.substr(done, token.begin - done);
    contents.outer += kBegin;
    contents.outer += std::to_string(contents.inner.size());
    contents.outer += kEnd;
    contents.inner.push_back(reader.whole(token));
    i = element.end;
    done = reader.tokens[i].end();
  }
  contents.outer += xml.substr(done);
  return contents;
}

ParsedDocument parse_to_depth(std::string_view xml, const std::set<std::string>& paths,
                              const std::function<ParsedDocument(std::string_view)>& parse,
                              int depth) {
  // A document that already has such instructions would be mistaken for one with removed content.
  if (depth == 0 || xml.find(kBegin) != std::string_view::npos) return parse(xml);
  const auto contents = take_out(xml, paths);
  auto parsed = parse(contents.outer);
  for (const auto inner : contents.inner) {
    parsed.contents.push_back(parse_to_depth(inner, paths, parse, depth - 1));
  }
  return parsed;
}

}  // namespace

ParsedDocument parse_with_contents(std::string_view xml, const std::set<std::string>& paths,
                                   const std::function<ParsedDocument(std::string_view)>& parse) {
  return parse_to_depth(xml, paths, parse, kMaxDepth);
}

std::string with_contents(std::string_view text, const std::vector<std::string>& contents) {
  std::string result;
  for (;;) {
    const size_t begin = contents.empty() ? std::string_view::npos : text.find(kBegin);
    result += text.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin + kBegin.size());
    size_t index = 0;
    std::from_chars(text.data(), text.data() + text.size(), index);
    result += contents.at(index);
    text.remove_prefix(text.find(kEnd) + kEnd.size());
  }
}

}  // namespace nmt
