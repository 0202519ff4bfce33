#include "distributed/peer_watch.h"

#include <exception>
#include <utility>

namespace nmt {
namespace {

constexpr char kEnd[] = "end";  // why the first process that ended did

std::string beat_key(int rank) { return "beat/" + std::to_string(rank); }

std::string process_name(int rank) { return "process " + std::to_string(rank); }

std::string silence_text(std::chrono::milliseconds silence) {
  return " for " + std::to_string(silence.count() / 1'000) + " seconds";
}

using Clock = std::chrono::steady_clock;

}  // namespace

struct PeerWatch::State {
  /// What this process last saw of another.
  struct Seen {
    std::string beat;
    Clock::time_point changed;
  };

  std::unique_ptr<SharedTable> table;
  int rank = 0;
  int size = 1;
  std::function<void(const std::string&)> too_late;
  Patience patience;
  std::map<int, Seen> seen;  // by the beating thread alone

  mutable std::mutex mutex;  // guards what follows
  mutable std::condition_variable changed;
  bool stopped = false;
  std::string loss;
  Clock::time_point lost_at;
  Clock::time_point answered = Clock::now();  // when the table last did
  std::string ending;                         // to be announced

  void lose(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (stopped || !loss.empty()) return;
    loss = text;
    lost_at = Clock::now();
    changed.notify_all();
  }

  /// False when it is time to stop.
  bool sleep(Clock::duration time) const {
    std::unique_lock<std::mutex> lock(mutex);
    return !changed.wait_for(lock, time, [this] { return stopped; });
  }

  void look_at(int other);
  void exchange(int64_t number);
};

/// A process that has not written yet has had no time to be silent.
void PeerWatch::State::look_at(int other) {
  const auto beat = table->get(beat_key(other)).value_or("");
  const auto now = Clock::now();
  auto& last = seen[other];
  if (last.changed == Clock::time_point() || last.beat != beat) {
    last = {beat, now};
  } else if (now - last.changed > patience.silence) {
    const auto text =
        process_name(other) + " has not been heard of" + silence_text(patience.silence);
    lose(text);
    table->set(kEnd, text);
  }
}

void PeerWatch::State::exchange(int64_t number) {
  table->set(beat_key(rank), std::to_string(number));
  if (const auto end = table->get(kEnd)) return lose(*end);
  if (rank != 0) return look_at(0);
  for (int other = 1; other < size; ++other) look_at(other);
}

PeerWatch::PeerWatch(std::unique_ptr<SharedTable> table, int rank, int size,
                     std::function<void(const std::string&)> too_late, const Patience& patience)
    : state_(std::make_shared<State>()) {
  state_->table = std::move(table);
  state_->rank = rank;
  state_->size = size;
  state_->too_late = std::move(too_late);
  state_->patience = patience;
  beating_ = std::thread([state = state_] { beat(state); });
  guarding_ = std::thread([state = state_] { guard(state); });
}

PeerWatch::~PeerWatch() {
  stop();
  guarding_.join();
  if (loss().empty()) {
    beating_.join();
  } else {
    beating_.detach();  // it may wait for an answer that never comes
  }
}

void PeerWatch::beat(const std::shared_ptr<State>& state) {
  int64_t number = 0;
  do {
    try {
      state->exchange(number++);
    } catch (const std::exception&) {
      // Not said: which of the network, the machine and the process it was cannot be known.
      return state->lose("the connection to process 0 broke");
    }
    const std::lock_guard<std::mutex> lock(state->mutex);
    state->answered = Clock::now();
  } while (state->sleep(state->patience.beat));
}

/// The beating thread may hang in the network, this one never does.
void PeerWatch::guard(const std::shared_ptr<State>& state) {
  while (state->sleep(state->patience.beat / 4)) {
    std::unique_lock<std::mutex> lock(state->mutex);
    const auto now = Clock::now();
    const bool silent = state->loss.empty() && now - state->answered > state->patience.silence;
    const bool late = !state->loss.empty() && now - state->lost_at > state->patience.grace;
    const auto text = state->loss;
    lock.unlock();
    if (silent) state->lose("process 0 does not answer" + silence_text(state->patience.silence));
    if (late) return state->too_late(text);
  }
}

std::string PeerWatch::loss() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->loss;
}

std::string PeerWatch::loss_within(std::chrono::milliseconds time) const {
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->changed.wait_for(lock, time, [this] { return !state_->loss.empty(); });
  return state_->loss;
}

void PeerWatch::announce(const std::string& text) {
  try {
    state_->table->set(kEnd, text);
  } catch (const std::exception&) {  // then there is nobody to tell
  }
}

void PeerWatch::announce_end(const std::string& reason) {
  if (loss().empty()) announce(process_name(state_->rank) + " has ended: " + reason);
}

void PeerWatch::announce_broken_connection() {
  state_->lose("the connection to another process broke; that seems to have ended");
  announce(process_name(state_->rank) +
           " has lost its connection to another, which seems to have ended");
}

void PeerWatch::stop() {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->stopped = true;
  state_->changed.notify_all();
}

}  // namespace nmt
