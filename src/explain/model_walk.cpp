#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "attention_views/attention_matrix.h"
#include "errors/error.h"
#include "explain/walks.h"
#include "explain/word_vectors.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

WorkedMatrix in_doubles(const std::vector<std::vector<float>>& weights) {
  WorkedMatrix matrix;
  for (const auto& row : weights) matrix.emplace_back(row.begin(), row.end());
  return matrix;
}

/// The token whose second largest weight is nearest to its largest one. The largest weights alone
/// may all be 1.
size_t least_certain(const std::vector<std::vector<float>>& weights, size_t num_tokens) {
  const auto closeness = [&](size_t t) {
    auto row = weights[t];
    std::sort(row.begin(), row.end(), std::greater<>());
    return row.size() < 2 ? 0.0F : row[1] / row[0];
  };
  size_t found = 0;
  for (size_t t = 1; t < num_tokens; ++t) {
    if (closeness(t) > closeness(found)) found = t;
  }
  return found;
}

/// The softmax is unchanged by a constant added to all scores of a row, so only the differences of
/// scores can be recovered.
Step scores_of_token(const Translation& translation, const Seq2SeqOptions& options,
                     bool has_languages) {
  const double temperature = options.attention_temperature;
  const auto& best = translation.candidates.front();
  const auto token = least_certain(best.attention, best.tokens.size());
  const auto& weights = best.attention[token];
  const double largest = *std::max_element(weights.begin(), weights.end());
  WorkedMatrix table;  // [S, 3]
  for (const float weight : weights) {
    const double fraction = static_cast<double>(weight) / largest;
    table.push_back({temperature * std::log(fraction), fraction, static_cast<double>(weight)});
  }
  const auto name = word_label(best.tokens[token]);
  Step step{
      {"From scores to weights: the token " + name, "점수에서 몫으로: 토큰 " + name},
      {"The model works on tokens, which are pieces of words. This is the token with the least "
       "certain attention. Its columns are the distance of each score from the highest one, the "
       "exponential in the equation, and its fraction of the sum, the attention weight.",
       "모델은 낱말을 더 잘게 나눈 토큰으로 계산합니다. 볼 곳을 정하기가 가장 어려웠던 토큰 하나를 "
       "봅니다. 점수가 가장 높은 점수보다 얼마나 낮은지, 식의 지수 값은 얼마인지, 그것이 합에서 "
       "차지하는 몫, 곧 어텐션 가중치는 얼마인지 차례로 적었습니다."},
      temperature == 1.0 ? "a(i) = exp(s(i) - s_max) / Σ_j exp(s(j) - s_max)"
                         : "a(i) = exp((s(i) - s_max)/τ) / Σ_j exp((s(j) - s_max)/τ)",
      {{{"",
         {"",
          table,
          Role::kKey,
          word_labels(translation.source_tokens),
          {"s - s_max", "exp", "a"}}}}}};
  if (has_languages) {
    step.text += {" The sum includes the token of the target language, which is not shown.",
                  " 합에는 보이지 않는 목표 언어 토큰도 들어 있습니다."};
  }
  if (options.attention->uses_step) {
    step.text += {" -∞: outside the step's window, or too low to represent.",
                  " -∞는 창 밖이거나 숫자로 나타낼 수 없을 만큼 낮다는 뜻입니다."};
  } else {
    step.text +=
        {" -∞: too low to represent.", " -∞는 숫자로 나타낼 수 없을 만큼 낮다는 뜻입니다."};
  }
  return step;
}

/// Whether the weights are a softmax of scores: the mean over several heads is not.
bool has_one_head(const Seq2SeqOptions& options) {
  return options.architecture == Architecture::kRecurrent && !options.attention->has_heads;
}

Step weights_step(const LabelledMatrix& weights, const Seq2SeqOptions& options,
                  bool has_languages) {
  Step step{{"Attention weights", "어텐션 가중치"},
            {"Rows are words of the translation, columns are source words. The row of a word is "
             "the mean of its tokens' rows",
             "행은 번역의 낱말, 열은 원문의 낱말입니다. 낱말의 행은 그 낱말을 이루는 토큰들의 행을 "
             "평균한 것"},
            (has_one_head(options) ? *options.attention : multi_head_attention()).equation,
            {{{"", weights}}}};
  if (has_one_head(options) && !options.attention->is_softmax) {
    const auto& note = options.attention->weights_note;
    step.text += {note.english.empty() ? "." : ". " + note.english,
                  note.korean.empty() ? "입니다." : "입니다. " + note.korean};
  } else if (has_languages) {
    step.text +=
        {" and sums to less than 1: the token of the target language, which is not shown, has the "
         "rest.",
         "이며 합은 1보다 작습니다. 보이지 않는 목표 언어 토큰이 나머지를 받습니다."};
  } else {
    step.text += {" and sums to 1.", "이며 합은 1입니다."};
  }
  if (options.coverage) {
    step.text +=
        {" Besides h_src the model also sees how much each source token has been attended to so "
         "far (model.coverage).",
         " 이 모델은 h_src와 함께 원문의 토큰마다 지금까지 얼마나 보았는지도 "
         "압니다(model.coverage)."};
  }
  if (options.architecture == Architecture::kRecurrent && options.attention_temperature != 1.0) {
    const auto setting =
        fmt::format("τ = {} (model.attention_temperature)", options.attention_temperature);
    step.text += {" The scores are divided by " + setting + " before the softmax.",
                  " 소프트맥스에 넣기 전에 점수를 " + setting + "로 나눕니다."};
  }
  if (has_one_head(options)) return step;
  if (options.heads == 1) {
    step.text += {" This model has 1 attention head", " 이 모델은 헤드 하나로 봅니다."};
    if (options.architecture == Architecture::kTransformer) {
      step.text += {"; that of its last decoder layer is shown",
                    " 디코더 마지막 층의 가중치를 보여 줍니다."};
    }
    step.text.english += ".";
    return step;
  }
  const auto heads = std::to_string(options.heads);
  step.text += {" This model has " + heads +
                    " attention heads, each with its own queries; their mean is shown",
                " 이 모델은 저마다 다른 쿼리를 던지는 헤드 " + heads + "개로 봅니다. "};
  if (options.architecture == Architecture::kTransformer) {
    step.text += {", in the last layer of its decoder", "디코더 마지막 층에서 "};
  }
  step.text += {".", "헤드들의 가중치를 평균한 것을 보여 줍니다."};
  return step;
}

}  // namespace

Explanation explain_translation(const std::string& sentence, const Translation& translation,
                                const Seq2SeqOptions& options, bool has_languages) {
  if (translation.text.empty()) throw Error("the translation is empty; use another sentence");
  if (translation.passed_through) {
    throw Error("the model does not read this sentence, which stays as it is; use one with words");
  }
  const auto matrix = attention_matrix(translation);
  if (matrix.weights.empty()) {
    throw Error("the model returned no attention for this sentence; try another sentence or model");
  }
  const auto& best = translation.candidates.front();
  const LabelledMatrix weights{"A", in_doubles(matrix.weights), Role::kWeights,
                               word_labels(matrix.target), word_labels(matrix.source)};
  Explanation explanation;
  explanation.title = {"Attention of a trained model", "학습된 모델의 어텐션"};
  explanation.introduction = {
      "The decoder generates the translation token by token and computes a query for each. Every "
      "source token has a key, which is compared with the query, and a value, which the query "
      "retrieves. No alignment is given in training: the model learns to attend to whatever makes "
      "the next word more likely.",
      "번역을 쓰는 동안 디코더는 토큰마다 쿼리를 하나씩 던집니다. 원문의 각 토큰에는 쿼리와 견주는 "
      "키와 답으로 내놓는 값이 있습니다. 어디를 보라고 가르친 적은 없습니다. 다음 낱말을 더 잘 "
      "맞히는 쪽으로 스스로 배운 것입니다."};
  const auto shown = printable(sentence);
  const auto translated = printable(translation.text);
  explanation.steps.push_back({{"The sentence and its translation", "문장과 번역"},
                               {shown + " → " + translated, shown + " → " + translated}});
  explanation.steps.push_back(weights_step(weights, options, has_languages));
  explanation.steps.push_back(
      {{"Read as a soft dictionary", "부드러운 사전으로 읽기"},
       {"On the left is a word of the translation; on the right are up to five source words that "
        "it attends to, with their weights.",
        "왼쪽은 번역의 낱말이고, 오른쪽은 그 낱말을 쓸 때 본 원문의 낱말(많아야 다섯)과 몫입니다."},
       "",
       {},
       "",
       lookups(weights.values, weights.rows, weights.columns)});
  const bool has_tokens = !best.attention.empty() && !best.tokens.empty();
  if (has_tokens && has_one_head(options) && options.attention->is_softmax) {
    explanation.steps.push_back(scores_of_token(translation, options, has_languages));
  }
  explanation.learned = {weights.columns, weights.rows, matrix.weights};
  return explanation;
}

}  // namespace nmt
