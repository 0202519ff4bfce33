#pragma once

#include <cstddef>
#include <string_view>

#include "markup/segment.h"

namespace nmt {

/// A part of a word-processing document (.docx; ECMA-376 part 1, 17.3: document.xml, headers,
/// footers, notes). Its text is in runs, each with its formatting. In the result, every paragraph
/// is one run with the formatting that most of its text has; runs with other formatting, links and
/// the like become inline elements whose tags close that run and reopen it afterwards, because text
/// is valid only inside a run. Neighboring runs with the same formatting are joined. Text boxes
/// become ParsedDocument::contents; deleted text stays unchanged. Throws MarkupError if the part is
/// not well-formed XML, or if copies of its runs' properties would take too much memory; `copied`
/// counts their bytes in all parts of a document.
ParsedDocument parse_word_part(std::string_view xml, size_t& copied);

/// Of a document with a single part.
inline ParsedDocument parse_word_part(std::string_view xml) {
  size_t copied = 0;
  return parse_word_part(xml, copied);
}

}  // namespace nmt
