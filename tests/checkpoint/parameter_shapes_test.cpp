#include "checkpoint/parameter_shapes.h"

#include <map>

#include "nn/seq2seq.h"
#include "support/torch_catch.h"

namespace nmt {

namespace {

using Shapes = std::map<std::string, std::vector<int64_t>>;

void require_shapes_of_network(const Seq2SeqOptions& options) {
  Shapes expected;
  for (const auto& parameter : make_seq2seq(options)->named_parameters()) {
    expected[parameter.key()] = parameter.value().sizes().vec();
  }
  Shapes found;
  for (const auto& parameter : parameter_shapes(options)) found[parameter.name] = parameter.shape;
  REQUIRE(found == expected);
}

Seq2SeqOptions small_shape() {
  Seq2SeqOptions options;
  options.source_vocabulary_size = 11;
  options.target_vocabulary_size = 7;
  options.embedding_size = 8;
  options.hidden_size = 8;
  options.num_layers = 3;
  return options;
}

}  // namespace

TEST_CASE("The shapes without the network are those of every kind of network", "[checkpoint]") {
  for (const auto* attention : attention_kinds()) {
    auto options = small_shape();
    options.attention = attention;
    require_shapes_of_network(options);
    if (!attention->takes_coverage) continue;
    options.coverage = true;
    options.copy = true;
    options.source_vocabulary_size = options.target_vocabulary_size;
    require_shapes_of_network(options);
  }
  for (const auto init : {DecoderInit::kBridge, DecoderInit::kMean, DecoderInit::kZero}) {
    auto options = small_shape();
    options.decoder_init = init;
    require_shapes_of_network(options);
  }
  for (const int64_t layers : {1, 2, 5}) {
    auto options = small_shape();
    options.decoder_layers = layers;
    options.decoder_init = DecoderInit::kBridge;
    require_shapes_of_network(options);
    options.architecture = Architecture::kTransformer;
    require_shapes_of_network(options);
  }
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    auto options = small_shape();
    options.cell = cell;
    options.cell_layer_norm = true;
    if (cell == Cell::kLstm) options.encoder_output = EncoderOutput::kSummed;
    require_shapes_of_network(options);
    options.architecture = Architecture::kLanguageModel;
    require_shapes_of_network(options);
  }
  auto options = small_shape();
  options.encoder_output = EncoderOutput::kSummed;
  options.layer_norm = true;
  require_shapes_of_network(options);
  options.architecture = Architecture::kLanguageModel;
  require_shapes_of_network(options);
  options.architecture = Architecture::kTransformer;
  for (const bool pre_norm : {true, false}) {
    options.pre_norm = pre_norm;
    require_shapes_of_network(options);
  }
}

TEST_CASE("The shapes without the network are those of the network", "[checkpoint]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kTarget, TiedEmbeddings::kAll}) {
      for (const bool input_feeding : {true, false}) {
        Seq2SeqOptions options;
        options.source_vocabulary_size = 11;
        options.target_vocabulary_size = tied == TiedEmbeddings::kAll ? 11 : 7;
        options.cell = cell;
        options.embedding_size = tied == TiedEmbeddings::kNone ? 5 : 6;
        options.hidden_size = 6;
        options.num_layers = 3;
        options.input_feeding = input_feeding;
        options.tied_embeddings = tied;
        require_shapes_of_network(options);
      }
    }
  }
}

TEST_CASE("Each matrix counts once, however it is tied", "[checkpoint]") {
  for (const auto architecture : {Architecture::kRecurrent, Architecture::kLanguageModel}) {
    for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kTarget, TiedEmbeddings::kAll}) {
      auto options = small_shape();
      options.architecture = architecture;
      options.source_vocabulary_size = options.target_vocabulary_size;
      options.tied_embeddings = tied;
      const auto network = make_seq2seq(options);
      int64_t found = 0;
      for (const auto& parameter : parameter_shapes(options)) {
        if (is_tied_copy(parameter.name, options)) continue;
        int64_t size = 1;
        for (const int64_t dimension : parameter.shape) size *= dimension;
        found += size;
      }
      CHECK(found == count_parameters(*network));
    }
  }
}

}  // namespace nmt
