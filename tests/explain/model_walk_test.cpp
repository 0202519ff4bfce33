#include <cmath>

#include "explain/named_matrix.h"
#include "explain/walks.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

Translation small_translation() {
  Translation translation;
  translation.text = "I <read>.";
  translation.source_words = {"저는", "읽어요."};
  translation.source_tokens = {"▁저는", "▁읽어요."};
  TranslationCandidate best;
  best.text = translation.text;
  best.tokens = {"▁I", "▁<read>."};
  best.words = {"I", "<read>."};
  best.attention = {{0.9F, 0.1F}, {0.25F, 0.75F}, {0.5F, 0.5F}};
  best.word_attention = {{0.9F, 0.1F}, {0.25F, 0.75F}};
  translation.candidates = {best};
  return translation;
}

}  // namespace

TEST_CASE("A model's attention is read as a dictionary of the source's words", "[explain]") {
  const auto explanation = explain_translation("저는 읽어요.", small_translation(), {});
  check_equal(named_matrix(explanation, "A").values, {{0.9F, 0.1F}, {0.25F, 0.75F}});
  const auto& found = explanation.steps[2].lookups;
  REQUIRE(found.size() == 2);
  CHECK(found[1].word == "<read>.");
  CHECK(found[1].shares[0].word == "읽어요.");
  CHECK(found[1].shares[0].weight == Approx(0.75));
}

TEST_CASE("Differences of scores are had back from the shares of a token", "[explain]") {
  const auto explanation = explain_translation("저는 읽어요.", small_translation(), {});
  const auto table = named_matrix(explanation, "");
  CHECK(contains(explanation.steps.back().title.english, "▁<read>."));
  CHECK(table.rows == std::vector<std::string>{"▁저는", "▁읽어요."});
  check_equal(table.values, {{-std::log(3), 1.0 / 3, 0.25}, {0, 1, 0.75}});
}

TEST_CASE("The token with the least certain attention is found where all largest weights are 1",
          "[explain]") {
  auto translation = small_translation();
  translation.candidates.front().attention = {{1.0F, 0.0F}, {1e-30F, 1.0F}, {1.0F, 0.0F}};
  const auto explanation = explain_translation("저는 읽어요.", translation, {});
  CHECK(contains(explanation.steps.back().title.english, "▁<read>."));
}

TEST_CASE("A sentence that the model does not read has no attention to explain", "[explain]") {
  auto translation = small_translation();
  translation.passed_through = true;
  const auto error = error_of([&] { explain_translation("!!!", translation, {}); });
  CHECK(contains(error, "does not read"));
}

TEST_CASE("Scores of a model with an attention temperature are those before the division",
          "[explain]") {
  Seq2SeqOptions options;
  options.attention_temperature = 4.0;
  const auto explanation = explain_translation("저는 읽어요.", small_translation(), options);
  check_equal(named_matrix(explanation, "").values,
              {{-4 * std::log(3), 1.0 / 3, 0.25}, {0, 1, 0.75}});
  CHECK(contains(explanation.steps.back().equation, "exp((s(i) - s_max)/τ)"));
  const auto& text = explanation.steps[1].text;
  CHECK(contains(text.english, "divided by τ = 4 (model.attention_temperature)"));
  CHECK(contains(text.korean, "τ = 4 (model.attention_temperature)로 나눕니다"));
}

TEST_CASE("A line that was translated in parts has words and no tokens to explain", "[explain]") {
  auto translation = small_translation();
  translation.candidates[0].attention.clear();
  CHECK(explain_translation("저는 읽어요.", translation, {}).steps.size() == 3);
  translation.candidates[0].word_attention.clear();
  CHECK(contains(error_of([&] { explain_translation("저는 읽어요.", translation, {}); }),
                 "no attention"));
}

TEST_CASE("A line whose words were all copied has no token to explain", "[explain]") {
  auto translation = small_translation();
  translation.candidates[0].tokens.clear();
  translation.candidates[0].attention = {{0.5F, 0.5F}};  // of the end
  CHECK(explain_translation("저는 읽어요.", translation, {}).steps.size() == 3);
}

TEST_CASE("The equation is that of the model's attention", "[explain]") {
  const auto told = [](const Seq2SeqOptions& options) {
    const auto explanation = explain_translation("저는 읽어요.", small_translation(), options);
    return explanation_text(explanation, Language::kEnglish, false);
  };
  Seq2SeqOptions options;
  options.dropout = 0.0;
  CHECK(contains(told(options), "softmax(h_src · W h_t)"));
  for (const auto* attention : attention_kinds()) {
    if (attention == &none_attention()) continue;
    INFO(attention->name);
    options.attention = attention;
    CHECK(contains(told(options), attention->equation));
  }
  options.attention = &additive_attention();
  CHECK(contains(told(options), "vᵀ tanh(W h_t + U h_src)"));
}

TEST_CASE("Of a mean over heads no scores are told", "[explain]") {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.attention = &multi_head_attention();
  options.heads = 8;
  const auto of_heads = explain_translation("저는 읽어요.", small_translation(), options);
  CHECK(of_heads.steps.size() == 3);
  CHECK(contains(of_heads.steps[1].text.english, "has 8 attention heads"));
  options.heads = 1;
  const auto of_one = explain_translation("저는 읽어요.", small_translation(), options);
  CHECK(contains(of_one.steps[1].text.english, "This model has 1 attention head."));
  options.heads = 8;
  CHECK_FALSE(contains(of_heads.steps[1].text.english, "last layer"));
  options.attention = &general_attention();  // says nothing of a Transformer
  options.architecture = Architecture::kTransformer;
  const auto of_layers = explain_translation("저는 읽어요.", small_translation(), options);
  CHECK(of_layers.steps.size() == 3);
  CHECK(contains(of_layers.steps[1].text.english, "has 8 attention heads"));
  CHECK(contains(of_layers.steps[1].text.english, "in the last layer"));
}

TEST_CASE("Of weights that are not a softmax no scores are told", "[explain]") {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  const auto general = explain_translation("저는 읽어요.", small_translation(), options);
  CHECK(general.steps.size() == 4);
  CHECK(contains(general.steps[1].text.english, "sums to 1"));
  CHECK_FALSE(contains(general.steps[1].text.english, "model.coverage"));
  auto covered = options;
  covered.coverage = true;
  CHECK(contains(
      explain_translation("저는 읽어요.", small_translation(), covered).steps[1].text.english,
      "model.coverage"));
  options.attention = &local_p_attention();
  const auto local = explain_translation("저는 읽어요.", small_translation(), options);
  CHECK(local.steps.size() == 3);
  CHECK(contains(local.steps[1].text.english, "may sum to less than 1, since a Gaussian"));
  AttentionKind gated = {"gated", "", {}, false, "", "a = g softmax(s)", {}, nullptr};
  gated.is_softmax = false;
  options.attention = &gated;
  const auto other = explain_translation("저는 읽어요.", small_translation(), options);
  CHECK(ends_with(other.steps[1].text.english, "the mean of its tokens' rows."));
}

TEST_CASE("What is missing from the shares of a token is named", "[explain]") {
  Seq2SeqOptions options;
  options.attention = &local_m_attention();
  const auto local = explain_translation("저는 읽어요.", small_translation(), options);
  CHECK(contains(local.steps.back().text.english, "outside the step's window"));
  const auto told = explain_translation("저는 읽어요.", small_translation(), {}, true);
  CHECK(contains(told.steps[1].text.english, "sums to less than 1: the token of the target"));
  CHECK(contains(told.steps.back().text.english, "The sum includes the token of the target"));
}

TEST_CASE("What a model attends to is text, a page and a picture", "[explain]") {
  const TemporaryFolder folder;
  const auto explanation = explain_translation("저는 읽어요.", small_translation(), {});
  const auto text = explanation_text(explanation, Language::kKorean, false);
  CHECK(contains(text, "저는 읽어요. → I <read>."));
  CHECK(contains(text, "75 %"));
  const auto page = explanation_page(explanation, Language::kEnglish);
  CHECK(contains(page, "I &lt;read&gt;."));
  CHECK(contains(page, "<noscript>"));
  CHECK(problems_of_page(folder.write("page.html", page)).empty());
  const auto picture = explanation_picture(explanation, Language::kEnglish);
  CHECK(problems_of_page(folder.write("picture.svg", picture)).empty());
}

}  // namespace nmt
