// SentencePiece and LibTorch carry different versions of Protobuf: both must work in one process,
// at once and from many threads.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "support/torch_catch.h"
#include "text/sample_text.h"
#include "text/tokenizer.h"

namespace {

using Ids = std::vector<std::vector<int32_t>>;

void run_together(const std::vector<std::function<void()>>& tasks) {
  std::vector<std::thread> threads;
  for (const auto& task : tasks) threads.emplace_back(task);
  for (auto& thread : threads) thread.join();
}

/// Sentences for which the tokenizer gives other ids or another text than expected.
int64_t count_differences(const nmt::Tokenizer& tokenizer, const std::vector<std::string>& texts,
                          const Ids& expected) {
  int64_t differences = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto ids = tokenizer.encode(texts[i]);
    if (ids != expected[i] || tokenizer.decode(ids) != texts[i]) ++differences;
  }
  return differences;
}

}  // namespace

TEST_CASE("Eight threads encode alike while LibTorch computes and a vocabulary is trained",
          "[text][threads]") {
  const auto texts = nmt::sample_sentences(2003, 11);
  for (const std::string type : {"unigram", "bpe"}) {
    const std::string model = nmt::train_sample(type, 97);
    const auto tokenizer = nmt::Tokenizer::from_bytes(model, "sample");
    Ids expected;
    for (const auto& text : texts) expected.push_back(tokenizer.encode(text));

    std::atomic<int64_t> differences{0};
    std::atomic<bool> models_equal{true};
    std::vector<std::function<void()>> tasks(8, [&, copy = tokenizer] {
      for (int round = 0; round < 3; ++round) {
        differences += count_differences(copy, texts, expected);
      }
    });
    tasks.push_back([&] {
      for (int round = 0; round < 3; ++round) {
        if (nmt::train_sample(type, 97) != model) models_equal = false;
      }
    });
    const auto a = at::ones({193, 211});
    double product_sum = 0;
    tasks.push_back([&] {
      for (int round = 0; round < 50; ++round) {
        product_sum = at::matmul(a, a.t()).sum().item<double>();
      }
    });
    run_together(tasks);

    CHECK(differences == 0);
    CHECK(models_equal);
    CHECK(product_sum == 193.0 * 193.0 * 211.0);
  }
}

TEST_CASE("Short-lived threads may each load, use and drop a tokenizer", "[text][threads]") {
  const std::string model = nmt::train_sample("unigram", 97);
  const auto expected = nmt::Tokenizer::from_bytes(model, "sample").encode("green lantern");
  std::atomic<int> num_equal{0};
  for (int round = 0; round < 20; ++round) {
    run_together(std::vector<std::function<void()>>(5, [&] {
      if (nmt::Tokenizer::from_bytes(model, "own").encode("green lantern") == expected) ++num_equal;
    }));
  }
  CHECK(num_equal == 100);
}

TEST_CASE("Three vocabularies are trained at once, and sampled from, beside LibTorch",
          "[text][threads]") {
  const std::vector<std::string> types = {"unigram", "bpe", "unigram"};
  const std::vector<int64_t> sizes = {97, 103, 109};
  const auto texts = nmt::sample_sentences(100, 13);
  struct Trained {
    std::string model;
    Ids samples;
  };
  const auto train = [&](size_t i) {
    Trained trained{nmt::train_sample(types[i], sizes[i]), {}};
    const auto tokenizer = nmt::Tokenizer::from_bytes(trained.model, "sample");
    for (const auto& text : texts) trained.samples.push_back(tokenizer.sample(text, 0.1, i));
    return trained;
  };
  std::vector<Trained> one_by_one;
  for (size_t i = 0; i < types.size(); ++i) one_by_one.push_back(train(i));
  std::vector<Trained> at_once(types.size());
  double sum = 0;
  std::vector<std::function<void()>> tasks = {[&] {
    sum = at::matmul(at::ones({97, 89}), at::ones({89, 97})).sum().item<double>();
  }};
  for (size_t i = 0; i < types.size(); ++i) {
    tasks.push_back([&, i] { at_once[i] = train(i); });
  }
  run_together(tasks);
  CHECK(sum == 97.0 * 89.0 * 97.0);
  for (size_t i = 0; i < types.size(); ++i) {
    CHECK(at_once[i].model == one_by_one[i].model);
    CHECK(at_once[i].samples == one_by_one[i].samples);
  }
}
