#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors_header.h"

namespace nmt {

/// Everything of a model except its weights, as file contents.
struct ModelParts {
  std::string settings;          // config.yaml
  std::string source_tokenizer;  // a serialized SentencePiece model
  std::string target_tokenizer;
  std::string summary;           // training.json; may be empty
  std::string calibration = {};  // confidence.json; may be empty: no confidence is reported

  /// Without summary and calibration: for a model made from this one, whose quality was not
  /// measured.
  ModelParts without_measurements() const {
    return {settings, source_tokenizer, target_tokenizer, ""};
  }
};

/// Names in a packed file (docs/model-format.md): the tokenizers are tensors of bytes, the rest
/// is among the metadata.
constexpr char kPackedSettings[] = "config";
constexpr char kPackedSummary[] = "training";
constexpr char kPackedCalibration[] = "confidence";
constexpr char kPackedSourceTokenizer[] = "tokenizer.source";
constexpr char kPackedTargetTokenizer[] = "tokenizer.target";

/// The parts of a packed file. Throws Error, beginning with `name`, that says what is missing.
ModelParts packed_parts(const SafetensorsHeader& header, std::string_view bytes,
                        const std::string& name);

/// Whether to read confidence.json if it exists.
enum class Confidence { kRead, kSkip };

/// Reads a directory's parts and verifies its SHA256SUMS, which format version 2 requires. Throws
/// Error that names the file.
ModelParts read_parts(const ModelDirectory& directory, int64_t format_version,
                      Confidence confidence = Confidence::kRead);

/// Writes config.yaml, the tokenizers, SHA256SUMS and, unless they are empty, confidence.json
/// and training.json; removes confidence.json if it is empty. After a crash at any moment,
/// SHA256SUMS still matches the files on disk.
void write_parts(const ModelDirectory& directory, const ModelParts& parts);

}  // namespace nmt
