#pragma once

#include <string>
#include <string_view>

#include "pages/html_escape.h"

namespace nmt {

/// JSON for a <script> element, with every "</script>" in a string escaped.
std::string escape_script(std::string json);

/// HTML in English and Korean; the page shows one of them.
std::string bilingual(std::string_view english, std::string_view korean);

/// A page before and after its content. `title` is text. The page loads nothing, which its
/// Content-Security-Policy enforces. `language`, "en" or "ko", applies if the browser names none.
std::string page_begin(std::string_view title, std::string_view style,
                       std::string_view language = "en");
std::string page_end(std::string_view script);

}  // namespace nmt
