#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "checkpoint/model.h"
#include "export/export_format.h"

namespace nmt {

/// Token ids of source sentences, of at most the model's data.max_length.
using SampleSources = std::vector<std::vector<int32_t>>;

/// The sentences of the file, one per line, without empty ones; for an empty path, 16 sentences of
/// random tokens, always the same. Throws Error if there are none.
SampleSources sample_sources(const std::filesystem::path& path, const Model& model);

struct Agreement {
  int64_t num_sentences = 0;
  int64_t num_steps = 0;          // decoding steps compared, over whole rows of the vocabulary
  double largest_difference = 0;  // of two log-probabilities; infinite where one is not a number
};

/// Translates the samples greedily with the model, then feeds these translations to model and
/// export and compares all log-probabilities at every step. Throws Error if a difference exceeds
/// 1e-4 or the export's own greedy search finds other tokens.
Agreement verify_export(const Model& model, const ReloadedModel& exported,
                        const SampleSources& sources);

}  // namespace nmt
