#include "train/translation_search.h"

#include "decode/forced_scoring.h"
#include "support/torch_catch.h"
#include "train/small_model.h"

namespace nmt {

TEST_CASE("The fused engine gives a validation set the plain engine's probability", "[train]") {
  auto model = small_model();
  model->eval();
  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int32_t>> targets;
  for (int32_t i = 0; i < 40; ++i) {  // several parts
    sources.emplace_back(1 + i % 5, 4 + i % 3);
    targets.emplace_back(i % 4, 5 + i % 2);
  }
  double expected = 0.0;
  for (const double score : score_batch(model, make_batch(sources, targets))) expected += score;
  TranslationSearch search;
  search.threads = 2;
  search.batch_size = 1;
  REQUIRE(search.is_fused(model));
  REQUIRE(search.fused_log_probability(model, sources, targets) == Approx(expected).epsilon(1e-5));
  search.fused = false;
  REQUIRE_FALSE(search.is_fused(model));
}

}  // namespace nmt
