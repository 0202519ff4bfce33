// Load test of a running `nmt serve`: many connections, each of which sends the next request as
// soon as the last is answered.
//
//   build/dev/bin/server_load 8080 [CONNECTIONS] [SECONDS] [FILE] [SOURCE] [TARGET]
//
// With https:8080 as the port, the connections are encrypted. FILE holds one sentence per line and
// request. Every response is read to its end and checked: it needs a status and, with 200, a
// translation that is not empty. Prints responses by status, failures, throughput and latency. It
// shares the server's cores: hence one thread.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Client {
  int socket = -1;
  SSL* tls = nullptr;  // null: not encrypted
  std::string answer;
  Clock::time_point asked = {};
  Clock::time_point asks_again = {};  // at first, and after a 503
};

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20;
    if (c == '"' || c == '\\') json += '\\';
    json += control ? ' ' : c;
  }
  return json + '"';
}

std::vector<std::string> read_requests(const char* file, const std::string& direction) {
  std::vector<std::string> requests;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto body = "{\"q\":" + quoted(line) + direction + "}";
    requests.push_back(
        "POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Content-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  return requests;
}

/// The body of a whole answer; false while there is more to come.
bool find_body(std::string_view answer, std::string_view& body) {
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const size_t end = answer.find("\r\n\r\n");
  const size_t length = answer.find(kLength);
  if (end == answer.npos || length > end) return false;
  const auto size = std::strtoul(answer.data() + length + kLength.size(), nullptr, 10);
  body = answer.substr(end + 4);
  return body.size() >= size;
}

class Load {
 public:
  Load(uint16_t port, bool encrypted, size_t connections, std::vector<std::string> requests)
      : requests_(std::move(requests)),
        clients_(connections),
        tls_(encrypted ? SSL_CTX_new(TLS_client_method()) : nullptr) {
    address_.sin_family = AF_INET;
    address_.sin_port = htons(port);
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (size_t i = 0; i < connections; ++i) connect(i);
  }

  void run(std::chrono::seconds duration) {
    const auto began = Clock::now();
    const auto end = began + duration;
    for (auto& client : clients_) wait(client, began, 0, 1);
    std::array<epoll_event, 256> events;
    while (asking_ > 0 || Clock::now() < end) {
      const int count =
          ::epoll_wait(events_, events.data(), events.size(), waiting_ > 0 ? 10 : 100);
      const auto now = Clock::now();
      for (int i = 0; i < count; ++i) read(events[i].data.u64, now < end);
      if (waiting_ > 0 && now > asked_again_ + std::chrono::milliseconds(5)) {
        asked_again_ = now;
        ask_again(now, now < end);
      }
      if (now > end + std::chrono::seconds(60)) break;
    }
    report(std::chrono::duration<double>(Clock::now() - began).count());
  }

  bool has_failed() const { return !failures_.empty(); }

 private:
  void connect(size_t i) {
    auto& client = clients_[i];
    client.socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    ::setsockopt(client.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (::connect(client.socket, reinterpret_cast<sockaddr*>(&address_), sizeof(address_)) != 0) {
      std::perror("connect");
      std::exit(1);
    }
    if (tls_ != nullptr) {
      client.tls = SSL_new(tls_);
      SSL_set_fd(client.tls, client.socket);
      if (SSL_connect(client.tls) != 1) {
        std::fputs("TLS: not negotiated\n", stderr);
        std::exit(1);
      }
    }
    ::fcntl(client.socket, F_SETFL, O_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    ::epoll_ctl(events_, EPOLL_CTL_ADD, client.socket, &event);
  }

  void ask(Client& client) {
    const auto& request = requests_[next_++ % requests_.size()];
    client.answer.clear();
    client.asked = Clock::now();
    ++asking_;
    const auto sent = client.tls != nullptr
                          ? SSL_write(client.tls, request.data(), static_cast<int>(request.size()))
                          : ::send(client.socket, request.data(), request.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(request.size())) fail(client, "not sent");
  }

  void fail(Client& client, const char* reason) {
    ++failures_[reason];
    --asking_;
    SSL_free(client.tls);
    client.tls = nullptr;
    ::close(client.socket);
    client.socket = -1;
  }

  /// All that has arrived; false when the connection is closed.
  bool receive(Client& client) const {
    std::array<char, 16384> bytes;
    for (;;) {
      const auto count = client.tls != nullptr
                             ? SSL_read(client.tls, bytes.data(), static_cast<int>(bytes.size()))
                             : ::recv(client.socket, bytes.data(), bytes.size(), 0);
      if (count <= 0) {
        return client.tls != nullptr
                   ? SSL_get_error(client.tls, static_cast<int>(count)) == SSL_ERROR_WANT_READ
                   : count < 0 && errno == EAGAIN;
      }
      client.answer.append(bytes.data(), static_cast<size_t>(count));
    }
  }

  void read(size_t i, bool goes_on) {
    auto& client = clients_[i];
    if (!receive(client)) return fail(client, "connection closed");
    std::string_view body;
    if (!find_body(client.answer, body)) return;
    const auto now = Clock::now();
    const int status = std::atoi(client.answer.c_str() + std::string_view("HTTP/1.1 ").size());
    ++statuses_[status];
    --asking_;
    if (status == 200) {
      constexpr std::string_view kText = "{\"translatedText\":\"";
      const bool has_text = body.substr(0, kText.size()) == kText && body[kText.size()] != '"';
      if (!has_text) ++failures_["no translation"];
      times_.push_back(std::chrono::duration<double, std::milli>(now - client.asked).count());
      if (goes_on) ask(client);
    } else {
      refused_.push_back(std::chrono::duration<double, std::milli>(now - client.asked).count());
      wait(client, now, 0.5, 1.5);  // one second on average, as Retry-After says
    }
  }

  /// Asks at some moment between so many seconds: clients do not all act at once.
  void wait(Client& client, Clock::time_point now, double least, double most) {
    const std::chrono::duration<double> pause(std::uniform_real_distribution(least, most)(random_));
    client.asks_again = now + std::chrono::duration_cast<Clock::duration>(pause);
    ++waiting_;
  }

  void ask_again(Clock::time_point now, bool goes_on) {
    for (auto& client : clients_) {
      if (client.asks_again == Clock::time_point() || client.asks_again > now) continue;
      client.asks_again = {};
      --waiting_;
      if (goes_on) ask(client);
    }
  }

  static void print_quantiles(std::vector<double>& times) {
    std::sort(times.begin(), times.end());
    const auto quantile = [&](double share) {
      return times.empty()
                 ? 0.0
                 : times[static_cast<size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("  ms: median %.0f  p95 %.0f  p99 %.0f  most %.0f\n", quantile(0.5), quantile(0.95),
                quantile(0.99), quantile(1));
  }

  void report(double seconds) {
    std::printf("connections %zu  seconds %.1f  answers", clients_.size(), seconds);
    for (const auto& [status, count] : statuses_) std::printf("  %d: %zu", status, count);
    for (const auto& [reason, count] : failures_) std::printf("  %s: %zu", reason.c_str(), count);
    if (asking_ > 0) std::printf("  not answered: %zu", asking_);
    std::printf("\nsentences/s %.0f", static_cast<double>(times_.size()) / seconds);
    print_quantiles(times_);
    if (refused_.empty()) return;
    std::printf("refused");
    print_quantiles(refused_);
  }

  const std::vector<std::string> requests_;
  std::vector<Client> clients_;
  SSL_CTX* tls_;  // null: not encrypted
  sockaddr_in address_ = {};
  int events_ = ::epoll_create1(0);
  size_t next_ = 0;
  size_t asking_ = 0;
  size_t waiting_ = 0;
  Clock::time_point asked_again_ = {};
  std::mt19937 random_;
  std::map<int, size_t> statuses_;
  std::map<std::string, size_t> failures_;
  std::vector<double> times_;    // of answers with 200, in ms
  std::vector<double> refused_;  // of other answers
};

}  // namespace

int main(int count, char** values) {
  const auto value = [&](int i, const char* otherwise) {
    return i < count ? values[i] : otherwise;
  };
  const std::string direction =
      std::string(",\"source\":\"") + value(5, "ko") + "\",\"target\":\"" + value(6, "en") + "\"";
  auto requests = read_requests(value(4, "data/sample/test.ko"), direction);
  if (count < 2 || requests.empty()) {
    std::fputs("server_load PORT [CONNECTIONS] [SECONDS] [FILE] [SOURCE] [TARGET]\n", stderr);
    return 2;
  }
  const std::string port = value(1, "8080");
  const std::string secure = "https:";
  const bool encrypted = port.rfind(secure, 0) == 0;
  Load load(static_cast<uint16_t>(std::atoi(port.c_str() + (encrypted ? secure.size() : 0))),
            encrypted, static_cast<size_t>(std::atoi(value(2, "1000"))), std::move(requests));
  load.run(std::chrono::seconds(std::atoi(value(3, "60"))));
  return load.has_failed() ? 1 : 0;
}
