#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "files/scratch_folder.h"

namespace nmt {

/// A sentence and the translation that the model should have produced.
struct Correction {
  std::filesystem::path model;
  std::string source;
  std::string target;
};

/// Copies of a model fine-tuned on corrections, in a temporary folder deleted with this object.
/// Runs `nmt adapt` in a child process: training needs LibTorch, a conversation does not.
class CorrectedModels {
 public:
  /// `program` is nmt; empty: the running one. It trains on the device, with `threads` (0: one per
  /// core).
  CorrectedModels(std::filesystem::path program, std::string device, int threads);

  /// Returns the folder of a copy trained on the correction. Polls `stopped` meanwhile; throws
  /// Error when it returns true or training fails.
  std::filesystem::path learn(const Correction& correction, const std::function<bool()>& stopped);

  /// Whether this object created the model.
  bool made(const std::filesystem::path& model) const;

  /// Copies a model's folder to a new place. Throws Error without leaving anything there.
  static void save(const std::filesystem::path& model, const std::filesystem::path& place);

 private:
  std::filesystem::path program_;
  std::string device_;
  int threads_;
  std::unique_ptr<ScratchFolder> folder_;  // created by the first correction
  int made_ = 0;
};

}  // namespace nmt
