#pragma once

#include <string_view>

namespace nmt {

/// Whether an element is a reference mark, such as that of a footnote, rather than text: <sup>,
/// <sub> or <a> around numbers, brackets, asterisks or daggers. Numbers alone may be part of the
/// text: of a word (H2O), a formula (CO2) or a link ("in <a>1999</a>"). `text` is the element's
/// text, `before` the text before the element, `after` the document after it.
bool is_note_mark(std::string_view element, std::string_view text, std::string_view before,
                  std::string_view after);

}  // namespace nmt
