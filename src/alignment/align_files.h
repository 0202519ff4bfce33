#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "alignment/symmetrize.h"
#include "translate/translator.h"

namespace nmt {

struct AlignmentRequest {
  TranslatorOptions forward;
  std::filesystem::path reverse;  // model of the other direction; empty: none
  std::string reverse_to;         // its target language, like forward.target_language
  Symmetrization symmetrization = Symmetrization::kGrowDiagFinalAnd;
  std::filesystem::path source;
  std::filesystem::path target;
  std::filesystem::path gold;  // read by gold_alignment.h; empty: none
  std::filesystem::path output = "-";
  int64_t batch_size = 64;  // sentences
};

/// Options of the translators that align_files() opens.
std::vector<TranslatorOptions> alignment_translators(const AlignmentRequest& request);

/// Writes the alignment of each pair, one per line in Pharaoh format, from the attention of forced
/// decoding; with a gold alignment, also writes the error rate to standard error. Throws Error for
/// files with different numbers of lines, a model without attention, and a text whose words cannot
/// be derived from its tokens.
void align_files(const AlignmentRequest& request);

}  // namespace nmt
