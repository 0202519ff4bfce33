#include "checkpoint/parameter_shapes.h"

#include <map>

#include "support/expect_error.h"
#include "support/torch_catch.h"

namespace nmt {

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
        std::map<std::string, std::vector<int64_t>> expected;
        for (const auto& parameter : Seq2Seq(options)->named_parameters()) {
          expected[parameter.key()] = parameter.value().sizes().vec();
        }
        std::map<std::string, std::vector<int64_t>> found;
        for (const auto& parameter : parameter_shapes(options)) {
          found[parameter.name] = parameter.shape;
        }
        REQUIRE(found == expected);
      }
    }
  }
}

TEST_CASE("Absurd sizes are refused before anything is built", "[checkpoint]") {
  Seq2SeqOptions options;
  options.hidden_size = int64_t{1} << 40;
  REQUIRE(contains(error_of([&] { parameter_shapes(options); }), "model.hidden_size"));
  options.hidden_size = 4;
  options.num_layers = 1'000'000'000;
  REQUIRE(contains(error_of([&] { parameter_shapes(options); }), "model.num_layers"));
}

}  // namespace nmt
