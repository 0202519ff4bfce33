#include "translate/engine_choice.h"

#include <algorithm>
#include <string>

#include "decode/fused_model.h"
#include "errors/error.h"

namespace nmt {
namespace {

/// Empty if the fused engine supports these options.
std::string reason_against_fused(const TranslatorOptions& options,
                                 const std::vector<Seq2SeqOptions>& models) {
  if (options.device != "cpu") return "the device is " + options.device;
  for (const auto& model : models) {
    auto reason = fused_unsupported_reason(model);
    if (!reason.empty()) return reason;
  }
  return "";
}

}  // namespace

bool uses_plain_engine(const TranslatorOptions& options,
                       const std::vector<Seq2SeqOptions>& models) {
  if (options.engine != TranslationEngine::kAuto) {
    return options.engine == TranslationEngine::kPlain;
  }
  return !reason_against_fused(options, models).empty();
}

void require_possible(const TranslatorOptions& options, const std::vector<Seq2SeqOptions>& models) {
  const bool int8 = options.precision == TranslationPrecision::kInt8;
  const auto reason = reason_against_fused(options, models);
  if (int8 && uses_plain_engine(options, models)) {
    throw UsageError("int8: only the fused engine supports it" +
                     (reason.empty() ? "; use auto" : ", but " + reason));
  }
  if (options.precision == TranslationPrecision::kBfloat16 && options.device == "cpu") {
    throw UsageError("bfloat16: only for a GPU; use the device cuda, or float32");
  }
  if (options.engine == TranslationEngine::kFused && !reason.empty()) {
    throw UsageError("engine fused: " + reason + "; use auto");
  }
  const auto copies = [](const Seq2SeqOptions& model) { return model.copy; };
  if (!options.shortlist.empty() && std::any_of(models.begin(), models.end(), copies)) {
    throw OptionError("shortlist", "the model copies source tokens (model.copy); leave it out");
  }
}

}  // namespace nmt
