#pragma once

#include <filesystem>

#include "files/file.h"
#include "support/write_checksums.h"
#include "text/word_vocabulary.h"

namespace nmt {

/// Writes a small model with vocabularies such as nmt import makes: it reads the tokens of
/// subword-nmt and writes text.
inline std::filesystem::path write_imported_model(const std::filesystem::path& model) {
  std::filesystem::copy(NMT_SOURCE_DIR "/tests/models/version-2", model,
                        std::filesystem::copy_options::recursive);
  write_file_atomically(model / "source.spm", word_vocabulary({"the", "ca@@", "ts", "do@@", "gs",
                                                               "sle@@", "ep", "a", "ma@@", "."},
                                                              SpaceMarks::kNone, "source"));
  write_file_atomically(model / "target.spm", word_vocabulary({"die", "Kat@@", "zen", "Hun@@", "de",
                                                               "schla@@", "fen", "ei@@", "ne", "."},
                                                              SpaceMarks::kContinued, "target"));
  write_checksums(model);
  return model;
}

}  // namespace nmt
