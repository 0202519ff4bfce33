#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "files/file.h"
#include "support/sample.h"
#include "support/write_checksums.h"
#include "text/model_description.h"

namespace nmt {

/// FOLDER/english, the sample model with its target vocabulary on both sides: it reads English, but
/// what it writes makes no sense.
inline std::filesystem::path write_english_model(const std::filesystem::path& folder) {
  auto model = folder / "english";
  std::filesystem::copy(NMT_SOURCE_DIR "/models/sample", model,
                        std::filesystem::copy_options::recursive);
  const auto [source, target] = sample_tokenizers();
  auto vocabulary = target.bytes();
  for (int32_t id = target.vocabulary_size(); id < source.vocabulary_size(); ++id) {
    vocabulary += sentence_piece("#" + std::to_string(id), PieceType::kNormal, -20.0F);
  }
  write_file_atomically(model / "source.spm", vocabulary);
  write_checksums(model);
  return model;
}

}  // namespace nmt
