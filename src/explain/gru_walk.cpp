#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "attentions/walk_steps.h"
#include "checkpoint/stored_weights.h"
#include "errors/error.h"
#include "explain/walks.h"
#include "explain/word_vectors.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

const Text kIntroduction = {
    "A recurrent network reads one word after another and keeps a state, a few numbers that stand "
    "for all it has read. A GRU decides at each word how much of the old state it keeps and how "
    "much it writes anew (Cho et al. 2014).",
    "순환 신경망은 낱말을 하나씩 차례로 읽으며, 그때까지 읽은 것을 나타내는 숫자 몇 개를 상태로 "
    "지닙니다. GRU는 낱말마다 옛 상태를 얼마나 남기고 얼마나 새로 쓸지 정합니다(Cho 외 2014)."};

/// "σ(1.00) = 0.73" of the first unit of the last word.
std::string worked_text(const LabelledMatrix& result, const std::string& function, double sum) {
  return result.name + "(" + result.rows.back() + ", 1) = " + function + "(" +
         figure_text(sum, false) + ") = " + figure_text(result.values.back()[0], false);
}

/// `backwards`: of a GRU that reads the sentence from its end.
Step memory_of(const std::vector<Lookup>& found, const Text& title, bool backwards = false) {
  Step step{title,
            {"A state holds a part of every candidate so far: (1 − z) of its own word, times z of "
             "each word read after it, here as means over the units. At most the five largest "
             "parts are shown; the remainder up to 100 % comes from the zeros at the beginning. ",
             "상태에는 지금까지의 후보가 모두 조금씩 들어 있습니다. 자기 낱말의 (1 − z)에 그 뒤에 "
             "읽은 낱말들의 z를 모두 곱한 만큼이며, 여기서는 여러 수의 평균입니다. 큰 것부터 다섯 "
             "개까지만 보여 줍니다. 모두 더해도 100 %에서 모자라는 부분은 처음의 0입니다. "},
            backwards ? "(1 − z_i) Π_{t≤j<i} z_j" : "(1 − z_i) Π_{i<j≤t} z_j"};
  step.text += {
      backwards
          ? "The words at the end of the sentence, read first, fade; the forward states keep those."
          : "Early words fade; this is why the decoder looks back with attention.",
      backwards ? "먼저 읽은 문장 끝의 낱말이 흐려집니다. 그 낱말들은 앞에서 뒤로 읽은 상태에 남아 "
                  "있습니다."
                : "앞의 낱말은 흐려집니다. 디코더가 어텐션으로 되돌아보는 까닭이 여기에 있습니다."};
  step.lookups = found;
  return step;
}

/// A GRU's walk, from words to states.
class GruWalk {
 public:
  explicit GruWalk(const WalkInput& input)
      : input_(input), weights_(worked_gru()), steps_(run_gru(weights_, input.vectors)) {}

  Explanation explain() const {
    Explanation explanation;
    explanation.title = {"A GRU step by step", "GRU 한 걸음씩 따라가기"};
    explanation.introduction = kIntroduction;
    const auto inputs = rows("X", input_.vectors);
    const auto before = rows("H′", steps_.before);
    const auto reset = rows("R", steps_.reset, Role::kQuery);
    const auto update = rows("Z", steps_.update, Role::kKey);
    const auto candidate = rows("N", steps_.candidate, Role::kValue);
    const auto after = rows("H", steps_.after);
    explanation.steps = {
        input_step(inputs, input_.origin),
        {{"The state before each word", "낱말을 읽기 전의 상태"},
         {"A row is the state before that word: all zeros before the first, then the row above of "
          "the last step's H. The network therefore reads one word at a time; the tables below "
          "show all words together.",
          "행마다 그 낱말을 읽기 전의 상태입니다. 첫 낱말 앞에서는 모두 0이고, 그다음부터는 마지막 "
          "단계에 나오는 H에서 바로 윗줄입니다. 그래서 신경망은 낱말을 하나씩만 읽을 수 있습니다. "
          "아래 표는 모든 낱말을 한꺼번에 보여 줍니다."},
         "h_0 = 0",
         {{{"", before}}}},
        gate_step(reset, weights_.reset, "r",
                  {"Reset gate: what of the old state the new one may use",
                   "리셋 게이트: 새 상태를 만들 때 옛 상태를 얼마나 볼까"},
                  {"σ limits each sum to between 0 and 1. Near 0, the candidate is made as if the "
                   "sentence began with this word.",
                   "σ는 합을 0과 1 사이의 수로 바꿉니다. 0에 가까우면 이 낱말에서 문장이 시작하는 "
                   "것처럼 새 상태를 만듭니다."}),
        gate_step(update, weights_.update, "z",
                  {"Update gate: how much of the old state stays",
                   "업데이트 게이트: 옛 상태를 얼마나 남길까"},
                  {"Near 1, the word changes nothing; near 0, the state is written anew.",
                   "1에 가까우면 이 낱말은 상태를 바꾸지 않고, 0에 가까우면 상태를 새로 씁니다."}),
        candidate_step(candidate, reset),
        state_step(after, update, candidate, before),
        memory_of(
            lookups(remembered(steps_), input_.words, input_.words),
            {"What the state after each word remembers", "낱말을 읽을 때마다 상태에 남은 것"})};
    // Words and old states above, then the gates, the candidate and the new states.
    explanation.nodes = {
        {inputs, {"words", "낱말"}, 0, 0, 2},        {before, {"old states", "옛 상태"}, 0, 2, 2},
        {reset, {"reset", "리셋"}, 1, 0, 1},         {update, {"update", "업데이트"}, 1, 3, 1},
        {candidate, {"candidate", "후보"}, 2, 1, 2}, {after, {"new states", "새 상태"}, 3, 0, 4}};
    explanation.arrows = {{0, 2},
                          {1, 2, "X · W_r + H′ · U_r"},
                          {0, 3, "X · W_z + H′ · U_z"},
                          {1, 3},
                          {0, 4},
                          {1, 4},
                          {2, 4, "X · W_n + R ⊙ (H′ · U_n)"},
                          {1, 5},
                          {3, 5},
                          {4, 5, "(1 − Z) ⊙ N + Z ⊙ H′"}};
    return explanation;
  }

 private:
  LabelledMatrix rows(const std::string& name, const WorkedMatrix& values,
                      Role role = Role::kPlain) const {
    return {name, values, role, input_.words, {}};
  }

  std::vector<std::vector<Term>> sum_of(const GruGate& gate, const std::string& letter) const {
    return {{{"", rows("X", input_.vectors)},
             {"·", {"W_" + letter, gate.input.weight}},
             {"+", rows("H′", steps_.before)},
             {"·", {"U_" + letter, gate.state.weight}}}};
  }

  Step gate_step(const LabelledMatrix& result, const GruGate& gate, const std::string& letter,
                 const Text& title, const Text& text) const {
    Step step{title, text, result.name + " = σ(X · W_" + letter + " + H′ · U_" + letter + ")",
              sum_of(gate, letter)};
    step.lines.push_back({{"= σ →", result}});
    const double value = result.values.back()[0];
    step.worked = worked_text(result, "σ", std::log(value / (1.0 - value)));
    return step;
  }

  Step candidate_step(const LabelledMatrix& result, const LabelledMatrix& reset) const {
    Step step{{"Candidate: what the word would write", "후보: 이 낱말이 쓰려는 것"},
              {"tanh limits the numbers to between -1 and 1. R multiplies what comes from the old "
               "state, number by number: after U_n, as in cuDNN; Cho et al. 2014 multiply before.",
               "tanh는 수를 -1과 1 사이로 바꿉니다. 옛 상태에서 온 수에는 R을 하나씩 곱합니다. "
               "cuDNN처럼 U_n 다음에 곱하며, Cho 외 2014는 그 앞에서 곱합니다."},
              "N = tanh(X · W_n + R ⊙ (H′ · U_n))",
              {{{"", rows("X", input_.vectors)}, {"·", {"W_n", weights_.candidate.input.weight}}},
               {{"+", reset},
                {"⊙", rows("H′", steps_.before)},
                {"·", {"U_n", weights_.candidate.state.weight}}},
               {{"= tanh →", result}}}};
    step.worked = worked_text(result, "tanh", std::atanh(result.values.back()[0]));
    return step;
  }

  Step state_step(const LabelledMatrix& result, const LabelledMatrix& update,
                  const LabelledMatrix& candidate, const LabelledMatrix& before) const {
    const auto number = [](const LabelledMatrix& matrix) {
      return factor_text(matrix.values.back()[0], false);
    };
    Step step{
        {"The new state", "새 상태"},
        {"A mixture of candidate and old state, in the proportions of the update gate. The sum "
         "lets a number pass through many words almost unchanged, and its gradient as well.",
         "후보와 옛 상태를 업데이트 게이트의 비율대로 섞습니다. 더하기로 이어지기 때문에 수가 여러 "
         "낱말을 거의 그대로 지나갈 수 있고, 기울기도 마찬가지입니다."},
        "H = (1 − Z) ⊙ N + Z ⊙ H′",
        {{{"1 −", update}, {"⊙", candidate}}, {{"+", update}, {"⊙", before}}, {{"=", result}}}};
    step.worked = "H(" + result.rows.back() + ", 1) = (1 − " + number(update) + ")·" +
                  number(candidate) + " + " + number(update) + "·" + number(before) + " = " +
                  figure_text(result.values.back()[0], false);
    return step;
  }

  const WalkInput& input_;
  GruWeights weights_;
  GruSteps steps_;
};

Row row_of(const StoredWeights::Values& values, int64_t row) {
  const auto width = values.shape.back();
  const float* data = values.data + row * width;
  return {data, data + width};
}

/// Rows [first, first + count) of a weight [O, I], transposed: [I, count].
WorkedMatrix columns_of(const StoredWeights::Values& values, int64_t first, int64_t count) {
  WorkedMatrix rows;
  for (int64_t row = first; row < first + count; ++row) rows.push_back(row_of(values, row));
  return transposed(rows);
}

/// The gates are stacked in the order r, z, n (nn/recurrent.h).
GruWeights gru_of(const StoredWeights& weights, const std::string& suffix) {
  const auto find = [&](const std::string& name) {
    return weights.all().at("encoder.rnn." + name + suffix);
  };
  const bool normalized = weights.all().count("encoder.rnn.gain_ih" + suffix) > 0;
  const int64_t units = find("weight_hh").shape.back();
  const auto gate = [&](int64_t place) {
    const auto part = [&](const std::string& name) {
      const float* data = find(name).data + place * units;
      return Row(data, data + units);
    };
    const auto side = [&](const std::string& end) {
      return GruSide{columns_of(find("weight" + end), place * units, units), part("bias" + end),
                     normalized ? part("gain" + end) : Row()};
    };
    return GruGate{side("_ih"), side("_hh")};
  };
  return {gate(0), gate(1), gate(2)};
}

double mean_of(const Row& row) {
  return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
}

Step gates_step(const GruSteps& steps, const std::vector<std::string>& tokens, const Text& title,
                bool backwards = false) {
  WorkedMatrix table;
  for (size_t i = 0; i < tokens.size(); ++i) {
    table.push_back({mean_of(steps.reset[i]), mean_of(steps.update[i])});
  }
  return {title,
          {"The gates of this model at each token, as means over its units. Where z is small, the "
           "token writes much into the state.",
           "이 모델의 게이트를 토큰마다 평균한 값입니다. z가 작은 토큰일수록 상태에 많이 씁니다."},
          std::string("h_t = (1 − z_t) ⊙ n_t + z_t ⊙ ") + (backwards ? "h_{t+1}" : "h_{t−1}"),
          {{{"", {"", table, Role::kPlain, tokens, {"r", "z"}}}}}};
}

/// What the state after that token, the last one read, remembers of each token.
std::vector<Lookup> last_state(const LabelledMatrix& states, size_t token) {
  return lookups({states.values[token]}, {states.rows[token]}, states.columns);
}

}  // namespace

GruWeights worked_gru() {
  const Row none = {0, 0};
  return {{{{{1, 0}, {0, -1}, {0, 1}, {-1, 0}}, none}, {{{1, 0}, {0, 1}}, none}},
          {{{{0, 1}, {-1, 0}, {1, -1}, {0, 0}}, none}, {{{0, 1}, {-1, 0}}, none}},
          {{{{1, -1}, {0, 1}, {-1, 0}, {1, 1}}, none}, {{{1, 0}, {1, -1}}, none}}};
}

Explanation walk_gru(const WalkInput& input) { return GruWalk(input).explain(); }

Explanation explain_encoder_gru(const StoredModel& model, const std::string& name,
                                const std::string& sentence) {
  if (model.options.architecture != Architecture::kRecurrent || model.options.cell != Cell::kGru) {
    throw Error(name +
                ": has no GRU to explain (model.architecture, model.cell); use another model");
  }
  const auto ids = tokens_to_explain(model.source, sentence, TargetLanguages(model.source));
  const StoredWeights weights(model.options, model.weights);
  std::vector<std::string> tokens;
  WorkedMatrix embedded;
  for (const auto id : ids) {
    tokens.push_back(word_label(model.source.piece(id)));
    embedded.push_back(row_of(weights.all().at("emb_src.weight"), id));
  }
  const auto forward = run_gru(gru_of(weights, "_l0"), embedded);
  std::reverse(embedded.begin(), embedded.end());
  auto backward = run_gru(gru_of(weights, "_l0_reverse"), embedded);
  auto shares = remembered(backward);
  // Back to the order of the sentence, as in all other tables of the page.
  for (auto& row : shares) std::reverse(row.begin(), row.end());
  for (auto* rows : {&shares, &backward.reset, &backward.update}) {
    std::reverse(rows->begin(), rows->end());
  }
  const LabelledMatrix states{"→h", remembered(forward), Role::kWeights, tokens, tokens};
  const LabelledMatrix back{"←h", shares, Role::kWeights, tokens, tokens};
  Explanation explanation;
  explanation.title = {"The encoder of a trained model", "학습된 모델의 인코더"};
  explanation.introduction = kIntroduction;
  explanation.steps = {
      {{"The sentence as tokens", "토큰으로 나눈 문장"},
       {printable(sentence), printable(sentence)}},
      gates_step(forward, tokens, {"Reading forwards", "앞에서 뒤로 읽기"}),
      memory_of(last_state(states, tokens.size() - 1),
                {"What the last forward state remembers", "앞에서 뒤로 읽은 마지막 상태"}),
      gates_step(backward, tokens, {"Reading backwards", "뒤에서 앞으로 읽기"}, true),
      memory_of(last_state(back, 0),
                {"What the last backward state remembers", "뒤에서 앞으로 읽은 마지막 상태"},
                true)};
  explanation.nodes = {
      {states, {"what each forward state remembers", "앞에서 뒤로 읽는 상태에 남은 것"}, 0, 0, 1},
      {back, {"what each backward state remembers", "뒤에서 앞으로 읽는 상태에 남은 것"}, 1, 0, 1}};
  return explanation;
}

}  // namespace nmt
