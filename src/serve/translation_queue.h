#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "errors/error.h"
#include "serve/metrics.h"
#include "translate/translator.h"

namespace nmt {

/// The server has more to do than it can: try again later.
class Busy : public Error {
 public:
  using Error::Error;
};

struct Sentence {
  std::string text;
  TranslationGuide guide = {};
};

/// Sentences of many requests, translated together, first come, first served, by as many threads as
/// the translator has callers.
class TranslationQueue {
 public:
  /// `max_waiting` sentences; each waits `patience` at most before its turn.
  TranslationQueue(const Translator& translator, size_t max_waiting, std::chrono::seconds patience,
                   Metrics& metrics);
  ~TranslationQueue();  // what waits is translated first
  TranslationQueue(const TranslationQueue&) = delete;
  TranslationQueue& operator=(const TranslationQueue&) = delete;

  /// Waits for the translations of all sentences. Throws Busy when there is no room for them or
  /// their turn does not come in time, and what the Translator throws.
  std::vector<Translation> translate(const std::vector<Sentence>& sentences,
                                     const TranslationOptions& options);

  /// Waits until its turn has come and `work` is done, by one of those threads.
  void run_alone(const std::function<void(const Translator&)>& work);

 private:
  using Clock = std::chrono::steady_clock;

  struct Waiting {
    Sentence sentence = {};
    TranslationOptions options = {};
    std::function<void(const Translator&)> work = {};  // instead of a sentence, where there is one
    Clock::time_point deadline = {};
    std::promise<Translation> done = {};
  };
  using Batch = std::list<Waiting>;

  std::vector<std::future<Translation>> add(Batch&& more);
  Batch take();
  void work();
  void answer(Batch& batch);
  void answer_alone(Waiting& one);
  std::vector<Translation> translate_batch(const Batch& batch);

  const Translator& translator_;
  const size_t max_waiting_;
  const std::chrono::seconds patience_;
  Metrics& metrics_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Batch waiting_;
  size_t idle_ = 0;  // threads that wait for work
  bool closing_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace nmt
