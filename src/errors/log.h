#pragma once

#include <spdlog/fmt/fmt.h>

#include <string_view>
#include <utility>

namespace nmt {

// What the user is told while the program works, one line each, on standard error. Files log
// through these functions, for spdlog's own templates cost each of them two seconds to compile.

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

/// The program's log, with times, colored on a terminal. Standard output carries results only.
void log_to_standard_error();

/// Adds dates to the times, for programs that run for days.
void log_dates();

/// Of several processes that would all log the same, for all but one.
void log_errors_only();

}  // namespace nmt
