#include "checkpoint/parameter_shapes.h"

#include "support/error.h"

namespace nmt {
namespace {

constexpr int64_t kLargestWidth = 1 << 20;
constexpr int64_t kMostLayers = 128;

void require_at_most(const char* name, int64_t value, int64_t largest) {
  if (value <= largest) return;
  throw Error(std::string(name) + ": " + std::to_string(value) + " is out of range; at most " +
              std::to_string(largest) + " is possible");
}

void add_recurrent(const std::string& prefix, const std::vector<std::string>& directions,
                   int64_t rows, int64_t first_input, int64_t input, const Seq2SeqOptions& options,
                   std::vector<ParameterShape>& shapes) {
  const int64_t width = options.hidden_size / static_cast<int64_t>(directions.size());
  for (int64_t layer = 0; layer < options.num_layers; ++layer) {
    for (const auto& direction : directions) {
      const auto suffix = "_l" + std::to_string(layer) + direction;
      shapes.push_back({prefix + "weight_ih" + suffix, {rows, layer == 0 ? first_input : input}});
      shapes.push_back({prefix + "weight_hh" + suffix, {rows, width}});
      shapes.push_back({prefix + "bias_ih" + suffix, {rows}});
      shapes.push_back({prefix + "bias_hh" + suffix, {rows}});
    }
  }
}

}  // namespace

std::vector<ParameterShape> parameter_shapes(const Seq2SeqOptions& options) {
  const int64_t embedding = options.embedding_size;
  const int64_t hidden = options.hidden_size;
  require_at_most("model.embedding_size", embedding, kLargestWidth);
  require_at_most("model.hidden_size", hidden, kLargestWidth);
  require_at_most("model.num_layers", options.num_layers, kMostLayers);
  const int64_t gates = options.cell == Cell::kGru ? 3 : 4;
  std::vector<ParameterShape> shapes = {
      {"emb_src.weight", {options.source_vocabulary_size, embedding}},
      {"emb_dec.weight", {options.target_vocabulary_size, embedding}}};
  add_recurrent("encoder.rnn.", {"", "_reverse"}, gates * (hidden / 2), embedding, hidden, options,
                shapes);
  const int64_t decoder_input = embedding + (options.input_feeding ? hidden : 0);
  add_recurrent("decoder.rnn.", {""}, gates * hidden, decoder_input, hidden, options, shapes);
  shapes.push_back({"attn.linear.weight", {hidden, hidden}});
  shapes.push_back({"concat.weight", {hidden, 2 * hidden}});
  shapes.push_back({"concat.bias", {hidden}});
  shapes.push_back({"generator.output.weight", {options.target_vocabulary_size, hidden}});
  shapes.push_back({"generator.output.bias", {options.target_vocabulary_size}});
  return shapes;
}

}  // namespace nmt
