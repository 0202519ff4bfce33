// The files that accompany a corpus: word alignments and weights.

#include <ATen/ATen.h>

#include <filesystem>
#include <string>
#include <vector>

#include "data/batch.h"
#include "data/prepare.h"
#include "data/sample_corpus.h"
#include "data/word_links.h"
#include "support/expect_error.h"
#include "support/torch_catch.h"
#include "text/target_languages.h"

namespace nmt {
namespace {

std::vector<int32_t> ids_of(const TokenSpan& span) { return {span.begin(), span.end()}; }

/// Words of so many tokens each.
Words words_of_lengths(const std::vector<size_t>& lengths) {
  Words words;
  for (size_t word = 0; word < lengths.size(); ++word) {
    words.texts.push_back("w");
    words.of_token.insert(words.of_token.end(), lengths[word], word);
  }
  return words;
}

/// A line of a file for each pair of the text.
std::string lines_for(const PreparedText& prepared, const std::string& line) {
  return join_lines(std::vector<std::string>(prepared.text.source.size(), line));
}

}  // namespace

TEST_CASE("Links of words are links of all their tokens", "[data]") {
  const auto source = words_of_lengths({2, 1, 0});
  const auto target = words_of_lengths({1, 2});
  REQUIRE(token_links("0-0 1-1", source, target, "here") ==
          std::vector<int32_t>{0, 0, 1, 0, 2, 1, 2, 2});
  REQUIRE(token_links("  ", source, target, "here").empty());
  REQUIRE(token_links("2-1", source, target, "here").empty());  // a word without a token
  for (const std::string bad : {"0", "0-", "-0", "0-0-0", "0p1", "a-b", "0--1", "1:1"}) {
    const auto message = error_of([&] { token_links(bad, source, target, "here"); });
    REQUIRE(contains(message, "here: '" + bad + "' is not a link"));
  }
  for (const std::string outside : {"3-0", "0-2", "99999999999-0"}) {
    REQUIRE(contains(error_of([&] { token_links(outside, source, target, "here"); }),
                     "link " + outside + " is outside the pair, which has 3 and 2 words"));
  }
}

TEST_CASE("A batch has its pairs' weights, and the attention that their alignments ask for",
          "[data]") {
  PreparedText prepared(40);
  prepared.text.source[5] = "miru tana eki";
  prepared.text.target[5] = "lox bax";
  prepared.folder.write("source", join_lines(prepared.text.source));
  prepared.folder.write("target", join_lines(prepared.text.target));
  std::vector<std::string> alignments(40), weights(40, "1");
  alignments[5] = "0-1 2-1";
  weights[5] = "0.25";
  weights[9] = "2e0";
  prepared.request.alignment_path = prepared.folder.write("links", join_lines(alignments));
  prepared.request.weight_path = prepared.folder.write("weights", join_lines(weights));
  const auto corpus = prepared.prepare();
  REQUIRE(corpus.weight(5) == 0.25F);
  REQUIRE(corpus.weight(9) == 2.0F);
  REQUIRE(corpus.weight(0) == 1.0F);
  REQUIRE(corpus.links(9).size == 0);

  const auto tokens_of_word = [](const Tokenizer& tokenizer, const std::string& word) {
    return static_cast<int64_t>(tokenizer.encode(word).size());
  };
  const int64_t first = tokens_of_word(*prepared.source, "miru");
  const int64_t second = tokens_of_word(*prepared.source, "tana");
  const int64_t third = tokens_of_word(*prepared.source, "eki");
  const int64_t begin = tokens_of_word(*prepared.target, "lox");
  const int64_t size = tokens_of_word(*prepared.target, "bax");
  REQUIRE(corpus.source(5).size == static_cast<size_t>(first + second + third));
  const auto pair = [](int64_t number) { return SizedPair{{0, number}, 0, 0}; };
  const auto batch = make_batch({corpus}, {pair(5), pair(9)});
  auto expected = torch::zeros({2, batch.target_output.size(1), batch.source.size(1)});
  const auto rows = expected[0].slice(0, begin, begin + size);
  rows.slice(1, 0, first).fill_(1.0 / static_cast<double>(first + third));
  rows.slice(1, first + second, first + second + third)
      .fill_(1.0 / static_cast<double>(first + third));
  REQUIRE(torch::allclose(batch.alignment, expected));
  REQUIRE(torch::equal(batch.weights, torch::tensor({0.25F, 2.0F})));
  const auto plain = make_batch({corpus}, {pair(0), pair(1)});
  REQUIRE_FALSE(plain.weights.defined());
  REQUIRE_FALSE(plain.alignment.defined());
}

TEST_CASE("Alignments follow the words into a sampled segmentation", "[data]") {
  PreparedText prepared(60);
  std::vector<std::string> last;  // the last words of both sides
  for (int64_t i = 0; i < 60; ++i) {
    const auto count = [&](const std::vector<std::string>& side) {
      return std::to_string(written_words(side[static_cast<size_t>(i)]).size() - 1);
    };
    last.push_back(count(prepared.text.source) + "-" + count(prepared.text.target));
  }
  prepared.request.alignment_path = prepared.folder.write("links", join_lines(last));
  prepared.request.sampling = {0.4, 0.4, 7};
  const auto corpus = prepared.prepare();
  int64_t divided = 0;
  for (int64_t i = 0; i < corpus.size(); ++i) {
    const auto links = ids_of(corpus.links(i));
    const auto text = prepared.text.source[static_cast<size_t>(i)];
    const auto source = words_of_text(text, ids_of(corpus.source(i)), *prepared.source);
    REQUIRE(links.size() >= 2);
    for (size_t k = 0; k < links.size(); k += 2) {
      REQUIRE(source.of_token[static_cast<size_t>(links[k])] == source.texts.size() - 1);
    }
    REQUIRE(links.back() == static_cast<int32_t>(corpus.target(i).size) - 1);
    if (links.size() > 2) ++divided;
  }
  REQUIRE(divided > 10);
}

TEST_CASE("An interrupted preparation resumes in the accompanying files too", "[data]") {
  PreparedText prepared(9000);
  std::vector<std::string> links, weights;
  for (int64_t i = 0; i < 9000; ++i) {
    links.push_back(i % 3 == 0 ? "0-0" : "");
    weights.push_back(std::to_string(i));
  }
  prepared.request.alignment_path = prepared.folder.write("links", join_lines(links));
  prepared.request.weight_path = prepared.folder.write("weights", join_lines(weights));
  prepared.request.shard_bits = 10;
  const auto corpus = prepared.prepare();
  REQUIRE(corpus.weight(8000) == 8000.0F);
  for (const uint64_t shard : {3, 4, 8}) {
    std::filesystem::remove(shard_file(corpus.folder(), shard));
  }
  const auto again = prepared.prepare();
  for (const int64_t i : {3071, 3072, 5120, 8191, 8192, 8999}) {
    REQUIRE(again.weight(i) == static_cast<float>(i));
    REQUIRE((again.links(i).size > 0) == (i % 3 == 0));
  }
}

TEST_CASE("A change of an accompanying file builds the cache anew", "[data]") {
  PreparedText prepared(30);
  prepared.request.weight_path = prepared.folder.write("weights", lines_for(prepared, "0.5"));
  REQUIRE(prepared.prepare().weight(3) == 0.5F);
  prepared.folder.write("weights", lines_for(prepared, "0.25"));
  REQUIRE(prepared.prepare().weight(3) == 0.25F);
  prepared.request.weight_path.clear();
  REQUIRE(prepared.prepare().weight(3) == 1.0F);
}

TEST_CASE("Accompanying files that are wrong are refused by name and line", "[data]") {
  PreparedText prepared(30);
  const auto refusal = [&](std::filesystem::path CorpusRequest::*file, const std::string& text) {
    auto request = prepared.request;
    request.*file = prepared.folder.write("beside", text);
    return error_of([&] { prepare_corpus(request, *prepared.source, *prepared.target); });
  };
  const auto weights = &CorpusRequest::weight_path;
  const auto alignments = &CorpusRequest::alignment_path;
  for (const std::string bad : {"", "one", "-1", "nan", "inf", "1 2", "1,5"}) {
    REQUIRE(contains(refusal(weights, "1\n1\n" + bad + "\n"),
                     "beside: line 3: '" + bad + "' is not a weight"));
  }
  REQUIRE(contains(refusal(weights, "1\n1\n"), "beside: has fewer lines than"));
  REQUIRE(
      contains(refusal(weights, lines_for(prepared, "1") + "1\n"), "beside: has more lines than"));
  REQUIRE(contains(refusal(alignments, "0-0\n0=0\n"), "beside: line 2: '0=0' is not a link"));
  REQUIRE(contains(refusal(alignments, "0-0\n99-0\n"), "beside: line 2: link 99-0 is outside"));
  REQUIRE(contains(refusal(alignments, "0-0\n"), "beside: has fewer lines than"));
  // The file must be right whatever a run holds out.
  prepared.request.held_out.insert(prepared.text.source[0]);
  REQUIRE(prepared.prepare().report().held_out > 0);
  REQUIRE(contains(refusal(weights, "x\nx\n"), "beside: line 1: 'x' is not a weight"));
  REQUIRE(contains(refusal(alignments, "0=0\n"), "beside: line 1: '0=0' is not a link"));
}

TEST_CASE("Links count the token of the target language", "[data]") {
  PreparedText prepared(50);
  prepared.request.alignment_path = prepared.folder.write("links", lines_for(prepared, "0-0"));
  const auto plain = prepared.prepare();
  *prepared.source = with_languages(*prepared.source, {"de"}, "source");
  prepared.request.target_language = "de";
  const auto corpus = prepared.prepare();
  for (int64_t pair = 0; pair < corpus.size(); ++pair) {
    auto links = ids_of(plain.links(pair));
    REQUIRE_FALSE(links.empty());
    for (size_t i = 0; i < links.size(); i += 2) ++links[i];
    REQUIRE(ids_of(corpus.links(pair)) == links);
  }
}

}  // namespace nmt
