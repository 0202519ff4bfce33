#include "cli/needs_torch.h"
#include "cli/program.h"
#include "support/start_command.h"
#include "translate/engine.h"

namespace nmt {
namespace {

const bool kLinked = [] {
  torch_main = [](int argc, char** argv) {
    set_plain_engine_factory(make_linked_plain_engine);
    return run_program(argc, argv, add_all_commands);
  };
  is_torch_command = [](const std::string& name) {
    return needs_torch(CommandCall{name, {}, {}}, [](const auto&) { return std::nullopt; });
  };
  return true;
}();

}  // namespace
}  // namespace nmt
