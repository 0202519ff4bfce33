#pragma once

#include <string>
#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// How HTML, and XML with elements of the same names, treats an element.
enum class ElementKind {
  kInline,      // within sentences, exactly once
  kLink,        // the same, and in no other link
  kFormatting,  // within sentences, may be repeated
  kCode,        // within sentences, its text unchanged
  kVoid,        // within sentences, without text
  kLineBreak,
  kBlock,        // ends a sentence
  kOpaque,       // within sentences, but not part of their text; unchanged
  kOpaqueBlock,  // ends a sentence, unchanged
};

inline bool is_block(ElementKind kind) {
  return kind == ElementKind::kBlock || kind == ElementKind::kOpaqueBlock;
}
inline bool is_opaque(ElementKind kind) {
  return kind == ElementKind::kOpaque || kind == ElementKind::kOpaqueBlock;
}

/// The kind of the element with this lower-case name; kInline if unknown.
ElementKind element_kind(std::string_view name);

/// The lower-case name of a start or end tag.
std::string tag_name(std::string_view tag);

/// How an element returns to the translation, by its kind and attributes.
Placement element_placement(ElementKind kind, bool has_id, bool translates);

}  // namespace nmt
