#include "translate/engine_choice.h"

#include "decode/fused_model.h"

namespace nmt {

std::string fused_engine_unsupported_reason(const TranslatorOptions& options,
                                            const std::vector<Seq2SeqOptions>& models) {
  if (options.device != "cpu") return "the device is " + options.device;
  for (const auto& model : models) {
    auto reason = fused_unsupported_reason(model);
    if (!reason.empty()) return reason;
  }
  return "";
}

bool uses_plain_engine(const TranslatorOptions& options,
                       const std::vector<Seq2SeqOptions>& models) {
  if (options.engine != TranslationEngine::kAuto) {
    return options.engine == TranslationEngine::kPlain;
  }
  return !fused_engine_unsupported_reason(options, models).empty();
}

}  // namespace nmt
