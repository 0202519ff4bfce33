#include "explain/attention_walk.h"

#include <cmath>
#include <functional>
#include <utility>

#include "errors/error.h"
#include "explain/walk_steps.h"
#include "explain/word_vectors.h"

namespace nmt {
namespace {

// Small integers, so that a reader can compute with them.
const Matrix kQueryWeight = {{1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}};
const Matrix kKeyWeight = {{0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0}};
const Matrix kValueWeight = {{0, 2, 0}, {0, 3, 0}, {1, 0, 3}, {1, 1, 0}};

const Matrix kGeneralWeight = {{1, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 0, 0}};

// Sums near 0, where tanh is not saturated.
const Matrix kAdditiveQueryWeight = {{1, 0, -1}, {0, 1, 0}, {-1, 1, 0}, {0, -1, 1}};
const Matrix kAdditiveKeyWeight = {{1, -1, 0}, {0, 1, 0}, {0, 0, -1}, {-1, 0, 1}};
const Row kAdditiveV = {2, 1, 3};

struct HeadWeights {
  Matrix query, key, value;  // [4, 2]
};
const std::vector<HeadWeights> kHeads = {{{{1, 0}, {0, 1}, {1, 0}, {0, 1}},
                                          {{0, 1}, {1, 0}, {0, 1}, {1, 0}},
                                          {{1, 0}, {0, 2}, {1, 1}, {0, 0}}},
                                         {{{0, 1}, {1, 0}, {0, 0}, {0, 1}},
                                          {{1, 0}, {0, 1}, {0, 0}, {1, 0}},
                                          {{2, 0}, {0, 1}, {0, 0}, {1, 1}}}};
const Matrix kOutputWeight = {{1, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}};

/// The explanation so far, and its input.
struct Walk {
  Explanation explanation;
  const WalkInput& input;
  bool causal;

  size_t draw(const LabelledMatrix& matrix, const Text& caption, size_t row, size_t column,
              size_t span) {
    explanation.nodes.push_back({matrix, caption, row, column, span});
    return explanation.nodes.size() - 1;
  }
  void connect(size_t from, size_t to, const std::string& label = "") {
    explanation.arrows.push_back({from, to, label});
  }
  void say(Step step) { explanation.steps.push_back(std::move(step)); }

  LabelledMatrix vectors() const { return {"X", input.vectors, Role::kPlain, input.words, {}}; }
  LabelledMatrix rows_of(const std::string& name, const Matrix& values, Role role) const {
    return {name, values, role, input.words, {}};
  }
  LabelledMatrix pairs(const std::string& name, const Matrix& values, Role role) const {
    return {name, values, role, input.words, input.words};
  }
};

/// Queries, keys and values of one head.
struct Lane {
  LabelledMatrix queries, keys, values;
  std::string query_label, key_label, value_label;  // how they are computed from X
  std::string head = {};                            // "₁"
  size_t column = 0;                                // of the picture, the first of three
};

struct LaneNodes {
  size_t scores = 0;
  size_t values = 0;
};

LaneNodes draw_lane(Walk& walk, const Lane& lane, const LabelledMatrix& scores) {
  const auto queries = walk.draw(lane.queries, {"queries", "쿼리"}, 1, lane.column, 1);
  const auto keys = walk.draw(lane.keys, {"keys", "키"}, 1, lane.column + 1, 1);
  const auto values = walk.draw(lane.values, {"values", "값"}, 1, lane.column + 2, 1);
  walk.connect(0, queries, lane.query_label);
  walk.connect(0, keys, lane.key_label);
  walk.connect(0, values, lane.value_label);
  const auto node = walk.draw(scores, {"scores", "점수"}, 2, lane.column, 2);
  walk.connect(queries, node);
  walk.connect(keys, node);
  return {node, values};
}

/// From scores to outputs: scaling unless `key_size` is 0, mask, softmax, weighted sum.
/// Returns the mixtures and their node.
std::pair<LabelledMatrix, size_t> attend(Walk& walk, const Lane& lane, LabelledMatrix scores,
                                         size_t key_size) {
  const auto nodes = draw_lane(walk, lane, scores);
  auto node = nodes.scores;
  size_t row = 3;
  const auto below = [&](const LabelledMatrix& matrix, const Text& caption,
                         const std::string& label) {
    const auto drawn = walk.draw(matrix, caption, row++, lane.column, 2);
    walk.connect(node, drawn, label);
    node = drawn;
  };
  if (key_size > 0) {
    const auto root = std::sqrt(static_cast<double>(key_size));
    const auto divided = walk.pairs("S′" + lane.head, scaled(scores.values, root), Role::kPlain);
    walk.say(scaling_step(scores, key_size, divided));
    scores = divided;
    below(scores, {"scaled", "스케일링"}, "/ √" + std::to_string(key_size));
  }
  if (walk.causal) {
    const auto mask = causal_mask(walk.input.words.size());
    const auto hidden = walk.pairs("M" + lane.head, masked(scores.values, mask), Role::kPlain);
    walk.say(mask_step(scores, hidden));
    scores = hidden;
    below(scores, {"masked", "마스크"}, "i ≤ t");
  }
  const auto weights = walk.pairs("A" + lane.head, softmax(scores.values), Role::kWeights);
  walk.say(softmax_step(scores, weights));
  below(weights, {"weights", "가중치"}, "softmax");
  const auto mixtures =
      walk.rows_of("Z" + lane.head, weighted_sum(weights.values, lane.values.values), Role::kPlain);
  walk.say(mixture_step(weights, lane.values, mixtures));
  below(mixtures, {"weighted sum", "가중합"}, "");
  walk.connect(nodes.values, node);
  walk.say(dictionary_step(weights));
  return {mixtures, node};
}

void begin(Walk& walk, size_t columns) {
  walk.draw(walk.vectors(), {"words", "낱말"}, 0, 0, columns);
  walk.say(input_step(walk.vectors(), walk.input.origin));
}

LabelledMatrix project(Walk& walk, const std::string& name, const LabelledMatrix& weight,
                       Role role) {
  const auto result = walk.rows_of(name, product(walk.input.vectors, weight.values), role);
  walk.say(projection_step(walk.vectors(), weight, result));
  return result;
}

void walk_none(Walk& walk) {
  if (walk.causal) throw UsageError("--causal: not available with --kind none");
  const auto count = walk.input.words.size();
  begin(walk, 3);
  const auto weights = walk.pairs("A", last_alone(count, count), Role::kWeights);
  walk.say(nothing_step(weights));
  const auto values = walk.rows_of("X", walk.input.vectors, Role::kValue);
  const auto mixtures =
      walk.rows_of("Z", weighted_sum(weights.values, values.values), Role::kPlain);
  walk.say(mixture_step(weights, values, mixtures));
  walk.say(dictionary_step(weights));
  const auto node = walk.draw(weights, {"always the last", "언제나 마지막"}, 1, 0, 2);
  const auto value_node = walk.draw(values, {"values", "값"}, 1, 2, 1);
  const auto sum = walk.draw(mixtures, {"what is left", "남는 것"}, 2, 0, 2);
  walk.connect(0, value_node, "=");
  walk.connect(node, sum);
  walk.connect(value_node, sum);
}

void walk_dot(Walk& walk) {
  begin(walk, 3);
  const auto as = [&](Role role) { return walk.rows_of("X", walk.input.vectors, role); };
  const Lane lane{as(Role::kQuery), as(Role::kKey), as(Role::kValue), "=", "=", "="};
  const auto scores =
      walk.pairs("S", dot_scores(lane.queries.values, lane.keys.values), Role::kPlain);
  walk.say(dot_step(lane.queries, lane.keys, scores));
  attend(walk, lane, scores, 0);
}

void walk_general(Walk& walk) {
  begin(walk, 3);
  const auto queries = project(walk, "Q", {"W", kGeneralWeight}, Role::kQuery);
  const Lane lane{queries,
                  walk.rows_of("X", walk.input.vectors, Role::kKey),
                  walk.rows_of("X", walk.input.vectors, Role::kValue),
                  "· W",
                  "=",
                  "="};
  const auto scores = walk.pairs(
      "S", general_scores(walk.input.vectors, kGeneralWeight, walk.input.vectors), Role::kPlain);
  walk.say(dot_step(lane.queries, lane.keys, scores));
  attend(walk, lane, scores, 0);
}

void walk_additive(Walk& walk) {
  begin(walk, 3);
  const auto queries = project(walk, "Q", {"W", kAdditiveQueryWeight}, Role::kQuery);
  const auto keys = project(walk, "K", {"U", kAdditiveKeyWeight}, Role::kKey);
  const Lane lane{queries, keys,  walk.rows_of("X", walk.input.vectors, Role::kValue),
                  "· W",   "· U", "="};
  const auto scores =
      walk.pairs("S", additive_scores(queries.values, keys.values, kAdditiveV), Role::kPlain);
  walk.say(additive_step(queries, keys, kAdditiveV, scores));
  attend(walk, lane, scores, 0);
}

void walk_scaled_dot(Walk& walk) {
  begin(walk, 3);
  const auto queries = project(walk, "Q", {"W_query", kQueryWeight}, Role::kQuery);
  const auto keys = project(walk, "K", {"W_key", kKeyWeight}, Role::kKey);
  const auto values = project(walk, "V", {"W_value", kValueWeight}, Role::kValue);
  const Lane lane{queries, keys, values, "· W_query", "· W_key", "· W_value"};
  const auto scores = walk.pairs("S", dot_scores(queries.values, keys.values), Role::kPlain);
  walk.say(dot_step(queries, keys, scores));
  attend(walk, lane, scores, kQueryWeight.front().size());
  const auto seen =
      walk.causal ? masked(scores.values, causal_mask(walk.input.words.size())) : scores.values;
  const auto weights = walk.pairs("A(k_d=1)", softmax(seen), Role::kWeights);
  const auto mixtures =
      walk.rows_of("Z(k_d=1)", weighted_sum(weights.values, values.values), Role::kPlain);
  walk.say(unscaled_step(weights, values, mixtures));
}

Text head_title(size_t head, const Text& title) {
  const auto number = std::to_string(head + 1);
  return {"Head " + number + ". " + title.english, "헤드 " + number + ". " + title.korean};
}

void walk_multi_head(Walk& walk) {
  begin(walk, 3 * kHeads.size());
  const std::vector<std::string> names = {"₁", "₂"};
  std::vector<Matrix> answers;
  std::vector<size_t> nodes;
  for (size_t head = 0; head < kHeads.size(); ++head) {
    const auto& number = names[head];
    const auto first_step = walk.explanation.steps.size();
    const auto queries =
        project(walk, "Q" + number, {"W_Q" + number, kHeads[head].query}, Role::kQuery);
    const auto keys = project(walk, "K" + number, {"W_K" + number, kHeads[head].key}, Role::kKey);
    const auto values =
        project(walk, "V" + number, {"W_V" + number, kHeads[head].value}, Role::kValue);
    const Lane lane{queries,          keys,   values,  "· W_Q" + number, "· W_K" + number,
                    "· W_V" + number, number, 3 * head};
    const auto scores =
        walk.pairs("S" + number, dot_scores(queries.values, keys.values), Role::kPlain);
    walk.say(dot_step(queries, keys, scores));
    const auto answer = attend(walk, lane, scores, kHeads[head].key.front().size());
    answers.push_back(answer.first.values);
    nodes.push_back(answer.second);
    for (auto i = first_step; i < walk.explanation.steps.size(); ++i) {
      auto& step = walk.explanation.steps[i];
      step.title = head_title(head, step.title);
    }
  }
  const auto joined = walk.rows_of("[Z₁ ; Z₂]", side_by_side(answers), Role::kPlain);
  const auto result = walk.rows_of("Y", product(joined.values, kOutputWeight), Role::kPlain);
  walk.say(heads_step(joined, {"W_O", kOutputWeight}, result));
  const auto row = walk.explanation.nodes[nodes.front()].row + 1;
  const auto both = walk.draw(joined, {"joined", "이어 붙임"}, row, 0, 3 * kHeads.size());
  for (const auto node : nodes) walk.connect(node, both);
  walk.connect(both, walk.draw(result, {"output", "출력"}, row + 1, 0, 3 * kHeads.size()), "· W_O");
}

struct Kind {
  std::string name;
  Text about;
  std::function<void(Walk&)> walk;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kKinds = {
      {"none",
       {"None: the encoder passes a single vector to the decoder, however long the sentence is "
        "(Sutskever et al. 2014). Attention was invented to remove this bottleneck.",
        "없음(none): 문장이 아무리 길어도 인코더가 벡터 하나만 넘겨줍니다(Sutskever 외 2014). "
        "어텐션은 "
        "이 문제를 풀려고 나왔습니다."},
       walk_none},
      {"dot",
       {"Dot: each state serves as query, key and value unchanged (Luong et al. 2015). No weights "
        "are "
        "learned.",
        "내적(dot): 상태 벡터를 그대로 쿼리, 키, 값으로 씁니다(Luong 외 2015). 그 사이에 따로 "
        "학습하는 "
        "것은 없습니다."},
       walk_dot},
      {"general",
       {"General: a learned matrix maps the query into the space of the keys (Luong et al. 2015). "
        "The "
        "default of this program's GRU models, in which the decoder attends to the source; here "
        "the "
        "words of one sentence attend to each other.",
        "일반(general): 학습한 행렬 하나가 물음을 키의 공간으로 옮깁니다(Luong 외 2015). 이 "
        "프로그램의 GRU "
        "모델이 쓰는 방식으로, 모델에서는 디코더가 묻고 원문이 물음을 받습니다. 여기서는 한 문장의 "
        "낱말들이 서로 묻습니다."},
       walk_general},
      {"additive",
       {"Additive: a small network scores each pair (Bahdanau et al. 2015). The first attention "
        "used "
        "in translation.",
        "덧셈(additive): 작은 신경망이 쌍마다 점수를 매깁니다(Bahdanau 외 2015). 번역에 처음 쓰인 "
        "어텐션입니다."},
       walk_additive},
      {"scaled-dot",
       {"Scaled dot product: three matrices map the words to queries, keys and values, and the "
        "words "
        "attend to each other (Vaswani et al. 2017). The core of the Transformer.",
        "스케일드 내적(scaled-dot): 행렬 세 개로 낱말에서 쿼리, 키, 값을 만들고 낱말들이 서로 "
        "묻습니다(Vaswani 외 2017). 트랜스포머의 핵심입니다."},
       walk_scaled_dot},
      {"multi-head",
       {"Multi-head: several small attentions in parallel, each with its own queries, keys and "
        "values "
        "(Vaswani et al. 2017). This example has two heads, with keys of two numbers.",
        "멀티 헤드(multi-head): 작은 어텐션 여러 개가 나란히 저마다 다른 물음을 "
        "던집니다(Vaswani 외 2017). 여기서는 두 개이고, 키마다 숫자가 두 개입니다."},
       walk_multi_head}};
  return kKinds;
}

const Text kDictionary = {
    "An ordinary dictionary returns the value of the one entry whose key equals the query. "
    "Attention is a soft dictionary: it compares the query with every key, turns the similarities "
    "into weights that sum to 1, and returns the weighted sum of all values.",
    "보통의 사전에서는 물음과 똑같은 키를 찾으면 그 값 하나를 얻습니다. 어텐션은 부드러운 "
    "사전입니다. "
    "물음(쿼리)을 모든 키와 견주고, 서로 맞는 정도를 합이 1인 몫으로 바꾼 다음, 모든 값을 그 "
    "몫대로 "
    "섞어 답합니다."};

}  // namespace

const std::vector<std::string>& attention_kinds() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& kind : kinds()) names.push_back(kind.name);
    return names;
  }();
  return kNames;
}

WalkInput example_input() {
  return {
      {"x1", "x2", "x3"},
      {{1, 0, 1, 0}, {0, 2, 0, 2}, {1, 1, 1, 1}},
      {"Three inputs of four numbers each. Everything that follows can be computed with pencil and "
       "paper.",
       "숫자 네 개로 된 입력이 세 개 있습니다. 종이와 연필을 준비하세요. 이어지는 계산은 모두 "
       "손으로 "
       "따라 할 수 있습니다."}};
}

WalkInput sentence_input(const std::string& sentence) {
  WalkInput input;
  for (const auto& word : words_to_explain(sentence)) {
    input.words.push_back(word_label(word));
    input.vectors.push_back(word_vector(word));
  }
  input.origin = {
      "Each word becomes four numbers. A fixed rule derives them from its letters, so a word has "
      "the "
      "same numbers everywhere. They have no meaning; a trained model learns them.",
      "낱말마다 숫자 네 개를 줍니다. 낱말의 글자에서 정해진 규칙으로 만든 숫자라서 같은 낱말은 "
      "어디에 "
      "있어도 같은 벡터를 받습니다. 숫자 자체에 뜻은 없습니다. 학습된 모델에서는 학습으로 "
      "얻습니다."};
  return input;
}

Explanation walk_attention(const std::string& kind, const WalkInput& input, bool causal) {
  for (const auto& known : kinds()) {
    if (known.name != kind) continue;
    Walk walk{{}, input, causal};
    walk.explanation.title = {"Attention step by step: " + kind,
                              "어텐션 한 걸음씩 따라가기: " + kind};
    walk.explanation.introduction = kDictionary;
    walk.explanation.about = known.about;
    known.walk(walk);
    return std::move(walk.explanation);
  }
  throw UsageError("--kind " + kind + ": there is no such attention");
}

}  // namespace nmt
