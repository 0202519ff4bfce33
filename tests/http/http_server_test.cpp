#include "http/http_server.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <regex>
#include <thread>
#include <utility>

#include "http/raw_client.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/log_capture.h"
#include "support/no_more_threads.h"

namespace nmt {
namespace {

using Catch::Matchers::ContainsSubstring;
using Clock = HttpOptions::Clock;

constexpr char kHello[] = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";

/// A server on a thread of its own, whose clock stands still until it is advanced.
class TestServer {
 public:
  explicit TestServer(HttpOptions options = {}) : server_("127.0.0.1", 0) {
    options.now = [this] { return Clock::time_point(std::chrono::seconds(1000 + seconds_)); };
    server_.get("/hello", [](const HttpRequest& request) -> HttpResponse {
      return {200, "text/plain", "hello" + request.query + "\n"};
    });
    server_.get("/bytes", [](const HttpRequest& request) -> HttpResponse {
      return {200, "text/plain", std::string(std::stoul(request.query), 'x')};
    });
    server_.get("/stream_bytes", [](const HttpRequest& request) {
      HttpResponse response;
      response.stream = [bytes = std::stoul(request.query)](const HttpResponse::Send& send) {
        try {
          send(std::string(bytes, 'x'));
          return 200;
        } catch (const HttpError& error) {
          send(error.what());
          return error.status();
        }
      };
      return response;
    });
    server_.post("/echo", [](const HttpRequest& request) -> HttpResponse {
      return {200, "text/plain", request.body};
    });
    server_.post("/memory", [](const HttpRequest&) -> HttpResponse { throw std::bad_alloc(); });
    server_.post("/bug", [](const HttpRequest&) -> HttpResponse {
      throw std::out_of_range("secret reason");
    });
    server_.post("/wrong",
                 [](const HttpRequest&) -> HttpResponse { throw HttpError(418, "no coffee"); });
    server_.post("/slow", [this](const HttpRequest&) -> HttpResponse {
      begun_.set_value();
      go_.get_future().wait();
      return {200, "text/plain", "slow\n"};
    });
    server_.post("/endless", [this](const HttpRequest& request) -> HttpResponse {
      begun_.set_value();
      while (!request.has_left()) std::this_thread::yield();
      throw ClientLeft();
    });
    server_.post("/stream", [](const HttpRequest&) {
      HttpResponse response;
      response.stream = [](const HttpResponse::Send& send) {
        send("one ");
        send("two");
        return 400;  // found only while it was sent
      };
      return response;
    });
    thread_ =
        std::thread([this, options] { server_.run(options, [this] { return stop_.load(); }); });
  }
  ~TestServer() {
    stop_ = true;
    seconds_ += 1000;  // nobody waits for clients to leave
    thread_.join();
  }
  void begin_stop() { stop_ = true; }

  HttpServer& server() { return server_; }
  int port() const { return server_.port(); }
  void advance(int seconds) {
    seconds_ += seconds;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // callers repeat it
  }
  void wait_for_handler() { begun_.get_future().wait(); }
  void finish_slow() { go_.set_value(); }

  /// All that the server sends in answer to these bytes until it closes the connection.
  std::string answer(const std::string& bytes) const {
    RawClient client(port());
    client.send(bytes);
    return client.receive_all();
  }
  int status_of(const std::string& bytes) const {
    const auto answer = this->answer(bytes);
    INFO(bytes.substr(0, 100) << " -> " << answer);
    REQUIRE(answer.rfind("HTTP/1.1 ", 0) == 0);
    return std::stoi(answer.substr(9, 3));
  }

 private:
  HttpServer server_;
  std::atomic<int64_t> seconds_{0};
  std::atomic<bool> stop_{false};
  std::promise<void> begun_;
  std::promise<void> go_;
  std::thread thread_;
};

std::string post(const std::string& path, const std::string& body = "",
                 const std::string& headers = "") {
  return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

HttpOptions small_limits() {
  HttpOptions options;
  options.max_header = 300;
  options.max_body = 20;
  return options;
}

}  // namespace

TEST_CASE("Routes are found by path and method", "[http]") {
  const TestServer server;
  const std::string close = "Connection: close\r\n";
  CHECK_THAT(server.answer("GET /hello?a=b HTTP/1.1\r\nHost: x\r\n" + close + "\r\n"),
             ContainsSubstring("Content-Length: 9\r\n") && ContainsSubstring("\r\n\r\nhelloa=b\n"));
  const auto head = server.answer("HEAD /hello HTTP/1.1\r\nHost: x\r\n" + close + "\r\n");
  CHECK_THAT(head, ContainsSubstring("200 OK") && ContainsSubstring("Content-Length: 6\r\n"));
  const std::regex date("\r\nDate: [A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} [\\d:]{8} GMT\r\n");
  CHECK(std::regex_search(head, date));
  CHECK_FALSE(contains(head, "hello"));
  CHECK(server.status_of("GET /nothing HTTP/1.1\r\nHost: x\r\n" + close + "\r\n") == 404);
  CHECK_THAT(server.answer("GET /echo HTTP/1.1\r\nHost: x\r\n" + close + "\r\n"),
             ContainsSubstring("405 Method Not Allowed") &&
                 ContainsSubstring("\r\nAllow: POST, OPTIONS\r\n"));
  CHECK_THAT(server.answer("OPTIONS /hello HTTP/1.1\r\nHost: x\r\n" + close + "\r\n"),
             ContainsSubstring("204 No Content") &&
                 ContainsSubstring("\r\nAllow: GET, HEAD, OPTIONS\r\n"));
  const std::string preflight = "Access-Control-Request-Method: POST\r\n" + close;
  CHECK(server.status_of("OPTIONS /any HTTP/1.1\r\nHost: x\r\n" + close + "\r\n") == 404);
  CHECK(server.status_of("OPTIONS /any HTTP/1.1\r\nHost: x\r\n" + preflight + "\r\n") == 204);
  CHECK(server.status_of("OPTIONS * HTTP/1.1\r\nHost: x\r\n" + close + "\r\n") == 204);
  CHECK(server.status_of("POST /echo HTTP/1.1\r\nHost: x\r\n" + close + "\r\n") == 200);
  CHECK(server.status_of("GET /hello HTTP/1.0\r\n\r\n") == 200);  // closes by itself
}

TEST_CASE("An error after a HEAD on its connection has a body again", "[http]") {
  const TestServer server;
  CHECK_THAT(server.answer("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n"),
             ContainsSubstring("400 Bad Request") && ContainsSubstring("\r\n\r\nnot an HTTP"));
  const auto head =
      server.answer("HEAD /hello HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n\r\n");
  CHECK_THAT(head, ContainsSubstring("415 ") && ContainsSubstring("Content-Length: "));
  CHECK_FALSE(contains(head, "uncompressed"));
}

TEST_CASE("Each response names its request, even one that is not HTTP", "[http]") {
  HttpOptions options;
  options.response_headers = [](const HttpRequest& request) -> HttpHeaders {
    return {{"X-Path", request.path + " of " + request.peer_address}};
  };
  const TestServer server(options);
  const auto first = server.answer("GET /hello HTTP/1.0\r\n\r\n");
  CHECK_THAT(first, ContainsSubstring("X-Request-Id: ") && ContainsSubstring("-1\r\n") &&
                        ContainsSubstring("X-Path: /hello of 127.0.0.1\r\n"));
  CHECK_THAT(server.answer("nonsense\r\n\r\n"),
             ContainsSubstring("X-Request-Id: ") && ContainsSubstring("-2\r\n"));
}

TEST_CASE("A request may come in pieces, and several at once", "[http]") {
  const TestServer server;
  RawClient pieces(server.port());
  for (const char c : post("/echo", "piecewise")) pieces.send(std::string(1, c));
  CHECK_THAT(pieces.receive_until("piecewise"), ContainsSubstring("200 OK"));
  pieces.send("\r\n" + post("/echo", "second"));  // some clients end a body with an empty line
  CHECK_THAT(pieces.receive_until("second"), ContainsSubstring("200 OK"));
  CHECK_THAT(server.answer(post("/echo", "first") + post("/echo", "next", "Connection: close\r\n")),
             ContainsSubstring("first") && ContainsSubstring("next"));
  const std::string chunked =
      "POST /echo HTTP/1.1\r\nHost: x\r\ntransfer-ENCODING: chunked\r\nConnection: close\r\n\r\n"
      "3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
  CHECK_THAT(server.answer(chunked), ContainsSubstring("\r\n\r\nabc0123456789"));
}

TEST_CASE("A client that expects 100-continue is asked to send its body", "[http]") {
  const TestServer server;
  RawClient client(server.port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  CHECK(client.receive() == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("body");
  CHECK_THAT(client.receive_until("body"), ContainsSubstring("200 OK"));
}

TEST_CASE("What is too long is refused before it has arrived", "[http]") {
  const TestServer server(small_limits());
  CHECK(server.status_of("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 21\r\n\r\n") == 413);
  CHECK(server.status_of(
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551615\r\n\r\n") ==
        413);
  CHECK(server.status_of("GET /" + std::string(400, 'x')) == 431);
  const std::string chunked =
      "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  CHECK(server.status_of(chunked + "FFFFFFFFFFFFFFF\r\n") == 413);
  CHECK(server.status_of(chunked + "B\r\n01234567890\r\nB\r\n01234567890\r\n") == 413);
  CHECK(server.status_of(chunked + "1;" + std::string(1000, 'x')) == 431);  // never a body
  const auto wordy = "1;" + std::string(200, 'x') + "\r\nx\r\n";
  CHECK(server.status_of(chunked + wordy + wordy + wordy) == 413);
}

TEST_CASE("What two programs could read differently is refused", "[http]") {
  const TestServer server;
  const std::string begin = "POST /echo HTTP/1.1\r\nHost: x\r\n";
  CHECK(server.status_of(begin + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx") == 400);
  CHECK(server.status_of(begin + "Content-Length: +1\r\n\r\nx") == 400);
  CHECK(server.status_of(begin + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx") ==
        400);
  CHECK(server.status_of(begin + "Transfer-Encoding: gzip, chunked\r\n\r\n") == 501);
  CHECK(server.status_of(begin + "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx") == 415);
  CHECK(server.status_of(begin + "nonsense\r\n\r\n") == 400);
  CHECK(server.status_of(begin + "Host: x\r\n\r\n") == 400);
  CHECK(server.status_of(begin + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n") == 400);
  CHECK(server.status_of("GET / HTTP/9.9\r\n\r\n") == 400);
}

TEST_CASE("Programs that the process starts do not inherit the server's sockets", "[http]") {
  const TestServer server;
  RawClient client(server.port());
  client.send(kHello);
  REQUIRE(contains(client.receive_until("hello\n"), "200 OK"));
  int sockets = 0;  // that listens, and of the connection
  for (int file = 0; file < 1024; ++file) {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    if (::getsockname(file, reinterpret_cast<sockaddr*>(&address), &size) != 0) continue;
    if (address.sin_family != AF_INET || ntohs(address.sin_port) != server.port()) continue;
    ++sockets;
    CHECK((::fcntl(file, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(sockets == 2);
}

TEST_CASE("A client that is too slow is refused", "[http]") {
  std::atomic<int> refused{0};
  HttpOptions options;
  options.on_response = [&](const HttpRequest&, const std::string&, int status, Clock::duration) {
    refused += status == 408 ? 1 : 0;
  };
  TestServer server(options);
  RawClient slow(server.port());
  slow.send(std::string(kHello) + "POST /echo HTTP/1.1\r\nHost: x\r\n");  // and no more
  slow.receive_until("hello\n");
  while (refused == 0) server.advance(11);
  CHECK_THAT(slow.receive_until("\n\r\n"), ContainsSubstring("408 Request Timeout"));
}

TEST_CASE("An idle client is disconnected after the timeout, not before", "[http]") {
  TestServer server;
  RawClient idle(server.port());
  idle.send(kHello);
  idle.receive_until("hello\n");
  server.advance(29);
  idle.send(kHello);
  CHECK_THAT(idle.receive_until("hello\n"), ContainsSubstring("200 OK"));
  while (server.server().open_connections() > 0) server.advance(31);
  CHECK(idle.receive_all().empty());
}

namespace {

struct Responses {
  std::string waiting;  // to two requests, one of which is refused
  std::string working;  // to the one that the only thread works on
};

Responses responses_of_busy_server(HttpOptions options, const std::string& request) {
  std::atomic<int> refused{0};
  options.threads = 1;
  options.on_response = [&](const HttpRequest&, const std::string&, int status, Clock::duration) {
    refused += status == 503 ? 1 : 0;
  };
  TestServer server(options);
  RawClient working(server.port());
  working.send(post("/slow"));
  server.wait_for_handler();
  RawClient first(server.port());
  RawClient second(server.port());
  for (auto* client : {&first, &second}) client->send(request);
  while (refused == 0) std::this_thread::yield();
  server.finish_slow();
  server.begin_stop();
  auto waiting = first.receive_all() + second.receive_all();
  CHECK(refused == 1);
  return {std::move(waiting), working.receive_all()};
}

}  // namespace

TEST_CASE("Requests beyond what may wait for a thread are refused", "[http]") {
  HttpOptions options;
  options.max_waiting = 1;
  const auto responses = responses_of_busy_server(options, kHello);
  CHECK_THAT(responses.waiting, ContainsSubstring("200 OK") && ContainsSubstring("hello") &&
                                    ContainsSubstring("503 Service Unavailable") &&
                                    ContainsSubstring("Retry-After: 1\r\n"));
  CHECK_THAT(responses.working, ContainsSubstring("slow"));
}

TEST_CASE("The bodies of requests that wait for a thread are limited together", "[http]") {
  HttpOptions options;
  options.max_buffered = 10000;  // bytes
  const std::string body(6000, 'x');
  const auto responses = responses_of_busy_server(options, post("/echo", body));
  CHECK_THAT(responses.waiting, ContainsSubstring("200 OK") && ContainsSubstring(body) &&
                                    ContainsSubstring("503 Service Unavailable"));
}

TEST_CASE("A handler's failure is answered and logged, and the server keeps running", "[http]") {
  const LogCapture log;
  {
    const TestServer server;
    const std::string close = "Connection: close\r\n";
    CHECK_THAT(server.answer(post("/wrong", "", close)),
               ContainsSubstring("418") && ContainsSubstring("no coffee"));
    CHECK(server.status_of(post("/memory", "", close)) == 503);
    const auto answer = server.answer(post("/bug", "", close));
    CHECK_THAT(answer, ContainsSubstring("500 Internal Server Error"));
    CHECK_FALSE(contains(answer, "secret"));
    CHECK(server.status_of(post("/echo", "", close)) == 200);
  }
  CHECK_THAT(log.text(),
             ContainsSubstring("/memory, request ") && ContainsSubstring("-2: out of memory") &&
                 ContainsSubstring("/bug, request ") && ContainsSubstring("-3: secret reason"));
  CHECK_FALSE(contains(log.text(), "coffee"));
}

TEST_CASE("A body is streamed in chunks, or to the end for HTTP/1.0", "[http]") {
  std::atomic<int> reported{0};
  HttpOptions options;
  options.on_response = [&](const HttpRequest&, const std::string&, int status, Clock::duration) {
    reported = status;
  };
  TestServer server(options);
  CHECK_THAT(server.answer(post("/stream", "", "Connection: close\r\n")),
             ContainsSubstring("\r\n\r\n4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n"));
  CHECK(reported == 400);
  CHECK_THAT(server.answer("POST /stream HTTP/1.0\r\nContent-Length: 0\r\n\r\n"),
             ContainsSubstring("\r\n\r\none two"));
}

TEST_CASE("A handler learns that its client has left", "[http]") {
  const std::string how =
      GENERATE(as<std::string>{}, "closed", "reset", "ended sending in HTTP/1.0");
  INFO(how);
  std::atomic<int> left{0};
  HttpOptions options;
  options.on_response = [&](const HttpRequest&, const std::string&, int status, Clock::duration) {
    left += status == 499 ? 1 : 0;
  };
  TestServer server(options);
  auto client = std::make_unique<RawClient>(server.port());
  const bool old = contains(how, "HTTP/1.0");
  client->send(old ? "POST /endless HTTP/1.0\r\nContent-Length: 0\r\n\r\n" : post("/endless"));
  server.wait_for_handler();
  if (how == "reset") client->reset_on_close();
  old ? client->end_sending() : client.reset();
  while (left == 0) std::this_thread::yield();
  CHECK(server.status_of("GET /hello HTTP/1.0\r\n\r\n") == 200);
}

TEST_CASE("A client that only ends its sending side is answered", "[http]") {
  TestServer server;
  RawClient client(server.port());
  client.send(post("/slow"));
  server.wait_for_handler();
  client.send(kHello);  // the next request is not lost
  client.end_sending();
  CHECK(client.receive() == "HTTP/1.1 100 Continue\r\n\r\n");  // the server has noticed
  server.finish_slow();
  CHECK_THAT(client.receive_all(), ContainsSubstring("200 OK") && ContainsSubstring("slow\n") &&
                                       ContainsSubstring("hello\n"));
}

TEST_CASE("What a client sends during its request are its next requests", "[http]") {
  TestServer server;
  RawClient client(server.port());
  client.send(post("/slow"));
  server.wait_for_handler();
  std::string many;
  for (int i = 0; i < 1000; ++i) many += kHello;  // more than the server reads ahead
  client.send(many + "GET /hello?last HTTP/1.1\r\nHost: x\r\nConn");
  server.finish_slow();
  client.send("ection: close\r\n\r\n");
  const auto answers = client.receive_all();
  CHECK(answers.find("slow\n") < answers.find("hello\n"));
  CHECK_THAT(answers, ContainsSubstring("hellolast\n"));
  size_t found = 0;
  for (size_t at = answers.find("hello\n"); at != std::string::npos;
       at = answers.find("hello\n", at + 1)) {
    ++found;
  }
  CHECK(found == 1000);
}

TEST_CASE("A response that is too large is refused instead of lost", "[http]") {
  std::atomic<int> reported{0};
  HttpOptions options;
  options.on_response = [&](const HttpRequest&, const std::string&, int status, Clock::duration) {
    reported = status;
  };
  const TestServer server(options);
  const size_t most = 32 << 20;
  for (const std::string path : {"/bytes?", "/stream_bytes?"}) {
    const auto ask = [&](size_t bytes) {
      return server.answer("GET " + path + std::to_string(bytes) +
                           " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    };
    CHECK(ask(most).size() > most);
    CHECK(reported == 200);
    CHECK_THAT(ask(most + 1), ContainsSubstring("larger than 32 MiB"));
    CHECK(reported == 413);
  }
}

TEST_CASE("A large response may take longer than a small one, but not forever", "[http]") {
  TestServer server;
  const size_t bytes = 30 << 20;  // more than the system takes in between
  const auto request =
      "GET /bytes?" + std::to_string(bytes) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  RawClient idle(server.port());
  idle.send(kHello);
  idle.receive_until("hello\n");
  RawClient slow(server.port());
  slow.send(request);
  auto answer = slow.receive();
  server.advance(31);
  CHECK(idle.receive_all().empty());  // the server has looked for those that take too long
  answer += slow.receive_all();
  CHECK(answer.size() > bytes);

  RawClient stalled(server.port());
  stalled.send(request);
  CHECK_FALSE(stalled.receive().empty());
  while (server.server().open_connections() > 0) server.advance(600);
}

TEST_CASE("A server that stops answers what has arrived", "[http]") {
  TestServer server;
  RawClient idle(server.port());
  idle.send(kHello);
  idle.receive_until("hello\n");
  RawClient working(server.port());
  working.send(post("/slow"));
  server.wait_for_handler();
  server.begin_stop();
  CHECK(idle.receive_all().empty());
  server.finish_slow();
  CHECK_THAT(working.receive_all(),
             ContainsSubstring("slow") && ContainsSubstring("\r\nConnection: close\r\n"));
}

TEST_CASE("A server that stops ends what takes too long, and says so", "[http]") {
  const LogCapture log;
  {
    std::atomic<int> left{0};
    HttpOptions options;
    options.on_response = [&](const HttpRequest&, const std::string&, int status, Clock::duration) {
      left += status == 499 ? 1 : 0;
    };
    TestServer server(options);
    RawClient working(server.port());
    working.send(post("/endless"));
    server.wait_for_handler();
    server.begin_stop();
    while (left == 0) server.advance(61);
  }
  CHECK_THAT(log.text(), ContainsSubstring("in time: 1 connection closed"));
}

TEST_CASE("A server that stops says when a handler does not return", "[http]") {
  std::atomic<bool> hangs{false};
  HttpOptions options;
  options.on_hanging_handlers = [&] { hangs = true; };
  TestServer server(options);
  RawClient working(server.port());
  working.send(post("/slow"));
  server.wait_for_handler();
  server.begin_stop();
  while (!hangs) server.advance(61);
  CHECK(working.receive_all().empty());
  server.finish_slow();  // which the server's destructor waits for
}

TEST_CASE("Without free file descriptors clients wait and the server does not spin", "[http]") {
  TestServer server;
  RawClient early(server.port());
  const auto ask = [](RawClient& client) {
    client.send(kHello);
    return contains(client.receive_until("hello\n"), "200 OK");
  };
  REQUIRE(ask(early));
  RawClient late;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 100;
  ::setrlimit(RLIMIT_NOFILE, &few);
  std::vector<int> taken;
  for (int file = ::dup(0); file >= 0; file = ::dup(0)) taken.push_back(file);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(late.connect(server.port()));
  late.send(kHello);
  bool answered = true;
  while (server.server().failed_accepts() < 2) answered = ask(early) && answered;
  CHECK(answered);
  const auto waited = std::chrono::steady_clock::now() - begin;
  // One attempt at once and one with each tick; an accept that spins makes thousands.
  CHECK(server.server().failed_accepts() <=
        2 + static_cast<size_t>(waited / std::chrono::milliseconds(50)));
  for (const int file : taken) ::close(file);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK_THAT(late.receive_until("hello\n"), ContainsSubstring("200 OK"));
}

TEST_CASE("A server whose threads cannot be started fails with one error", "[http]") {
  HttpServer server("127.0.0.1", 0);
  const NoMoreThreads none;
  HttpOptions options;
  options.threads = 3;
  CHECK_THAT(error_of([&] { server.run(options, [] { return true; }); }),
             ContainsSubstring("threads: cannot start another"));
}

TEST_CASE("An address that cannot be listened on is an error that says why", "[http]") {
  CHECK_THAT(error_of([] { HttpServer("300.1.1.1", 0); }),
             ContainsSubstring("300.1.1.1: not an address of this machine; use"));
  CHECK_THAT(error_of([] { HttpServer("192.0.2.1", 0); }),
             ContainsSubstring("192.0.2.1: not an address of this machine; use"));
  const HttpServer first("127.0.0.1", 0);
  CHECK_THAT(error_of([&] { HttpServer("127.0.0.1", first.port()); }),
             ContainsSubstring("cannot listen here: already in use"));
}

}  // namespace nmt
