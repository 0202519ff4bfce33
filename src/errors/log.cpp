#include "errors/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace nmt {

void log_info(std::string_view line) { spdlog::info(line); }
void log_warning(std::string_view line) { spdlog::warn(line); }
void log_error(std::string_view line) { spdlog::error(line); }

void log_to_standard_error() {
  auto logger = std::make_shared<spdlog::logger>(
      "nmt", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%H:%M:%S  %^%v%$");
  spdlog::set_default_logger(std::move(logger));
}

void log_dates() { spdlog::set_pattern("%Y-%m-%d %H:%M:%S  %^%v%$"); }

void log_errors_only() { spdlog::set_level(spdlog::level::err); }

}  // namespace nmt
