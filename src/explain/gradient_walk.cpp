#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "checkpoint/parameter_shapes.h"
#include "explain/walks.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

const Text kGradientIntroduction = {
    "Training asks of every number of a model: how does the loss change when this number does? "
    "Back-propagation answers for all of them in one pass from the loss backwards, by the chain "
    "rule (Rumelhart, Hinton and Williams 1986). Each answer can be checked by changing the number "
    "a little and computing the loss again.",
    "학습은 모델의 모든 수에 묻습니다. 이 수가 바뀌면 손실은 어떻게 바뀔까? 역전파는 연쇄 법칙을 "
    "따라 손실에서 거꾸로 한 번 지나가며 모두에 답합니다(Rumelhart, Hinton, Williams 1986). 답 "
    "하나하나는 그 수를 조금 바꾸어 손실을 다시 계산해 보면 확인할 수 있습니다."};

/// A table of derivatives next to their finite differences.
FigureTable checked_table(const std::vector<CheckedDerivative>& checked) {
  FigureTable table{
      {"Each derivative next to its finite difference", "유한 차분으로 확인하기"},
      {fmt::format(
           "The loss is computed twice more for each number w, at w + ε and w − ε with ε = {:g}; "
           "(L(w + ε) − L(w − ε)) / 2ε should equal ∂L/∂w up to an error of order ε² and rounding.",
           kGradientStep),
       fmt::format("수 w마다 w + ε와 w − ε에서 손실을 두 번 더 계산합니다. ε = {:g}. (L(w + ε) − "
                   "L(w − ε)) / 2ε는 ε²만 한 오차와 반올림을 빼면 ∂L/∂w와 같아야 합니다.",
                   kGradientStep)},
      {{"w", "w"}, {"∂L/∂w", "∂L/∂w"}, {"finite difference", "유한 차분"}, {"error", "오차"}},
      {}};
  for (const auto& [name, analytic, numeric] : checked) {
    table.rows.push_back({name, fmt::format("{:.10g}", analytic), fmt::format("{:.10g}", numeric),
                          fmt::format("{:.0e}", std::abs(analytic - numeric))});
  }
  return table;
}

LabelledMatrix column(const std::string& name, const Row& values, Role role = Role::kPlain) {
  return {name, transposed({values}), role};
}

/// The passes through the small decoder.
class SmallWalk {
 public:
  explicit SmallWalk(const SmallDecoder& decoder)
      : decoder_(decoder),
        forward_(run_forward(decoder)),
        backward_(run_backward(decoder, forward_)) {}

  Explanation explain() const {
    Explanation explanation;
    explanation.title = {"Back-propagation step by step", "역전파 한 걸음씩 따라가기"};
    explanation.introduction = kGradientIntroduction;
    explanation.about = {
        fmt::format(
            "One step of a small decoder: dot attention of a query q to three states H, and an "
            "output layer W over three words, of which number {} is right. Indices count from 1.",
            decoder_.target + 1),
        fmt::format(
            "작은 디코더의 한 걸음입니다. 쿼리 q가 상태 H 세 개에 내적 어텐션을 하고, 출력층 W가 "
            "낱말 셋에 점수를 줍니다. 정답은 {}번 낱말입니다. 번호는 1부터 셉니다.",
            decoder_.target + 1)};
    explanation.steps = forward_steps();
    for (auto& step : backward_steps()) explanation.steps.push_back(std::move(step));
    explanation.tables = {checked_table(check_derivatives(decoder_))};
    draw(explanation);
    return explanation;
  }

 private:
  LabelledMatrix states() const { return {"H", decoder_.states, Role::kKey}; }
  LabelledMatrix query() const { return column("q", decoder_.query, Role::kQuery); }
  LabelledMatrix output() const { return {"W", decoder_.output, Role::kPlain}; }
  LabelledMatrix joined() const { return column("[c ; q]", forward_.joined); }

  std::vector<Step> forward_steps() const {
    const auto weights = column("a", forward_.weights);
    const auto context = column("c", forward_.context, Role::kValue);
    const auto logits = column("z", forward_.logits);
    Step attention{
        {"Forwards: attention", "앞으로: 어텐션"},
        {"Scores, weights and context.", "점수와 가중치와 문맥입니다."},
        "s = H q,  a = softmax(s),  c = Hᵀ a",
        {{{"", states()}, {"·", query()}, {"=", column("s", forward_.scores)}, {"→", weights}},
         {{"", {"Hᵀ", transposed(decoder_.states), Role::kKey}}, {"·", weights}, {"=", context}}}};
    Step loss{{"Forwards: output and loss", "앞으로: 출력과 손실"},
              {"The loss is small where the right word is probable.",
               "정답의 확률이 높을수록 손실이 작습니다."},
              "z = W [c ; q],  p = softmax(z),  L = −ln p_y",
              {{{"", output()},
                {"·", joined()},
                {"=", logits},
                {"→", column("p", forward_.probabilities)}}}};
    loss.worked = fmt::format("L = −ln {:.4f} = {:.4f}", forward_.probabilities[decoder_.target],
                              forward_.loss);
    return {attention, loss};
  }

  std::vector<Step> backward_steps() const {
    const auto by_logits = column("∂z", backward_.logits, Role::kValue);
    const auto by_scores = column("∂s", backward_.scores, Role::kValue);
    const auto by_context = column("∂c", backward_.context, Role::kValue);
    Step output_step{{"Backwards: softmax and cross-entropy", "거꾸로: 소프트맥스와 교차 엔트로피"},
                     {"∂z is short for ∂L/∂z. For the logits it is what the model expects minus "
                      "what is right, where 1_y is 1 for the right word and 0 for others.",
                      "∂z는 ∂L/∂z를 줄인 것입니다. 로짓의 기울기는 모델의 예측에서 정답을 뺀 "
                      "것입니다. 1_y는 정답에서만 1이고 나머지는 0입니다."},
                     "∂z = p − 1_y",
                     {{{"", column("p", forward_.probabilities)}, {"− 1_y =", by_logits}}}};
    Step weight{{"Backwards: the output layer", "거꾸로: 출력층"},
                {"A product passes its gradient on to both factors: to W with its input, and to "
                 "its input with W.",
                 "곱은 기울기를 두 인수에 모두 넘깁니다. W에는 입력을 곱해서, 입력에는 W를 곱해서 "
                 "넘깁니다."},
                "∂W = ∂z [c ; q]ᵀ,  ∂[c ; q] = Wᵀ ∂z",
                {{{"", by_logits},
                  {"·", {"[c ; q]ᵀ", transposed(joined().values)}},
                  {"=", {"∂W", backward_.output, Role::kValue}}},
                 {{"", {"Wᵀ", transposed(decoder_.output)}},
                  {"·", by_logits},
                  {"=", column("∂[c ; q]", backward_.joined, Role::kValue)}}}};
    Step softmax_step{{"Backwards: the weighted sum and the softmax of attention",
                       "거꾸로: 가중합과 어텐션의 소프트맥스"},
                      {"Since weights sum to 1, one can only grow at the cost of the others: the "
                       "mean of ∂a under a is subtracted.",
                       "가중치의 합은 1이므로 하나가 커지면 다른 것이 작아집니다. 그래서 a로 구한 "
                       "∂a의 평균을 뺍니다."},
                      "∂a = H ∂c,  ∂s = a ⊙ (∂a − Σ_j a_j ∂a_j)",
                      {{{"", states()},
                        {"·", by_context},
                        {"=", column("∂a", backward_.weights, Role::kValue)},
                        {"→", by_scores}}}};
    Step inputs{{"Backwards: query and states", "거꾸로: 쿼리와 상태"},
                {"What is used twice receives the sum of both gradients: q in the scores and in "
                 "the output layer, H in the scores and in the weighted sum.",
                 "두 번 쓰인 것은 기울기도 두 번 받아 더합니다. q는 점수와 출력층에서, H는 점수와 "
                 "가중합에서 쓰였습니다."},
                "∂q = Hᵀ ∂s + (∂[c ; q])_q,  ∂H = ∂s qᵀ + a ∂cᵀ",
                {{{"", {"Hᵀ", transposed(decoder_.states), Role::kKey}},
                  {"·", by_scores},
                  {"+", column("(∂[c ; q])_q", backward_.joined_query, Role::kValue)},
                  {"=", column("∂q", backward_.query, Role::kValue)}},
                 {{"", by_scores},
                  {"·", {"qᵀ", {decoder_.query}, Role::kQuery}},
                  {"+", column("a", forward_.weights)},
                  {"·", {"∂cᵀ", {backward_.context}, Role::kValue}},
                  {"=", {"∂H", backward_.states, Role::kValue}}}}};
    return {output_step, weight, softmax_step, inputs};
  }

  /// Draws the forward pass down to the probabilities, then the gradient of each number.
  void draw(Explanation& explanation) const {
    const Text none;
    explanation.nodes = {
        {states(), {"states", "상태"}, 0, 2, 1},
        {query(), {"query", "쿼리"}, 0, 0, 1},
        {column("a", forward_.weights), {"softmax(H q)", "softmax(H q)"}, 1, 1, 1},
        {joined(), {"context, query", "문맥, 쿼리"}, 2, 0, 3},
        {column("p", forward_.probabilities), {"probabilities", "확률"}, 3, 0, 3},
        {column("∂z", backward_.logits, Role::kValue), {"of the logits", "로짓"}, 4, 0, 3},
        {{"∂W", backward_.output, Role::kValue}, {"of the output layer", "출력층"}, 5, 2, 1},
        {column("∂[c ; q]", backward_.joined, Role::kValue), none, 5, 0, 1},
        {column("∂s", backward_.scores, Role::kValue), {"of the scores", "점수"}, 6, 1, 1},
        {{"∂H", backward_.states, Role::kValue}, {"of the states", "상태"}, 7, 0, 1},
        {column("∂q", backward_.query, Role::kValue), {"of the query", "쿼리"}, 7, 1, 1}};
    explanation.arrows = {{0, 2},
                          {1, 2},
                          {2, 3, "Hᵀ a"},
                          {0, 3},
                          {1, 3},
                          {3, 4, "softmax(W [c ; q])"},
                          {4, 5, "p − 1_y"},
                          {5, 6, "∂z [c ; q]ᵀ"},
                          {5, 7, "Wᵀ ∂z"},
                          {7, 8, "a ⊙ (H ∂c − aᵀ H ∂c)"},
                          {7, 9, "a ∂cᵀ"},
                          {8, 9},
                          {7, 10},
                          {8, 10, "Hᵀ ∂s"}};
  }

  const SmallDecoder& decoder_;
  SmallForward forward_;
  SmallBackward backward_;
};

bool feeds_input(const Seq2SeqOptions& options) {
  return options.architecture == Architecture::kRecurrent && options.input_feeding;
}

/// Where the model copies, p(y) = σ(γ) q(y) + σ(−γ) Σ_{i: x_i = y} a_i, nn/generator.h.
Step output_rule(const Seq2SeqOptions& options) {
  const bool fed = feeds_input(options);
  Step step{{"Output layer", "출력층"},
            {"The logits z_t of each target token receive what the model expects minus what is "
             "right. W_o receives the sum over all tokens.",
             "목표 토큰마다 로짓 z_t의 기울기는 예측에서 정답을 뺀 것입니다. W_o는 모든 토큰에서 "
             "받은 것을 더합니다."},
            "∂L/∂z_t = p_t − 1_{y_t},  ∂L/∂W_o = Σ_t ∂L/∂z_t h̃_tᵀ,  "};
  const std::string state = fed ? "dL/dh̃_t = W_oᵀ ∂L/∂z_t" : "∂L/∂h̃_t = W_oᵀ ∂L/∂z_t";
  const std::string later = fed ? " + (∂s_{t+1}/∂h̃_t)ᵀ dL/ds_{t+1}" : "";
  if (fed) {
    step.text +=
        {" With input feeding (model.input_feeding) h̃_t is also an input of step t+1, hence the "
         "last term; s_{t+1} is the decoder's state after that step.",
         " 이 모델에서는 h̃_t가 다음 걸음의 입력에도 들어가므로(model.input_feeding) 마지막 항이 "
         "더해집니다. s_{t+1}은 그 걸음 뒤의 디코더 상태입니다."};
  }
  if (!options.copy) {
    step.equation += state + later;
    return step;
  }
  step.text +=
      {" The model also copies source tokens (model.copy): p = σ(γ) q + σ(−γ) Σ a over their "
       "places. The softmax q_t receives the share r_t of the right token's probability that it "
       "provides; the gate γ_t and the attention receive the rest.",
       " 이 모델은 원문의 토큰을 베끼기도 합니다(model.copy). p = σ(γ) q + σ(−γ) Σ a이며, 합은 그 "
       "토큰이 나온 자리에 걸칩니다. 소프트맥스 q_t는 정답의 확률 가운데 제가 낸 몫 r_t만큼 받고, "
       "나머지는 게이트 γ_t와 어텐션이 받습니다."};
  step.equation =
      "r_t = σ(γ_t) q_t(y_t) / p_t(y_t),  ∂L/∂z_t = r_t (q_t − 1_{y_t}),  "
      "∂L/∂γ_t = σ(γ_t) − r_t,  " +
      state + " + w_γ ∂L/∂γ_t" + later;
  return step;
}

Step attention_rule(const Seq2SeqOptions& options) {
  const bool recurrent = options.architecture == Architecture::kRecurrent;
  const bool tempered = recurrent && options.attention_temperature != 1.0;
  Step step{{"Attention", "어텐션"},
            {"The context passes its gradient to the source states, and through the softmax to the "
             "scores and what they are computed from.",
             "문맥은 기울기를 원문의 상태에 넘기고, 소프트맥스를 지나 점수와 그 점수를 만든 것에도 "
             "넘깁니다."},
            "∂L/∂a_i = v_i · ∂L/∂c"};
  if (options.copy) {  // from the mean over the n heads
    step.equation += options.attention->has_heads ? " − [x_i = y] σ(−γ) / (n p(y))"
                                                  : " − [x_i = y] σ(−γ) / p(y)";
  }
  if (options.coverage) {
    step.equation += " + Σ_{t'>t} w_c · ∂L/∂k_{t',i}";
    step.text +=
        {" With coverage (model.coverage), w_c times a weight is also part of the keys k of all "
         "later steps.",
         " model.coverage를 쓰면 가중치에 w_c를 곱한 것이 그 뒤 모든 걸음의 키 k에도 더해집니다."};
  }
  if (options.attention == &local_p_attention()) {
    step.equation +=
        ",  ∂L/∂p = Σ_i a_i (i − p)/σ² ∂L/∂a_i,  ∂L/∂score_i = (a_i ∂L/∂a_i − b_i Σ_j a_j ∂L/∂a_j)";
    step.text +=
        {" A weight is a_i = b_i exp(−(i − p)²/2σ²), with the softmax b: the Gaussian passes its "
         "gradient to the predicted position p.",
         " 가중치는 a_i = b_i exp(−(i − p)²/2σ²)이고 b는 소프트맥스입니다. 가우스 함수는 예측한 "
         "위치 p에 기울기를 넘깁니다."};
  } else {
    step.equation += ",  ∂L/∂score_i = a_i (∂L/∂a_i − Σ_j a_j ∂L/∂a_j)";
  }
  if (tempered) step.equation += fmt::format(" / τ,  τ = {}", options.attention_temperature);
  return step;
}

Step layer_rule(const Seq2SeqOptions& options) {
  if (options.pre_norm) {
    return {{"Layers", "층"},
            {"Each layer adds to its input, so the gradient passes by it unchanged and receives "
             "what comes through it.",
             "층마다 입력에 더하므로, 기울기는 그대로 지나가고 층을 거친 것이 더해집니다."},
            "∂L/∂x = ∂L/∂y + (∂f/∂x)ᵀ ∂L/∂y  for y = x + f(x)"};
  }
  return {{"Layers", "층"},
          {"Each layer adds to its input and normalizes the sum u (model.pre_norm is false): the "
           "gradient passes through the normalization, then by the layer and through it.",
           "층마다 입력에 더한 합 u를 정규화합니다(model.pre_norm: false). 기울기는 정규화를 거친 "
           "뒤, 그대로 지나가는 것과 층을 거친 것이 더해집니다."},
          "∂L/∂u = (∂y/∂u)ᵀ ∂L/∂y,  ∂L/∂x = ∂L/∂u + (∂f/∂x)ᵀ ∂L/∂u  for y = norm(u), u = x + f(x)"};
}

/// s_t as in docs/model.md, of every layer and kind of cell.
Step recurrence_rule(const Seq2SeqOptions& options) {
  Step step{{"Recurrence: back-propagation through time", "순환: 시간을 거슬러 가는 역전파"},
            {"A state serves its own step and all later ones. Its gradient therefore comes from "
             "both, from the last step to the first. dL/ds_t counts every path, ∂L/∂s_t only those "
             "through the output of its own step. s_t holds the states of all layers",
             "상태는 제 걸음과 그 뒤의 모든 걸음에 쓰입니다. 그래서 기울기도 마지막 걸음부터 "
             "처음까지 양쪽에서 옵니다. dL/ds_t는 모든 길을, ∂L/∂s_t는 제 걸음의 출력을 지나는 "
             "길만 셉니다. s_t에는 모든 층의 상태가 들어 있습니다."},
            "dL/ds_t = ∂L/∂s_t + (∂s_{t+1}/∂s_t)ᵀ dL/ds_{t+1}"};
  if (options.cell == Cell::kLstm) {
    step.text +=
        {" and the cells of the LSTM, along which the gradient is only scaled by the forget gates",
         " LSTM의 셀도 들어 있으며, 셀을 따라가는 기울기에는 망각 게이트만 곱해집니다."};
  }
  step.text.english += ".";
  if (feeds_input(options)) {
    step.text += {" In the decoder, ∂s_{t+1}/∂s_t holds for a fixed h̃_t.",
                  " 디코더의 ∂s_{t+1}/∂s_t는 h̃_t를 고정하고 구합니다."};
  }
  return step;
}

/// The equations that the gradient passes through, from the loss to the embeddings.
std::vector<Step> chain_rule(const Seq2SeqOptions& options) {
  std::vector<Step> steps = {output_rule(options)};
  const bool transformer = options.architecture == Architecture::kTransformer;
  const auto* attention = options.attention;
  const bool is_softmax = attention->is_softmax && attention != &none_attention();
  if (transformer || is_softmax || attention == &local_p_attention()) {
    steps.push_back(attention_rule(options));
  }
  steps.push_back(transformer ? layer_rule(options) : recurrence_rule(options));
  steps.push_back(
      {{"Embeddings", "임베딩"},
       {"The row of a token receives the sum over all places where it occurs; all other rows "
        "receive 0.",
        "토큰의 행은 그 토큰이 나온 자리에서 받은 것을 모두 더합니다. 나머지 행은 0입니다."},
       "∂L/∂E_w = Σ_{t: x_t = w} ∂L/∂e_t"});
  if (options.tied_embeddings != TiedEmbeddings::kNone) {
    auto& text = steps.back().text;
    text +=
        {" A matrix that is also the output layer's (model.tied_embeddings) adds the gradient of "
         "that layer.",
         " 출력층과 함께 쓰는 행렬(model.tied_embeddings)에는 출력층의 기울기도 더합니다."};
  }
  return steps;
}

}  // namespace

Explanation explain_small_gradient(const SmallDecoder& decoder) {
  return SmallWalk(decoder).explain();
}

Explanation explain_model_gradients(const std::string& sentence, const std::string& translation,
                                    const ModelGradients& gradients,
                                    const Seq2SeqOptions& options) {
  Explanation explanation;
  explanation.title = {"The gradient of a trained model", "학습된 모델의 기울기"};
  explanation.introduction = kGradientIntroduction;
  const auto pair = printable(sentence) + " → " + printable(translation);
  explanation.about = {pair, pair};
  Step loss{
      {"The loss", "손실"},
      {"The loss is the negative natural-log probability of the T tokens of the translation, its "
       "end included, without label smoothing and dropout. Everything is computed in float64.",
       "손실은 번역의 토큰 T개의 음의 자연로그 확률이며, 문장 끝도 들어 있습니다. 라벨 스무딩과 "
       "드롭아웃은 쓰지 않습니다. 모두 float64로 계산합니다."},
      "L = −Σ_t ln p(y_t | y_<t, x)"};
  loss.worked =
      fmt::format("L = {:.6f}, T = {}, L/T = {:.6f}", gradients.loss, gradients.num_tokens,
                  gradients.loss / static_cast<double>(gradients.num_tokens));
  explanation.steps = {loss};
  for (auto& step : chain_rule(options)) explanation.steps.push_back(std::move(step));
  FigureTable norms{
      {"The gradient's norm in each parameter", "매개변수마다 기울기의 크기"},
      {"The square root of the sum of squares. Parameters that share their numbers are listed "
       "once.",
       "제곱을 모두 더한 것의 제곱근입니다. 수를 함께 쓰는 매개변수는 한 번만 적습니다."},
      {{"parameter", "매개변수"}, {"shape", "모양"}, {"‖∂L/∂w‖", "‖∂L/∂w‖"}},
      {}};
  double squares = 0.0;
  LabelledMatrix drawn{"‖∂L/∂w‖", {}, Role::kKey};
  for (const auto& [name, shape, norm] : gradients.parameters) {
    norms.rows.push_back({name, shape_text(shape), fmt::format("{:.6g}", norm)});
    squares += norm * norm;
    drawn.rows.push_back(name);
    drawn.values.push_back({norm});
  }
  norms.rows.push_back({"√Σ‖∂L/∂w‖²", "", fmt::format("{:.6g}", std::sqrt(squares))});
  explanation.tables = {norms, checked_table(gradients.checked)};
  explanation.nodes = {{drawn, {}, 0, 0, 1}};
  return explanation;
}

}  // namespace nmt
