#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "explain/walks.h"
#include "explain/word_vectors.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

const Text kOmissionIntroduction = {
    "Attention weights show where a model looks, not what it uses (Jain and Wallace 2019). What a "
    "word is worth can be measured: leave it out of the sentence, score the same translation "
    "again, and see how much of its log-probability is lost (Li, Monroe and Jurafsky 2016).",
    "어텐션 가중치는 모델이 어디를 보는지 알려 줄 뿐, 무엇을 쓰는지는 알려 주지 않습니다(Jain과 "
    "Wallace 2019). 낱말 하나의 값어치는 잴 수 있습니다. 그 낱말을 문장에서 빼고 같은 번역의 "
    "점수를 다시 매겨, 로그 확률이 얼마나 줄었는지 보면 됩니다(Li, Monroe, Jurafsky 2016)."};

std::string number(double value) { return fmt::format("{:.3f}", value); }

Step sentence_step(const Omissions& omissions) {
  const auto pair = printable(omissions.source) + " → " + printable(omissions.translation);
  Step step{{"The sentence and its translation", "문장과 번역"}, {pair, pair}};
  step.worked = "log p(y | x) = " + number(omissions.log_probability);
  return step;
}

/// A row for each source word: its loss and, with attention, the mean attention to it.
Step loss_step(const Omissions& omissions, const std::vector<std::string>& labels) {
  LabelledMatrix table{"", {}, Role::kKey, labels, {"L"}};
  for (const double loss : omissions.losses) table.values.push_back({loss});
  Step step{
      {"What the translation loses without each word", "낱말을 뺄 때마다 번역이 잃는 것"},
      {"L is the loss in natural-log probability of the whole translation, its end included; x ∖ "
       "x_i is the sentence without word i. Below 0, the translation is more probable without the "
       "word.",
       "L은 번역 전체의 자연로그 확률이 줄어든 양입니다. 번역이 끝난다는 확률도 들어 있습니다. x ∖ "
       "x_i는 낱말 i를 뺀 문장입니다. 0보다 작으면 그 낱말이 없을 때 번역의 확률이 더 높습니다."},
      "L(i) = log p(y | x) − log p(y | x ∖ x_i)"};
  if (!omissions.attention.empty()) {
    table.columns.emplace_back("a");
    for (size_t i = 0; i < table.values.size(); ++i) {
      table.values[i].push_back(omissions.mean_attention[i]);
    }
    step.text += {" a is the mean attention weight over the words of the translation.",
                  " a는 번역의 낱말들에 걸친 어텐션 가중치의 평균입니다."};
  }
  step.lines = {{{"", table}}};
  const auto largest =
      static_cast<size_t>(std::max_element(omissions.losses.begin(), omissions.losses.end()) -
                          omissions.losses.begin());
  const double loss = omissions.losses[largest];
  step.worked = "L(" + labels[largest] + ") = " + number(omissions.log_probability) + " − (" +
                number(omissions.log_probability - loss) + ") = " + number(loss);
  return step;
}

Step word_loss_step(const LabelledMatrix& losses) {
  return {{"What each word of the translation loses", "번역의 낱말마다 잃는 것"},
          {"Rows are words of the translation and its end, columns are the source words that were "
           "left out. A column sums to the loss of its word.",
           "행은 번역의 낱말과 문장 끝, 열은 원문에서 뺀 낱말입니다. 열을 더하면 그 낱말의 L이 "
           "됩니다."},
          "L(t, i) = log p(y_t | y_<t, x) − log p(y_t | y_<t, x ∖ x_i)",
          {{{"", losses}}}};
}

Step attention_step(const LabelledMatrix& weights) {
  return {{"Attention weights", "어텐션 가중치"},
          {"The attention to the same words in the whole sentence.",
           "온전한 문장에서 같은 낱말들에 준 어텐션입니다."},
          "",
          {{{"", weights}}}};
}

}  // namespace

Explanation explain_omissions(const Omissions& omissions) {
  const auto sources = word_labels(omissions.source_words);
  auto targets = word_labels(omissions.words);
  const LabelledMatrix weights{"A", omissions.attention, Role::kWeights, targets, sources};
  targets.emplace_back("</s>");
  const LabelledMatrix losses{"L", omissions.word_losses, Role::kWeights, targets, sources};
  Explanation explanation;
  explanation.title = {"What a translation loses without each word",
                       "낱말을 하나씩 뺄 때 번역이 잃는 것"};
  explanation.introduction = kOmissionIntroduction;
  explanation.steps = {sentence_step(omissions), loss_step(omissions, sources),
                       word_loss_step(losses)};
  explanation.nodes = {{losses, {"loss without each word", "낱말을 뺄 때의 손실"}, 0, 0, 1}};
  if (!omissions.attention.empty()) {
    explanation.steps.push_back(attention_step(weights));
    explanation.nodes.push_back({weights, {"attention", "어텐션"}, 1, 0, 1});
  } else {
    explanation.steps.push_back(
        {{"Attention weights", "어텐션 가중치"},
         {"The model has no attention to compare with.", "견주어 볼 어텐션이 없는 모델입니다."}});
  }
  return explanation;
}

}  // namespace nmt
