#include "train/validation.h"

#include "checkpoint/model.h"
#include "data/prepare.h"
#include "metrics/bleu.h"
#include "support/imported_model.h"
#include "support/temporary_folder.h"
#include "support/test_device.h"

namespace nmt {
namespace {

Validator validator_of(Model& model, const TemporaryFolder& folder, const std::string& source,
                       const std::string& target) {
  auto& data = model.settings.data;
  data.valid_source = folder.write("source", source).string();
  data.valid_target = folder.write("target", target).string();
  CorpusRequest request;
  request.source_path = data.valid_source;
  request.target_path = data.valid_target;
  request.cache_dir = folder / "cache";
  const auto pairs = prepare_corpus(request, model.source, model.target);
  static ProcessGroup alone;
  return {model.settings, model.source, model.target, pairs, test_device(), alone};
}

}  // namespace

TEST_CASE("BLEU of validation leaves out lines without a reference", "[train]") {
  const TemporaryFolder folder;
  auto model = load_model(NMT_SOURCE_DIR "/models/sample", test_device());
  model.settings.validation.beam_size = 5;
  const auto validator =
      validator_of(model, folder, "저는 책을 읽어요.\n저는 책을 읽어요.\n저는 물을 마셔요.\n",
                   "I read a book.\n\nI drink water.\n");
  const auto result = validator.run(model.network);
  CHECK(result.bleu == Approx(100.0));
  CHECK(result.chrf == Approx(100.0));
  CHECK(result.hypotheses[1] == "I read a book.");
}

TEST_CASE("BLEU of validation suits the script of the references", "[train]") {
  const TemporaryFolder folder;
  auto model = load_model(NMT_SOURCE_DIR "/models/sample", test_device());
  const std::vector<std::string> references = {
      "我喜欢在图书馆里安静地读一本很好的书I read a book."};
  const auto validator = validator_of(model, folder, "저는 책을 읽어요.\n", references[0] + "\n");
  const auto result = validator.run(model.network);
  BleuOptions options;
  options.tokenizer = BleuTokenizer::kZh;
  const double expected = corpus_bleu(result.hypotheses, references, options).score;
  CHECK(result.bleu == Approx(expected));
  CHECK(corpus_bleu(result.hypotheses, references).score != Approx(expected));
}

TEST_CASE("References of a model that reads tokens are text, as its translations", "[train]") {
  const TemporaryFolder folder;
  auto model = load_model(write_imported_model(folder / "model"), test_device());
  const auto validator =
      validator_of(model, folder, "the ca@@ ts sle@@ ep .\n", "die Wal@@ ros@@ se schla@@ fen .\n");
  CHECK(validator.references() == std::vector<std::string>{"die Walrosse schlafen ."});
}

}  // namespace nmt
