#include "serve/translation_cache.h"

#include <string>
#include <thread>
#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

const ModelStamp kModel = {{1, 2, 3, 4}};

CacheKey key_of(const std::string& text) { return {kModel, {text, {}}, {}}; }

Translation translation_of(const std::string& text) {
  Translation translation;
  translation.text = text;
  translation.candidates.emplace_back().text = text;
  return translation;
}

std::string found(TranslationCache& cache, const CacheKey& key) {
  const auto translation = cache.find(key);
  return translation ? translation->text : "none";
}

}  // namespace

TEST_CASE("A cached translation is found by all that it depends on", "[serve][cache]") {
  TranslationCache cache(1 << 20);
  CHECK(found(cache, key_of("a")) == "none");
  cache.insert(key_of("a"), translation_of("A"));
  CHECK(found(cache, key_of("a")) == "A");
  CHECK(found(cache, key_of("b")) == "none");

  auto other = key_of("a");
  other.model = {{1, 2, 3, 5}};
  CHECK(found(cache, other) == "none");
  other = key_of("a");
  other.options.beam_size = 4;
  CHECK(found(cache, other) == "none");
  cache.insert(CacheKey(other), translation_of("A of beam 4"));
  CHECK(found(cache, other) == "A of beam 4");
  CHECK(found(cache, key_of("a")) == "A");
  other = key_of("a");
  other.sentence.guide.prefix = "x";
  CHECK(found(cache, other) == "none");
  other = key_of("a");
  other.sentence.guide.phrases = {"x"};
  CHECK(found(cache, other) == "none");

  CHECK(cache.counts().hits == 3);
  CHECK(cache.counts().misses == 6);
}

TEST_CASE("A full cache forgets what was used least recently", "[serve][cache]") {
  TranslationCache large(1 << 20);
  large.insert(key_of("a"), translation_of("A"));
  const size_t one = large.counts().bytes;
  CHECK(one > sizeof(Translation) + sizeof(CacheKey));

  TranslationCache cache(3 * one);
  for (const std::string text : {"a", "b", "c"}) cache.insert(key_of(text), translation_of(text));
  CHECK(cache.counts().bytes == 3 * one);
  CHECK(found(cache, key_of("a")) == "a");
  cache.insert(key_of("d"), translation_of("d"));
  CHECK(cache.counts().bytes == 3 * one);
  CHECK(found(cache, key_of("b")) == "none");
  for (const std::string text : {"a", "c", "d"}) CHECK(found(cache, key_of(text)) == text);

  cache.insert(key_of("d"), translation_of("again"));
  CHECK(found(cache, key_of("d")) == "d");
  CHECK(cache.counts().bytes == 3 * one);

  cache.insert(key_of("long"), translation_of(std::string(3 * one, 'x')));
  CHECK(found(cache, key_of("long")) == "none");
  CHECK(found(cache, key_of("d")) == "d");
}

TEST_CASE("The memory of attention and words is counted", "[serve][cache]") {
  TranslationCache cache(100 << 20);
  auto translation = translation_of("A");
  translation.candidates[0].attention.assign(1000, std::vector<float>(1000));
  translation.candidates[0].words.assign(1000, std::string(100, 'x'));
  cache.insert(key_of("a"), translation);
  CHECK(cache.counts().bytes > 1000 * (1000 * sizeof(float) + 100));
  CHECK(cache.counts().bytes < 1000 * (1000 * sizeof(float) + 100) * 11 / 10);
}

TEST_CASE("Threads share a cache", "[serve][cache]") {
  TranslationCache cache(20000);  // some twenty translations
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t thread = 0; thread < wrong.size(); ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 5000; ++i) {
        const auto text = std::to_string(i * (thread + 1) % 60);
        const auto known = cache.find(key_of(text));
        if (known && known->text != text) ++wrong[thread];
        if (!known) cache.insert(key_of(text), translation_of(text));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
  const auto counts = cache.counts();
  CHECK(counts.bytes <= 20000);
  CHECK(counts.hits + counts.misses == 20000);
  CHECK(counts.hits > 0);
}

}  // namespace nmt
