#include "errors/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>

namespace nmt {

void log_info(std::string_view line) { spdlog::info(line); }
void log_warning(std::string_view line) { spdlog::warn(line); }
void log_error(std::string_view line) { spdlog::error(line); }

bool supports_escape_sequences() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool may_show_colors() {
  const char* refused = std::getenv("NO_COLOR");
  return supports_escape_sequences() && (refused == nullptr || *refused == '\0');
}

void log_to_standard_error() {
  const auto colors = may_show_colors() ? spdlog::color_mode::automatic : spdlog::color_mode::never;
  auto logger = std::make_shared<spdlog::logger>(
      "nmt", std::make_shared<spdlog::sinks::stderr_color_sink_mt>(colors));
  logger->set_pattern("%H:%M:%S  %^%v%$");
  spdlog::set_default_logger(std::move(logger));
}

void log_dates() { spdlog::set_pattern("%Y-%m-%d %H:%M:%S  %^%v%$"); }

void log_errors_only() { spdlog::set_level(spdlog::level::err); }

}  // namespace nmt
