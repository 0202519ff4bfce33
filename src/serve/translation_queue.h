#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "http/http_message.h"
#include "serve/metrics.h"
#include "serve/model_catalog.h"
#include "threads/worker_threads.h"
#include "translate/translator.h"

namespace nmt {

/// A sentence to translate, and what its translation must contain.
struct Sentence {
  std::string text;
  TranslationConstraints guide = {};
};

/// The server is overloaded: the client should try again later.
class Busy : public HttpError {
 public:
  explicit Busy(const std::string& message) : HttpError(503, message) {}
};

/// Batches the sentences of many requests by model for threads that translate them. Requests take
/// turns, sentence by sentence, so that a text does not wait for the long lists before it
/// (start-time fair queueing; Goyal et al. 1996).
class TranslationQueue {
 public:
  /// Holds `max_waiting` sentences, each for at most `queue_timeout`. Throws Error when a thread
  /// cannot be started.
  TranslationQueue(int threads, size_t max_waiting, std::chrono::seconds queue_timeout,
                   Metrics& metrics);
  TranslationQueue(const TranslationQueue&) = delete;
  TranslationQueue& operator=(const TranslationQueue&) = delete;

  /// Waits for the translations of all sentences. Throws Busy when the queue is full or the timeout
  /// passes, ClientLeft once `has_left` returns true, and what the Translator throws.
  std::vector<Translation> translate(const ModelHandle& model,
                                     const std::vector<Sentence>& sentences,
                                     const TranslationOptions& options,
                                     const HasLeft& has_left = {});

  /// Waits until one of the queue's threads has run `work`. Throws as translate() does.
  void run_alone(const std::function<void()>& work, const HasLeft& has_left = {});

 private:
  using Clock = std::chrono::steady_clock;

  struct Waiting {
    ModelHandle model = {};
    Sentence sentence = {};
    TranslationOptions options = {};
    std::function<void()> work = {};  // replaces the sentence
    Clock::time_point deadline = {};
    HasLeft has_left = {};
    uint64_t turn = 0;
    std::promise<Translation> done = {};
  };
  using Batch = std::list<Waiting>;

  std::vector<std::future<Translation>> add(Batch&& more);
  Translation await(std::future<Translation>& done, Clock::time_point deadline);
  Batch take();
  void work();
  static void drop_obsolete(Batch& batch);
  void answer(Batch& batch);
  void answer_one(Batch& one);
  std::vector<Translation> translate_batch(const Batch& batch);

  const size_t max_waiting_;
  const std::chrono::seconds queue_timeout_;
  Metrics& metrics_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Batch waiting_;      // by turn
  uint64_t turn_ = 0;  // of requests that come now
  size_t idle_ = 0;    // threads waiting for work
  bool closing_ = false;

  WorkerThreads threads_;  // stopped before anything else is destroyed
};

}  // namespace nmt
