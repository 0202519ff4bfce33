#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "checkpoint/model.h"
#include "export/export_format.h"

namespace nmt {

/// Token ids of source sentences, as the model's settings limit their length.
using SampleSources = std::vector<std::vector<int32_t>>;

/// Those of the file, one sentence a line, empty ones left out; or, for an empty path, 16 made up
/// of random tokens, the same every time. Throws Error.
SampleSources sample_sources(const std::filesystem::path& path, const Model& model);

struct Agreement {
  int64_t num_sentences = 0;
  int64_t num_steps = 0;          // decoding steps compared, over whole rows of the vocabulary
  double largest_difference = 0;  // of two log-probabilities; infinite where one is not a number
};

/// Translates the samples greedily with the model, makes both write those translations and compares
/// all their log-probabilities at every step. Throws Error where a difference passes 1e-4 or the
/// export's own greedy search finds other tokens.
Agreement verify_export(const Model& model, const ReloadedModel& exported,
                        const SampleSources& sources);

}  // namespace nmt
