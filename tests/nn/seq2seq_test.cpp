#include "nn/seq2seq.h"

#include <ATen/ATen.h>

#include <map>
#include <string>

#include "nn/dropout.h"
#include "nn/loss.h"
#include "nn/some_sentences.h"
#include "support/gradient_check.h"
#include "support/test_device.h"

namespace nmt {
namespace {

Seq2SeqOptions small_options() {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 11;
  options.target_vocabulary_size = 13;
  options.embedding_size = 3;
  options.hidden_size = 4;
  options.num_layers = 2;
  return options;
}

Seq2Seq made(const Seq2SeqOptions& options) {
  auto model = make_seq2seq(options);
  model->to(test_device());
  return model;
}

}  // namespace

TEST_CASE("Parameters bear the reference's state_dict names and shapes", "[nn][seq2seq]") {
  const Seq2Seq model = made(small_options());
  std::map<std::string, std::vector<int64_t>> found;
  for (const auto& parameter : model->named_parameters()) {
    found[parameter.key()] = parameter.value().sizes().vec();
  }
  const std::map<std::string, std::vector<int64_t>> expected = {
      {"emb_src.weight", {11, 3}},
      {"emb_dec.weight", {13, 3}},
      {"encoder.rnn.weight_ih_l0", {6, 3}},
      {"encoder.rnn.weight_hh_l0", {6, 2}},
      {"encoder.rnn.bias_ih_l0", {6}},
      {"encoder.rnn.bias_hh_l0", {6}},
      {"encoder.rnn.weight_ih_l0_reverse", {6, 3}},
      {"encoder.rnn.weight_hh_l0_reverse", {6, 2}},
      {"encoder.rnn.bias_ih_l0_reverse", {6}},
      {"encoder.rnn.bias_hh_l0_reverse", {6}},
      {"encoder.rnn.weight_ih_l1", {6, 4}},
      {"encoder.rnn.weight_hh_l1", {6, 2}},
      {"encoder.rnn.bias_ih_l1", {6}},
      {"encoder.rnn.bias_hh_l1", {6}},
      {"encoder.rnn.weight_ih_l1_reverse", {6, 4}},
      {"encoder.rnn.weight_hh_l1_reverse", {6, 2}},
      {"encoder.rnn.bias_ih_l1_reverse", {6}},
      {"encoder.rnn.bias_hh_l1_reverse", {6}},
      {"decoder.rnn.weight_ih_l0", {12, 7}},
      {"decoder.rnn.weight_hh_l0", {12, 4}},
      {"decoder.rnn.bias_ih_l0", {12}},
      {"decoder.rnn.bias_hh_l0", {12}},
      {"decoder.rnn.weight_ih_l1", {12, 4}},
      {"decoder.rnn.weight_hh_l1", {12, 4}},
      {"decoder.rnn.bias_ih_l1", {12}},
      {"decoder.rnn.bias_hh_l1", {12}},
      {"attn.linear.weight", {4, 4}},
      {"concat.weight", {4, 8}},
      {"concat.bias", {4}},
      {"generator.output.weight", {13, 4}},
      {"generator.output.bias", {13}},
  };
  REQUIRE(found == expected);
}

TEST_CASE("The decoder without input feeding takes the embedding alone", "[nn][seq2seq]") {
  auto options = small_options();
  options.input_feeding = false;
  const Seq2Seq model = made(options);
  REQUIRE(model->named_parameters()["decoder.rnn.weight_ih_l0"].size(1) == 3);
}

TEST_CASE("Teacher forcing equals one step after the other", "[nn][seq2seq]") {
  for (const bool input_feeding : {true, false}) {
    for (const auto cell : {Cell::kGru, Cell::kLstm}) {
      torch::manual_seed(11);
      auto options = small_options();
      options.input_feeding = input_feeding;
      options.cell = cell;
      Seq2Seq model = made(options);
      const auto whole = model(kSource(), kLengths(), kTargetInput());  // [B, T, H]
      const auto encoded = model->encode(kSource(), kLengths());
      auto state = model->start(encoded);
      for (int64_t t = 0; t < 3; ++t) {
        const auto step = model->step(kTargetInput().select(1, t), state, encoded.memory);
        REQUIRE(all_close(whole.select(1, t), step.attentional_hidden, 1e-5, 1e-6));
      }
    }
  }
}

TEST_CASE("A step computes the stated equations", "[nn][seq2seq]") {
  torch::manual_seed(12);
  auto options = small_options();
  options.num_layers = 1;
  Seq2Seq model = made(options);
  const auto p = model->named_parameters();
  const auto encoded = model->encode(kSource(), kLengths());
  auto state = model->start(encoded);
  const auto previous = on_device(torch::randn({2, 4}));
  state.attentional_hidden = previous;
  const auto tokens = on_device(torch::tensor({5, 7}));
  const auto step = model->step(tokens, state, encoded.memory);

  const auto embedded = p["emb_dec.weight"].index_select(0, tokens);
  const auto h = at::gru_cell(torch::cat({embedded, previous}, 1), encoded.first_state.hidden[0],
                              p["decoder.rnn.weight_ih_l0"], p["decoder.rnn.weight_hh_l0"],
                              p["decoder.rnn.bias_ih_l0"], p["decoder.rnn.bias_hh_l0"]);
  const auto query = torch::matmul(h, p["attn.linear.weight"].t());
  for (int64_t b = 0; b < 2; ++b) {
    const int64_t length = kLengths()[b].item<int64_t>();
    const auto states = encoded.memory[0].values[b].narrow(0, 0, length);  // [S, H]
    const auto weights = torch::softmax(torch::mv(states, query[b]), 0);   // [S]
    const auto context = torch::mv(states.t(), weights);                   // [H]
    const auto expected =
        torch::tanh(torch::mv(p["concat.weight"], torch::cat({h[b], context})) + p["concat.bias"]);
    REQUIRE(all_close(step.attention[b].narrow(0, 0, length), weights, 1e-5, 1e-6));
    REQUIRE(all_close(step.attentional_hidden[b], expected, 1e-5, 1e-6));
  }
}

TEST_CASE("Padding a batch does not change a sentence's probabilities", "[nn][seq2seq]") {
  torch::manual_seed(13);
  Seq2Seq model = made(small_options());
  const auto together = model->log_probabilities(model(kSource(), kLengths(), kTargetInput()));
  const auto alone =
      model->log_probabilities(model(on_device(torch::tensor({{9, 10}})), torch::tensor({2}),
                                     on_device(torch::tensor({{2, 7, 8}}))));
  REQUIRE(all_close(together[1], alone[0], 1e-5, 1e-6));
  REQUIRE(together.exp().sum(-1).sub(1).abs().max().item<double>() < 1e-5);
}

TEST_CASE("Hypotheses of one sentence share its memory", "[nn][seq2seq]") {
  torch::manual_seed(14);
  Seq2Seq model = made(small_options());
  const auto encoded = model->encode(kSource(), kLengths());
  auto single = model->start(encoded);
  auto beams = model->start(encoded);
  const auto rows = on_device(torch::tensor({0, 0, 0, 1, 1, 1}));
  beams.select(rows);
  const auto one = model->step(on_device(torch::tensor({4, 9})), single, encoded.memory);
  const auto many =
      model->step(on_device(torch::tensor({3, 4, 5, 8, 9, 10})), beams, encoded.memory);
  REQUIRE(all_close(many.attentional_hidden[1], one.attentional_hidden[0], 1e-5, 1e-6));
  REQUIRE(all_close(many.attentional_hidden[4], one.attentional_hidden[1], 1e-5, 1e-6));
}

TEST_CASE("The whole model's gradients agree with finite differences", "[nn][seq2seq]") {
  torch::manual_seed(15);
  auto options = small_options();
  options.embedding_size = 4;
  options.num_layers = 1;
  options.tied_embeddings = TiedEmbeddings::kTarget;
  Seq2Seq model = made(options);
  model->to(torch::kDouble);
  const auto targets = on_device(torch::tensor({5, 6, 3, 7, 8, 3}));
  const auto function = [&] {
    const auto states = model(kSource(), kLengths(), kTargetInput()).flatten(0, 1);
    return token_loss(model->log_probabilities(states), targets, 0.1).objective;
  };
  REQUIRE(gradient_error(unique_parameters(*model), function) < 1e-6);
}

TEST_CASE("Tied embeddings are one matrix under all their names", "[nn][seq2seq]") {
  auto options = small_options();
  options.embedding_size = options.hidden_size;
  options.target_vocabulary_size = options.source_vocabulary_size;
  options.tied_embeddings = TiedEmbeddings::kAll;
  const Seq2Seq model = made(options);
  const auto p = model->named_parameters();
  const auto* tensor = p["emb_src.weight"].unsafeGetTensorImpl();
  REQUIRE(p["emb_dec.weight"].unsafeGetTensorImpl() == tensor);
  REQUIRE(p["generator.output.weight"].unsafeGetTensorImpl() == tensor);
  REQUIRE(unique_parameters(*model).size() == p.size() - 2);
}

TEST_CASE("Dropout acts while training and not afterwards", "[nn][seq2seq]") {
  auto options = small_options();
  options.dropout = 0.5;
  Seq2Seq model = made(options);
  model->eval();
  const auto first = model(kSource(), kLengths(), kTargetInput());
  REQUIRE(torch::equal(first, model(kSource(), kLengths(), kTargetInput())));
  model->train();
  REQUIRE_FALSE(torch::equal(first, model(kSource(), kLengths(), kTargetInput())));
}

TEST_CASE("Dropout acts where its position has a rate", "[nn][seq2seq]") {
  const auto acts = [](auto position, double rate, int64_t layers) {
    auto options = small_options();
    options.dropout = 0.5;
    options.embedding_dropout = options.recurrent_dropout = options.output_dropout = 0.0;
    options.*position = rate;
    options.num_layers = layers;
    Seq2Seq model = made(options);
    const auto first = model(kSource(), kLengths(), kTargetInput());
    return !torch::equal(first, model(kSource(), kLengths(), kTargetInput()));
  };
  for (auto position : {&ModelConfig::embedding_dropout, &ModelConfig::recurrent_dropout,
                        &ModelConfig::output_dropout}) {
    CHECK_FALSE(acts(position, 0.0, 2));
    CHECK(acts(position, 0.5, 2));
    CHECK(acts(position, -1.0, 2));
  }
  CHECK_FALSE(acts(&ModelConfig::recurrent_dropout, 0.5, 1));
  CHECK_FALSE(acts(&ModelConfig::state_dropout, 0.0, 1));
  CHECK(acts(&ModelConfig::state_dropout, 0.5, 1));
}

TEST_CASE("Variational dropout takes the same units of h̃ at every step", "[nn][seq2seq]") {
  for (const bool input_feeding : {true, false}) {
    auto options = small_options();
    options.hidden_size = 40;
    options.dropout = 0.5;
    options.variational_dropout = true;
    options.input_feeding = input_feeding;
    Seq2Seq model = made(options);
    const auto kept = model(kSource(), kLengths(), kTargetInput()) != 0;  // [B, T, H]
    CHECK(torch::equal(kept, kept.narrow(1, 0, 1).expand_as(kept)));
    CHECK_FALSE(torch::equal(kept[0], kept[1]));
  }
}

TEST_CASE("Variational dropout is the same in teacher forcing and step by step", "[nn][seq2seq]") {
  for (const auto architecture : {Architecture::kRecurrent, Architecture::kLanguageModel}) {
    for (const bool input_feeding : {true, false}) {
      auto options = small_options();
      options.architecture = architecture;
      options.embedding_size = options.hidden_size = 40;
      options.dropout = 0.5;
      options.variational_dropout = true;
      options.input_feeding = input_feeding;
      Seq2Seq model = made(options);
      torch::manual_seed(16);
      const auto whole = model(kSource(), kLengths(), kTargetInput());  // [B, T, H]
      torch::manual_seed(16);
      const auto encoded = model->encode(kSource(), kLengths());
      auto state = model->start(encoded);
      for (int64_t t = 0; t < 3; ++t) {
        const auto step = model->step(kTargetInput().select(1, t), state, encoded.memory);
        CHECK(all_close(whole.select(1, t), step.attentional_hidden, 1e-5, 1e-5));
      }
    }
  }
}

TEST_CASE("A mask of variational dropout serves all calls that share it", "[nn][seq2seq]") {
  const auto ones = on_device(torch::ones({3, 5, 200}));
  torch::Tensor mask;
  const auto dropped = drop_units(ones, 0.25, &mask);
  CHECK(torch::equal(dropped, mask.unsqueeze(1).expand_as(dropped)));
  CHECK(torch::equal(drop_units(ones, 0.25, &mask), dropped));
  CHECK(dropped.max().item<float>() == Approx(1.0 / 0.75));
  CHECK(dropped.mean().item<double>() == Approx(1.0).margin(0.1));
  CHECK_FALSE(torch::equal(drop_units(ones, 0.25, nullptr).select(1, 0), dropped.select(1, 0)));
}

}  // namespace nmt
