#include "explain/gru.h"

#include <cmath>

#include "checkpoint/stored_model.h"
#include "explain/named_matrix.h"
#include "explain/walks.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("What a state remembers is what the update gates let through", "[explain][gru]") {
  GruSteps steps;
  steps.update = {{0.5, 0.25}, {0.5, 0.75}, {0.0, 1.0}};
  const auto shares = remembered(steps);
  CHECK(shares[0] == Row{(0.5 + 0.75) / 2, 0, 0});
  CHECK(shares[1][0] == Approx((0.5 * 0.5 + 0.75 * 0.75) / 2));
  CHECK(shares[1][1] == Approx((0.5 + 0.25) / 2));
  CHECK(shares[2][0] == Approx(0.75 * 0.75 / 2));
  CHECK(shares[2][1] == Approx(0.25 / 2));
  CHECK(shares[2][2] == Approx(0.5));
}

TEST_CASE("A GRU's walk has its gates and states, and adds up", "[explain][gru]") {
  const auto input = sentence_input("나는 어제 책을 읽었다");
  const auto walk = walk_gru(input);
  const auto steps = run_gru(worked_gru(), input.vectors);
  CHECK(walk.nodes.back().matrix.values == steps.after);
  CHECK(walk.nodes.front().matrix.rows == input.words);
  CHECK(contains(walk.steps[2].equation, "R = σ(X · W_r + H′ · U_r)"));
  for (const auto language : {Language::kEnglish, Language::kKorean}) {
    const auto text = explanation_text(walk, language, false);
    CHECK(contains(text, "H = (1 − Z) ⊙ N + Z ⊙ H′"));
    CHECK_FALSE(contains(text, "nan"));
  }
  for (const auto& step : walk.steps) {
    CHECK_FALSE(step.title.korean.empty());
    CHECK_FALSE(step.text.korean.empty());
  }
  CHECK(walk.steps.back().lookups.size() == 4);
  const auto page = explanation_page(walk, Language::kEnglish);
  CHECK(contains(page, "aria-label=\"1 − Z ⊙ N\""));
  CHECK(contains(page, "aria-label=\"= H\""));
  CHECK_FALSE(contains(walk.steps[5].worked, "·-"));
}

TEST_CASE("The picture of a GRU has an arrow for each matrix of each equation", "[explain][gru]") {
  const auto walk = walk_gru(example_input());
  for (size_t i = 2; i <= 5; ++i) {  // both gates, the candidate and the state
    const auto& lines = walk.steps[i].lines;
    const auto& result = lines.back().back().matrix.name;
    for (const auto& line : lines) {
      for (const auto& term : line) {
        const auto& name = term.matrix.name;
        if (name == result || name.find('_') != std::string::npos) continue;  // W_r and so on
        INFO(name << " → " << result);
        CHECK(has_arrow(walk, name, result));
      }
    }
  }
}

TEST_CASE("A walk's worked number is the first of the last word", "[explain][gru]") {
  const auto walk = walk_gru(example_input());
  const auto steps = run_gru(worked_gru(), example_input().vectors);
  // x3 = [1 1 1 1]: its sum of the reset gate is 1 + 0 + 0 − 1 and the old state's first number.
  const double sum = steps.before[2][0];
  CHECK(steps.reset[2][0] == Approx(1 / (1 + std::exp(-sum))));
  CHECK(contains(walk.steps[2].worked, "R(x3, 1) = σ("));
}

TEST_CASE("Both directions of an encoder are in the order of the sentence", "[explain][gru]") {
  const auto model = read_model(NMT_SOURCE_DIR "/models/sample");
  const auto explanation = explain_encoder_gru(model, "sample", "저는 어제 책을 읽었어요.");
  const auto& tokens = explanation.nodes[0].matrix.rows;
  const auto& back = explanation.nodes[1].matrix;
  const auto& gates = explanation.steps[3].lines[0][0].matrix;
  CHECK(back.rows == tokens);
  CHECK(back.columns == tokens);
  CHECK(gates.rows == tokens);
  for (size_t t = 0; t < tokens.size(); ++t) {
    CHECK(back.values[t][t] == Approx(1.0 - gates.values[t][1]));
    for (size_t i = 0; i < t; ++i) CHECK(back.values[t][i] == 0.0);
  }
  CHECK(explanation.steps[2].lookups.front().word == tokens.back());
  CHECK(explanation.steps[4].lookups.front().word == tokens.front());
  // Of one state each, they are not followed as the first word.
  CHECK_FALSE(
      contains(explanation_page(explanation, Language::kEnglish), "class=\"lookup\" data-row"));
}

}  // namespace nmt
