#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace nmt {

/// The page of one command in section 1, in the man macros. `date`: YYYY-MM-DD.
std::string man_page(const CLI::App& command, const std::string& date);

/// "nmt-data-check"
std::string page_name(const CLI::App& command);

}  // namespace nmt
