#include "cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "cli/usage.h"
#include "errors/error.h"
#include "errors/exit_code.h"
#include "errors/log.h"
#include "kernels/instruction_set.h"
#include "processes/heap.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

constexpr char kOutOfMemory[] = "out of memory; try a smaller batch, beam or model";

// Without this the system ends the program without a word when a reader leaves: training too, whose
// log went into that pipe. As it is, writing results fails, which is noticed, and logging goes on.
void notice_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

int complain(const std::string& message, int exit_code) {
  std::cerr << "nmt: " << message.substr(0, message.find('\n')) << std::endl;
  return exit_code;
}

void parse(CLI::App& app, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 takes them in
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& help) {
    app.exit(help);
  }
}

void run(CommandCall& call, const CallCheck& check) {
  if (call.run) {
    check(call);
    call.run();
  }
  // A full disk must not look like success.
  if (!std::cout.flush()) throw Error("standard output: cannot be written");
}

}  // namespace

int run_program(int argc, char** argv, void (*add_commands)(CLI::App&, CommandCall&),
                const CallCheck& check) {
  log_to_standard_error();
  notice_closed_pipes();
  keep_freed_memory();
  CLI::App app("Neural machine translation: train, translate, evaluate, export.", "nmt");
  app.set_version_flag("--version", "nmt " NMT_VERSION);
  app.require_subcommand(1);
  const auto arguments = command_line(argc, argv);
  CommandCall call;
  if (!arguments.empty()) call.name = arguments.front();
  try {
    check_instruction_set_limit();
    check(call);
    add_commands(app, call);
    reject_huge_numbers(app);
    parse(app, arguments);
    run(call, check);
  } catch (const ProgramEnd& end) {
    return end.exit_code;
  } catch (const CLI::ParseError& error) {
    return complain(usage_problem(app, arguments, error), kWrongUsage);
  } catch (const UsageError& error) {
    return complain(error.what(), kWrongUsage);
  } catch (const Interrupted& end) {
    return complain(end.what(), kSignalled + interrupting_signal());
  } catch (const std::bad_alloc&) {
    return complain(kOutOfMemory, kRunFailed);
  } catch (const std::exception& error) {
    // LibTorch's allocator has an exception of its own.
    const std::string message = error.what();
    const bool memory = message.find("can't allocate memory") != std::string::npos;
    return complain(memory ? kOutOfMemory : message, kRunFailed);
  }
  return 0;
}

}  // namespace nmt
