#include "markup/html_elements.h"

#include <map>

#include "unicode/substrings.h"

namespace nmt {
namespace {

using Kinds = std::map<std::string, ElementKind, std::less<>>;

Kinds all_kinds() {
  Kinds kinds;
  const auto add = [&](ElementKind kind, std::initializer_list<const char*> names) {
    for (const char* name : names) kinds.emplace(name, kind);
  };
  add(ElementKind::kLink, {"a"});
  add(ElementKind::kFormatting,
      {"abbr", "b", "big",   "cite", "del",    "dfn",    "em",  "font", "i",  "ins", "mark",
       "q",    "s", "small", "span", "strike", "strong", "sub", "sup",  "tt", "u"});
  add(ElementKind::kCode, {"code", "kbd", "samp", "var"});
  add(ElementKind::kCode, {"bpt", "ept", "ph", "it"});  // of XLIFF 1.2, in catalogs made from it
  add(ElementKind::kVoid, {"area", "base", "col", "embed", "img", "input", "link", "meta", "param",
                           "source", "track", "wbr"});
  add(ElementKind::kLineBreak, {"br"});
  add(ElementKind::kBlock,
      {"address",  "article",  "aside",    "blockquote", "body",    "button",   "caption",
       "center",   "colgroup", "dd",       "details",    "dialog",  "dir",      "div",
       "dl",       "dt",       "fieldset", "figcaption", "figure",  "footer",   "form",
       "frame",    "frameset", "h1",       "h2",         "h3",      "h4",       "h5",
       "h6",       "head",     "header",   "hgroup",     "hr",      "html",     "label",
       "legend",   "li",       "main",     "menu",       "nav",     "noscript", "ol",
       "optgroup", "option",   "p",        "search",     "section", "select",   "summary",
       "table",    "tbody",    "td",       "template",   "tfoot",   "th",       "thead",
       "title",    "tr",       "ul"});
  add(ElementKind::kOpaque, {"audio", "canvas", "datalist", "iframe", "math", "noembed", "noframes",
                             "object", "rp", "rt", "script", "style", "svg", "video"});
  add(ElementKind::kOpaqueBlock, {"listing", "plaintext", "pre", "textarea", "xmp"});
  return kinds;
}

}  // namespace

ElementKind element_kind(std::string_view name) {
  static const Kinds kinds = all_kinds();
  const auto found = kinds.find(name);
  return found == kinds.end() ? ElementKind::kInline : found->second;
}

std::string tag_name(std::string_view tag) {
  tag.remove_prefix(tag.substr(0, 2) == "</" ? 2 : 1);
  return to_ascii_lower(tag.substr(0, tag.find_first_of(" \t\n\r\f/>")));
}

Placement element_placement(ElementKind kind, bool has_id, bool translates) {
  if (!translates || kind == ElementKind::kCode) return Placement::kVerbatim;
  if (kind == ElementKind::kLink) return Placement::kLink;
  const bool repeated = kind == ElementKind::kFormatting && !has_id;
  return repeated ? Placement::kRepeated : Placement::kOnce;
}

}  // namespace nmt
