#include "text/model_description.h"

#include <string>

#include "support/catch.h"
#include "text/protobuf.h"
#include "text/sample_text.h"

TEST_CASE("A model tells how it was trained", "[text]") {
  const auto bpe = nmt::describe_sentencepiece_model(nmt::train_sample("bpe", 391, true, "nfkc"));
  CHECK(bpe.type == "bpe");
  CHECK(bpe.normalization == "nfkc");
  CHECK(bpe.byte_fallback);
  const auto unigram = nmt::describe_sentencepiece_model(nmt::train_sample("unigram", 97));
  CHECK(unigram.type == "unigram");
  CHECK(unigram.normalization == "nmt_nfkc");
  CHECK(!unigram.byte_fallback);
}

TEST_CASE("The number of threads that trained a vocabulary makes it no other", "[text]") {
  const nmt::TemporaryFile corpus("threads", nmt::as_lines(nmt::sample_sentences(300)));
  nmt::TokenizerTraining training;
  training.corpora = {corpus.path()};
  training.vocabulary_size = 97;
  training.type = nmt::VocabularyType::kBpe;
  training.character_coverage = 1.0;
  training.threads = 1;
  const auto one = nmt::train_tokenizer(training);
  training.threads = 2;
  const auto two = nmt::train_tokenizer(training);
  CHECK(one != two);
  CHECK(nmt::same_vocabulary(one, two));
}

TEST_CASE("Pieces, type and normalization make a vocabulary", "[text]") {
  const auto model = nmt::train_sample("bpe", 97);
  const auto is_same = [&](const std::string& other) {
    return nmt::same_vocabulary(model, other) && nmt::same_vocabulary(other, model);
  };
  // Sections of one number are one section.
  const auto trainer = [](uint64_t field, uint64_t value) {
    return nmt::bytes_field(2, nmt::number_field(field, value));
  };
  CHECK(is_same(model + trainer(16, 7)));       // num_threads
  CHECK_FALSE(is_same(model + trainer(3, 1)));  // model_type: unigram
  CHECK_FALSE(is_same(model + nmt::sentence_piece("new", nmt::PieceType::kNormal)));
  CHECK_FALSE(is_same(nmt::train_sample("bpe", 97, false, "nfkc")));
  CHECK_FALSE(is_same(nmt::train_sample("bpe", 91)));
}

TEST_CASE("Any part of a model can be described", "[text]") {
  const std::string model = nmt::train_sample("unigram", 97);
  for (size_t size = 0; size < model.size(); size += 1 + size / 7) {
    CHECK_NOTHROW(nmt::describe_sentencepiece_model(model.substr(0, size)));
    CHECK_NOTHROW(nmt::describe_sentencepiece_model(model.substr(size)));
  }
}
