#include "explain/omission.h"

#include "explain/named_matrix.h"
#include "explain/walks.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::string kOmissionSentence = "저는 어제 도서관에서 책을 읽었어요.";
const std::string kOmissionTranslation = "I read a book in the library yesterday.";

const Translator& omission_translator() {
  static const Translator translator({{NMT_SOURCE_DIR "/models/sample"}});
  return translator;
}

Omissions two_words() {
  Omissions omissions;
  omissions.source = "저는 <읽어요>.";
  omissions.translation = "I read.";
  omissions.source_words = {"저는", "<읽어요>."};
  omissions.words = {"I", "read."};
  omissions.log_probability = -1.5;
  omissions.losses = {4.0, 3.0};
  omissions.word_losses = {{4.5, 0.0}, {-0.25, 2.0}, {-0.25, 1.0}};
  omissions.attention = {{0.75, 0.25}, {0.5, 0.5}};
  omissions.mean_attention = {0.625, 0.375};
  return omissions;
}

}  // namespace

TEST_CASE("A word's loss is the difference of two scores", "[explain][omission]") {
  const auto& translator = omission_translator();
  const auto found = measure_omissions(translator, kOmissionSentence, kOmissionTranslation);
  const std::vector<std::string> shortened = {
      kOmissionSentence,
      "어제 도서관에서 책을 읽었어요.",
      "저는 도서관에서 책을 읽었어요.",
      "저는 어제 책을 읽었어요.",
      "저는 어제 도서관에서 읽었어요.",
      "저는 어제 도서관에서 책을",
  };
  const auto scores =
      translator.score(shortened, std::vector<std::string>(shortened.size(), kOmissionTranslation));
  CHECK(found.log_probability == Approx(scores[0].log_probability).margin(1e-5));
  REQUIRE(found.losses.size() == 5);
  for (size_t i = 0; i < 5; ++i) {
    INFO(shortened[i + 1]);
    const double loss = scores[0].log_probability - scores[i + 1].log_probability;
    CHECK(found.losses[i] == Approx(loss).margin(1e-5));
    double sum = 0.0;
    for (const auto& row : found.word_losses) sum += row[i];
    CHECK(sum == Approx(loss).margin(1e-4));
  }
  CHECK(found.source_words ==
        std::vector<std::string>{"저는", "어제", "도서관에서", "책을", "읽었어요."});
  CHECK(found.words.size() == 8);
  CHECK(found.word_losses.size() == 9);
}

TEST_CASE("The loss of each word is that of forced decoding", "[explain][omission]") {
  const auto& translator = omission_translator();
  const auto found = measure_omissions(translator, kOmissionSentence, kOmissionTranslation);
  TranslationOptions options;
  options.words = true;
  const auto candidate = [&](const std::string& source) {
    return translator.force_decode({source}, {kOmissionTranslation}, options)
        .front()
        .candidates.front();
  };
  const auto whole = candidate(kOmissionSentence);
  const auto without = candidate("저는 어제 도서관에서 읽었어요.");
  for (size_t t = 0; t < 9; ++t) {
    const double loss = whole.word_log_probabilities[t] - without.word_log_probabilities[t];
    CHECK(found.word_losses[t][3] == Approx(loss).margin(1e-5));
  }
  REQUIRE(found.attention.size() == 8);
  for (size_t t = 0; t < 8; ++t) {
    for (size_t i = 0; i < 5; ++i) {
      CHECK(found.attention[t][i] == Approx(whole.word_attention[t][i]).margin(1e-5));
    }
  }
}

TEST_CASE("Without a translation the model's own is scored", "[explain][omission]") {
  const auto& translator = omission_translator();
  const auto found = measure_omissions(translator, "저는  책을\t읽어요.");
  CHECK(found.source == "저는 책을 읽어요.");
  CHECK(found.translation == translator.translate({"저는 책을 읽어요."}).front().text);
}

TEST_CASE("What has no words to leave out is refused", "[explain][omission]") {
  const auto refusal = [](const std::string& sentence, const std::string& translation) {
    return error_of([&] { measure_omissions(omission_translator(), sentence, translation); });
  };
  CHECK(contains(refusal("", "x"), "the sentence is empty"));
  CHECK(contains(refusal("저는책을읽어요.", "x"), "has one word"));
  CHECK(contains(refusal("저는 책을", " "), "the translation is empty"));
  CHECK(contains(refusal("\u200B 책을", "x y"), "\n") == false);
}

TEST_CASE("Losses are tables, a page and a picture", "[explain][omission]") {
  const TemporaryFolder folder;
  const auto omissions = two_words();
  const auto explanation = explain_omissions(omissions);
  check_equal(named_matrix(explanation, "L").values, omissions.word_losses);
  check_equal(named_matrix(explanation, "A").values, omissions.attention);
  const auto text = explanation_text(explanation, Language::kEnglish, false);
  CHECK(contains(text, "L(저는) = -1.500 − (-5.500) = 4.000"));
  for (const auto& step : explanation.steps) CHECK_FALSE(step.text.korean.empty());
  const auto page = explanation_page(explanation, Language::kKorean);
  CHECK(contains(page, "&lt;읽어요&gt;."));
  // Shaded in relation to the largest loss; what is gained is not shaded.
  CHECK(contains(page, "<td style=\"--w:1.000\">4.50</td>"));
  CHECK(contains(page, "<td style=\"--w:0.444\">2.00</td>"));
  CHECK(contains(page, "<td style=\"--w:0.000\">-0.25</td>"));
  CHECK(contains(page, "<td style=\"--w:0.750\">0.75</td>"));
  CHECK(problems_of_page(folder.write("page.html", page)).empty());
  const auto picture = explanation_picture(explanation, Language::kEnglish);
  CHECK(problems_of_page(folder.write("picture.svg", picture)).empty());
}

TEST_CASE("Losses are shown for a model without attention too", "[explain][omission]") {
  auto omissions = two_words();
  omissions.attention.clear();
  omissions.mean_attention.clear();
  const auto text = explanation_text(explain_omissions(omissions), Language::kEnglish, false);
  CHECK(contains(text, "no attention to compare with"));
}

}  // namespace nmt
