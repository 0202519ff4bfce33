#pragma once

#include <string>
#include <string_view>

#include "pages/html_escape.h"

namespace nmt {

/// JSON for a <script> element, which no "</script>" in a string can end.
std::string escape_script(std::string json);

/// A text in English and in Korean, of which the page shows one. Both are HTML.
std::string bilingual(std::string_view english, std::string_view korean);

/// A page until its content begins, and from its end on. `title` is text. The page loads nothing
/// from anywhere, and says so to the browser.
/// `language`, "en" or "ko", is what it speaks to a reader whose browser does not say.
std::string page_begin(std::string_view title, std::string_view style,
                       std::string_view language = "en");
std::string page_end(std::string_view script);

}  // namespace nmt
