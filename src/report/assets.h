#pragma once

#include <string_view>

namespace nmt {

// The styles and scripts of the pages, carried inside the program.
std::string_view page_style();
std::string_view page_script();  // of every page: which language it speaks
std::string_view attention_style();
std::string_view attention_script();
std::string_view report_style();
std::string_view report_script();

}  // namespace nmt
