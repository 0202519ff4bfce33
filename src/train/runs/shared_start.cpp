#include "train/runs/shared_start.h"

#include <nlohmann/json.hpp>

#include "files/mapped_file.h"
#include "files/memory_file.h"
#include "train/steps/named_parameters.h"

namespace nmt {
SharedStart share_start(const SharedStart& start, const ModelDirectory& directory,
                        ProcessGroup& peers) {
  if (peers.size() == 1) return start;
  const auto leaders = [&](const auto& text) {
    return peers.broadcast(peers.is_leader() ? text() : std::string());
  };
  const auto source = leaders([&] { return start.tokenizers.source.bytes(); });
  const auto target = leaders([&] { return start.tokenizers.target.bytes(); });
  const auto content = leaders([&] { return nlohmann::json(start.content).dump(); });
  const auto state = leaders([&] {
    return start.state ? std::string(MappedFile(directory.run_state()).bytes()) : std::string();
  });
  if (peers.is_leader()) return start;
  SharedStart shared{{Tokenizer::from_bytes(source, "source vocabulary"),
                      Tokenizer::from_bytes(target, "target vocabulary")},
                     nlohmann::json::parse(content).get<std::map<std::string, std::string>>(),
                     {}};
  if (!state.empty()) shared.state = read_run_state(MemoryFile("training state", state).path());
  return shared;
}

void share_weights(const Seq2Seq& network, ProcessGroup& peers) {
  for (const auto& [name, tensor] : unique_named_parameters(network)) peers.broadcast(tensor);
}

}  // namespace nmt
