#include <utility>

#include "explain/walks.h"
#include "explain/word_vectors.h"

namespace nmt {
namespace {

const Text kDictionary = {
    "An ordinary dictionary returns the value of the one entry whose key equals the query. "
    "Attention is a soft dictionary: it compares the query with every key, turns the similarities "
    "into weights that sum to 1, and returns the weighted sum of all values.",
    "보통의 사전에서는 쿼리와 똑같은 키를 찾으면 그 값 하나를 얻습니다. 어텐션은 부드러운 "
    "사전입니다. 쿼리를 모든 키와 견주고, 서로 맞는 정도를 합이 1인 몫으로 바꾼 다음, 모든 값을 그 "
    "몫대로 섞어 답합니다."};

}  // namespace

WalkInput example_input() {
  return {{"x1", "x2", "x3"},
          {{1, 0, 1, 0}, {0, 2, 0, 2}, {1, 1, 1, 1}},
          {"Three inputs of four numbers each. Everything that follows can be computed with pencil "
           "and paper.",
           "숫자 네 개로 된 입력이 세 개 있습니다. 종이와 연필을 준비하세요. 이어지는 계산은 모두 "
           "손으로 따라 할 수 있습니다."}};
}

WalkInput sentence_input(const std::string& sentence) {
  WalkInput input;
  for (const auto& word : words_to_explain(sentence)) {
    input.words.push_back(word_label(word));
    input.vectors.push_back(word_vector(word));
  }
  input.origin = {
      "Each word becomes four numbers. A fixed rule derives them from its letters, so a word has "
      "the same numbers everywhere. They have no meaning; a trained model learns them.",
      "낱말마다 숫자 네 개를 줍니다. 낱말의 글자에서 정해진 규칙으로 만든 숫자라서 같은 낱말은 "
      "어디에 있어도 같은 벡터를 받습니다. 숫자 자체에 뜻은 없습니다. 학습된 모델에서는 학습으로 "
      "얻습니다."};
  return input;
}

Explanation walk_attention(const AttentionKind& kind, const WalkInput& input) {
  AttentionWalk walk(input);
  kind.walk(walk);
  Explanation explanation;
  explanation.title = {std::string("Attention step by step: ") + kind.name,
                       std::string("어텐션 한 걸음씩 따라가기: ") + kind.name};
  explanation.introduction = kDictionary;
  explanation.about = kind.about;
  explanation.steps = std::move(walk.steps());
  explanation.nodes = std::move(walk.nodes());
  explanation.arrows = std::move(walk.arrows());
  return explanation;
}

}  // namespace nmt
