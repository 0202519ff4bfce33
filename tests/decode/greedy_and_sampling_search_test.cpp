#include <map>

#include "decode/batch_search.h"
#include "decode/scripted_stepper.h"

namespace nmt {
namespace {

std::vector<double> fixed_script(int64_t, const std::vector<int64_t>& prefix) {
  return prefix.size() == 1 ? std::vector<double>{0.1, 0.1, 0.0, 0.1, 0.5, 0.2}
                            : std::vector<double>{0, 0, 0, 1, 0, 0};
}

std::map<int32_t, int> first_tokens(const SamplingOptions& sampling, int64_t draws) {
  ScriptedStepper stepper(fixed_script);
  SearchOptions options;
  options.n_best = draws;
  options.sampling = sampling;
  std::map<int32_t, int> counts;
  const auto source = torch::tensor({{4}});
  const auto samples = search_batch(stepper, source, torch::tensor({1}), options);
  for (const auto& sample : samples.front()) {
    ++counts[sample.tokens.empty() ? kEosId : sample.tokens.front()];
  }
  return counts;
}

}  // namespace

TEST_CASE("Greedy search takes the likeliest token and reports the model's probability",
          "[decode]") {
  ScriptedStepper stepper(fixed_script);
  SearchOptions options;
  options.beam_size = 1;
  const auto found =
      search_batch(stepper, torch::tensor({{4}}), torch::tensor({1}), options).front();
  REQUIRE(found.front().tokens == std::vector<int32_t>{4});
  REQUIRE(found.front().log_probability == Approx(std::log(0.5)));
}

TEST_CASE("Samples follow the model's probabilities", "[decode]") {
  const auto counts = first_tokens({}, 4000);
  // Of what is allowed (pad, unknown and BOS are not): EOS 1/8, 4 5/8, 5 2/8.
  REQUIRE(counts.at(4) / 4000.0 == Approx(0.625).margin(0.04));
  REQUIRE(counts.at(5) / 4000.0 == Approx(0.25).margin(0.04));
  REQUIRE(counts.at(kEosId) / 4000.0 == Approx(0.125).margin(0.04));
}

TEST_CASE("Top-k, top-p and temperature narrow what is drawn", "[decode]") {
  SamplingOptions top_k;
  top_k.top_k = 2;
  REQUIRE(first_tokens(top_k, 300).count(kEosId) == 0);
  SamplingOptions top_p;
  top_p.top_p = 0.6;
  REQUIRE(first_tokens(top_p, 300).size() == 1);
  SamplingOptions cold;
  cold.temperature = 0.05;
  REQUIRE(first_tokens(cold, 300).at(4) == 300);
}

TEST_CASE("A seed gives the same samples again", "[decode]") {
  SamplingOptions sampling;
  sampling.seed = 9;
  REQUIRE(first_tokens(sampling, 50) == first_tokens(sampling, 50));
}

}  // namespace nmt
