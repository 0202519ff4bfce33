#include "serve/translation_queue.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace nmt {
TranslationQueue::TranslationQueue(int threads, size_t max_waiting,
                                   std::chrono::seconds queue_timeout, Metrics& metrics)
    : max_waiting_(max_waiting),
      queue_timeout_(queue_timeout),
      metrics_(metrics),
      threads_(
          threads, [this] { work(); },
          [this] {
            const std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
            changed_.notify_all();
          }) {}

std::vector<Translation> TranslationQueue::translate(const ModelHandle& model,
                                                     const std::vector<Sentence>& sentences,
                                                     const TranslationOptions& options,
                                                     const HasLeft& has_left) {
  Batch more;
  const auto deadline = Clock::now() + queue_timeout_;
  for (const auto& sentence : sentences) {
    more.push_back({model, sentence, options, /*work=*/{}, deadline, has_left});
  }
  std::vector<Translation> translations;
  for (auto& done : add(std::move(more))) translations.push_back(await(done, deadline));
  return translations;
}

void TranslationQueue::run_alone(const std::function<void()>& work, const HasLeft& has_left) {
  Batch one;
  const auto deadline = Clock::now() + queue_timeout_;
  one.push_back({/*model=*/{}, /*sentence=*/{}, /*options=*/{}, work, deadline, has_left});
  await(add(std::move(one)).front(), deadline);
}

/// After the deadline, waits only for what a thread has taken already.
Translation TranslationQueue::await(std::future<Translation>& done, Clock::time_point deadline) {
  if (done.wait_until(deadline) == std::future_status::timeout) {
    const std::lock_guard<std::mutex> lock(mutex_);
    drop_obsolete(waiting_);
    metrics_.set_queue_length(static_cast<int64_t>(waiting_.size()));
  }
  return done.get();
}

std::vector<std::future<Translation>> TranslationQueue::add(Batch&& more) {
  std::vector<std::future<Translation>> futures;
  for (auto& waiting : more) futures.push_back(waiting.done.get_future());
  drop_obsolete(more);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (waiting_.size() + more.size() > max_waiting_) {
      throw Busy("too many queued sentences; try again in a moment");
    }
    auto turn = turn_;
    for (auto& waiting : more) waiting.turn = turn++;
    waiting_.merge(more, [](const Waiting& a, const Waiting& b) { return a.turn < b.turn; });
    metrics_.set_queue_length(static_cast<int64_t>(waiting_.size()));
  }
  changed_.notify_all();
  return futures;
}

TranslationQueue::Batch TranslationQueue::take() {
  std::unique_lock<std::mutex> lock(mutex_);
  ++idle_;
  changed_.wait(lock, [this] { return !waiting_.empty() || closing_; });
  const size_t sharing = idle_--;
  Batch batch;
  if (waiting_.empty()) return batch;
  // The other idle threads get equal shares.
  const size_t share = (waiting_.size() + sharing - 1) / sharing;
  batch.splice(batch.end(), waiting_, waiting_.begin());
  const auto& first = batch.front();
  turn_ = std::max(turn_ + 1, first.turn);  // or those that come later could always be first
  const auto size = std::min(share, static_cast<size_t>(first.options.batch_size));
  for (auto next = waiting_.begin();
       !first.work && next != waiting_.end() && batch.size() < size;) {
    const auto candidate = next++;
    const bool together =
        !candidate->work && candidate->model->translator == first.model->translator &&
        candidate->model->marker == first.model->marker && candidate->options == first.options;
    if (together) batch.splice(batch.end(), waiting_, candidate);
  }
  metrics_.set_queue_length(static_cast<int64_t>(waiting_.size()));
  return batch;
}

void TranslationQueue::work() {
  for (auto batch = take(); !batch.empty(); batch = take()) {
    try {
      answer(batch);
    } catch (const std::exception&) {
      // Out of memory: callers without an answer get an exception when the batch is destroyed.
    }
    batch.clear();  // or its models would stay in memory until the next batch
  }
}

std::vector<Translation> TranslationQueue::translate_batch(const Batch& batch) {
  std::vector<std::string> lines;
  std::vector<TranslationConstraints> guides;
  for (const auto& waiting : batch) {
    lines.push_back(waiting.sentence.text);
    guides.push_back(waiting.sentence.guide);
  }
  const auto& model = *batch.front().model;
  auto translations = model.translator->translate(lines, batch.front().options, guides);
  metrics_.count_batch(model.direction, translations);
  return translations;
}

void TranslationQueue::answer_one(Batch& one) {
  auto& waiting = one.front();
  try {
    if (waiting.work) {
      waiting.work();
      waiting.done.set_value({});
    } else {
      waiting.done.set_value(std::move(translate_batch(one).front()));
    }
  } catch (...) {
    waiting.done.set_exception(std::current_exception());
  }
}

/// Answers those that waited too long, or whose client has left.
void TranslationQueue::drop_obsolete(Batch& batch) {
  const auto now = Clock::now();
  for (auto next = batch.begin(); next != batch.end();) {
    const auto waiting = next++;
    const bool left = waiting->has_left && waiting->has_left();
    if (!left && waiting->deadline > now) continue;
    if (left) {
      waiting->done.set_exception(std::make_exception_ptr(ClientLeft()));
    } else {
      waiting->done.set_exception(
          std::make_exception_ptr(Busy("the request waited too long; try again in a moment")));
    }
    batch.erase(waiting);
  }
}

void TranslationQueue::answer(Batch& batch) {
  drop_obsolete(batch);
  if (batch.size() > 1) {
    try {
      auto translations = translate_batch(batch);
      size_t i = 0;
      for (auto& waiting : batch) waiting.done.set_value(std::move(translations[i++]));
      return;
    } catch (...) {
      // An error in one sentence, such as a prefix that the model cannot produce, must not affect
      // the others: each is translated alone.
    }
  }
  while (!batch.empty()) {
    Batch one;
    one.splice(one.end(), batch, batch.begin());
    answer_one(one);
  }
}

}  // namespace nmt
