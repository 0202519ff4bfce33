#include "reports/validation_study.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

/// The words of the references in the group of this frequency.
int64_t words_seen(const ValidationStudy& study, int64_t times) {
  int64_t words = 0;
  for (const auto& group : study.frequencies) {
    const bool above = group.commonest >= 0 && times > group.commonest;
    if (times >= group.rarest && !above) words += group.words;
  }
  return words;
}

}  // namespace

TEST_CASE("Held-out sentences are no training text of a report", "[report]") {
  const TemporaryFolder folder;
  StudyTexts texts;
  texts.source = folder.write("valid.ko", "저는 책을 읽어요.\n");
  texts.reference = folder.write("valid.en", "I read a book.\n");
  auto& data = texts.training;
  data.valid_source = texts.source.string();
  data.valid_target = texts.reference.string();
  data.train_source = {folder.write("train.ko", "저는 책을 읽어요.\n하나\n둘\n").string()};
  data.train_target = {
      folder.write("train.en", "i READ a book\nI read a book!\nI sleep.\n").string()};
  TranslatorOptions options;
  options.model_dirs = {NMT_SOURCE_DIR "/models/sample"};
  options.threads = 1;
  const Translator translator(options);
  const auto all = study_validation(translator, texts);
  REQUIRE(all.why_no_frequencies.empty());
  const auto words = words_seen(all, 0) + words_seen(all, 1);
  CHECK(words_seen(all, 0) == 0);
  data.hold_out = 1;
  const auto others = study_validation(translator, texts);
  CHECK(words_seen(others, 0) == words - 2);  // all but "I" and "."
  CHECK(words_seen(others, 1) == 2);

  data.test_target = folder.at("absent");
  const auto unknown = study_validation(translator, texts);
  CHECK(unknown.frequencies.empty());
  CHECK(contains(unknown.why_no_frequencies, folder.at("absent")));
}

}  // namespace nmt
