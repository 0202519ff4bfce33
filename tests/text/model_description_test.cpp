#include "text/model_description.h"

#include <string>

#include "support/catch.h"
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

TEST_CASE("Any part of a model can be described", "[text]") {
  const std::string model = nmt::train_sample("unigram", 97);
  for (size_t size = 0; size < model.size(); size += 1 + size / 7) {
    CHECK_NOTHROW(nmt::describe_sentencepiece_model(model.substr(0, size)));
    CHECK_NOTHROW(nmt::describe_sentencepiece_model(model.substr(size)));
  }
}
