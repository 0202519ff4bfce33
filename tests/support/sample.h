#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "files/line_reader.h"
#include "text/tokenizer.h"

namespace nmt {

/// The vocabularies of the sample model.
inline Tokenizers sample_tokenizers() {
  return {Tokenizer::from_file(NMT_SOURCE_DIR "/models/sample/source.spm"),
          Tokenizer::from_file(NMT_SOURCE_DIR "/models/sample/target.spm")};
}

/// The first lines of a file of the sample corpus.
inline std::vector<std::string> sample_lines(const std::string& file, size_t count) {
  auto lines = read_lines(NMT_SOURCE_DIR "/data/sample/" + file);
  lines.resize(count);
  return lines;
}

}  // namespace nmt
