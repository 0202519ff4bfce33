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
  std::filesystem::path card() const { return root / "card.md"; }
  std::filesystem::path run_state() const { return root / "training_state.safetensors"; }
  std::filesystem::path corpus_cache() const { return root / "cache"; }
  std::filesystem::path held_out() const { return root / "held-out"; }  // validation, test
  // Those of a run that is being replaced.
  std::filesystem::path replaced_held_out() const { return root / "held-out.old"; }
  std::filesystem::path reverse_model() const { return root / "reverse"; }  // of objective dual

  /// The text that its settings name `path`, wherever the directory was when they were saved: the
  /// file of that name in held_out() for a file of a folder held-out, if there is one, else `path`.
  std::string text_at(const std::string& path) const;

  bool holds_model() const;
  bool holds_run() const;  // maybe one without a model yet

  /// Whether a path is a part of it, there or not, or lies in one.
  bool has_part(const std::filesystem::path& path) const;

  /// Throws Error when the folder holds a model or a run and `overwrite` is false, with `advice` at
  /// the end, or is not a folder.
  void require_free(bool overwrite, const char* advice) const;

  /// For a model without a run: throws Error also when the folder holds a run, whatever
  /// `overwrite`.
  void require_no_run(bool overwrite) const;

  /// Prepares an existing folder for a new run: removes all but the corpus cache and
  /// the held-out texts.
  void clear() const;

  /// Renames what clear() removes into `other`, a folder of the same disk; the weights go first.
  /// Throws fs::filesystem_error.
  void move_to(const ModelDirectory& other) const;

  /// Renames the same of `other` into this folder; the weights come last.
  void take_from(const ModelDirectory& other) const;

  /// Removes the temporary files of a run that was killed while it wrote.
  void remove_temporaries() const;

 private:
  std::vector<std::filesystem::path> parts() const;
};

/// Throws UsageError if an output is a packed model that is read, or a part of a model directory.
void require_not_model(const std::vector<std::filesystem::path>& outputs,
                       const std::vector<std::filesystem::path>& models);

}  // namespace nmt
