#include "fused/attention_form.h"

#include <map>
#include <string>

namespace nmt {
namespace {

const auto& makers() {
#define NMT_FORM(name) {&name##_attention(), name##_form},
  static const std::map<const AttentionKind*, decltype(&none_form)> all = {
      NMT_ATTENTIONS(NMT_FORM)};
#undef NMT_FORM
  return all;
}

}  // namespace

bool has_attention_form(const AttentionKind& kind) { return makers().count(&kind) > 0; }

AttentionForm attention_form(const ModelConfig& model, const ParameterTable& parameters) {
  const auto matrix = [&](const char* name) {
    return parameters.at("attn." + std::string(name) + ".weight");
  };
  auto form = makers().at(model.attention)(matrix, model);
  form.copied_from = model.copy;
  if (model.coverage) form.coverage = matrix("coverage");
  form.scale /= static_cast<float>(model.attention_temperature);
  return form;
}

}  // namespace nmt
