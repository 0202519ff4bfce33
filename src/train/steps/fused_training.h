#pragma once

#include <string>

#include "config/settings.h"
#include "decode/fused_model.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// Why the fused engine cannot train this model with these settings, for a message; empty if it
/// can. `on_cpu`: whether the device is the CPU.
inline std::string fused_training_unsupported_reason(const Seq2SeqOptions& options,
                                                     const TrainConfig& config, bool on_cpu) {
  if (!on_cpu) return "it computes on the CPU only";
  const auto fused = config.objective->fused;
  if (fused == FusedSupport::kNone) {
    return std::string("the objective is ") + config.objective->name;
  }
  if (config.objective == &scheduled_sampling_objective() &&
      options.architecture == Architecture::kLanguageModel) {
    return "scheduled sampling is fused for translators only";
  }
  if (options.copy && fused == FusedSupport::kWithoutCopying) {
    return std::string("of a model that copies it does not compute ") + config.objective->name;
  }
  return fused_unsupported_reason(options);
}

/// Whether the fused engine trains the model, according to train.engine.
inline bool trains_fused(const Seq2SeqOptions& options, const TrainConfig& config, bool on_cpu) {
  return config.engine != TrainingEngine::kPlain &&
         fused_training_unsupported_reason(options, config, on_cpu).empty();
}

}  // namespace nmt
