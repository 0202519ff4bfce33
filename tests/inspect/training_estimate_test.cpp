#include "inspect/training_estimate.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("An estimate grows with the model, the text and fewer threads", "[inspect]") {
  Seq2SeqOptions options;
  options.source_vocabulary_size = 100;
  options.target_vocabulary_size = 200;
  options.embedding_size = 16;
  options.hidden_size = 32;
  const TrainingWork work{1e4, 1e4, 500, 1};
  const auto estimate = estimate_training(options, work);
  // Embeddings, encoder, decoder, attention, W_c with its bias, output layer with its bias.
  const int64_t encoder = 2 * (48 * 16 + 48 * 16 + 48 + 48);
  const int64_t decoder = 96 * (16 + 32) + 96 * 32 + 96 + 96;
  REQUIRE(estimate.parameters ==
          100 * 16 + 200 * 16 + encoder + decoder + 32 * 32 + 32 * 64 + 32 + 200 * 32 + 200);
  REQUIRE(estimate.epoch_seconds > 0);
  auto larger = options;
  larger.hidden_size = 512;
  REQUIRE(estimate_training(larger, work).memory_bytes > estimate.memory_bytes);
  // Twenty times the work cannot be mistaken for noise.
  auto more = work;
  more.source_tokens *= 20;
  more.target_tokens *= 20;
  REQUIRE(estimate_training(options, more).epoch_seconds > estimate.epoch_seconds);
}

}  // namespace nmt
