#include "fused/attention_form.h"

#include <map>
#include <stdexcept>
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

bool is_computed(const AttentionForm& form) {
  const bool energy = form.energy.exists();
  const bool folded = form.folded.exists();
  const bool position = form.position.exists();
  const bool coverage = form.coverage.exists();
  const bool location = form.location.exists();
  const bool window = position || form.monotonic;
  return !(energy && (folded || position)) &&
         !(form.heads > 1 && (folded || position || energy || coverage)) &&
         !(location && (form.key.exists() || folded || window)) &&
         !(coverage && (location || window));
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
  if (!is_computed(form)) {
    throw std::logic_error("model.attention " + std::string(model.attention->name) +
                           ": the fused engine does not compute this combination of matrices; see "
                           "fused/attention_form.h");
  }
  return form;
}

}  // namespace nmt
