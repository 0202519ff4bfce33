#include "planning/training_estimate.h"

#include "support/catch.h"

namespace nmt {
namespace {

constexpr double kSpeed = 1e10;

/// Adam keeps one number more than SGD for each parameter.
double count_parameters_of(const Seq2SeqOptions& options) {
  TrainConfig adam;
  adam.optimizer = OptimizerKind::kAdam;
  TrainConfig sgd;
  sgd.optimizer = OptimizerKind::kSgd;
  return (training_memory(options, adam, true, {}) - training_memory(options, sgd, true, {})) /
         sizeof(float);
}

}  // namespace

TEST_CASE("A duration has as many digits as an estimate deserves", "[inspect]") {
  CHECK(duration_text(6.71) == "6.7 s");
  CHECK(duration_text(55.6) == "56 s");
  CHECK(duration_text(500) == "8 min");
  CHECK(duration_text(280 * 60) == "4.7 h");
}

TEST_CASE("An estimate grows with the model, the text and fewer threads", "[inspect]") {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 100;
  options.target_vocabulary_size = 200;
  options.embedding_size = 16;
  options.hidden_size = 32;
  const TrainingWork work{1e4, 1e4, 1};
  const double estimate = estimate_epoch(options, work, kSpeed);
  // Embeddings, encoder, decoder, attention, W_c with its bias, output layer with its bias.
  const int64_t encoder = 2 * (48 * 16 + 48 * 16 + 48 + 48);
  const int64_t decoder = 96 * (16 + 32) + 96 * 32 + 96 + 96;
  REQUIRE(count_parameters_of(options) ==
          100 * 16 + 200 * 16 + encoder + decoder + 32 * 32 + 32 * 64 + 32 + 200 * 32 + 200);
  REQUIRE(estimate > 0);
  auto larger = options;
  larger.hidden_size = 512;
  REQUIRE(estimate_epoch(larger, work, kSpeed) > estimate);
  REQUIRE(training_memory(larger, {}, true, {500, 500}) >
          training_memory(options, {}, true, {500, 500}));
  auto more = work;
  more.source_tokens *= 20;
  more.target_tokens *= 20;
  REQUIRE(estimate_epoch(options, more, kSpeed) > estimate);
  more = work;
  more.threads = 2;
  REQUIRE(estimate_epoch(options, more, kSpeed) < estimate);
  more = work;
  more.train.precision = TrainingPrecision::kBfloat16;
  REQUIRE(estimate_epoch(options, more, kSpeed) < estimate);
  more = work;
  more.train.objective = &r_drop_objective();  // a second pass
  REQUIRE(estimate_epoch(options, more, kSpeed) == Approx(2 * estimate));
  REQUIRE(measure_products_per_second() > 0);
}

TEST_CASE("An estimate counts the state of the optimizer", "[inspect]") {
  TrainConfig train;
  Seq2SeqOptions options;
  options.source_vocabulary_size = options.target_vocabulary_size = 1000;
  const double size = sizeof(float) * count_parameters_of(options);
  const auto memory = [&](OptimizerKind optimizer) {
    train.optimizer = optimizer;
    return training_memory(options, train, true, {500, 500});
  };
  const double adam = memory(OptimizerKind::kAdam);
  CHECK(memory(OptimizerKind::kAdamW) == adam);
  CHECK(memory(OptimizerKind::kSgd) == Approx(adam - size));
  train.ema_decay = 0.99;
  CHECK(memory(OptimizerKind::kAdam) == Approx(adam + size));
}

TEST_CASE("An estimate of memory grows with the batch, by all logits in the plain engine alone",
          "[inspect]") {
  Seq2SeqOptions options;
  options.source_vocabulary_size = options.target_vocabulary_size = 1000;
  const auto memory = [&](bool fused, double tokens) {
    return training_memory(options, {}, fused, {tokens, tokens});
  };
  CHECK(memory(true, 2000) - memory(true, 1000) == Approx(memory(true, 1000) - memory(true, 0)));
  CHECK(memory(true, 0) == memory(false, 0));
  const auto of_batch = [&](bool fused) { return memory(fused, 1000) - memory(fused, 0); };
  const double fused = of_batch(true);
  const double plain = of_batch(false);
  options.target_vocabulary_size = 3000;
  CHECK(of_batch(true) == Approx(fused));
  CHECK(of_batch(false) > plain + 2000 * 1000 * sizeof(float));
}

TEST_CASE("An estimate is longer for the plain engine, and counts a tied matrix once",
          "[inspect]") {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.architecture = Architecture::kTransformer;
  options.source_vocabulary_size = options.target_vocabulary_size = 1000;
  options.embedding_size = options.hidden_size = 64;
  options.feed_forward_size = 128;
  TrainingWork work{1e4, 1e4, 1};
  const double fused = estimate_epoch(options, work, kSpeed);
  work.fused = false;
  REQUIRE(estimate_epoch(options, work, kSpeed) > fused);
  const double untied = count_parameters_of(options);
  options.tied_embeddings = TiedEmbeddings::kTarget;
  REQUIRE(count_parameters_of(options) == untied - 64000);
  options.tied_embeddings = TiedEmbeddings::kAll;
  REQUIRE(count_parameters_of(options) == untied - 2 * 64000);
}

TEST_CASE("What a decoder attends to is computed for each source token", "[inspect]") {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = options.target_vocabulary_size = 10;
  options.embedding_size = options.hidden_size = 8;
  options.attention = &none_attention();
  const auto estimate = [&] { return estimate_epoch(options, {100, 0, 1}, kSpeed); };
  const double without = estimate();
  options.attention = &general_attention();  // its keys are the states as they are
  REQUIRE(estimate() == without);
  options.attention = &multi_head_attention();
  const double keys_and_values = estimate() - without;
  REQUIRE(keys_and_values > 0);
  options.architecture = Architecture::kTransformer;
  options.feed_forward_size = 16;
  const double encoder_layer = 4 * 8 * 8 + 2 * 8 * 16;
  // Three products for each weight and token, in 70 % of the time.
  REQUIRE(keys_and_values == Approx(3 * 100 * (2 * 8 * 8) / (0.7 * kSpeed)));
  REQUIRE(estimate() == Approx(3 * 100 * (encoder_layer + 2 * 8 * 8) / (0.7 * kSpeed)));
}

}  // namespace nmt
