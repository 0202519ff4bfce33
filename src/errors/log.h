#pragma once

#include <spdlog/fmt/fmt.h>

#include <string_view>
#include <utility>

namespace nmt {

// Messages about progress and warnings, one line each, on standard error. Other files log through
// these functions because spdlog's templates cost two seconds of compile time per file.

void log_info(std::string_view line);
void log_warning(std::string_view line);
void log_error(std::string_view line);

template <typename First, typename... Rest>
void log_info(fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
  log_info(std::string_view(
      fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...)));
}

template <typename First, typename... Rest>
void log_warning(fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
  log_warning(std::string_view(
      fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...)));
}

template <typename First, typename... Rest>
void log_error(fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
  log_error(std::string_view(
      fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...)));
}

/// Whether a terminal supports escape sequences, by TERM.
bool supports_escape_sequences();

/// The same, unless the user refuses colors: see https://no-color.org.
bool may_show_colors();

/// Directs the log to standard error, with times, colored on a terminal: standard output carries
/// results only.
void log_to_standard_error();

/// Adds dates to the times, for programs that run for days.
void log_dates();

/// For all but one of several processes that would log the same.
void log_errors_only();

}  // namespace nmt
