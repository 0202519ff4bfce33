#include "distributed/heartbeat_monitor.h"

#include <algorithm>
#include <exception>
#include <future>
#include <system_error>
#include <utility>

#include "unicode/characters.h"

namespace nmt {
namespace {

constexpr char kEnd[] = "end";  // key: the reason why a process ended

std::string heartbeat_key(int rank) { return "heartbeat/" + std::to_string(rank); }

std::string process_name(int rank) { return "process " + std::to_string(rank); }

std::string duration_text(std::chrono::milliseconds duration) {
  return " for " + std::to_string(duration.count() / 1'000) + " seconds";
}

}  // namespace

Heartbeats::Heartbeats(std::unique_ptr<SharedTable> table, int rank, int size,
                       const HeartbeatTiming& timing, std::function<Time()> now)
    : table_(std::move(table)),
      rank_(rank),
      size_(size),
      timing_(timing),
      now_(std::move(now)),
      answered_(now_()),
      resumed_(answered_) {}

void Heartbeats::exchange() {
  try {
    table_->set(heartbeat_key(rank_), std::to_string(number_++));
    if (const auto end = table_->get(kEnd)) {  // may have come over the network
      return record_loss(printable(end->substr(0, end->find('\n'))));
    }
    const int first = rank_ == 0 ? 1 : 0;
    const int last = rank_ == 0 ? size_ - 1 : 0;
    for (int other = first; other <= last; ++other) look_at(other);
  } catch (const std::exception&) {
    // It is unknown whether the network, the machine or the process failed.
    return record_loss("the connection to process 0 broke");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  answered_ = now_();
}

/// A process without a heartbeat so far has until the timeout to send one.
void Heartbeats::look_at(int other) {
  const auto number = table_->get(heartbeat_key(other)).value_or("");
  auto& last = seen_[other];
  if (!last.changed || last.number != number) {
    last = {number, now_()};
  } else if (now_() - std::max(*last.changed, resumed()) > timing_.timeout) {
    const auto text = process_name(other) + " has not responded" + duration_text(timing_.timeout);
    record_loss(text);
    table_->set(kEnd, text);
  }
}

bool Heartbeats::check() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!loss_.empty()) return !stopped_ && now_() - lost_at_ > timing_.grace;
  const bool silent = now_() - answered_ > timing_.timeout;
  lock.unlock();
  if (silent) record_loss("process 0 has not responded" + duration_text(timing_.timeout));
  return false;
}

void Heartbeats::record_loss(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopped_ || !loss_.empty()) return;
  loss_ = text;
  lost_at_ = now_();
  changed_.notify_all();
}

Heartbeats::Time Heartbeats::resumed() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return resumed_;
}

std::string Heartbeats::loss() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return loss_;
}

std::string Heartbeats::loss_within(std::chrono::milliseconds time) const {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, time, [this] { return !loss_.empty(); });
  return loss_;
}

void Heartbeats::announce(const std::string& text) {
  try {
    table_->set(kEnd, text);
  } catch (const std::exception&) {  // nobody is left to notify
  }
}

void Heartbeats::announce_end(const std::string& reason) {
  if (loss().empty()) announce(process_name(rank_) + " has ended: " + reason);
}

void Heartbeats::record_broken_connection() {
  record_loss("the connection to another process broke; that process seems to have ended");
}

void Heartbeats::announce_broken_connection() {
  announce(process_name(rank_) +
           " lost its connection to another process, which seems to have ended");
}

void Heartbeats::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool Heartbeats::sleep(std::chrono::milliseconds time) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto begin = now_();
  const bool stopped = changed_.wait_for(lock, time, [this] { return stopped_; });
  const auto end = now_();
  if (end - begin > time + timing_.timeout / 2) resumed_ = answered_ = end;
  return !stopped;
}

HeartbeatMonitor::HeartbeatMonitor(std::unique_ptr<SharedTable> table, int rank, int size,
                                   std::function<void(const std::string&)> on_timeout,
                                   const HeartbeatTiming& timing)
    : heartbeats_(std::make_shared<Heartbeats>(std::move(table), rank, size, timing,
                                               std::chrono::steady_clock::now)) {
  exchanging_ = std::thread([heartbeats = heartbeats_, interval = timing.interval] {
    do {
      heartbeats->exchange();
    } while (heartbeats->loss().empty() && heartbeats->sleep(interval));
  });
  checking_ = std::thread([heartbeats = heartbeats_, interval = timing.interval / 4,
                           on_timeout = std::move(on_timeout)] {
    while (heartbeats->sleep(interval)) {
      if (heartbeats->check()) return on_timeout(heartbeats->loss());
    }
  });
}

void HeartbeatMonitor::announce_broken_connection() {
  constexpr std::chrono::seconds kTimeToAnnounce(2);
  std::packaged_task<void()> announce(
      [heartbeats = heartbeats_] { heartbeats->announce_broken_connection(); });
  const auto announced = announce.get_future();
  heartbeats_->record_broken_connection();
  try {
    std::thread(std::move(announce)).detach();
    announced.wait_for(kTimeToAnnounce);
  } catch (const std::system_error&) {  // no thread: the others notice it by themselves
  }
}

HeartbeatMonitor::~HeartbeatMonitor() {
  heartbeats_->stop();
  checking_.join();
  if (heartbeats_->loss().empty()) {
    exchanging_.join();
  } else {
    exchanging_.detach();  // it may wait for an answer that never comes
  }
}

}  // namespace nmt
