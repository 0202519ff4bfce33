#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

struct AverageRequest {
  /// Models with the same network settings and vocabularies. A single directory stands for its
  /// checkpoints.
  std::vector<std::filesystem::path> models;
  std::filesystem::path output;  // a directory
  bool overwrite = false;
  bool last = false;  // of a single directory: average the latest checkpoints, not the best
};

/// Writes a model whose weights are the means of the models' weights. Returns one line that lists
/// what was averaged. Throws Error.
std::string average_models(const AverageRequest& request);

}  // namespace nmt
