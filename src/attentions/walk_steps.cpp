#include "attentions/walk_steps.h"

#include <algorithm>

#include "attentions/attention_kind.h"

namespace nmt {
namespace {

// The middle of longer sums is left out.
constexpr size_t kMaxTerms = 6;

std::string sum_text(const std::vector<std::string>& terms) {
  std::string text;
  for (size_t i = 0; i < terms.size(); ++i) {
    const bool hidden = terms.size() > kMaxTerms && i >= 2 && i + 2 < terms.size();
    if (hidden && i > 2) continue;
    text += (i == 0 ? "" : " + ") + (hidden ? "…" : terms[i]);
  }
  return text;
}

std::string dot_text(const Row& a, const Row& b) {
  const bool whole = is_whole({a, b});
  std::vector<std::string> terms;
  for (size_t i = 0; i < a.size(); ++i) {
    terms.push_back(factor_text(a[i], whole) + "·" + factor_text(b[i], whole));
  }
  return sum_text(terms);
}

std::string row_text(const Row& row) {
  std::string text = "[";
  for (const double value : row) {
    text += (text.size() == 1 ? "" : " ") + figure_text(value, is_whole({row}));
  }
  return text + "]";
}

/// "S(query, key) = ", for the worked example: the last word and the key that it attends to most.
std::string place_text(const LabelledMatrix& matrix, size_t key) {
  return matrix.name + "(" + matrix.rows.back() + ", " + matrix.columns[key] + ") = ";
}

size_t strongest_key(const LabelledMatrix& matrix) {
  const auto& row = matrix.values.back();
  return static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

std::string result_text(const LabelledMatrix& matrix, size_t column) {
  return " = " + figure_text(matrix.values.back()[column], is_whole(matrix.values));
}

LabelledMatrix turned(const LabelledMatrix& matrix) {
  return {matrix.name + "ᵀ", transposed(matrix.values), matrix.role, {}, matrix.rows};
}

/// "Z(word, 1) = ", dot product and result: the last word's first number of matrix · weight.
std::string product_text(const LabelledMatrix& matrix, const LabelledMatrix& weight,
                         const LabelledMatrix& result) {
  return result.name + "(" + result.rows.back() +
         ", 1) = " + dot_text(matrix.values.back(), transposed(weight.values).front()) +
         result_text(result, 0);
}

/// vᵀ tanh(x)
std::string tanh_text(const Row& v, const Row& x) {
  std::vector<std::string> terms;
  for (size_t i = 0; i < v.size(); ++i) {
    terms.push_back(figure_text(v[i], true) + "·tanh(" + figure_text(x[i], true) + ")");
  }
  return sum_text(terms);
}

/// The title and the text.
Step projection_words(Role role) {
  if (role == Role::kQuery) {
    return {{"Queries: what each word looks for", "쿼리: 낱말마다 무엇을 묻는가"},
            {"A matrix maps each vector to a query. A model learns its numbers; here they are "
             "small integers that you can check by hand.",
             "행렬을 곱해 벡터마다 쿼리를 하나 만듭니다. 행렬의 숫자는 원래 학습으로 얻지만, "
             "여기서는 손으로 확인할 수 있도록 작은 정수를 씁니다."}};
  }
  if (role == Role::kKey) {
    return {{"Keys: what each word is found by", "키: 각 낱말을 무엇으로 찾는가"},
            {"A second matrix maps each word to a key, its headword in the dictionary.",
             "다른 행렬을 곱해, 사전에서 그 낱말을 찾을 때 쓰는 표제어를 만듭니다."}};
  }
  return {{"Values: what each word contributes", "값: 낱말마다 무엇을 답하는가"},
          {"A third matrix maps each word to a value, its entry in the dictionary.",
           "세 번째 행렬을 곱해, 그 낱말을 찾았을 때 사전이 알려 줄 내용을 만듭니다."}};
}

}  // namespace

Step input_step(const LabelledMatrix& vectors, const Text& origin) {
  return {{"The words as vectors", "낱말을 벡터로"},
          origin,
          vectors.name + "  [" + std::to_string(vectors.values.size()) + ", " +
              std::to_string(vectors.values.front().size()) + "]",
          {{{"", vectors}}}};
}

Step projection_step(const LabelledMatrix& vectors, const LabelledMatrix& weight,
                     const LabelledMatrix& result) {
  auto step = projection_words(result.role);
  step.equation = result.name + " = " + vectors.name + " · " + weight.name;
  step.lines = {{{"", vectors}, {"·", weight}, {"=", result}}};
  step.worked = product_text(vectors, weight, result);
  return step;
}

Step dot_step(const LabelledMatrix& queries, const LabelledMatrix& keys,
              const LabelledMatrix& scores) {
  const auto key = strongest_key(scores);
  return {{"Scores: how well each key matches", "점수: 키마다 쿼리에 얼마나 맞는가"},
          {"The dot product of a query and a key is large if both have large numbers in the same "
           "places. Rows are queries, columns are keys.",
           "쿼리와 키의 내적은 두 벡터가 같은 자리에 큰 수를 가질수록 커집니다. 행은 쿼리, "
           "열은 키입니다."},
          scores.name + " = " + queries.name + " · " + keys.name + "ᵀ",
          {{{"", queries}, {"·", turned(keys)}}, {{"=", scores}}},
          place_text(scores, key) + dot_text(queries.values.back(), keys.values[key]) +
              result_text(scores, key)};
}

Step additive_step(const LabelledMatrix& queries, const LabelledMatrix& keys, const Row& v,
                   const LabelledMatrix& scores) {
  const auto key = strongest_key(scores);
  auto sums = queries.values.back();
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += keys.values[key][i];
  return {{"Scores: how well each key matches", "점수: 키마다 쿼리에 얼마나 맞는가"},
          {"Query and key are added, tanh limits each sum to between -1 and 1, and v weights the "
           "sums: a small network that learns which keys match.",
           "쿼리와 키를 더하고, tanh로 각 합을 -1과 1 사이에 가둔 다음, v가 정하는 비중으로 다시 "
           "더합니다. 어떤 답이 좋은 답인지 배우는 작은 신경망입니다."},
          scores.name + "(t, i) = vᵀ tanh(" + queries.name + "(t) + " + keys.name + "(i))",
          {{{"", queries}, {"+", keys}, {"", {"v", {v}}}}, {{"=", scores}}},
          place_text(scores, key) + tanh_text(v, sums) + result_text(scores, key)};
}

Step scaling_step(const LabelledMatrix& scores, size_t key_size, const LabelledMatrix& result) {
  const auto key = strongest_key(result);
  const auto size = std::to_string(key_size);
  return {{"Scaling: by √d_k", "스케일링: √d_k로 나누기"},
          {"Scores grow with the length of the keys, and softmax would then give nearly all weight "
           "to one word. Dividing by √" +
               size + " (keys have " + size + " numbers) keeps the scores in a moderate range.",
           "키의 숫자가 많을수록 점수가 커지고, 그러면 소프트맥스가 한 낱말에만 몫을 몰아줍니다. "
           "키마다 숫자가 " +
               size + "개이므로 √" + size + "으로 나누어 점수의 크기를 고르게 합니다."},
          result.name + " = " + scores.name + " / √" + size,
          {{{"", result}}},
          place_text(result, key) +
              figure_text(scores.values.back()[key], is_whole(scores.values)) + " / √" + size +
              result_text(result, key)};
}

Step position_step(const LabelledMatrix& vectors, const LabelledMatrix& weight, const Row& v,
                   const LabelledMatrix& positions) {
  const auto count = std::to_string(vectors.rows.size());
  const auto x = product({vectors.values.back()}, weight.values).front();
  return {
      {"Position: where each word looks", "위치: 낱말마다 어디를 보는가"},
      {"A small network predicts a position from each word: the sigmoid gives a number between 0 "
       "and 1, which is multiplied by the number of words.",
       "작은 신경망이 낱말마다 볼 자리를 하나 예측합니다. 시그모이드가 0과 1 사이의 수를 주고, "
       "거기에 낱말의 개수를 곱합니다."},
      positions.name + "(t) = " + count + " · sigmoid(vᵀ tanh(" + vectors.name + "(t) · " +
          weight.name + "))",
      {{{"", vectors}, {"·", weight}, {"", {"v", {v}}}}, {{"=", positions}}},
      positions.name + "(" + positions.rows.back() + ") = " + count + " · sigmoid(" +
          tanh_text(v, x) + ")" + result_text(positions, 0)};
}

Step monotonic_step(const LabelledMatrix& positions) {
  return {{"Position: the t-th word looks around position t", "위치: t번째 낱말은 t번째 자리를"},
          {"Nothing is predicted: the position moves on by one word at each step, up to the last "
           "word.",
           "예측하지 않습니다. 한 걸음마다 자리가 낱말 하나씩 옮겨 가고, 마지막 낱말에서 "
           "멈춥니다."},
          positions.name + "(t) = min(t, " + std::to_string(positions.rows.size()) + ")",
          {{{"", positions}}}};
}

Step location_step(const LabelledMatrix& keys) {
  return {{"Keys: one for each position", "키: 자리마다 하나씩"},
          {"Row i of " + keys.name +
               " is learned as the key of position i, whatever word stands there. A model has " +
               std::to_string(kLocationPositions) + " rows; tokens after the last get no weight.",
           keys.name +
               "의 i번째 행은 그 자리에 어떤 낱말이 있든 i번째 자리의 키로 학습됩니다. 모델에는 " +
               std::to_string(kLocationPositions) +
               "행이 있고, 그보다 뒤에 있는 낱말의 가중치는 0입니다."},
          "k_i = " + keys.name + "(i)",
          {{{"", keys}}}};
}

Step window_step(const LabelledMatrix& scores, const LabelledMatrix& positions, int half_width,
                 const LabelledMatrix& result) {
  const auto width = std::to_string(half_width);
  const auto condition = "|i - " + positions.name + "(t)|";
  return {{"Window: words near the position", "창: 그 자리 가까이의 낱말만"},
          {"A word sees only words at most " + width +
               " from its position; words are counted from 1. The scores of the others become -∞, "
               "so that their weights are 0.",
           "낱말마다 그 자리에서 " + width +
               " 이내에 있는 낱말만 봅니다. 낱말은 1부터 셉니다. 나머지 점수는 -∞로 바꾸어 그 "
               "가중치가 0이 되게 합니다."},
          result.name + "(t, i) = " + scores.name + "(t, i) (" + condition + " ≤ " + width +
              "),  -∞ (otherwise)",
          {{{"", result}}}};
}

Step softmax_step(const LabelledMatrix& scores, const LabelledMatrix& weights) {
  const auto key = strongest_key(weights);
  const bool whole = is_whole(scores.values);
  std::vector<std::string> terms;
  for (const double score : scores.values.back()) terms.push_back("e^" + figure_text(score, whole));
  return {
      {"Softmax: weights that sum to 1", "소프트맥스: 합이 1인 몫으로"},
      {"The exponential makes every score positive and amplifies the differences between scores. "
       "Dividing by their sum makes each row sum to 1. These are the attention weights.",
       "지수 함수를 거치면 점수가 모두 양수가 되고 점수 사이의 차이가 벌어집니다. 그 합으로 나누면 "
       "각 행의 합이 1이 됩니다. 이것이 어텐션 가중치입니다."},
      weights.name + "(t, i) = exp " + scores.name + "(t, i) / Σ_j exp " + scores.name + "(t, j)",
      {{{"", weights}}},
      place_text(weights, key) + terms[key] + " / (" + sum_text(terms) + ")" +
          result_text(weights, key)};
}

Step gaussian_step(const LabelledMatrix& weights, const LabelledMatrix& positions, int half_width,
                   const LabelledMatrix& result) {
  const auto key = strongest_key(result);
  const auto figure = [&](const LabelledMatrix& matrix, size_t column) {
    return figure_text(matrix.values.back()[column], false);
  };
  const auto sigma = figure_text(half_width / 2.0, half_width % 2 == 0);
  return {{"Gaussian: the nearer, the more", "가우스 함수: 가까울수록 크게"},
          {"Each weight is multiplied by a Gaussian around the position, whose standard deviation "
           "σ = " +
               sigma + " is half of " + std::to_string(half_width) +
               ". The weights are not normalized again: a row may sum to less than 1.",
           "가중치마다 예측한 자리를 중심으로 하는 가우스 함수를 곱합니다. 표준편차 σ는 " +
               std::to_string(half_width) + "의 절반인 " + sigma +
               "입니다. 합으로 다시 나누지 않으므로 행의 합은 1보다 작을 수 있습니다."},
          result.name + "(t, i) = " + weights.name + "(t, i) · exp(-(i - " + positions.name +
              "(t))² / 2σ²)",
          {{{"", result}}},
          place_text(result, key) + figure(weights, key) + " · exp(-(" + std::to_string(key + 1) +
              " - " + figure(positions, 0) + ")² / " +
              figure_text(half_width * half_width / 2.0, half_width % 2 == 0) + ")" +
              result_text(result, key)};
}

Step mixture_step(const LabelledMatrix& weights, const LabelledMatrix& values,
                  const LabelledMatrix& mixtures) {
  std::vector<std::string> terms;
  for (size_t i = 0; i < values.values.size(); ++i) {
    terms.push_back(figure_text(weights.values.back()[i], false) + "·" +
                    row_text(values.values[i]));
  }
  return {{"Weighted sum of the values", "가중합: 값을 몫대로 섞기"},
          {"Each word receives the sum of all values, each multiplied by its weight.",
           "모든 값을 각자의 몫만큼 더한 것이 그 낱말이 얻는 답입니다."},
          mixtures.name + " = " + weights.name + " · " + values.name,
          {{{"", weights}, {"·", values}, {"=", mixtures}}},
          mixtures.name + "(" + mixtures.rows.back() + ") = " + sum_text(terms) + " = " +
              row_text(mixtures.values.back())};
}

Step dictionary_step(const LabelledMatrix& weights) {
  return {{"Read as a soft dictionary", "부드러운 사전으로 읽기"},
          {"On the left is the query word; on the right are up to five words whose values it "
           "received, with their weights.",
           "왼쪽은 묻는 낱말이고, 오른쪽은 그 낱말이 값을 받아 온 낱말(많아야 다섯)과 몫입니다."},
          "",
          {},
          "",
          lookups(weights.values, weights.rows, weights.columns)};
}

Step unscaled_step(const LabelledMatrix& weights, const LabelledMatrix& values,
                   const LabelledMatrix& mixtures) {
  return {
      {"For comparison: without scaling (d_k = 1)", "비교: 나누지 않으면 (d_k = 1)"},
      {"The same scores without division. The largest score of each row gets more weight and the "
       "others less. If softmax gives nearly all weight to one word, its gradients vanish and "
       "learning stalls.",
       "같은 점수를 나누지 않고 그대로 쓴 것입니다. 각 행에서 가장 큰 점수가 몫을 더 가져가고 "
       "나머지는 줄어듭니다. 소프트맥스가 한 낱말에 거의 모두를 주면 학습이 더 나아가지 못합니다."},
      mixtures.name + " = softmax(Q · Kᵀ) · " + values.name,
      {{{"", weights}, {"·", values}, {"=", mixtures}}}};
}

Step heads_step(const LabelledMatrix& joined, const LabelledMatrix& weight,
                const LabelledMatrix& result) {
  return {{"Concatenating the heads", "헤드를 이어 붙이기"},
          {"The outputs of both heads are concatenated, and another matrix mixes them.",
           "두 헤드의 답을 나란히 이어 붙이고, 행렬을 한 번 더 곱해 섞습니다."},
          result.name + " = [Z₁ ; Z₂] · " + weight.name,
          {{{"", joined}, {"·", weight}, {"=", result}}},
          product_text(joined, weight, result)};
}

Step nothing_step(const LabelledMatrix& weights) {
  return {
      {"No attention", "어텐션 없음"},
      {"Without attention the model has no queries, keys or scores. The decoder receives only "
       "the last state of the sentence, as its initial state; its steps have no context "
       "vector: h̃_t = tanh(W_c h_t + b_c). The next steps read that state as the result of an "
       "attention whose weights are 1 for the last word and 0 for the others.",
       "쿼리도 키도 점수도 없습니다. 문장에서 건네받는 것은 디코더가 출발점으로 삼는 마지막 "
       "상태 하나뿐이고, 단계마다 따로 얻는 문맥 벡터는 없습니다: h̃_t = tanh(W_c h_t + b_c). "
       "다음 단계들은 그 상태를 마지막 낱말의 가중치가 1이고 나머지는 0인 어텐션의 결과로 봅니다."},
      weights.name + "(t, i) = 1 (i = S),  0 (i < S)",
      {{{"", weights}}}};
}

}  // namespace nmt
