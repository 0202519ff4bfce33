#include "train/parallel_gradients.h"

#include <ATen/ATen.h>

#include "support/torch_catch.h"
#include "train/batch_loss.h"

namespace nmt {
namespace {

Seq2Seq small_model(TiedEmbeddings tied) {
  torch::manual_seed(61);
  Seq2SeqOptions options;
  options.source_vocabulary_size = 12;
  options.target_vocabulary_size = 12;
  options.embedding_size = 6;
  options.hidden_size = 6;
  options.tied_embeddings = tied;
  return Seq2Seq(options);
}

Batch odd_batch() {
  return make_batch({{4, 5, 6, 7, 8}, {9}, {5, 5}, {6, 7, 8}, {11, 4, 4, 4}},
                    {{4}, {5, 6, 7, 8, 9, 10}, {11}, {}, {7, 7}});
}

}  // namespace

TEST_CASE("Shares on several threads give the gradient of the whole batch", "[train]") {
  for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kTarget, TiedEmbeddings::kAll}) {
    for (const int threads : {1, 2, 3, 7}) {
      auto plain = small_model(tied);
      const auto loss = batch_loss(plain, odd_batch(), 0.1);
      (loss.objective * 0.5).backward();

      auto shared = small_model(tied);
      ParallelGradients gradients(shared, threads);
      for (int round = 0; round < 2; ++round) {  // nothing of the first round may remain
        for (auto& parameter : unique_parameters(*shared))
          parameter.mutable_grad() = torch::Tensor();
        const double value = gradients.add(odd_batch(), 0.1, 0.5);
        REQUIRE(value == Approx(loss.negative_log_likelihood.item<double>()).epsilon(1e-5));
        const auto expected = unique_parameters(*plain);
        const auto found = unique_parameters(*shared);
        for (size_t i = 0; i < expected.size(); ++i) {
          REQUIRE(torch::allclose(found[i].grad(), expected[i].grad(), 1e-4, 1e-6));
        }
      }
    }
  }
}

TEST_CASE("Replicas follow the model's parameters", "[train]") {
  auto model = small_model(TiedEmbeddings::kNone);
  ParallelGradients gradients(model, 2);
  const double before = gradients.add(odd_batch(), 0.0, 1.0);
  {
    const at::NoGradGuard no_gradients;
    for (auto& parameter : unique_parameters(*model)) parameter.mul_(0.5);
  }
  const double after = gradients.add(odd_batch(), 0.0, 1.0);
  const double alone = batch_loss(model, odd_batch(), 0.0).negative_log_likelihood.item<double>();
  REQUIRE(after == Approx(alone).epsilon(1e-5));
  REQUIRE(after != Approx(before).epsilon(1e-3));
}

TEST_CASE("Sums are taken in the same order every time", "[train]") {
  const auto gradient = [] {
    auto model = small_model(TiedEmbeddings::kNone);
    ParallelGradients gradients(model, 3);
    gradients.add(odd_batch(), 0.1, 1.0);
    return unique_parameters(*model)[2].grad().clone();
  };
  REQUIRE(torch::equal(gradient(), gradient()));
}

}  // namespace nmt
