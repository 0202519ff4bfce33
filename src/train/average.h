#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

struct AverageRequest {
  /// Models of the same settings and vocabularies. A single directory stands for the checkpoints
  /// that it keeps.
  std::vector<std::filesystem::path> models;
  std::filesystem::path output;  // a directory
  bool overwrite = false;
  bool last = false;  // of a single directory: its latest checkpoints, not the best
};

/// Writes a model whose every weight is the mean of the models' weights. Returns one line that says
/// what was averaged. Throws Error.
std::string average_models(const AverageRequest& request);

}  // namespace nmt
