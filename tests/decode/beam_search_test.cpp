#include <algorithm>

#include "decode/batch_search.h"
#include "decode/model_stepper.h"
#include "decode/random_model.h"
#include "decode/scripted_stepper.h"

namespace nmt {
namespace {

constexpr int64_t kMaxLength = 4;

SearchOptions options_of(int64_t beam_size, double penalty, bool mean = false) {
  SearchOptions options;
  options.beam_size = beam_size;
  options.mean_normalization = mean;
  options.length_penalty = penalty;
  options.max_length = kMaxLength;
  return options;
}

/// Every finished sequence of at most kMaxLength tokens with its score, best first.
void enumerate(int64_t source, const SearchOptions& options, std::vector<int64_t>& prefix,
               double total, std::vector<Hypothesis>& found) {
  const auto p = pseudo_random_script(source, prefix);
  const auto length = static_cast<int64_t>(prefix.size());  // BOS stands for the EOS to come
  Hypothesis ended;
  ended.tokens.assign(prefix.begin() + 1, prefix.end());
  ended.log_probability = total + std::log(p[kEosId]);
  ended.score = ended.log_probability / length_divisor(options, length);
  found.push_back(ended);
  if (length > kMaxLength) return;
  for (const int64_t token : {4, 5}) {
    prefix.push_back(token);
    enumerate(source, options, prefix, total + std::log(p[static_cast<size_t>(token)]), found);
    prefix.pop_back();
  }
}

std::vector<Hypothesis> enumerate(int64_t source, const SearchOptions& options) {
  std::vector<int64_t> prefix = {kBosId};
  std::vector<Hypothesis> found;
  enumerate(source, options, prefix, 0.0, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  return found;
}

torch::Tensor sources(const std::vector<int64_t>& ids) { return torch::tensor(ids).unsqueeze(1); }

Seq2Seq small_model(uint64_t seed) {
  auto model = random_model(seed, 9, 8);
  const at::NoGradGuard no_gradients;
  for (auto& parameter : model->parameters()) parameter.mul_(3.0);  // far from uniform
  model->eval();
  return model;
}

/// The likeliest token of each row at every step until EOS, which the limit forces.
std::vector<Hypothesis> likeliest_tokens(Stepper& stepper, const torch::Tensor& source,
                                         const torch::Tensor& lengths, int64_t max_length) {
  const at::NoGradGuard no_gradients;
  stepper.start(source, lengths);
  auto tokens = torch::full({source.size(0)}, int64_t{kBosId}, torch::kLong);
  std::vector<Hypothesis> rows(static_cast<size_t>(source.size(0)));
  std::vector<bool> ended(rows.size());
  for (int64_t step = 0; step <= max_length; ++step) {
    const auto log_probabilities = stepper.advance(tokens).log_probabilities;
    const int64_t choices = step == max_length ? 1 : log_probabilities.size(1) - kEosId;
    tokens = log_probabilities.narrow(1, kEosId, choices).argmax(1) + int64_t{kEosId};
    for (size_t i = 0; i < rows.size(); ++i) {
      if (ended[i]) continue;
      const auto row = static_cast<int64_t>(i);
      const auto token = tokens[row].item<int64_t>();
      rows[i].log_probability += log_probabilities[row][token].item<double>();
      ended[i] = token == kEosId;
      if (!ended[i]) rows[i].tokens.push_back(static_cast<int32_t>(token));
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("A beam as wide as everything finds what exhaustive enumeration finds", "[decode]") {
  for (const bool mean : {false, true}) {
    for (const double penalty : {0.0, 0.6, 1.0, 2.5}) {
      auto options = options_of(64, penalty, mean);
      options.n_best = 7;
      ScriptedStepper stepper(pseudo_random_script);
      const auto found =
          search_batch(stepper, sources({4, 5, 6}), torch::tensor({1, 1, 1}), options);
      for (size_t i = 0; i < 3; ++i) {
        const auto expected = enumerate(static_cast<int64_t>(i) + 4, options);
        REQUIRE(found[i].size() == 7);
        for (size_t rank = 0; rank < 7; ++rank) {
          INFO("source " << i << " rank " << rank << " penalty " << penalty);
          REQUIRE(found[i][rank].tokens == expected[rank].tokens);
          REQUIRE(found[i][rank].score == Approx(expected[rank].score));
          REQUIRE(found[i][rank].log_probability == Approx(expected[rank].log_probability));
        }
      }
    }
  }
}

TEST_CASE("A finished hypothesis is never lost to one that ends later", "[decode]") {
  // Ending at once is likely; going on leads into ever less likely tokens.
  const auto script = [](int64_t, const std::vector<int64_t>& prefix) {
    return prefix.size() == 1 ? std::vector<double>{0, 0, 0, 0.9, 0.06, 0.04}
                              : std::vector<double>{0, 0, 0, 0.01, 0.5, 0.49};
  };
  ScriptedStepper stepper(script);
  auto options = options_of(2, 0.0);
  options.n_best = 2;
  const auto found = search_batch(stepper, sources({4}), torch::tensor({1}), options).front();
  REQUIRE(found[0].tokens.empty());
  REQUIRE(found[0].log_probability == Approx(std::log(0.9)));
}

TEST_CASE("Every hypothesis ends, and keeps to the limit", "[decode]") {
  const auto script = [](int64_t, const std::vector<int64_t>&) {
    return std::vector<double>{0, 0, 0, 0.001, 0.6, 0.399};  // hardly ever ends
  };
  ScriptedStepper stepper(script);
  auto options = options_of(3, 1.0);
  options.n_best = 3;
  const auto found = search_batch(stepper, sources({4}), torch::tensor({1}), options);
  for (const auto& hypothesis : found.front()) {
    REQUIRE(hypothesis.tokens.size() <= kMaxLength);
    REQUIRE(hypothesis.token_log_probabilities.size() == hypothesis.tokens.size() + 1);
    REQUIRE(hypothesis.token_log_probabilities.back() == Approx(std::log(0.001)));
  }
}

TEST_CASE("A hypothesis ends where nothing else is allowed, even below the minimum length",
          "[decode]") {
  const auto script = [](int64_t source, const std::vector<int64_t>&) {
    return source == 4 ? std::vector<double>{0, 0.5, 0, 0.5, 0, 0}
                       : std::vector<double>{0, 0, 0, 0.5, 0.5, 0};
  };
  for (const int64_t beam_size : {1, 3}) {
    for (const bool samples : {false, true}) {
      ScriptedStepper stepper(script);
      auto options = options_of(beam_size, 1.0);
      options.min_length = 2;
      if (samples) options.sampling.emplace();
      const auto found = search_batch(stepper, sources({4, 5}), torch::tensor({1, 1}), options);
      REQUIRE(found[0].front().tokens.empty());
      REQUIRE(found[0].front().log_probability == Approx(std::log(0.5)));
      REQUIRE(found[1].front().tokens.size() >= 2);
    }
  }
}

TEST_CASE("A batch translates each sentence as it would alone", "[decode]") {
  auto model = small_model(21);
  ModelStepper stepper(model);
  auto options = options_of(3, 1.0);
  options.max_length = 12;
  options.n_best = 3;
  const auto source = torch::tensor({{4, 5, 6, 7}, {8, 7, 0, 0}, {5, 0, 0, 0}, {6, 6, 6, 0}});
  const auto lengths = torch::tensor({4, 2, 1, 3});
  const auto together = search_batch(stepper, source, lengths, options);
  for (int64_t i = 0; i < 4; ++i) {
    const auto length = lengths.narrow(0, i, 1);
    const auto alone =
        search_batch(stepper, source.narrow(0, i, 1).narrow(1, 0, length.item<int64_t>()), length,
                     options)
            .front();
    REQUIRE(together[static_cast<size_t>(i)].size() == alone.size());
    for (size_t rank = 0; rank < alone.size(); ++rank) {
      REQUIRE(together[static_cast<size_t>(i)][rank].tokens == alone[rank].tokens);
      REQUIRE(together[static_cast<size_t>(i)][rank].score ==
              Approx(alone[rank].score).epsilon(1e-4));
    }
  }
}

TEST_CASE("A beam of one is greedy search", "[decode]") {
  for (const uint64_t seed : {31U, 32U, 33U, 34U}) {
    auto model = small_model(seed);
    ModelStepper stepper(model);
    auto options = options_of(1, 1.0);
    options.max_length = 15;
    const auto source = torch::tensor({{4, 5, 6}, {8, 7, 0}});
    const auto lengths = torch::tensor({3, 2});
    const auto found = search_batch(stepper, source, lengths, options);
    const auto greedy = likeliest_tokens(stepper, source, lengths, options.max_length);
    for (size_t i = 0; i < 2; ++i) {
      REQUIRE(found[i].front().tokens == greedy[i].tokens);
      REQUIRE(found[i].front().log_probability == Approx(greedy[i].log_probability));
    }
  }
}

TEST_CASE("Attention is that of the hypothesis, step by step", "[decode]") {
  ScriptedStepper stepper(pseudo_random_script);
  auto options = options_of(4, 1.0);
  options.attention = true;
  const auto source = torch::tensor({{4, 4, 4}, {5, 4, 4}});
  for (const auto& hypotheses : search_batch(stepper, source, torch::tensor({3, 3}), options)) {
    const auto& best = hypotheses.front();
    REQUIRE(best.attention.size() == best.tokens.size() + 1);
    for (size_t t = 0; t < best.attention.size(); ++t) REQUIRE(best.attention[t][t % 3] == 1.0F);
  }
}

TEST_CASE("Search stops as soon as nothing better can come", "[decode]") {
  const auto script = [](int64_t, const std::vector<int64_t>&) {
    return std::vector<double>{0, 0, 0, 0.99, 0.006, 0.004};
  };
  ScriptedStepper stepper(script);
  auto options = options_of(5, 0.0);
  options.max_length = 100;
  search_batch(stepper, sources({4}), torch::tensor({1}), options);
  REQUIRE(stepper.steps() == 1);
}

TEST_CASE("An ensemble is the mean of its members' probabilities", "[decode]") {
  auto first = small_model(41);
  auto second = small_model(42);
  std::vector<std::unique_ptr<Stepper>> members;
  members.push_back(std::make_unique<ModelStepper>(first));
  members.push_back(std::make_unique<ModelStepper>(second));
  EnsembleStepper ensemble(std::move(members), {0.5, 0.5});
  ModelStepper one(first);
  ModelStepper two(second);
  const auto source = torch::tensor({{4, 5}});
  const auto lengths = torch::tensor({2});
  const auto bos = torch::tensor({int64_t{kBosId}});
  const at::NoGradGuard no_gradients;
  for (Stepper* stepper : std::initializer_list<Stepper*>{&ensemble, &one, &two})
    stepper->start(source, lengths);
  const auto expected =
      (one.advance(bos).log_probabilities.exp() + two.advance(bos).log_probabilities.exp()) / 2;
  REQUIRE(all_close(ensemble.advance(bos).log_probabilities.exp(), expected, 1e-5, 1e-6));
}

}  // namespace nmt
