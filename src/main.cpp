#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <string>

#include "cli/commands.h"
#include "support/error.h"

namespace {

// Standard output carries results only.
void log_to_standard_error() {
  auto logger = spdlog::stderr_color_mt("nmt");
  logger->set_pattern("%H:%M:%S  %^%v%$");
  spdlog::set_default_logger(std::move(logger));
}

int complain(const std::string& message, int exit_code) {
  std::cerr << "nmt: " << message.substr(0, message.find('\n')) << std::endl;
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  log_to_standard_error();
  CLI::App app("Neural machine translation: train, translate, evaluate, export.", "nmt");
  app.set_version_flag("--version", "nmt " NMT_VERSION);
  app.require_subcommand(1);
  nmt::add_train_command(app);
  nmt::add_translate_command(app);
  nmt::add_interactive_command(app);
  nmt::add_score_command(app);
  nmt::add_export_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  } catch (const nmt::UsageError& error) {
    return complain(error.what(), 2);
  } catch (const std::exception& error) {
    return complain(error.what(), 1);
  }
  return 0;
}
