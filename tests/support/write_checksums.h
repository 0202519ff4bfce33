#pragma once

#include <filesystem>
#include <fstream>
#include <system_error>

#include "files/file.h"
#include "files/sha256.h"

namespace nmt {

/// Makes SHA256SUMS of a model directory right for the files that are there.
inline void write_checksums(const std::filesystem::path& model) {
  std::ofstream sums(model / "SHA256SUMS");
  for (const char* name : {"config.yaml", "source.spm", "target.spm", "confidence.json"}) {
    std::error_code ignored;  // links that go round in circles
    if (!std::filesystem::is_regular_file(model / name, ignored)) continue;
    sums << sha256(read_file(model / name)) << "  " << name << '\n';
  }
}

}  // namespace nmt
