#include "checkpoint/stored_model.h"

#include "checkpoint/parameter_shapes.h"
#include "checkpoint/stored_weights.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "errors/error.h"

namespace nmt {
namespace {

Architecture parse_architecture(const std::string& name) {
  if (name == "transformer") return Architecture::kTransformer;
  if (name == "language_model") return Architecture::kLanguageModel;
  return Architecture::kRecurrent;
}

TiedEmbeddings parse_tied_embeddings(const std::string& name) {
  if (name == "target") return TiedEmbeddings::kTarget;
  if (name == "all") return TiedEmbeddings::kAll;
  return TiedEmbeddings::kNone;
}

/// What a person or a damaged file wrote, before anything is built from it.
void require_possible(const Settings& settings, const Seq2SeqOptions& options,
                      const std::string& name) try {
  validate_model(settings);
  parameter_shapes(options);
  if (options.tied_embeddings == TiedEmbeddings::kAll &&
      options.source_vocabulary_size != options.target_vocabulary_size) {
    throw Error(
        "model.tied_embeddings: all needs one vocabulary, source.spm and target.spm differ");
  }
} catch (const Error& error) {
  throw Error(name + ": " + error.what());
}

}  // namespace

Seq2SeqOptions network_options(const ModelConfig& config, int64_t source_vocabulary_size,
                               int64_t target_vocabulary_size) {
  Seq2SeqOptions options;
  options.source_vocabulary_size = source_vocabulary_size;
  options.target_vocabulary_size = target_vocabulary_size;
  options.architecture = parse_architecture(config.architecture);
  options.cell = config.cell == "lstm" ? Cell::kLstm : Cell::kGru;
  options.embedding_size = config.embedding_size;
  options.hidden_size = config.hidden_size;
  options.num_layers = config.num_layers;
  options.embedding_deviation = config.embedding_deviation;
  options.dropout = config.dropout;
  options.word_dropout = config.word_dropout;
  options.layer_dropout = config.layer_dropout;
  options.encoder_output =
      config.encoder_output == "summed" ? EncoderOutput::kSummed : EncoderOutput::kConcatenated;
  options.attention = config.attention;
  options.heads = config.heads;
  options.input_feeding = config.input_feeding;
  options.layer_norm = config.layer_norm;
  options.feed_forward_size = config.feed_forward_size;
  options.pre_norm = config.pre_norm;
  options.tied_embeddings = parse_tied_embeddings(config.tied_embeddings);
  return options;
}

StoredModel read_model(const std::filesystem::path& path) {
  return understand_model(read_model_files(path));
}

StoredModel understand_model(const ModelFiles& files) {
  StoredModel model;
  const auto& parts = files.parts;
  const auto settings_name = files.name_of("config.yaml");
  apply_yaml(model.settings, parts.settings, settings_name);
  model.source = Tokenizer::from_bytes(parts.source_tokenizer, files.name_of("source.spm"));
  model.target = Tokenizer::from_bytes(parts.target_tokenizer, files.name_of("target.spm"));
  model.options = network_options(model.settings.model, model.source.vocabulary_size(),
                                  model.target.vocabulary_size());
  require_possible(model.settings, model.options, settings_name);
  require_weights_of(model.options, files.weights);
  model.weights = files.weights;
  return model;
}

}  // namespace nmt
