// What options and constraints ask for, over a scripted model: found by beam search as wide as
// everything, and independently by going through every sequence and keeping those that obey.
#include <algorithm>
#include <functional>

#include "decode/batch_search.h"
#include "decode/forced_scoring.h"
#include "decode/model_stepper.h"
#include "decode/random_model.h"
#include "decode/scripted_stepper.h"

namespace nmt {
namespace {

using Tokens = std::vector<int32_t>;
using Obeys = std::function<bool(const Tokens&)>;

constexpr int64_t kGreatest = 4;  // tokens, each of them 4 or 5

bool has_phrase(const Tokens& tokens, const Tokens& phrase) {
  return std::search(tokens.begin(), tokens.end(), phrase.begin(), phrase.end()) != tokens.end();
}

/// 5 continues any word that ends in 4 or 5.
const TokenJoints& whole_words() {
  static const TokenJoints joints = {{false, false, false, false, false, true},
                                     {false, false, false, false, true, true},
                                     {false, false, false, false, false, false}};
  return joints;
}

bool has_whole(Tokens tokens, const Tokens& phrase) {
  tokens.push_back(kEosId);
  for (size_t at = 0; at + phrase.size() < tokens.size(); ++at) {
    if (std::equal(phrase.begin(), phrase.end(), tokens.begin() + static_cast<int64_t>(at)) &&
        tokens[at + phrase.size()] != 5) {
      return true;
    }
  }
  return false;
}

DecodingConstraints whole_phrases(const std::vector<Tokens>& phrases) {
  DecodingConstraints constraints{{}, phrases};
  constraints.joints = &whole_words();
  return constraints;
}

bool has_repeat(const Tokens& tokens, size_t n) {
  for (size_t a = 0; a + n <= tokens.size(); ++a) {
    for (size_t b = a + 1; b + n <= tokens.size(); ++b) {
      if (std::equal(tokens.begin() + static_cast<int64_t>(a),
                     tokens.begin() + static_cast<int64_t>(a + n),
                     tokens.begin() + static_cast<int64_t>(b))) {
        return true;
      }
    }
  }
  return false;
}

/// Every sequence that obeys, best first; no search, only the script's probabilities.
std::vector<Hypothesis> obedient(int64_t source, const SearchOptions& options, const Obeys& obeys) {
  std::vector<Hypothesis> found;
  for (int64_t length = 0; length <= kGreatest; ++length) {
    for (int64_t bits = 0; bits < (int64_t{1} << length); ++bits) {
      Hypothesis hypothesis;
      std::vector<int64_t> so_far = {kBosId};
      for (int64_t t = 0; t <= length; ++t) {
        const int32_t token = t == length ? kEosId : static_cast<int32_t>(4 + (bits >> t) % 2);
        const auto p = pseudo_random_script(source, so_far);
        hypothesis.log_probability += std::log(p[static_cast<size_t>(token)]);
        so_far.push_back(token);
        if (t < length) hypothesis.tokens.push_back(token);
      }
      hypothesis.score = hypothesis.log_probability / length_divisor(options, length + 1);
      if (obeys(hypothesis.tokens)) found.push_back(hypothesis);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  return found;
}

SearchOptions wide_options() {
  SearchOptions options;
  options.beam_size = 64;
  options.n_best = 5;
  options.max_length = kGreatest;
  return options;
}

std::vector<Hypothesis> search_one(int64_t source, const SearchOptions& options,
                                   const ConstraintList& constraint_list) {
  ScriptedStepper stepper(pseudo_random_script);
  return search_batch(stepper, torch::tensor({source}).unsqueeze(1), torch::tensor({1}), options,
                      constraint_list)
      .front();
}

void require_obedient(const SearchOptions& options, const ConstraintList& constraint_list,
                      const Obeys& obeys) {
  for (const int64_t source : {4, 5, 6, 7}) {
    INFO("source " << source);
    const auto found = search_one(source, options, constraint_list);
    const auto expected = obedient(source, options, obeys);
    REQUIRE(found.size() == std::min(expected.size(), static_cast<size_t>(options.n_best)));
    for (size_t rank = 0; rank < found.size(); ++rank) {
      REQUIRE(found[rank].tokens == expected[rank].tokens);
      REQUIRE(found[rank].log_probability == Approx(expected[rank].log_probability).epsilon(1e-5));
      REQUIRE(found[rank].score == Approx(expected[rank].score).epsilon(1e-5));
    }
  }
}

}  // namespace

TEST_CASE("With a prefix, search finds the best of all that begin so", "[decode]") {
  for (const Tokens& prefix : {Tokens{}, Tokens{5}, Tokens{4, 4}, Tokens{5, 4, 5, 5}}) {
    require_obedient(wide_options(), {{prefix, {}}}, [&](const Tokens& tokens) {
      return tokens.size() >= prefix.size() &&
             std::equal(prefix.begin(), prefix.end(), tokens.begin());
    });
  }
}

TEST_CASE("With an open word, search finds the best of all that spell it", "[decode]") {
  // 4 is a letter, 5 two of them: three letters are 444, 45, 54 or 55, which says one more.
  const std::vector<std::vector<PartialWord::Piece>> three_letters = {
      {{4, 1}, {5, 2}}, {{4, 2}, {5, 3}}, {{4, 3}, {5, 3}}};
  for (const Tokens& prefix : {Tokens{}, Tokens{5}}) {
    for (const int64_t no_repeat_ngram : {0, 4}) {
      auto options = wide_options();
      options.no_repeat_ngram = no_repeat_ngram;
      require_obedient(options, {{prefix, {}, {three_letters}}}, [&](const Tokens& tokens) {
        size_t letters = 0;
        for (size_t i = prefix.size(); i < tokens.size(); ++i) letters += tokens[i] == 4 ? 1 : 2;
        return tokens.size() >= prefix.size() && letters >= 3 &&
               std::equal(prefix.begin(), prefix.end(), tokens.begin());
      });
    }
  }
  require_obedient(wide_options(), {{{}, {{5}}, {three_letters}}}, [&](const Tokens& tokens) {
    const auto twos = std::count(tokens.begin(), tokens.end(), 5);
    return twos > 0 && static_cast<int64_t>(tokens.size()) + twos >= 3;
  });
}

TEST_CASE("An open word is spelled by any beam, and room is made for it", "[decode]") {
  const std::vector<std::vector<PartialWord::Piece>> letters = {
      {{4, 1}}, {{4, 2}, {5, 3}}, {{5, 3}}};
  for (const int64_t beam_size : {1, 2, 3}) {
    auto options = wide_options();
    options.beam_size = options.n_best = beam_size;
    options.max_length = 1;
    for (const int64_t source : {4, 5, 6, 7, 8, 9}) {
      for (const auto& hypothesis : search_one(source, options, {{{5}, {{4, 4}}, {letters}}})) {
        REQUIRE(hypothesis.tokens[0] == 5);
        REQUIRE(hypothesis.tokens[1] == 4);
        REQUIRE((hypothesis.tokens[2] == 5 || hypothesis.tokens[3] == 5));
        REQUIRE(has_phrase(hypothesis.tokens, {4, 4}));
      }
    }
  }
}

TEST_CASE("With blocked n-grams, search finds the best of all that repeat none", "[decode]") {
  for (const int64_t n : {1, 2, 3}) {
    auto options = wide_options();
    options.no_repeat_ngram = n;
    require_obedient(options, {}, [&](const Tokens& tokens) {
      return !has_repeat(tokens, static_cast<size_t>(n));
    });
  }
}

TEST_CASE("With constraints, search finds the best of all that hold them", "[decode]") {
  const std::vector<std::vector<Tokens>> lists = {
      {{5}}, {{4}, {5}}, {{4, 4, 5}}, {{4, 4}, {5, 5}}, {{5, 5, 4, 5}}};
  for (const auto& phrases : lists) {
    require_obedient(wide_options(), {{{}, phrases}}, [&](const Tokens& tokens) {
      return std::all_of(phrases.begin(), phrases.end(),
                         [&](const Tokens& phrase) { return has_phrase(tokens, phrase); });
    });
  }
}

TEST_CASE("Prefix, constraints and blocked n-grams go together", "[decode]") {
  auto options = wide_options();
  options.no_repeat_ngram = 2;
  require_obedient(options, {{{5}, {{4, 4}}}}, [&](const Tokens& tokens) {
    return !has_repeat(tokens, 2) && has_phrase(tokens, {4, 4}) && tokens.front() == 5;
  });
}

TEST_CASE("Constraints are kept by any beam, and make room for themselves", "[decode]") {
  const std::vector<Tokens> phrases = {{4, 5, 4, 4}, {5, 5, 5}, {4}};
  for (const int64_t beam_size : {1, 2, 3, 5}) {
    auto options = wide_options();
    options.beam_size = beam_size;
    options.n_best = beam_size;
    for (const int64_t source : {4, 5, 6, 7, 8, 9}) {
      const auto found = search_one(source, options, {{{5}, phrases}});
      REQUIRE_FALSE(found.empty());
      for (const auto& hypothesis : found) {
        REQUIRE(hypothesis.tokens.front() == 5);
        for (const auto& phrase : phrases) REQUIRE(has_phrase(hypothesis.tokens, phrase));
      }
    }
  }
}

TEST_CASE("Part of a longer word does not count as a phrase", "[decode]") {
  const std::vector<std::vector<Tokens>> lists = {
      {{4}}, {{4, 5}}, {{4, 4}}, {{4}, {4, 5}}, {{4, 5}, {4}}};
  for (const auto& phrases : lists) {
    const auto obeys = [&](const Tokens& tokens) {
      return std::all_of(phrases.begin(), phrases.end(),
                         [&](const Tokens& phrase) { return has_whole(tokens, phrase); });
    };
    require_obedient(wide_options(), {whole_phrases(phrases)}, obeys);
    for (const int64_t beam_size : {1, 2, 3}) {
      auto options = wide_options();
      options.beam_size = options.n_best = beam_size;
      options.max_length = 1;  // the phrases' own length is left
      for (const int64_t source : {4, 5, 6, 7, 8, 9}) {
        const auto found = search_one(source, options, {whole_phrases(phrases)});
        REQUIRE_FALSE(found.empty());
        for (const auto& hypothesis : found) REQUIRE(obeys(hypothesis.tokens));
      }
    }
  }
}

TEST_CASE("A phrase is not begun after a complete sentence, unless the prefix is one", "[decode]") {
  // 4 is a word, 5 a full stop, 6 the phrase, which is likelier after the full stop than before.
  const auto script = [](int64_t, const std::vector<int64_t>& prefix) {
    switch (prefix.back()) {
      case kBosId:
        return std::vector<double>{0, 0, 0, 0.01, 0.97, 0.01, 0.01};
      case 4:
        return std::vector<double>{0, 0, 0, 0.05, 0.01, 0.9, 0.04};
      case 5:
        return std::vector<double>{0, 0, 0, 0.8, 0.02, 0.03, 0.15};
      default:
        return std::vector<double>{0, 0, 0, 0.3, 0.1, 0.5, 0.1};
    }
  };
  TokenJoints joints;
  joints.continue_word.resize(7);
  joints.end_in_word.resize(7);
  joints.end_sentence = {false, false, false, false, false, true, false};
  const auto search = [&](int64_t beam_size, const Tokens& prefix, const TokenJoints* given) {
    ScriptedStepper stepper(script);
    SearchOptions options;
    options.beam_size = beam_size;
    DecodingConstraints constraints{prefix, {{6}}};
    constraints.joints = given;
    return search_batch(stepper, torch::tensor({{4}}), torch::tensor({1}), options, {constraints})
        .front()
        .front()
        .tokens;
  };
  for (const int64_t beam_size : {2, 5}) {
    REQUIRE(search(beam_size, {}, nullptr) == Tokens{4, 5, 6, 5});
    REQUIRE(search(beam_size, {}, &joints) == Tokens{4, 6, 5});
    REQUIRE(search(beam_size, {4, 5}, &joints) == Tokens{4, 5, 6, 5});
  }
}

TEST_CASE("Where everything is forbidden, a hypothesis ends", "[decode]") {
  auto options = wide_options();
  options.no_repeat_ngram = 1;
  options.min_length = kGreatest;
  for (const auto& hypothesis : search_one(4, options, {})) REQUIRE(hypothesis.tokens.size() == 2);
}

TEST_CASE("The coverage penalty is equation 14 of Wu et al. 2016", "[decode]") {
  // The script's attention looks at position t mod 3 in step t: of n tokens and the end, position i
  // gets as many looks as there are t ≤ n with t mod 3 = i; one that gets none costs log 10^-6.
  ScriptedStepper stepper(pseudo_random_script);
  auto options = wide_options();
  options.n_best = 31;
  options.coverage_penalty = 0.25;
  const auto source = torch::tensor({{4, 4, 4}});
  const auto found = search_batch(stepper, source, torch::tensor({3}), options).front();
  REQUIRE(found.size() == 31);
  for (size_t rank = 0; rank < found.size(); ++rank) {
    const auto& hypothesis = found[rank];
    const size_t unseen = hypothesis.tokens.size() >= 2 ? 0 : 2 - hypothesis.tokens.size();
    const double expected =
        hypothesis.log_probability /
            length_divisor(options, static_cast<int64_t>(hypothesis.tokens.size()) + 1) +
        0.25 * static_cast<double>(unseen) * std::log(1e-6);
    REQUIRE(hypothesis.score == Approx(expected));
    if (rank > 0) REQUIRE(found[rank - 1].score >= hypothesis.score);
  }
}

TEST_CASE("Every diverse group avoids what the groups before it chose", "[decode]") {
  // 4 is always likelier than 5; without diversity both groups would begin with it.
  const auto script = [](int64_t, const std::vector<int64_t>& prefix) {
    return prefix.size() <= 2 ? std::vector<double>{0, 0, 0, 0.1, 0.6, 0.3}
                              : std::vector<double>{0, 0, 0, 0.9, 0.06, 0.04};
  };
  SearchOptions options;
  options.beam_size = 2;
  options.n_best = 2;
  options.diverse_groups = 2;
  options.max_length = 6;
  const auto search = [&](double strength) {
    ScriptedStepper stepper(script);
    options.diversity_strength = strength;
    return search_batch(stepper, torch::tensor({{4}}), torch::tensor({1}), options).front();
  };
  // log 0.6 − log 0.3 = 0.69: a strength below it changes nothing, and equal ones are told once.
  const auto same = search(0.6);
  REQUIRE(same.size() == 1);
  REQUIRE(same[0].tokens == Tokens{4, 4});
  const auto diverse = search(0.8);
  REQUIRE(diverse.size() == 2);
  REQUIRE(diverse[0].tokens == Tokens{4, 4});
  REQUIRE(diverse[1].tokens == Tokens{5, 5});
  REQUIRE(diverse[1].log_probability == Approx(std::log(0.3 * 0.3 * 0.9)));
}

TEST_CASE("Groups without diversity are beams of their size", "[decode]") {
  for (const int64_t source : {4, 5, 6, 7}) {
    SearchOptions grouped;
    grouped.beam_size = 6;
    grouped.n_best = 1;
    grouped.diverse_groups = 3;
    grouped.diversity_strength = 0.0;
    SearchOptions small;
    small.beam_size = 2;
    small.n_best = 2;  // until both have ended, as a group goes on
    REQUIRE(search_one(source, grouped, {}).front().tokens ==
            search_one(source, small, {}).front().tokens);
  }
}

TEST_CASE("Scores of forced tokens are the model's own", "[decode]") {
  auto model = random_model(77, 12, 11);
  ModelStepper stepper(model);
  const std::vector<Tokens> sources = {{4, 5, 6, 7, 8}, {8}, {7, 4, 4}};
  const ConstraintList constraint_list = {{{9, 1, 9}, {}}, {{}, {{10, 4}, {6}}}, {{5}, {{8}}}};
  SearchOptions options;
  options.beam_size = 4;
  options.n_best = 4;
  options.no_repeat_ngram = 2;
  options.max_length = 9;
  const auto found = search_all(stepper, sources, 2, options, constraint_list);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const auto& hypothesis : found[i]) {
      const auto batch = make_batch({sources[i]}, {hypothesis.tokens}).to(test_device());
      const auto score = score_batch(model, batch).front();
      REQUIRE(score == Approx(hypothesis.log_probability).epsilon(1e-4));
    }
  }
  REQUIRE(Tokens(found[0][0].tokens.begin(), found[0][0].tokens.begin() + 3) == Tokens{9, 1, 9});
}

}  // namespace nmt
