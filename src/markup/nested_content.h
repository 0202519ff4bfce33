#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "markup/segment.h"

namespace nmt {

/// Reads XML in which some elements have paragraphs of their own in the middle of a sentence:
/// notes, text boxes. `paths` are their names after those of their parents, "note/note-body",
/// without prefix and in lower case; the parents must be what `parse` copies whole. It receives
/// each of the elements as a document, and the rest with a processing instruction in its place, so
/// the translation of the sentence may move it.
ParsedDocument parse_with_contents(std::string_view xml, const std::set<std::string>& paths,
                                   const std::function<ParsedDocument(std::string_view)>& parse);

/// The text with each processing instruction of parse_with_contents() replaced by its content.
std::string with_contents(std::string_view text, const std::vector<std::string>& contents);

}  // namespace nmt
