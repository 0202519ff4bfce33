#include "train/inputs/training_inputs.h"

#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {

TEST_CASE("A target vocabulary with a normalization of its own writes what its text has",
          "[train][vocabulary]") {
  const TemporaryFolder folder;
  const std::vector<std::string> lines = {"你好，世界！（是：的）？", "می\u200cخواهم", "น้ำ"};
  const std::vector<std::string> normalized = {"你好,世界!(是:的)?", "می خواهم", "น้ํา"};
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  Settings settings;
  settings.data.train_source = {folder.write("source", text).string()};
  settings.data.train_target = {folder.write("target", text).string()};
  settings.vocab.type = VocabularyType::kBpe;
  settings.vocab.source_size = settings.vocab.target_size = 100;
  settings.vocab.character_coverage = 1.0;
  settings.train.threads = 1;
  const auto written = [&](const Tokenizer& tokenizer) {
    std::vector<std::string> texts;
    for (const auto& line : lines) texts.push_back(tokenizer.decode(tokenizer.encode(line)));
    return texts;
  };
  const auto same = make_tokenizers(settings);
  CHECK(written(same.target) == normalized);

  settings.vocab.target_normalization = TargetNormalization::kIdentity;
  const auto as_written = make_tokenizers(settings);
  CHECK(written(as_written.source) == normalized);
  CHECK(written(as_written.target) == lines);
  CHECK(as_written.source.bytes() == same.source.bytes());

  settings.vocab.target_normalization = TargetNormalization::kSame;
  settings.vocab.normalization = UnicodeNormalization::kIdentity;
  CHECK(written(make_tokenizers(settings).target) == lines);

  settings.vocab.normalization = UnicodeNormalization::kNmtNfkc;
  settings.vocab.joint = true;
  const auto joint = make_tokenizers(settings);
  CHECK(joint.source.bytes() == joint.target.bytes());
  CHECK(written(joint.target) == normalized);
}

}  // namespace nmt
