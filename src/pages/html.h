#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pages/html_escape.h"

namespace nmt {

/// The colors of all pages and pictures, as CSS variables.
std::string_view palette_css();

/// The drawing of attention on all pages: its style, with the palette's colors, and its script,
/// which defines drawAttention().
std::string_view attention_css();
std::string_view attention_js();

/// JSON for a <script> element, with every "</script>" in a string escaped.
std::string escape_script(std::string json);

/// HTML in English and Korean; the page shows one of them.
std::string bilingual(std::string_view english, std::string_view korean);

/// `<name>content</name>`; the name may have attributes.
std::string element(const std::string& name, const std::string& content);

/// Content that scrolls sideways if it is too wide, also by keyboard. `name` is text for screen
/// readers.
std::string scrolling(std::string_view content, std::string_view name);

/// A row of a table. Its cells are HTML, like those of `head` below.
std::string table_row(const std::string& head, const std::vector<std::string>& cells);

/// A scrolling table of such rows; empty cells of the head do not become headings.
std::string scrolling_table(const std::vector<std::string>& head, const std::string& rows,
                            std::string_view name);

/// The parts of a page before and after its content. `title` is text. The page loads nothing, as
/// its Content-Security-Policy enforces. `language`, "en" or "ko", applies if the browser names
/// none.
std::string page_begin(std::string_view title, std::string_view style,
                       std::string_view language = "en");
std::string page_end(std::string_view script);

}  // namespace nmt
