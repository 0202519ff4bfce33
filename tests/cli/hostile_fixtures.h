#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "files/file.h"
#include "support/temporary_folder.h"
#include "support/write_checksums.h"

namespace nmt {

/// A folder $in/NAME with links to the sample model's files, to be changed by `change`, which gets
/// the folder; the checksums are of what it has left.
inline void make_model(const TemporaryFolder& in, const std::string& name,
                       const std::function<void(const std::filesystem::path&)>& change) {
  const std::filesystem::path sample = NMT_SOURCE_DIR "/models/sample";
  const auto folder = in / name;
  std::filesystem::create_directory(folder);
  for (const char* file : {"config.yaml", "source.spm", "target.spm", "model.safetensors"}) {
    std::filesystem::create_symlink(sample / file, folder / file);
  }
  change(folder);
  write_checksums(folder);
}

/// A model one of whose files has other content.
inline void make_model_with(const TemporaryFolder& in, const std::string& name,
                            const std::string& file, const std::string& content) {
  make_model(in, name, [&](const std::filesystem::path& folder) {
    std::filesystem::remove(folder / file);
    in.write(name + "/" + file, content);
  });
}

inline std::string repeated(const std::string& text, int64_t times) {
  std::string result;
  for (int64_t i = 0; i < times; ++i) result += text;
  return result;
}

inline std::string sample_file(const std::string& name) {
  return read_file(std::filesystem::path(NMT_SOURCE_DIR "/models/sample") / name);
}

/// The text with the first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// Bytes without meaning, the same each time.
inline std::string noise(size_t size) {
  std::string bytes;
  uint32_t state = 1;
  while (bytes.size() < size) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace nmt
