#include "checkpoint/model_card.h"

#include <sstream>

#include "files/json.h"

namespace nmt {
namespace {

using Json = nlohmann::ordered_json;

void add_row(std::ostringstream& card, const Json& values, const char* key, const char* meaning) {
  if (!values.is_object() || !values.contains(key) || !values[key].is_number()) return;
  card << "- " << meaning << ": " << values[key].get<double>() << '\n';
}

void add_training(std::ostringstream& card, const Json& summary) {
  if (!summary.is_object()) return;
  card << "\n## Training\n\n";
  add_row(card, summary, "pairs_kept", "sentence pairs");
  add_row(card, summary, "updates", "updates");
  add_row(card, summary, "epochs", "epochs");
  const auto best = summary.find("best");
  if (best == summary.end()) return;
  add_row(card, *best, "bleu", "best validation BLEU");
  add_row(card, *best, "chrf", "its chrF2");
  add_row(card, *best, "perplexity", "its perplexity");
}

/// "gru encoder-decoder with general attention"
std::string kind_of(const ModelConfig& network) {
  const auto heads = std::to_string(network.heads) + " heads";
  if (network.architecture == Architecture::kLanguageModel) return choice_name(network.cell);
  if (network.architecture == Architecture::kTransformer) {
    return "Transformer of " + heads + ", feed-forward layers of " +
           std::to_string(network.feed_forward_size) + ", normalised " +
           (network.pre_norm ? "before" : "after") + " each sublayer";
  }
  std::string kind = choice_name(network.cell) + " encoder-decoder with";
  kind += network.attention == &none_attention()
              ? std::string("out attention")
              : std::string(" ") + network.attention->name + " attention";
  if (network.attention->has_heads) kind += " of " + heads;
  if (network.encoder_output == EncoderOutput::kSummed) kind += ", encoder outputs summed";
  if (network.layer_norm) kind += ", states normalised";
  return kind;
}

}  // namespace

std::string make_model_card(const Model& model, const std::string& summary) {
  const auto& network = model.settings.model;
  const bool translates = network.architecture != Architecture::kLanguageModel;
  std::ostringstream card;
  card << "# A " << (translates ? "translation" : "language") << " model of nmt\n\n";
  if (translates) card << "Translates with: `nmt translate -m FILE < input > output`\n\n";
  card << "- network: " << kind_of(network) << ", " << network.num_layers
       << " layer(s), hidden size " << network.hidden_size << ", embeddings of "
       << network.embedding_size << '\n'
       << "- parameters: " << count_parameters(*model.network) << '\n'
       << "- vocabularies: " << model.source.vocabulary_size() << " and "
       << model.target.vocabulary_size() << " pieces\n";
  add_training(card, parse_shallow_json(summary));
  return card.str();
}

}  // namespace nmt
