#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "markup/segment.h"

namespace nmt {

/// Reads XML in which some elements, such as notes and text boxes, have their own paragraphs in the
/// middle of a sentence. `paths` are the names of these elements after those of their parents, such
/// as "note/note-body", without prefix and in lower case; the parents must be elements that `parse`
/// copies whole. `parse` receives each of these elements as a document, and the rest with a
/// processing instruction in place of each, so the translation of the sentence may move it.
ParsedDocument parse_with_contents(std::string_view xml, const std::set<std::string>& paths,
                                   const std::function<ParsedDocument(std::string_view)>& parse);

/// The text with each processing instruction of parse_with_contents() replaced by its content.
std::string with_contents(std::string_view text, const std::vector<std::string>& contents);

}  // namespace nmt
