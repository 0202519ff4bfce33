#include "serve/connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace nmt {
namespace {

// An answer that nobody takes must not fill the memory.
constexpr size_t kMostUnsent = 32 << 20;

bool can_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Connection::~Connection() { ::close(socket_); }

bool Connection::receive() {
  std::array<char, 16384> bytes;
  const auto count = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count < 0) return can_wait();
  if (input_.empty()) began = Clock::now();
  input_.append(bytes.data(), static_cast<size_t>(count));
  return count > 0;
}

RequestFraming::Progress Connection::progress(const RequestLimits& limits) {
  // Empty lines before a request are allowed, and what some clients send behind a body.
  if (framing_.length() == 0) input_.erase(0, input_.find_first_not_of("\r\n"));
  return framing_.advance(input_, limits);
}

void Connection::encourage() {
  const size_t header = framing_.expectation();
  if (header == 0 || encouraged_) return;
  encouraged_ = true;
  input_[header] = 'x';  // so that nobody answers it again
  const std::string_view answer = "HTTP/1.1 100 Continue\r\n\r\n";
  ::send(socket_, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

void Connection::forget_request() {
  input_.erase(0, framing_.length());
  input_.shrink_to_fit();
  framing_ = {};
  encouraged_ = false;
  status_ = 0;
}

bool Connection::send(std::string_view bytes) {
  constexpr std::string_view kStart = "HTTP/1.1 ";
  if (broken_) return false;
  if (status_ == 0 && bytes.substr(0, kStart.size()) == kStart) {
    status_ = std::atoi(std::string(bytes.substr(kStart.size(), 3)).c_str());
  }
  output_.append(bytes);
  size_t sent = 0;
  while (sent < output_.size()) {
    const auto count =
        ::send(socket_, output_.data() + sent, output_.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && can_wait()) break;
    if (count < 0) broken_ = true;
    if (count <= 0) break;
    sent += static_cast<size_t>(count);
  }
  output_.erase(0, sent);
  if (output_.size() > kMostUnsent) broken_ = true;
  return !broken_;
}

void Connection::leave() {
  ::shutdown(socket_, SHUT_WR);
  input_.clear();
  input_.shrink_to_fit();
  state = State::kLeaving;
  began = Clock::now();
}

}  // namespace nmt
