#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "files/scratch_folder.h"

namespace nmt {

/// A model and what it should have said.
struct Correction {
  std::filesystem::path model;
  std::string source;
  std::string target;
};

/// Copies of a model that have learned corrections, in a temporary folder that goes with this. They
/// are trained by `nmt adapt` in a process of its own, for training needs LibTorch, which a
/// conversation does without.
class CorrectedModels {
 public:
  /// `program` is nmt; empty: the one that runs.
  explicit CorrectedModels(std::filesystem::path program);

  /// The folder of a copy that has learned the correction. `stopped` is asked now and then; throws
  /// Error when it says so, and with what went wrong.
  std::filesystem::path learn(const Correction& correction, const std::function<bool()>& stopped);

  /// Whether a model is one of these.
  bool made(const std::filesystem::path& model) const;

  /// Writes a copy of a model's folder to a place that does not exist. Throws Error; then nothing
  /// is left there.
  static void save(const std::filesystem::path& model, const std::filesystem::path& place);

 private:
  std::filesystem::path program_;
  std::unique_ptr<ScratchFolder> folder_;  // made by the first correction
  int made_ = 0;
};

}  // namespace nmt
