#include "checkpoint/pack.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <cstring>
#include <sstream>

#include "checkpoint/model.h"
#include "checkpoint/weights.h"
#include "config/layers.h"
#include "errors/error.h"
#include "files/file.h"
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
  auto cell = (network.cell_layer_norm ? "layer-normalized " : "") + choice_name(network.cell);
  if (network.architecture == Architecture::kLanguageModel) return cell;
  if (network.architecture == Architecture::kTransformer) {
    return "Transformer of " + heads + ", feed-forward layers of " +
           std::to_string(network.feed_forward_size) + ", normalized " +
           (network.pre_norm ? "before" : "after") + " each sublayer";
  }
  std::string kind = cell + " encoder-decoder with";
  kind += network.attention == &none_attention()
              ? std::string("out attention")
              : std::string(" ") + network.attention->name + " attention";
  if (network.attention->has_heads) kind += " of " + heads;
  if (network.coverage) kind += " and coverage";
  if (network.copy) kind += ", copying";
  if (network.encoder_output == EncoderOutput::kSummed) kind += ", encoder outputs summed";
  if (network.decoder_init != DecoderInit::kFinal) {
    kind += std::string(", first state ") + choice_name(network.decoder_init);
  }
  if (network.layer_norm) kind += ", states normalized";
  return kind;
}

/// "2 layer(s)", "6 and 2 layer(s)"
std::string layers_of(const ModelConfig& network) {
  const auto encoder = std::to_string(network.num_layers);
  const auto decoder = std::to_string(num_decoder_layers(network));
  return (encoder == decoder ? encoder : encoder + " and " + decoder) + " layer(s)";
}

/// The model card, in Markdown: what the model is, how it was trained, how good it was. `summary`
/// is the text of training.json; if it is empty or damaged, the card omits that part.
std::string make_model_card(const Model& model, const std::string& summary) {
  const auto& network = model.settings.model;
  const bool translates = network.architecture != Architecture::kLanguageModel;
  std::ostringstream card;
  card << "# A " << (translates ? "translation" : "language") << " model of nmt\n\n";
  if (translates) card << "Translates with: `nmt translate -m FILE < input > output`\n\n";
  card << "- network: " << kind_of(network) << ", " << layers_of(network)
       << (network.residual ? " with residual connections" : "") << ", hidden size "
       << network.hidden_size << ", embeddings of " << network.embedding_size << '\n'
       << "- parameters: " << count_parameters(*model.network) << '\n'
       << "- vocabularies: " << model.source.vocabulary_size() << " and "
       << model.target.vocabulary_size() << " pieces\n";
  add_training(card, parse_shallow_json(summary));
  return card.str();
}

torch::Tensor tensor_of(const std::string& bytes) {
  auto tensor = torch::empty({static_cast<int64_t>(bytes.size())}, at::kByte);
  if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

TensorFile packed_file(const ModelFiles& files, const Model& model, const std::string& precision) {
  const auto& parts = files.parts;
  TensorFile packed;
  packed.metadata = {
      {kPackedSettings, parts.settings},
      {kPackedCard, parts.card.empty() ? make_model_card(model, parts.summary) : parts.card},
      {"precision", precision}};
  if (!parts.summary.empty()) packed.metadata[kPackedSummary] = parts.summary;
  if (!parts.calibration.empty()) packed.metadata[kPackedCalibration] = parts.calibration;
  packed.tensors = pack_weights(model.network, parse_precision(precision));
  packed.tensors.push_back({kPackedSourceTokenizer, tensor_of(parts.source_tokenizer)});
  packed.tensors.push_back({kPackedTargetTokenizer, tensor_of(parts.target_tokenizer)});
  return packed;
}

/// Throws Error unless `written`, the file that becomes `path`, has the tensors of `packed`.
void require_written(const std::filesystem::path& written, const TensorFile& packed,
                     const std::filesystem::path& path) {
  const auto again = read_safetensors(written);
  for (const auto& [name, tensor] : packed.tensors) {
    if (!torch::equal(again.at(name), tensor)) {
      throw Error(path.string() + ": " + name +
                  " differs from the model after writing; check the disk");
    }
  }
}

}  // namespace

std::string pack_model(const PackRequest& request) {
  const auto& output = request.output;
  require_absent(output, request.overwrite);
  parse_precision(request.precision);  // before anything is read
  const auto files = read_model_files(request.model);
  const auto packed = packed_file(files, make_model(files, torch::kCPU), request.precision);
  write_safetensors(output, packed,
                    [&](const auto& written) { require_written(written, packed, output); });
  return output.string() + ": " + std::to_string(std::filesystem::file_size(output)) + " bytes, " +
         request.precision;
}

std::string unpack_model(const UnpackRequest& request) {
  const ModelDirectory directory{request.output};
  directory.require_no_run(request.overwrite);
  const auto files = read_model_files(request.model);
  const auto model = make_model(files, torch::kCPU);
  write_model_directory(directory, files.parts, model.network);
  return directory.root.string() + ": model unpacked";
}

}  // namespace nmt
