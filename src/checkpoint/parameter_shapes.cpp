#include "checkpoint/parameter_shapes.h"

#include "config/layers.h"

namespace nmt {
namespace {

using Shapes = std::vector<ParameterShape>;

/// A recurrent stack with hidden size `width` in each direction.
void add_recurrent(const std::string& prefix, const std::vector<std::string>& directions,
                   int64_t num_layers, int64_t width, int64_t first_input,
                   const Seq2SeqOptions& options, Shapes& shapes) {
  const int64_t rows = (options.cell == Cell::kGru ? 3 : 4) * width;
  const int64_t input = width * static_cast<int64_t>(directions.size());
  for (int64_t layer = 0; layer < num_layers; ++layer) {
    for (const auto& direction : directions) {
      const auto add = [&](const char* kind, const std::vector<int64_t>& shape) {
        shapes.push_back({prefix + kind + "_l" + std::to_string(layer) + direction, shape});
      };
      add("weight_ih", {rows, layer == 0 ? first_input : input});
      add("weight_hh", {rows, width});
      add("bias_ih", {rows});
      add("bias_hh", {rows});
      if (!options.cell_layer_norm) continue;
      add("gain_ih", {rows});
      add("gain_hh", {rows});
      if (options.cell == Cell::kGru) continue;
      add("gain_c", {width});
      add("bias_c", {width});
    }
  }
}

/// A matrix [rows, columns] and a bias.
void add_linear(const std::string& name, int64_t rows, int64_t columns, Shapes& shapes) {
  shapes.push_back({name + ".weight", {rows, columns}});
  shapes.push_back({name + ".bias", {rows}});
}

void add_norm(const std::string& name, int64_t size, Shapes& shapes) {
  shapes.push_back({name + ".weight", {size}});
  shapes.push_back({name + ".bias", {size}});
}

void add_attention(const std::string& prefix, const AttentionKind& kind, int64_t size,
                   Shapes& shapes) {
  for (const auto& matrix : kind.matrices) {
    shapes.push_back(
        {prefix + matrix.name + ".weight", {matrix.rows > 0 ? matrix.rows : size, size}});
  }
}

/// nn/recurrent_seq2seq.h
void add_recurrent_seq2seq(const Seq2SeqOptions& options, Shapes& shapes) {
  const int64_t embedding = options.embedding_size;
  const int64_t hidden = options.hidden_size;
  const bool summed = options.encoder_output == EncoderOutput::kSummed;
  const int64_t decoder_layers = num_decoder_layers(options);
  add_recurrent("encoder.rnn.", {"", "_reverse"}, options.num_layers, summed ? hidden : hidden / 2,
                embedding, options, shapes);
  const int64_t decoder_input = embedding + (options.input_feeding ? hidden : 0);
  add_recurrent("decoder.rnn.", {""}, decoder_layers, hidden, decoder_input, options, shapes);
  add_attention("attn.", *options.attention, hidden, shapes);
  if (options.coverage) shapes.push_back({"attn.coverage.weight", {1, hidden}});
  if (options.copy) add_linear("generator.copy", 1, hidden, shapes);
  for (int64_t layer = 0; has_bridge(options.decoder_init) && layer < decoder_layers; ++layer) {
    add_linear("bridge.l" + std::to_string(layer), hidden, hidden, shapes);
  }
  const bool attends = options.attention != &none_attention();
  add_linear("concat", hidden, attends ? 2 * hidden : hidden, shapes);
  if (!options.layer_norm) return;
  add_norm("norm_src", hidden, shapes);
  add_norm("norm_dec", hidden, shapes);
}

/// nn/transformer_layer.h
void add_transformer_layer(const std::string& prefix, bool has_cross_attention,
                           const Seq2SeqOptions& options, Shapes& shapes) {
  const int64_t size = options.hidden_size;
  add_attention(prefix + "self_attn.", multi_head_attention(), size, shapes);
  add_norm(prefix + "around_self.norm", size, shapes);
  if (has_cross_attention) {
    add_attention(prefix + "source_attn.", multi_head_attention(), size, shapes);
    add_norm(prefix + "around_source.norm", size, shapes);
  }
  add_linear(prefix + "widen", options.feed_forward_size, size, shapes);
  add_linear(prefix + "narrow", size, options.feed_forward_size, shapes);
  add_norm(prefix + "around_feed_forward.norm", size, shapes);
}

/// nn/transformer.h
void add_transformer(const Seq2SeqOptions& options, Shapes& shapes) {
  for (int64_t layer = 0; layer < options.num_layers; ++layer) {
    add_transformer_layer("encoder." + std::to_string(layer) + ".", false, options, shapes);
  }
  for (int64_t layer = 0; layer < num_decoder_layers(options); ++layer) {
    add_transformer_layer("decoder." + std::to_string(layer) + ".", true, options, shapes);
  }
  if (!options.pre_norm) return;
  add_norm("norm_src", options.hidden_size, shapes);
  add_norm("norm_dec", options.hidden_size, shapes);
}

}  // namespace

std::vector<ParameterShape> parameter_shapes(const Seq2SeqOptions& options) {
  const int64_t embedding = options.embedding_size;
  const int64_t vocabulary = options.target_vocabulary_size;
  Shapes shapes;
  if (options.architecture != Architecture::kLanguageModel) {
    shapes.push_back({"emb_src.weight", {options.source_vocabulary_size, embedding}});
  }
  shapes.push_back({"emb_dec.weight", {vocabulary, embedding}});
  switch (options.architecture) {
    case Architecture::kRecurrent:
      add_recurrent_seq2seq(options, shapes);
      break;
    case Architecture::kTransformer:
      add_transformer(options, shapes);
      break;
    case Architecture::kLanguageModel:
      add_recurrent("decoder.rnn.", {""}, num_decoder_layers(options), options.hidden_size,
                    embedding, options, shapes);
      break;
  }
  add_linear("generator.output", vocabulary, options.hidden_size, shapes);
  return shapes;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

bool is_tied_copy(const std::string& name, const ModelConfig& model) {
  if (name == "generator.output.weight") return model.tied_embeddings != TiedEmbeddings::kNone;
  return name == "emb_dec.weight" && model.tied_embeddings == TiedEmbeddings::kAll &&
         model.architecture != Architecture::kLanguageModel;
}

}  // namespace nmt
