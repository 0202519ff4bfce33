#include "train/runs/initial_state.h"

#include "files/file.h"
#include "files/json.h"
#include "files/mapped_file.h"
#include "files/scratch_folder.h"
#include "train/steps/named_parameters.h"

namespace nmt {

InitialState broadcast_initial_state(const InitialState& start, const ModelDirectory& directory,
                                     ProcessGroup& group) {
  if (group.size() == 1) return start;
  const auto of_rank_zero = [&](const auto& text) {
    return group.broadcast(group.is_rank_zero() ? text() : std::string());
  };
  const auto source = of_rank_zero([&] { return start.tokenizers.source.bytes(); });
  const auto target = of_rank_zero([&] { return start.tokenizers.target.bytes(); });
  const auto content = of_rank_zero([&] { return dump_json(nlohmann::json(start.content)); });
  const auto state = of_rank_zero([&] {
    return start.state ? std::string(MappedFile(directory.run_state()).bytes()) : std::string();
  });
  if (group.is_rank_zero()) return start;
  InitialState shared{{Tokenizer::from_bytes(source, "source vocabulary"),
                       Tokenizer::from_bytes(target, "target vocabulary")},
                      parse_json(content).get<std::map<std::string, std::string>>(),
                      {}};
  if (!state.empty()) {
    const ScratchFolder folder;
    const auto file = folder.path() / "state";
    write_file_atomically(file, state);
    shared.state = read_run_state(file);
  }
  return shared;
}

void broadcast_weights(const Seq2Seq& network, ProcessGroup& group) {
  for (const auto& [name, tensor] : unique_named_parameters(network)) group.broadcast(tensor);
}

}  // namespace nmt
