#include "train/shared_start.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/error.h"
#include "support/file.h"
#include "train/named_parameters.h"

namespace nmt {
namespace {

constexpr size_t kAnySize = std::numeric_limits<size_t>::max();

/// A file in memory, for what reads only files.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes)
      : descriptor_(::memfd_create("training state", MFD_CLOEXEC)) {
    const char* at = bytes.data();
    const char* end = at + bytes.size();
    while (descriptor_ >= 0 && at < end) {
      const auto written = ::write(descriptor_, at, static_cast<size_t>(end - at));
      if (written <= 0) throw Error("there is no memory for the training state");
      at += written;
    }
  }
  ~MemoryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

SharedStart share_start(const SharedStart& start, const ModelDirectory& directory,
                        ProcessGroup& peers) {
  if (peers.size() == 1) return start;
  const auto leaders = [&](const auto& text) {
    return peers.broadcast(peers.is_leader() ? text() : std::string());
  };
  const auto source = leaders([&] { return start.tokenizers.source.bytes(); });
  const auto target = leaders([&] { return start.tokenizers.target.bytes(); });
  const auto content = leaders([&] { return nlohmann::json(start.content).dump(); });
  const auto state = leaders(
      [&] { return start.state ? read_file(directory.run_state(), kAnySize) : std::string(); });
  if (peers.is_leader()) return start;
  SharedStart shared{{Tokenizer::from_bytes(source, "source vocabulary"),
                      Tokenizer::from_bytes(target, "target vocabulary")},
                     nlohmann::json::parse(content).get<std::map<std::string, std::string>>(),
                     {}};
  if (!state.empty()) shared.state = read_run_state(MemoryFile(state).path());
  return shared;
}

void share_weights(const Seq2Seq& network, ProcessGroup& peers) {
  for (const auto& [name, tensor] : unique_named_parameters(network)) peers.broadcast(tensor);
}

}  // namespace nmt
