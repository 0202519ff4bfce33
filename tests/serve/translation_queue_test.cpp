#include "serve/translation_queue.h"

#include <atomic>
#include <future>
#include <thread>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/no_more_threads.h"

namespace nmt {
namespace {

const std::string kBatches = "nmt_batches_total{source=\"ko\",target=\"en\"} ";

ModelHandle load_sample(int threads = 1) {
  auto translator =
      std::make_shared<const Translator>(TranslatorOptions{{NMT_SOURCE_DIR "/models/sample"},
                                                           "cpu",
                                                           threads,
                                                           TranslationEngine::kAuto,
                                                           TranslationPrecision::kFloat32,
                                                           threads});
  return std::make_shared<const LoadedModel>(LoadedModel{{}, {}, {"ko", "en"}, "", translator});
}

const ModelHandle& sample() {
  static const ModelHandle model = load_sample();
  return model;
}

/// Keeps a queue busy until it is released.
class BusyQueue {
 public:
  explicit BusyQueue(TranslationQueue& queue)
      : work_([this, &queue] {
          queue.run_alone([this] {
            begun_.set_value();
            go_.get_future().wait();
          });
        }) {
    begun_.get_future().wait();
  }

  void release() {
    go_.set_value();
    work_.join();
  }

 private:
  std::promise<void> begun_;
  std::promise<void> go_;
  std::thread work_;  // the last: it uses the others
};

}  // namespace

TEST_CASE("Every caller of a queue gets the translations of its own sentences", "[serve]") {
  const int translating = GENERATE(1, 2);
  const auto model = load_sample(translating);
  Metrics metrics;
  TranslationQueue queue(translating, 1000, std::chrono::seconds(60), metrics);
  const std::vector<std::string> lines = {"저는 책을 읽어요.", "저는 도서관에서 책을 읽었어요.", "",
                                          "우리는 학교에 갔어요."};
  TranslationOptions options;
  options.beam_size = 2;
  const auto expected = sample()->translator->translate(lines, options);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (size_t c = 0; c < 16; ++c) {
    callers.emplace_back([&, c] {
      for (size_t i = 0; i < 8; ++i) {
        const size_t line = (c + i) % lines.size();
        auto own = options;
        own.n_best = c % 2 == 0 ? 1 : 2;  // not all can be translated together
        const auto found = queue.translate(model, {{lines[line]}, {lines[0]}}, own);
        if (found[0].text != expected[line].text || found[1].text != expected[0].text) ++wrong;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  REQUIRE(wrong == 0);
}

TEST_CASE("One text does not wait for a long list before it", "[serve]") {
  Metrics metrics;
  TranslationQueue queue(1, 10, std::chrono::seconds(60), metrics);
  TranslationOptions options;
  options.batch_size = 1;
  BusyQueue busy(queue);
  std::thread list([&] { queue.translate(sample(), {{"a"}, {"b"}, {"c"}, {"d"}}, options); });
  while (!contains(metrics.text(), "nmt_queue_length 4\n")) std::this_thread::yield();
  std::string at_its_turn;
  std::thread text([&] { queue.run_alone([&] { at_its_turn = metrics.text(); }); });
  while (!contains(metrics.text(), "nmt_queue_length 5\n")) std::this_thread::yield();
  busy.release();
  for (auto* thread : {&list, &text}) thread->join();
  CHECK(contains(at_its_turn, kBatches + "1\n"));
}

TEST_CASE("A full queue says so at once and keeps what it has", "[serve]") {
  Metrics metrics;
  TranslationQueue queue(1, 2, std::chrono::seconds(60), metrics);
  {
    BusyQueue busy(queue);
    size_t kept = 0;
    std::thread waiting([&] { kept = queue.translate(sample(), {{"a"}, {"b"}}, {}).size(); });
    while (!contains(metrics.text(), "nmt_queue_length 2\n")) std::this_thread::yield();
    CHECK_THROWS_AS(queue.translate(sample(), {{"c"}}, {}), Busy);
    busy.release();
    waiting.join();
    CHECK(kept == 2);
  }
  REQUIRE_THROWS_AS(queue.translate(sample(), {{"a"}, {"b"}, {"c"}}, {}), Busy);
  REQUIRE(queue.translate(sample(), {}, {}).empty());
}

TEST_CASE("A sentence whose turn comes too late is not translated", "[serve]") {
  Metrics metrics;
  TranslationQueue queue(1, 10, std::chrono::seconds(-1), metrics);
  REQUIRE_THROWS_AS(queue.translate(sample(), {{"a"}}, {}), Busy);
}

TEST_CASE("A request that waits too long is answered while others are translated", "[serve]") {
  Metrics metrics;
  TranslationQueue queue(1, 10, std::chrono::seconds(1), metrics);
  BusyQueue busy(queue);
  std::promise<bool> refused;
  std::thread waiting([&] {
    try {
      queue.translate(sample(), {{"a"}, {"b"}}, {});
      refused.set_value(false);
    } catch (const Busy&) {
      refused.set_value(true);
    }
  });
  auto answer = refused.get_future();
  const bool answered = answer.wait_for(std::chrono::minutes(1)) == std::future_status::ready;
  CHECK(contains(metrics.text(), "nmt_queue_length 0\n"));
  busy.release();  // its work has begun in time
  waiting.join();
  REQUIRE(answered);
  REQUIRE(answer.get());
}

TEST_CASE("Sentences whose client has left are not translated", "[serve]") {
  Metrics metrics;
  TranslationQueue queue(1, 2, std::chrono::seconds(60), metrics);
  std::atomic<bool> left{false};
  const HasLeft has_left = [&] { return left.load(); };
  BusyQueue busy(queue);
  std::atomic<int> ended{0};
  std::atomic<bool> worked{false};
  const auto expect_end = [&](const std::function<void()>& call) {
    try {
      call();
    } catch (const ClientLeft&) {
      ++ended;
    }
  };
  std::thread one([&] { expect_end([&] { queue.translate(sample(), {{"a"}}, {}, has_left); }); });
  std::thread two([&] { expect_end([&] { queue.run_alone([&] { worked = true; }, has_left); }); });
  while (!contains(metrics.text(), "nmt_queue_length 2\n")) std::this_thread::yield();
  left = true;
  // One that comes after its client has left does not need a place in the queue.
  expect_end([&] { queue.translate(sample(), {{"b"}}, {}, has_left); });
  REQUIRE(ended == 1);
  busy.release();
  for (auto* thread : {&one, &two}) thread->join();
  REQUIRE(ended == 3);
  REQUIRE_FALSE(worked);
  REQUIRE_FALSE(contains(metrics.text(), kBatches));
  REQUIRE(queue.translate(sample(), {{"a"}}, {}).size() == 1);
}

TEST_CASE("One sentence's mistake is not its neighbors'", "[serve]") {
  Metrics metrics;
  TranslationQueue queue(1, 10, std::chrono::seconds(60), metrics);
  BusyQueue busy(queue);  // the others wait together from now on
  std::atomic<bool> refused{false};
  std::string text;
  std::thread bad([&] {
    try {
      queue.translate(sample(), {{"a", {"\xE2\x98\x83", {}}}}, {});
    } catch (const Error&) {
      refused = true;
    }
  });
  std::thread good([&] { text = queue.translate(sample(), {{"저는 책을 읽어요."}}, {})[0].text; });
  while (!contains(metrics.text(), "nmt_queue_length 2\n")) std::this_thread::yield();
  busy.release();
  for (auto* thread : {&bad, &good}) thread->join();
  REQUIRE(refused);
  REQUIRE(text == "I read a book.");
}

TEST_CASE("Sentences with different options never share a batch", "[serve]") {
  // One option of each type, none of them settable by a request; a hand-written comparison could
  // miss one.
  TranslationOptions other;
  const TranslationOptions usual;
  REQUIRE(other == usual);
  SECTION("choice") { other.length_normalization = ScoreNormalization::kMean; }
  SECTION("count") { other.diverse_groups = 5; }
  SECTION("number") { other.max_length_ratio = 2.0; }
  SECTION("flag") { other.copy_unknown = !usual.copy_unknown; }
  REQUIRE_FALSE(other == usual);
  Metrics metrics;
  TranslationQueue queue(1, 10, std::chrono::seconds(60), metrics);
  BusyQueue busy(queue);
  std::thread one([&] { queue.translate(sample(), {{"a"}}, usual); });
  std::thread two([&] { queue.translate(sample(), {{"a"}}, other); });
  while (!contains(metrics.text(), "nmt_queue_length 2\n")) std::this_thread::yield();
  busy.release();
  for (auto* thread : {&one, &two}) thread->join();
  REQUIRE(contains(metrics.text(), kBatches + "2\n"));
}

TEST_CASE("Sentences of different models never share a batch", "[serve]") {
  const auto other = load_sample();
  Metrics metrics;
  TranslationQueue queue(1, 10, std::chrono::seconds(60), metrics);
  BusyQueue busy(queue);
  std::thread one([&] { queue.translate(sample(), {{"a"}}, {}); });
  std::thread two([&] { queue.translate(other, {{"a"}}, {}); });
  while (!contains(metrics.text(), "nmt_queue_length 2\n")) std::this_thread::yield();
  busy.release();
  for (auto* thread : {&one, &two}) thread->join();
  REQUIRE(contains(metrics.text(), kBatches + "2\n"));
}

TEST_CASE("A queue whose threads cannot be started is an error", "[serve]") {
  Metrics metrics;
  sample();
  const NoMoreThreads none;
  REQUIRE(contains(error_of([&] { TranslationQueue(1, 1, std::chrono::seconds(60), metrics); }),
                   "threads: cannot start another"));
}

TEST_CASE("What work alone throws reaches its caller", "[serve]") {
  Metrics metrics;
  TranslationQueue queue(1, 10, std::chrono::seconds(60), metrics);
  REQUIRE_THROWS_AS(queue.run_alone([] { throw Error("no"); }), Error);
}

}  // namespace nmt
