#include "serve/connections.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "errors/error.h"

namespace nmt {
namespace {

constexpr int kTickMs = 100;
constexpr std::chrono::seconds kLeaving{2};
constexpr size_t kMostRefused = 256;  // connections that are only told so

}  // namespace

Connections::Connections(int listener, const ConnectionLimits& limits, Answer answer,
                         Refusal refusal, RouteName route, Metrics& metrics)
    : listener_(listener),
      limits_(limits),
      answer_(std::move(answer)),
      refusal_(std::move(refusal)),
      route_(std::move(route)),
      metrics_(metrics),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      alarm_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (events_ < 0 || alarm_ < 0) throw Error(std::string("epoll: ") + std::strerror(errno));
  watch(listener_, EPOLLIN, false);
  watch(alarm_, EPOLLIN, false);
  for (int i = 0; i < limits_.threads; ++i) threads_.emplace_back([this] { answer_requests(); });
}

Connections::~Connections() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
  }
  ready_changed_.notify_all();
  for (auto& thread : threads_) thread.join();
  ::close(events_);
  ::close(alarm_);
}

void Connections::serve(const std::function<bool()>& ending) {
  std::array<epoll_event, 256> events;
  auto swept = Clock::now();
  while (!is_drained()) {
    const int count =
        ::epoll_wait(events_, events.data(), static_cast<int>(events.size()), kTickMs);
    for (int i = 0; i < count; ++i) {
      const auto& event = events[static_cast<size_t>(i)];
      on_event(event.data.fd, event.events);
    }
    if (listening_ && ending()) stop_listening();
    if (Clock::now() - swept < std::chrono::milliseconds(kTickMs)) continue;
    drop_late();
    metrics_.set_connections(static_cast<int64_t>(connections_.size()));
    swept = Clock::now();
  }
}

void Connections::watch(int socket, unsigned events, bool known) {
  epoll_event event{};
  event.events = events;
  event.data.fd = socket;
  ::epoll_ctl(events_, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
}

void Connections::on_event(int socket, unsigned events) {
  if (socket == listener_) return accept_clients();
  if (socket == alarm_) return collect_answered();
  const auto found = connections_.find(socket);
  if (found == connections_.end()) return;
  auto& connection = *found->second;
  switch (connection.state) {
    case Connection::State::kReading:
    case Connection::State::kLeaving:
      return read_from(connection);
    case Connection::State::kWriting:
      if ((events & (EPOLLERR | EPOLLHUP)) != 0 || !connection.flush()) return drop(connection);
      return after_answer(connection);
    case Connection::State::kAnswering:
      return;  // not watched
  }
}

void Connections::accept_clients() {
  while (listening_) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (connections_.size() >= limits_.max_connections + kMostRefused) {
      ::close(socket);  // not even time for an answer
      continue;
    }
    auto& connection = *(connections_[socket] = std::make_unique<Connection>(socket));
    watch(socket, EPOLLIN, false);
    if (connections_.size() > limits_.max_connections) {
      refuse(connection, 503, "too many connections are open; try again in a moment");
    }
  }
}

void Connections::read_from(Connection& connection) {
  const bool open = connection.receive();
  if (connection.state == Connection::State::kLeaving) connection.discard_input();
  if (!open) return drop(connection);
  if (connection.state == Connection::State::kReading) next_step(connection);
}

void Connections::next_step(Connection& connection) {
  switch (connection.progress(limits_.request)) {
    case RequestFraming::Progress::kRefused:
      return refuse(connection, connection.framing().status(), connection.framing().reason());
    case RequestFraming::Progress::kWhole:
      connection.encourage();
      return hand_over(connection);
    case RequestFraming::Progress::kMore:
      return connection.encourage();
  }
}

void Connections::hand_over(Connection& connection) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ready_.size() < limits_.max_waiting) {
      ::epoll_ctl(events_, EPOLL_CTL_DEL, connection.socket(), nullptr);
      connection.state = Connection::State::kAnswering;
      connection.arrived = Clock::now();
      ready_.push_back(&connection);
      ready_changed_.notify_one();
      return;
    }
  }
  refuse(connection, 503, "too many requests are waiting; try again in a moment");
}

void Connections::refuse(Connection& connection, int status, const std::string& reason) {
  connection.arrived = Clock::now();
  connection.send(refusal_(status, reason));
  count(connection);
  connection.leave();
}

void Connections::count(const Connection& connection) {
  metrics_.count_request(route_(connection.request()), connection.status(),
                         Clock::now() - connection.arrived);
}

void Connections::collect_answered() {
  uint64_t alarms = 0;
  if (::read(alarm_, &alarms, sizeof(alarms)) < 0) return;
  std::vector<Connection*> answered;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    answered.swap(answered_);
  }
  for (auto* connection : answered) {
    connection->forget_request();
    connection->state = Connection::State::kWriting;
    connection->began = Clock::now();
    watch(connection->socket(), EPOLLOUT, false);
    if (connection->is_broken()) {
      drop(*connection);
    } else {
      after_answer(*connection);
    }
  }
}

/// Goes on where all is sent.
void Connections::after_answer(Connection& connection) {
  if (!connection.is_flushed()) return;
  watch(connection.socket(), EPOLLIN, true);
  if (connection.closes || !listening_) return connection.leave();
  connection.state = Connection::State::kReading;
  connection.began = Clock::now();
  if (!connection.is_idle()) next_step(connection);  // it did not wait for the answer
}

void Connections::drop(Connection& connection) { connections_.erase(connection.socket()); }

bool Connections::is_late(const Connection& connection, Clock::time_point now) const {
  const auto age = now - connection.began;
  switch (connection.state) {
    case Connection::State::kReading:
      return age > (connection.is_idle() ? limits_.idle : limits_.reading);
    case Connection::State::kWriting:
      return age > limits_.writing;
    case Connection::State::kLeaving:
      return age > kLeaving;
    case Connection::State::kAnswering:
      return false;
  }
  return false;
}

void Connections::drop_late() {
  const auto now = Clock::now();
  size_t buffered = 0;
  std::vector<Connection*> late;
  for (const auto& [socket, connection] : connections_) {
    const bool answering = connection->state == Connection::State::kAnswering;
    buffered += answering ? 0 : connection->buffered();
    const bool too_much = !answering && buffered > limits_.max_buffered;
    if (too_much || is_late(*connection, now)) late.push_back(connection.get());
  }
  for (auto* connection : late) {
    if (connection->state == Connection::State::kReading && !connection->is_idle()) {
      refuse(*connection, 408, "the request did not come in time");
    } else {
      drop(*connection);
    }
  }
}

void Connections::stop_listening() {
  ::epoll_ctl(events_, EPOLL_CTL_DEL, listener_, nullptr);
  ::shutdown(listener_, SHUT_RDWR);  // clients are refused from now on
  listening_ = false;
  stopped_listening_ = Clock::now();
  std::vector<Connection*> without_request;
  for (const auto& [socket, connection] : connections_) {
    if (connection->is_idle()) without_request.push_back(connection.get());
  }
  for (auto* connection : without_request) drop(*connection);
}

bool Connections::is_drained() const {
  if (listening_) return false;
  if (connections_.empty()) return true;
  return Clock::now() - stopped_listening_ > limits_.draining;
}

Connection* Connections::next_ready() {
  std::unique_lock<std::mutex> lock(mutex_);
  ready_changed_.wait(lock, [this] { return !ready_.empty() || closing_; });
  if (ready_.empty()) return nullptr;
  auto* connection = ready_.front();
  ready_.pop_front();
  return connection;
}

void Connections::answer_requests() {
  while (auto* connection = next_ready()) {
    if (Clock::now() - connection->arrived > limits_.patience) {
      connection->send(refusal_(503, "its turn did not come in time; try again in a moment"));
      connection->closes = true;
    } else {
      connection->closes = !answer_(*connection);
    }
    count(*connection);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      answered_.push_back(connection);
    }
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(alarm_, &one, sizeof(one));
  }
}

}  // namespace nmt
