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
  std::string reverse_to;         // its target language, as forward.target_language
  Symmetrization symmetrization = Symmetrization::kGrowDiagFinalAnd;
  std::filesystem::path source;
  std::filesystem::path target;
  std::filesystem::path gold;  // gold_alignment.h; empty: none
  std::filesystem::path output = "-";
  int64_t batch_size = 64;  // sentences
};

/// The translators that it opens.
std::vector<TranslatorOptions> alignment_translators(const AlignmentRequest& request);

/// Writes an alignment of each pair, one a line in Pharaoh format, by the attention of forced
/// decoding; with a gold alignment the error rate to standard error. Throws Error for files that do
/// not pair, a model without attention, and a text whose words cannot be told from its tokens.
void align_files(const AlignmentRequest& request);

}  // namespace nmt
