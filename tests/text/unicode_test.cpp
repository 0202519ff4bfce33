// How text of every kind passes through a tokenizer, well formed or not.

#include <string>

#include "support/catch.h"
#include "text/sample_text.h"
#include "text/tokenizer.h"

using nmt::Tokenizer;

TEST_CASE("Composed and decomposed characters encode alike", "[text][unicode]") {
  for (const std::string rule : {"nmt_nfkc", "nfkc"}) {
    const auto tokenizer =
        Tokenizer::from_bytes(nmt::train_sample("unigram", 97, false, rule), "sample");
    CHECK(tokenizer.encode("caf\u00e9") == tokenizer.encode("cafe\u0301"));
    // 한국 as syllables and as jamo
    CHECK(tokenizer.encode("\ud55c\uad6d") ==
          tokenizer.encode("\u1112\u1161\u11ab\u1100\u116e\u11a8"));
    // full-width forms
    CHECK(tokenizer.encode("\uff11\uff12") == tokenizer.encode("12"));
  }
}

TEST_CASE("The identity rule keeps composed and decomposed characters apart", "[text][unicode]") {
  const auto tokenizer =
      Tokenizer::from_bytes(nmt::train_sample("unigram", 97, false, "identity"), "sample");
  CHECK(tokenizer.encode("caf\u00e9") != tokenizer.encode("cafe\u0301"));
}

TEST_CASE("With byte fallback any text comes back", "[text][unicode]") {
  for (const std::string type : {"unigram", "bpe"}) {
    const auto tokenizer = Tokenizer::from_bytes(nmt::train_sample(type, 391, true), "sample");
    for (const std::string text :
         {"river 😀 garden", "👩‍👩‍👧‍👦", "🇰🇷 ok", "猫が好き", "Ωμέγα"}) {
      CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
    }
  }
}

TEST_CASE("Text without a visible character has no tokens", "[text][unicode]") {
  const auto tokenizer = Tokenizer::from_bytes(nmt::train_sample("unigram", 97), "sample");
  for (const std::string text : {"", " ", "   ", "\t \t", "\u3000", "\u00a0 ", "\u200b"}) {
    CHECK(tokenizer.encode(text).empty());
  }
}

TEST_CASE("Spaces around and between words don't matter", "[text][unicode]") {
  const auto tokenizer = Tokenizer::from_bytes(nmt::train_sample("bpe", 97), "sample");
  CHECK(tokenizer.encode("  green \t garden ") == tokenizer.encode("green garden"));
}

TEST_CASE("A line of a megabyte is encoded whole", "[text][unicode]") {
  for (const std::string type : {"unigram", "bpe"}) {
    const auto tokenizer = Tokenizer::from_bytes(nmt::train_sample(type, 97), "sample");
    std::string spaced;
    while (spaced.size() < 1000000) spaced += "river stone ";
    spaced += "seven";
    CHECK(tokenizer.decode(tokenizer.encode(spaced)) == spaced);
    const std::string one_word(1000003, 'e');
    CHECK(tokenizer.decode(tokenizer.encode(one_word)) == one_word);
  }
}

TEST_CASE("NUL bytes and ill-formed UTF-8 are encoded without harm", "[text][unicode]") {
  for (const bool byte_fallback : {false, true}) {
    const auto tokenizer = Tokenizer::from_bytes(
        nmt::train_sample("unigram", byte_fallback ? 391 : 97, byte_fallback), "sample");
    for (const std::string& text :
         {std::string("a\0b", 3), std::string("\0", 1), std::string("\xff\xfe river"),
          std::string("\xed\xa0\x80"), std::string("\xe2\x82"), std::string("\xf4\x90\x80\x80"),
          std::string(1, '\x80')}) {
      const auto ids = tokenizer.encode(text);
      CHECK_NOTHROW(tokenizer.decode(ids));
    }
    CHECK(tokenizer.decode(tokenizer.encode("\xff river")).find("river") != std::string::npos);
  }
}
