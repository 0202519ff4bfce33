#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace nmt {

/// A folder for what the benchmark leaves behind, gone with this object.
struct ScratchFolder {
  ScratchFolder()
      : path(std::filesystem::temp_directory_path() / ("nmt-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

}  // namespace nmt
