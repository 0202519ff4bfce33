#include "translate/nearest_candidate.h"

#include "metrics/bleu.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("The candidate nearest to the reference comes first", "[translate]") {
  Translation translation;
  for (const auto* text : {"a dog barks", "a cat sat down", "the cat sat down"}) {
    translation.candidates.emplace_back().text = text;
  }
  prefer_nearest(translation, "the cat sat", 2);
  CHECK(translation.text == "the cat sat down");
  REQUIRE(translation.candidates.size() == 2);
  CHECK(translation.candidates[0].text == "the cat sat down");
  CHECK(translation.candidates[0].score ==
        Approx(sentence_bleu("the cat sat down", "the cat sat").score));
  CHECK(translation.candidates[1].text == "a cat sat down");
}

TEST_CASE("Text without spaces is compared by characters", "[translate]") {
  Translation translation;
  for (const auto* text : {"她在家。", "他有两本书。"}) {
    translation.candidates.emplace_back().text = text;
  }
  prefer_nearest(translation, "他有三本书。", 1);
  CHECK(translation.text == "他有两本书。");
}

TEST_CASE("Without a reference the likeliest candidate stays", "[translate]") {
  Translation translation;
  for (const auto* text : {"a dog barks", "a cat"}) {
    translation.candidates.emplace_back().text = text;
  }
  prefer_nearest(translation, "", 1);
  CHECK(translation.text == "a dog barks");
  CHECK(translation.candidates.size() == 1);
}

TEST_CASE("A translator chooses from all of its beam", "[translate]") {
  TranslatorOptions model;
  model.model_dirs = {NMT_SOURCE_DIR "/models/sample"};
  model.threads = 1;
  model.device = test_device_name();
  const Translator translator(model);
  const std::string line = "변호사는 언제 축구를 연습합니까?";
  TranslationOptions options;
  options.beam_size = 4;
  options.n_best = 4;
  const auto beam = translator.translate(std::vector<std::string>{line}, options)[0].candidates;
  REQUIRE(beam.size() == 4);
  options.n_best = 1;
  for (const auto& candidate : beam) {
    const auto nearest = translate_nearest(translator, {line, ""}, options, {candidate.text, "x"});
    CHECK(nearest[0].text == candidate.text);
    CHECK(nearest[0].candidates.size() == 1);
    CHECK(nearest[0].candidates[0].log_probability == Approx(candidate.log_probability));
    CHECK(nearest[1].text.empty());
  }
}

}  // namespace nmt
