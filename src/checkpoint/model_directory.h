#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

/// The files of a model directory (docs/model-format.md).
struct ModelDirectory {
  std::filesystem::path root;

  std::filesystem::path settings() const { return root / "config.yaml"; }
  std::filesystem::path source_tokenizer() const { return root / "source.spm"; }
  std::filesystem::path target_tokenizer() const { return root / "target.spm"; }
  std::filesystem::path weights() const { return root / "model.safetensors"; }  // the best
  std::filesystem::path last_weights() const { return root / "last.safetensors"; }
  std::filesystem::path checkpoints() const { return root / "checkpoints"; }
  std::filesystem::path metrics() const { return root / "metrics.jsonl"; }
  std::filesystem::path summary() const { return root / "training.json"; }
  std::filesystem::path calibration() const { return root / "confidence.json"; }
  std::filesystem::path checksums() const { return root / "SHA256SUMS"; }
  std::filesystem::path run_state() const { return root / "training_state.safetensors"; }
  std::filesystem::path corpus_cache() const { return root / "cache"; }
  std::filesystem::path held_out() const { return root / "held-out"; }  // validation, test
  // The held-out texts of a run that is being replaced.
  std::filesystem::path replaced_held_out() const { return root / "held-out.old"; }
  std::filesystem::path reverse_model() const { return root / "reverse"; }  // of objective dual

  /// Resolves the path of a text in the settings, since the directory may have moved after they
  /// were saved: for a path held-out/NAME, the file NAME in held_out() if it exists; else `path`.
  std::string text_at(const std::string& path) const;

  bool holds_model() const;
  bool holds_run() const;  // a training run, maybe without a model yet

  /// Whether `path` is one of the directory's files or folders, existing or not, or lies in one.
  bool has_part(const std::filesystem::path& path) const;

  /// Throws Error if `root` is not a folder, or if it holds a model or a run and `overwrite` is
  /// false; `advice` then ends the message.
  void require_free(bool overwrite, const char* advice) const;

  /// Before writing a model without a run: as require_free(), but a run is an Error even with
  /// `overwrite`.
  void require_no_run(bool overwrite) const;

  /// Prepares an existing folder for a new run: removes the model and the run, but not the corpus
  /// cache, the held-out texts and foreign files; makes an empty folder checkpoints().
  void clear() const;

  /// Renames what clear() removes into `other`, a folder on the same disk: the training state
  /// first, then the weights. Throws fs::filesystem_error.
  void move_to(const ModelDirectory& other) const;

  /// Renames the same of `other` into this folder, in reverse order: weights and training state
  /// last.
  void take_from(const ModelDirectory& other) const;

  /// Removes the temporary files of a run that was killed while writing.
  void remove_temporaries() const;

 private:
  std::vector<std::filesystem::path> parts() const;
};

/// Throws UsageError if an output is one of `models`, or a part of one that is a directory.
void require_not_model(const std::vector<std::filesystem::path>& outputs,
                       const std::vector<std::filesystem::path>& models);

}  // namespace nmt
