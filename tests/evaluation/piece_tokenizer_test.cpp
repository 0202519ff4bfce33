#include "evaluation/piece_tokenizer.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "text/tokenizer.h"

namespace nmt {
namespace {

const std::filesystem::path kModel = NMT_SOURCE_DIR "/models/sample/target.spm";

}  // namespace

TEST_CASE("BLEU counts the pieces of a SentencePiece model", "[evaluate]") {
  const std::string hypothesis = "Did Minsu drink coffee?";
  const std::string reference = "Did Minsu drink tea?";
  BleuOptions options;
  options.other_tokenizer = piece_tokenizer(kModel);
  const auto bleu = corpus_bleu({hypothesis}, {reference}, options);
  const auto tokenizer = Tokenizer::from_file(kModel);
  CHECK(bleu.hypothesis_length == static_cast<int64_t>(tokenizer.encode(hypothesis).size()));
  CHECK(bleu.reference_length == static_cast<int64_t>(tokenizer.encode(reference).size()));
  CHECK(contains(bleu_signature(options), "|tok:target|"));
  CHECK(corpus_bleu({hypothesis}, {hypothesis}, options).score == Approx(100));
}

TEST_CASE("Characters that the model lacks differ from each other", "[evaluate]") {
  const auto tokenizer = piece_tokenizer(kModel);
  CHECK(tokenizer.words_of("\u2603") != tokenizer.words_of("\u2604"));
}

TEST_CASE("A file that is no SentencePiece model is named", "[evaluate]") {
  const TemporaryFolder folder;
  for (const std::string content : {"", "text\n"}) {
    const auto file = folder.write("words", content);
    CHECK(contains(error_of([&] { piece_tokenizer(file); }), "words: not a SentencePiece model"));
  }
}

}  // namespace nmt
