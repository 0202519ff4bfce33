// Loading LibTorch and all that it needs takes half a second, and over a hundred megabytes. The
// program therefore begins with what does without: it translates by the fused engine. For anything
// else it loads the whole program, a shared library that it carries inside, and hands over.

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>

#include "cli/commands.h"
#include "cli/program.h"
#include "errors/error.h"
#include "files/embedded_library.h"
#include "translate/plain_engine.h"

NMT_EMBED_LIBRARY(nmt_whole_program_library, NMT_WHOLE_PROGRAM_FILE);

namespace {

/// Thrown before anything is read or written.
struct LibTorchNeeded {};

constexpr std::array<std::string_view, 10> kQuick = {
    "launch",  "translate", "interactive", "compare", "data",
    "explain", "report",    "serve",       "vocab",   "--version"};

bool is_quick(int argc, char** argv) {
  return argc > 1 && std::find(kQuick.begin(), kQuick.end(), argv[1]) != kQuick.end();
}

void add_quick_commands(CLI::App& app) {
  nmt::add_launch_command(app);
  nmt::add_translate_command(app);
  nmt::add_interactive_command(app);
  nmt::add_compare_command(app);
  nmt::add_data_command(app);
  nmt::add_explain_command(app);
  nmt::add_report_command(app);
  nmt::add_serve_command(app);
  nmt::add_vocab_command(app);
}

int run_whole_program(int argc, char** argv) try {
  // For all to see: LibTorch looks for its BLAS among the symbols of the process.
  void* library = nmt::load_embedded_library(nmt_whole_program_library(), [](const char* path) {
    return ::dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
  });
  using Program = int (*)(int, char**);
  const auto program = reinterpret_cast<Program>(::dlsym(library, "nmt_whole_program"));
  if (program == nullptr) throw nmt::Error("the library inside this program is not whole");
  return program(argc, argv);
} catch (const nmt::Error& error) {
  std::cerr << "nmt: LibTorch cannot be loaded: " << error.what() << std::endl;
  return 1;
}

}  // namespace

namespace nmt {

std::unique_ptr<PlainEngine> make_plain_engine(const std::vector<StoredModel>&,
                                               const std::optional<ShallowFusion>&,
                                               const std::string&, int) {
  throw LibTorchNeeded();
}

}  // namespace nmt

int main(int argc, char** argv) {
  if (is_quick(argc, argv)) {
    try {
      return nmt::run_program(argc, argv, add_quick_commands);
    } catch (const LibTorchNeeded&) {
    }
  }
  return run_whole_program(argc, argv);
}
