#include "translate/engine_choice.h"

#include "decode/fused_model.h"

namespace nmt {

std::string fused_engine_unsupported_reason(const TranslatorOptions& options,
                                            const Seq2SeqOptions& first_model) {
  if (!options.language_model.empty()) return "a language model is given";
  if (options.device != "cpu") return "the device is " + options.device;
  if (options.model_dirs.size() != 1) return "there are several models";
  return fused_unsupported_reason(first_model);
}

bool uses_plain_engine(const TranslatorOptions& options, const Seq2SeqOptions& first_model) {
  switch (options.engine) {
    case TranslationEngine::kAuto:
      return !fused_engine_unsupported_reason(options, first_model).empty();
    case TranslationEngine::kPlain:
      return true;
    case TranslationEngine::kFused:
      return false;
  }
  return true;
}

}  // namespace nmt
