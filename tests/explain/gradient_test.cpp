#include "explain/gradient.h"

#include <map>

#include "checkpoint/stored_model.h"
#include "explain/model_gradient.h"
#include "explain/named_matrix.h"
#include "explain/walks.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "translate/translator.h"

namespace nmt {

TEST_CASE("The small decoder's derivatives are those of complex steps", "[explain][gradient]") {
  // Im L(w + ih) / h with h = 1e-30 in Python's cmath, which has no rounding error of differences.
  const std::map<std::string, double> wanted = {
      {"q[1]", -0.5627974086809528},     {"q[2]", 0.5970162867417427},
      {"H[1, 1]", 0.14085790471791204},  {"H[1, 2]", 0.08648077521871783},
      {"H[2, 1]", 0.026094079939003013}, {"H[2, 2]", -0.4785156859129339},
      {"H[3, 1]", 0.5436577870254616},   {"H[3, 2]", -0.3552870462559199},
      {"W[1, 1]", 0.5089756604438497},   {"W[1, 2]", 0.6132262004515734},
      {"W[1, 3]", 0.6738975864146172},   {"W[1, 4]", 1.3477951728292343},
      {"W[2, 1]", -0.5367033287419497},  {"W[2, 2]", -0.646633166637339},
      {"W[2, 3]", -0.7106097716823766},  {"W[2, 4]", -1.4212195433647532},
      {"W[3, 1]", 0.027727668298100135}, {"W[3, 2]", 0.033406966185765774},
      {"W[3, 3]", 0.03671218526775935},  {"W[3, 4]", 0.0734243705355187}};
  CHECK(run_forward(small_decoder()).loss == Approx(1.2399792306705597).epsilon(1e-14));
  const auto checked = check_derivatives(small_decoder());
  CHECK(checked.size() == wanted.size());
  for (const auto& [name, analytic, numeric] : checked) {
    INFO(name);
    CHECK(analytic == Approx(wanted.at(name)).margin(1e-14));
    CHECK(numeric == Approx(wanted.at(name)).margin(1e-9));
  }
}

TEST_CASE("A model's derivatives are their finite differences", "[explain][gradient]") {
  const auto model = read_model(NMT_SOURCE_DIR "/models/sample");
  const std::string source = "저는 책을 읽어요.";
  const std::string target = "I read an interesting book.";
  const auto gradients =
      measure_gradients(model, model.source.encode(source), model.target.encode(target));
  const auto score = Translator({{NMT_SOURCE_DIR "/models/sample"}}).score({source}, {target});
  CHECK(gradients.loss == Approx(-score.front().log_probability).margin(1e-4));
  CHECK(gradients.num_tokens == score.front().num_tokens);
  CHECK(gradients.checked.size() == gradients.parameters.size());
  for (const auto& [name, analytic, numeric] : gradients.checked) {
    INFO(name);
    CHECK(analytic != 0.0);
    CHECK(numeric == Approx(analytic).epsilon(1e-6).margin(1e-8));
  }
  for (const auto& parameter : gradients.parameters) CHECK(parameter.norm > 0.0);
}

TEST_CASE("A gradient is text, a page and a picture", "[explain][gradient]") {
  const TemporaryFolder folder;
  const auto small = explain_small_gradient(small_decoder());
  check_equal(named_matrix(small, "∂z").values,
              transposed({run_backward(small_decoder(), run_forward(small_decoder())).logits}));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"H", "[c ; q]"}, {"∂[c ; q]", "∂q"}, {"∂[c ; q]", "∂H"}, {"∂s", "∂q"}, {"∂s", "∂H"}}) {
    INFO(from << " → " << to);
    CHECK(has_arrow(small, from, to));
  }
  const auto text = explanation_text(small, Language::kEnglish, false);
  CHECK(contains(text, "L = −ln 0.2894 = 1.2400"));
  CHECK(contains(text, "7. Each derivative next to its finite difference"));
  CHECK(contains(text, "W[2, 4]   -1.421219543"));
  const ModelGradients gradients{
      2.5, 4, {{"a.<weight>", {2, 3}, 0.25}, {"b", {3}, 0.5}}, {{"b[2]", 0.125, 0.125000000001}}};
  Seq2SeqOptions options;
  const auto model = explain_model_gradients("가 <b>", "x", gradients, options);
  const auto measured = explanation_text(model, Language::kEnglish, false);
  CHECK(contains(measured, "L = 2.500000, T = 4, L/T = 0.625000"));
  CHECK(contains(measured, "a.<weight>  [2, 3]      0.25\n"));
  CHECK(contains(measured, "b[2]  0.125              0.125  1e-12\n"));
  CHECK(contains(measured, "√Σ‖∂L/∂w‖²          0.559017\n"));
  const auto korean = explanation_text(model, Language::kKorean, false);
  CHECK(contains(korean, "유한 차분"));
  for (const char* word : {"finite", "error", "parameter", "shape", "token"}) {
    CHECK_FALSE(contains(korean, word));
  }
  CHECK(contains(measured, "Recurrence"));
  options.architecture = Architecture::kTransformer;
  CHECK_FALSE(contains(explanation_text(explain_model_gradients("a", "b", gradients, options),
                                        Language::kEnglish, false),
                       "Recurrence"));
  for (const auto* explanation : {&small, &model}) {
    for (const auto& step : explanation->steps) CHECK_FALSE(step.text.korean.empty());
    const auto page = explanation_page(*explanation, Language::kKorean);
    CHECK_FALSE(contains(page, "<b>"));
    CHECK_FALSE(contains(page, "name=\"asking\""));
    CHECK(problems_of_page(folder.write("page.html", page)).empty());
    const auto picture = explanation_picture(*explanation, Language::kEnglish);
    CHECK(problems_of_page(folder.write("picture.svg", picture)).empty());
  }
}

TEST_CASE("The chain rule is that of the model", "[explain][gradient]") {
  const auto told = [](const Seq2SeqOptions& options) {
    std::string text;
    for (const auto& step : explain_model_gradients("a", "b", {}, options).steps) {
      text += step.text.english + step.equation + "\n";
    }
    return text;
  };
  Seq2SeqOptions options;
  CHECK(contains(told(options), "∂L/∂z_t = p_t − 1_{y_t}"));
  CHECK(contains(told(options), "dL/dh̃_t = W_oᵀ ∂L/∂z_t + (∂s_{t+1}/∂h̃_t)ᵀ dL/ds_{t+1}\n"));
  CHECK(contains(told(options), "dL/ds_t = ∂L/∂s_t + (∂s_{t+1}/∂s_t)ᵀ dL/ds_{t+1}\n"));
  CHECK_FALSE(contains(told(options), "LSTM"));
  auto unfed = options;
  unfed.cell = Cell::kLstm;
  unfed.input_feeding = false;
  CHECK(contains(told(unfed), "∂L/∂h̃_t = W_oᵀ ∂L/∂z_t\n"));
  CHECK(contains(told(unfed), "the cells of the LSTM"));
  CHECK_FALSE(contains(told(options), "/ τ"));
  CHECK_FALSE(contains(told(options), "tied_embeddings"));
  options.copy = true;
  options.attention_temperature = 2.0;
  options.tied_embeddings = TiedEmbeddings::kTarget;
  CHECK(contains(told(options), "∂L/∂z_t = r_t (q_t − 1_{y_t})"));
  CHECK(contains(told(options), "+ w_γ ∂L/∂γ_t + (∂s_{t+1}/∂h̃_t)ᵀ dL/ds_{t+1}\n"));
  CHECK(contains(told(options), "− [x_i = y] σ(−γ) / p(y)"));
  CHECK_FALSE(contains(told(options), "∂L/∂k"));
  auto covered = options;
  covered.coverage = true;
  CHECK(contains(told(covered), "/ p(y) + Σ_{t'>t} w_c · ∂L/∂k_{t',i},  ∂L/∂score_i"));
  auto local = options;
  local.copy = false;
  local.attention = &local_p_attention();
  CHECK(contains(told(local), "∂L/∂p = Σ_i a_i (i − p)/σ² ∂L/∂a_i"));
  CHECK(contains(told(local), "∂L/∂score_i = (a_i ∂L/∂a_i − b_i Σ_j a_j ∂L/∂a_j) / τ"));
  auto with_heads = options;
  with_heads.attention = &multi_head_attention();
  CHECK(contains(told(with_heads), "− [x_i = y] σ(−γ) / (n p(y)),"));
  CHECK(contains(told(options), "/ τ,  τ = 2"));
  CHECK(contains(told(options), "tied_embeddings"));
  Seq2SeqOptions transformer;
  transformer.architecture = Architecture::kTransformer;
  CHECK(contains(told(transformer), "y = x + f(x)"));
  transformer.pre_norm = false;
  CHECK(contains(told(transformer), "y = norm(u), u = x + f(x)"));
}

}  // namespace nmt
