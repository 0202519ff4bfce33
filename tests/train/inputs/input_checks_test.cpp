#include "train/inputs/input_checks.h"

#include "support/expect_error.h"
#include "support/log_capture.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {

TEST_CASE("A new run warns of training text that has the pairs of its sets", "[train]") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name, const std::string& text) {
    return folder.write(name, text).string();
  };
  Settings settings;
  auto& data = settings.data;
  data.train_source = {file("a.de", "Ein Hund.\nEine Katze.\nEin Hund!\n"),
                       file("b.de", "Ein Wolf.\nEins.\nEin Rüde\n")};
  data.train_target = {file("a.en", "A dog.\nA cat.\nA dog!\n"),
                       file("b.en", "A wolf!\nOne.\nDog\n")};
  data.train_languages = {"en", "en"};
  data.valid_source = file("valid.de", "<2en> Eine Katze!\n \t\n<2en> Neu.\n");
  data.valid_target = file("valid.en", "A CAT\n\nNew.\n");
  data.test_source = file("test.de", "<2en> Ein Hund.\n<2en> Ein Rüde.\n");
  data.test_target = file("test.en", "A dog.\nMale dog.\n");
  const auto warnings = [&] {
    const LogCapture log;
    check_new_run(settings);
    return log.text();
  };
  const auto with = [](const std::string& pairs) { return "the training text has " + pairs; };
  for (const int64_t hold_out : {-1, 0}) {
    data.hold_out = hold_out;
    CHECK(contains(warnings(), with("1 pair of the validation set")));
    CHECK(contains(warnings(), with("1 pair of the test set")));
  }
  data.exclude = {data.test_target};
  CHECK(contains(warnings(), with("1 pair of the validation set")));
  CHECK_FALSE(contains(warnings(), "of the test set"));
  data.exclude.push_back(data.valid_source);
  CHECK_FALSE(contains(warnings(), "training text"));
  data.exclude = {};
  data.hold_out = 1;
  CHECK_FALSE(contains(warnings(), "training text"));

  // One pair in a hundred: as it happens.
  data.hold_out = -1;
  std::string german;
  std::string english;
  for (int i = 0; i < 100; ++i) {
    german += "<2en> Zahl " + std::to_string(i) + "\n";
    english += "Number " + std::to_string(i) + "\n";
  }
  data.valid_source = file("many.de", "<2en> Eine Katze!\n" + german);
  data.valid_target = file("many.en", "A CAT\n" + english);
  data.test_source.clear();
  data.test_target.clear();
  CHECK_FALSE(contains(warnings(), "training text"));
}

TEST_CASE("A new run warns of targets that are not in Unicode's composed form", "[train]") {
  const TemporaryFolder folder;
  Settings settings;
  settings.data.train_source = {folder.write("a.en", "Cafe\u0301\nTea\nBread\n").string()};
  settings.data.train_target = {folder.write("a.fr", "Cafe\u0301\nTh\u00E9\nPain\n").string()};
  const auto warnings = [&] {
    const LogCapture log;
    check_new_run(settings);
    return log.text();
  };
  CHECK(contains(warnings(), "a.fr: 33 % of the lines are not in Unicode's composed form"));
  CHECK_FALSE(contains(warnings(), "a.en: "));
  folder.write("a.fr", "Caf\u00E9\nTh\u00E9\nPain\n");
  CHECK_FALSE(contains(warnings(), "composed form"));
}

}  // namespace nmt
