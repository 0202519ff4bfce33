#include "markup/html_parser.h"

#include <gumbo.h>

#include <algorithm>
#include <cctype>
#include <csetjmp>
#include <map>
#include <memory_resource>
#include <new>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "markup/html_elements.h"
#include "markup/placeholder.h"
#include "markup/tag_scanner.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr size_t kMaxHtmlDepth = 10000;  // the parser's time grows with the square of the depth
constexpr size_t kMaxReference = 40;
constexpr size_t kMaxAttributes = 1000;  // of a tag; the parser compares each with all others
// Memory of the parser. Of programs' manuals it takes at most 22 bytes for each byte, of
// "<p>a<p>a..." 90.
constexpr size_t kMinTreeMemory = size_t{128} << 20;
constexpr size_t kTreeMemoryPerByte = 200;

std::string_view view(const GumboStringPiece& piece) { return {piece.data, piece.length}; }

/// Memory for a parsed document, freed all at once.
struct TreeMemory {
  std::pmr::monotonic_buffer_resource blocks;
  size_t left = 0;
  std::jmp_buf too_little;
};

/// Called by gumbo, which is in C: it can neither go on without memory nor pass on exceptions.
void* allocate(void* userdata, size_t size) {
  auto& memory = *static_cast<TreeMemory*>(userdata);
  try {
    if (size <= memory.left) {
      memory.left -= size;
      return memory.blocks.allocate(size);
    }
  } catch (const std::bad_alloc&) {
    memory.left = 0;
  }
  std::longjmp(memory.too_little, 1);  // NOLINT
}

/// Returns null if the memory does not suffice.
GumboOutput* parse_tree(std::string_view html, TreeMemory& memory) {
  auto options = kGumboDefaultOptions;
  options.max_errors = 0;
  options.userdata = &memory;
  options.allocator = allocate;
  options.deallocator = [](void*, void*) {};
  if (setjmp(memory.too_little) != 0) return nullptr;  // NOLINT
  return gumbo_parse_with_options(&options, html.data(), html.size());
}

/// A parsed document; its pieces point into the text.
class HtmlTree {
 public:
  /// Throws MarkupError for a page of few bytes that would fill the memory: unclosed formatting is
  /// opened again in each paragraph.
  explicit HtmlTree(std::string_view html) {
    memory_.left = kMinTreeMemory + html.size() * kTreeMemoryPerByte;
    output_ = parse_tree(html, memory_);
    if (output_ == nullptr) {
      throw MarkupError("HTML: takes too much memory; close formatting elements such as <b>");
    }
  }
  HtmlTree(const HtmlTree&) = delete;
  HtmlTree& operator=(const HtmlTree&) = delete;

  /// Calls `visit` for a node and all nodes below; `visit` returns whether to continue with the
  /// node's children.
  template <typename Visit>
  static void walk(const GumboNode* root, Visit visit) {
    std::vector<const GumboNode*> open = {root};
    while (!open.empty()) {
      const auto* node = open.back();
      open.pop_back();
      if (!visit(*node)) continue;
      const GumboVector* children = nullptr;
      if (node->type == GUMBO_NODE_DOCUMENT) children = &node->v.document.children;
      if (is_element(*node)) children = &node->v.element.children;
      if (children == nullptr) continue;
      for (unsigned i = children->length; i-- > 0;) {
        open.push_back(static_cast<const GumboNode*>(children->data[i]));
      }
    }
  }

  const GumboNode* document() const { return output_->document; }

  static bool is_element(const GumboNode& node) {
    return node.type == GUMBO_NODE_ELEMENT || node.type == GUMBO_NODE_TEMPLATE;
  }

 private:
  TreeMemory memory_;
  GumboOutput* output_ = nullptr;
};

std::string attribute(const GumboElement& element, const char* name) {
  const auto* found = gumbo_get_attribute(&element.attributes, name);
  return found == nullptr ? "" : found->value;
}

bool translates(const GumboElement& element) {
  if (to_lower(attribute(element, "translate")) == "no") return false;
  const auto classes = " " + attribute(element, "class") + " ";
  return classes.find(" notranslate ") == std::string::npos;
}

ElementKind kind_of(const GumboElement& element) {
  if (element.tag_namespace != GUMBO_NAMESPACE_HTML) return ElementKind::kOpaque;
  return element_kind(tag_name(view(element.original_tag)));
}

using Nodes = std::unordered_set<const GumboNode*>;

/// The blocks and all nodes that hold one.
Nodes find_block_holders(const HtmlTree& tree) {
  Nodes holders;
  HtmlTree::walk(tree.document(), [&](const GumboNode& node) {
    const bool is_tag = HtmlTree::is_element(node) && node.v.element.original_tag.length > 0;
    if (!is_tag || !is_block(kind_of(node.v.element))) return true;
    const auto* holder = &node;
    while (holder != nullptr && holders.insert(holder).second) holder = holder->parent;
    return true;
  });
  return holders;
}

/// A tag or comment, or a whole element that stays unchanged.
struct Mark {
  enum class Kind { kStart, kOther, kWhole, kWholeBlock };
  std::string_view bytes;
  Kind kind = Kind::kOther;
  const GumboElement* element = nullptr;  // of kStart
};

/// From the node's start tag to the end of its content.
std::string_view extent(const GumboNode& root) {
  const char* begin = root.v.element.original_tag.data;
  const char* end = begin;
  const auto take = [&](const GumboStringPiece& piece) {
    if (piece.data != nullptr) end = std::max(end, piece.data + piece.length);
  };
  HtmlTree::walk(&root, [&](const GumboNode& node) {
    if (HtmlTree::is_element(node)) {
      take(node.v.element.original_tag);
      const bool ends_here = (node.parse_flags & GUMBO_INSERTION_IMPLICIT_END_TAG) == 0;
      if (ends_here) take(node.v.element.original_end_tag);
    } else if (node.type != GUMBO_NODE_DOCUMENT) {
      take(node.v.text.original_text);
    }
    return true;
  });
  return {begin, static_cast<size_t>(end - begin)};
}

/// Returns whether the marks of the node's children belong to the document, too.
bool add_marks(const GumboNode& node, const Nodes& block_holders, std::vector<Mark>& marks) {
  if (node.type == GUMBO_NODE_COMMENT) {
    marks.push_back({view(node.v.text.original_text), Mark::Kind::kOther, nullptr});
  }
  if (!HtmlTree::is_element(node)) return true;
  const auto& element = node.v.element;
  if (element.original_tag.length > 0) {
    const auto kind = kind_of(element);
    const bool opaque = is_opaque(kind);
    const bool whole_block = is_block(kind)
                                 ? opaque || !translates(element)
                                 : !translates(element) && block_holders.count(&node) > 0;
    if (opaque || whole_block) {
      marks.push_back(
          {extent(node), whole_block ? Mark::Kind::kWholeBlock : Mark::Kind::kWhole, nullptr});
      return false;
    }
    marks.push_back({view(element.original_tag), Mark::Kind::kStart, &element});
  }
  if (element.original_end_tag.length > 0) {
    marks.push_back({view(element.original_end_tag), Mark::Kind::kOther, nullptr});
  }
  return true;
}

/// In document order. The tree may contain a tag twice, or elsewhere.
std::vector<Mark> find_marks(const HtmlTree& tree) {
  std::vector<Mark> marks;
  const auto block_holders = find_block_holders(tree);
  HtmlTree::walk(tree.document(),
                 [&](const GumboNode& node) { return add_marks(node, block_holders, marks); });
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.bytes.data() < b.bytes.data(); });
  return marks;
}

/// Length of the tag that begins the text if its name is a number, as in messages of user
/// interfaces: <0>, </0> and <1/>. 0 for other text.
size_t numbered_tag_length(std::string_view text) {
  if (!begins_with(text, "<")) return 0;
  const size_t name = begins_with(text, "</") ? 2 : 1;
  size_t end = std::min(text.find_first_not_of("0123456789", name), text.size());
  if (end == name) return 0;
  if (begins_with(text.substr(end), "/")) ++end;
  return begins_with(text.substr(end), ">") ? end + 1 : 0;
}

/// Whether a '<' begins a tag, comment or declaration, rather than being text.
bool begins_tag(std::string_view text) {
  if (text.size() < 2 || text[0] != '<') return false;
  const auto next = static_cast<unsigned char>(text[1]);
  return std::isalpha(next) != 0 || next == '/' || next == '!' || next == '?' ||
         numbered_tag_length(text) > 0;
}

/// Adds text with the tags that the tree left out.
void add_gap(std::string_view html, SegmentBuilder& builder) {
  for (size_t at = 0; (at = find_tag(html)) < html.size();) {
    add_html_text(html.substr(0, at), builder);
    const auto tag = html.substr(at, tag_end(html, at) - at);
    add_html_tag(tag, tag, builder);
    html.remove_prefix(at + tag.size());
  }
  add_html_text(html, builder);
}

/// `element` is null if unknown.
void add_start_tag(std::string_view tag, std::string_view bytes, const GumboElement* element,
                   SegmentBuilder& builder) {
  const auto name = tag_name(tag);
  const auto kind = element_kind(name);
  if (is_block(kind)) return builder.add_block(bytes);
  if (kind == ElementKind::kVoid || kind == ElementKind::kOpaque) return builder.add_point(bytes);
  if (kind == ElementKind::kLineBreak) return builder.add_point(bytes, true);
  const bool may_be_empty = numbered_tag_length(tag) > 0 || kind == ElementKind::kCode;
  if (may_be_empty && ends_with(tag, "/>")) return builder.add_point(bytes);
  const bool has_id = element != nullptr && gumbo_get_attribute(&element->attributes, "id");
  const bool translated = element == nullptr || translates(*element);
  builder.open(name, element_placement(kind, has_id, translated), bytes);
  if (kind == ElementKind::kLink) builder.hold_link();  // also if it stays unchanged
}

bool may_lack_end_tag(std::string_view name) {
  static const std::set<std::string_view> names = {
      "caption", "colgroup", "dd", "dt",    "hr", "li",    "optgroup", "option",
      "p",       "tbody",    "td", "tfoot", "th", "thead", "tr"};
  const auto kind = element_kind(name);
  return kind == ElementKind::kVoid || kind == ElementKind::kLineBreak || names.count(name) > 0;
}

/// The end of the comment at `at`, which "-->" or "--!>" ends.
size_t comment_end(std::string_view html, size_t at) {
  for (at += 2; (at = html.find("--", at)) != std::string_view::npos; ++at) {
    const auto rest = html.substr(at + 2);
    if (begins_with(rest, ">") || begins_with(rest, "!>")) return at + 2;
  }
  return html.size();
}

/// Limits the parser's time, which grows with the square of the number.
void require_few_attributes(std::string_view tag) {
  if (count_attributes(tag) <= kMaxAttributes) return;
  throw MarkupError("HTML: a tag has more than " + std::to_string(kMaxAttributes) +
                    " attributes; remove some");
}

/// Limits the parser's time: counts start tags without an end tag. In SVG and MathML, all elements
/// count, but "/>" ends one.
void require_depth(std::string_view html) {
  std::map<std::string, size_t> open;
  size_t depth = 0;
  const auto lower = to_ascii_lower(html);
  for (size_t at = 0; (at = html.find('<', at)) != std::string_view::npos;) {
    if (begins_with(html.substr(at), "<!--")) {
      at = comment_end(html, at);
      continue;
    }
    const bool ends = begins_with(html.substr(at), "</");
    const auto name = tag_name(html.substr(at, kMaxReference));
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) {
      ++at;
      continue;
    }
    const auto tag = html.substr(at, tag_end(html, at) - at);
    at += tag.size();
    const bool foreign = open["math"] + open["svg"] > 0;
    auto& same = open[name];
    if (ends) {
      depth -= std::min<size_t>(same, 1);
      if (name == "ruby" && same > 0) {  // the end of <rt> and <rp>, which else are nested
        for (const char* inner : {"rp", "rt"}) depth -= std::exchange(open[inner], 0);
      }
      same -= std::min<size_t>(same, 1);
      continue;
    }
    require_few_attributes(tag);
    if (foreign ? ends_with(tag, "/>") : may_lack_end_tag(name)) continue;
    ++same;
    if (++depth > kMaxHtmlDepth) {
      throw MarkupError("HTML: elements are nested deeper than " + std::to_string(kMaxHtmlDepth) +
                        " levels; close them");
    }
    if (name == "script" || name == "style")
      at = std::min(lower.find("</" + name, at), html.size());
  }
}

/// The position of the first character reference outside templates; the text's size if there is
/// none.
size_t find_reference(std::string_view text) {
  size_t at = 0;
  while ((at = std::min(text.find_first_of("&{$%<", at), text.size())) < text.size() &&
         text[at] != '&') {
    at += std::max<size_t>(1, template_length(text.substr(at)));
  }
  return at;
}

}  // namespace

std::string decode_reference(std::string_view reference) {
  const auto html = "x" + std::string(reference);  // white space at the beginning would be dropped
  const HtmlTree tree(html);
  std::string text;
  HtmlTree::walk(tree.document(), [&](const GumboNode& node) {
    if (node.type == GUMBO_NODE_TEXT) text += node.v.text.text;
    return true;
  });
  return text.empty() ? std::string(reference) : text.substr(1);
}

size_t tag_length(std::string_view text) {
  if (text.size() < 3 || text[0] != '<') return 0;
  const char first = text[1] == '/' ? text[2] : text[1];
  if (std::isalpha(static_cast<unsigned char>(first)) == 0) return numbered_tag_length(text);
  const size_t end = text.substr(0, kMaxTag).find('>');
  return end == std::string_view::npos ? 0 : end + 1;
}

bool is_familiar_tag(const std::string& text) {
  const bool is_familiar = element_kind(tag_name(text)) != ElementKind::kInline ||
                           numbered_tag_length(text) > 0 || text.find('=') != std::string::npos;
  return is_familiar && tag_length(text) == text.size();
}

size_t find_tag(std::string_view html) {
  size_t at = 0;
  while (at < html.size() && !begins_tag(html.substr(at))) {
    at = std::min(html.find('<', at + 1), html.size());
  }
  return at;
}

void add_html_text(std::string_view text, SegmentBuilder& builder) {
  while (!text.empty()) {
    const auto plain = text.substr(0, find_reference(text));
    builder.add_text(plain);
    text.remove_prefix(plain.size());
    if (text.empty()) return;
    size_t length = 1;
    while (length < std::min(text.size(), kMaxReference) &&
           (std::isalnum(static_cast<unsigned char>(text[length])) != 0 ||
            (text[length] == '#' && length == 1))) {
      ++length;
    }
    if (length < text.size() && text[length] == ';') ++length;
    const auto bytes = text.substr(0, length);
    builder.add_text(decode_reference(bytes), bytes);
    text.remove_prefix(length);
  }
}

void add_html_tag(std::string_view tag, std::string_view bytes, SegmentBuilder& builder) {
  if (tag.size() < 3 || tag[1] == '!' || tag[1] == '?') return builder.add_point(bytes);
  if (tag[1] == '/') {
    const auto name = tag_name(tag);
    return is_block(element_kind(name)) ? builder.add_block(bytes) : builder.close(name, bytes);
  }
  require_few_attributes(tag);
  const std::string html(tag);
  const HtmlTree tree(html);
  const GumboElement* element = nullptr;
  HtmlTree::walk(tree.document(), [&](const GumboNode& node) {
    const bool found = HtmlTree::is_element(node) && node.v.element.original_tag.length > 0;
    if (found && element == nullptr) element = &node.v.element;
    return element == nullptr;
  });
  add_start_tag(tag, bytes, element, builder);
}

void parse_html(std::string_view html, SegmentBuilder& builder) {
  require_depth(html);
  const HtmlTree tree(html);
  const char* at = html.data();
  bool plain = false;  // in a title, whose text has no tags
  const auto add_until = [&](const char* end) {
    const std::string_view gap(at, static_cast<size_t>(end - at));
    if (plain) {
      add_html_text(gap, builder);
    } else {
      add_gap(gap, builder);
    }
    at = end;
  };
  for (const auto& mark : find_marks(tree)) {
    if (mark.bytes.data() < at) continue;
    add_until(mark.bytes.data());
    plain = false;
    switch (mark.kind) {
      case Mark::Kind::kStart:
        add_start_tag(mark.bytes, mark.bytes, mark.element, builder);
        plain = mark.element->tag == GUMBO_TAG_TITLE;
        break;
      case Mark::Kind::kOther:
        add_html_tag(mark.bytes, mark.bytes, builder);
        break;
      case Mark::Kind::kWhole:
        builder.add_point(mark.bytes);
        break;
      case Mark::Kind::kWholeBlock:
        builder.add_block(mark.bytes);
        break;
    }
    at = mark.bytes.data() + mark.bytes.size();
  }
  add_until(html.data() + html.size());
}

void parse_html_lines(std::string_view text, SegmentBuilder& builder) {
  size_t begin = 0;  // of the cell
  const auto end_cell = [&](size_t end) {
    if (end > begin) parse_html(text.substr(begin, end - begin), builder);
    builder.add_block(text.substr(end, 1));
    begin = end + 1;
  };
  while (begin < text.size()) {
    const size_t line_end = std::min(text.find('\n', begin), text.size());
    const auto until_line_end = text.substr(0, line_end);
    for (size_t at = begin; at < line_end;) {
      if (text[at] == '\t') end_cell(at);
      at = begins_tag(until_line_end.substr(at)) ? tag_end(until_line_end, at) : at + 1;
    }
    end_cell(line_end);
  }
}

}  // namespace nmt
