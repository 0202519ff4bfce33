#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/usage.h"
#include "support/error.h"

namespace {

constexpr int kRunFailed = 1;
constexpr int kWrongUsage = 2;

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

void add_commands(CLI::App& app) {
  nmt::add_train_command(app);
  nmt::add_translate_command(app);
  nmt::add_interactive_command(app);
  nmt::add_score_command(app);
  nmt::add_evaluate_command(app);
  nmt::add_vocab_command(app);
  nmt::add_export_command(app);
  nmt::add_info_command(app);
}

}  // namespace

int main(int argc, char** argv) {
  log_to_standard_error();
  CLI::App app("Neural machine translation: train, translate, evaluate, export.", "nmt");
  app.set_version_flag("--version", "nmt " NMT_VERSION);
  app.require_subcommand(1);
  try {
    add_commands(app);
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return complain(nmt::usage_problem(app, arguments, error), kWrongUsage);
  } catch (const nmt::UsageError& error) {
    return complain(error.what(), kWrongUsage);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; try a smaller batch", kRunFailed);
  } catch (const std::exception& error) {
    return complain(error.what(), kRunFailed);
  }
  return 0;
}
