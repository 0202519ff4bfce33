#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors_header.h"

namespace nmt {

/// All of a model but its weights, as stored in files.
struct ModelParts {
  std::string settings;          // config.yaml
  std::string source_tokenizer;  // a serialised SentencePiece model
  std::string target_tokenizer;
  std::string summary;           // training.json; may be empty
  std::string card;              // card.md; may be empty: Markdown for people
  std::string calibration = {};  // confidence.json; may be empty: no confidence is reported

  /// What was measured of the model does not hold for one that is made from it.
  ModelParts without_measurements() const {
    return {settings, source_tokenizer, target_tokenizer, "", ""};
  }
};

/// Names in a packed file (docs/model-format.md): the tokenizers are tensors of bytes, the rest
/// is among the metadata.
constexpr char kPackedSettings[] = "config";
constexpr char kPackedSummary[] = "training";
constexpr char kPackedCard[] = "card";
constexpr char kPackedCalibration[] = "confidence";
constexpr char kPackedSourceTokenizer[] = "tokenizer.source";
constexpr char kPackedTargetTokenizer[] = "tokenizer.target";

/// The parts of a packed file. Throws Error that says what it lacks.
ModelParts packed_parts(const SafetensorsHeader& header, std::string_view bytes,
                        const std::string& name);

/// Whether confidence.json is read, if it is there.
enum class Confidence { kRead, kSkip };

/// Reads a directory's parts and verifies its SHA256SUMS, which format version 2 requires. Throws
/// Error that names the file.
ModelParts read_parts(const ModelDirectory& directory, int64_t format_version,
                      Confidence confidence = Confidence::kRead);

/// Writes config.yaml, the tokenizers, card.md unless it is empty, confidence.json or removes it,
/// and SHA256SUMS. A crash at any moment leaves sums that the files on the disk fit.
void write_parts(const ModelDirectory& directory, const ModelParts& parts);

}  // namespace nmt
