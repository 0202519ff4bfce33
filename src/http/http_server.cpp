#include "http/http_server.h"

#include <fcntl.h>
#include <spdlog/fmt/chrono.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/status.hpp>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <random>
#include <set>
#include <thread>

#include "errors/counted.h"
#include "errors/error.h"
#include "errors/log.h"
#include "http/client_address.h"
#include "http/client_stream.h"
#include "http/request_reader.h"
#include "threads/worker_threads.h"

namespace nmt {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using Clock = HttpOptions::Clock;

constexpr std::chrono::milliseconds kTick{100};
constexpr int kLastTicks = 10;       // for handlers to notice that their clients are disconnected
constexpr int kBacklog = 4096;       // connections that the kernel queues until accepted
constexpr size_t kMaxRefused = 256;  // connections accepted only to send 503
constexpr size_t kMaxResponse = 32 << 20;  // bytes of a body, or of a piece of a streamed one
constexpr size_t kMaxUnsent = kMaxResponse + (1 << 20);  // bytes of a response not yet sent
constexpr size_t kMinRate = 64 << 10;  // bytes per second that a client must send or take
constexpr char kOtherPath[] = "other";
constexpr char kContinue[] = "HTTP/1.1 100 Continue\r\n\r\n";

std::chrono::seconds seconds_for(size_t bytes) { return std::chrono::seconds(bytes / kMinRate); }

std::string response_head(const HttpResponse& response) {
  const auto reason =
      beast::http::obsolete_reason(static_cast<beast::http::status>(response.status));
  auto head =
      fmt::format("HTTP/1.1 {} {}\r\nDate: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", response.status,
                  std::string_view(reason.data(), reason.size()), fmt::gmtime(std::time(nullptr)));
  if (response.status != 204) head += "Content-Type: " + response.type + "\r\n";
  for (const auto& [name, value] : response.headers) {
    head += fmt::format("{}: {}\r\n", name, value);
  }
  return head;
}

/// The value of the header Allow for a route with these methods.
std::string allowed_methods(const std::map<std::string, HttpServer::Handler>& handlers) {
  std::string text;
  for (const auto& [method, handler] : handlers)
    text += method == "GET" ? "GET, HEAD, " : method + ", ";
  return text + "OPTIONS";
}

HttpError too_large_response() {
  return {413, "the response is larger than 32 MiB; ask for less at a time"};
}

/// Child processes must not inherit a socket: Asio does not set close-on-exec.
void close_on_exec(int socket) { ::fcntl(socket, F_SETFD, FD_CLOEXEC); }

/// Logging may fail too when memory has run out.
void log_if_possible(const char* what, const std::exception& error) noexcept {
  try {
    log_error("{}: {}", what, error.what());
  } catch (const std::exception&) {
  }
}

}  // namespace

HttpError current_http_error(const std::string& route) {
  try {
    throw;
  } catch (const HttpError& error) {
    return error;
  } catch (const Error& error) {
    return InvalidRequest(error.what());
  } catch (const std::bad_alloc&) {
    log_error("{}: out of memory", route);
    return {503, "out of memory; try again in a moment"};
  } catch (const std::exception& error) {
    log_error("{}: {}", route, error.what());
  } catch (...) {
    log_error("{}: unknown exception", route);
  }
  return {500, "internal error; see the server's log"};
}

struct HttpServer::Impl {
  class Session;
  struct Job {
    std::shared_ptr<Session> session;
    HttpRequest request;
    Clock::time_point arrived;
  };
  /// A handler's thread without a job.
  struct Idle {
    std::condition_variable changed;
    bool woken = false;
  };

  void listen(const std::string& host, int port);
  ErrorCode open_listener(const Tcp::endpoint& endpoint);
  void accept();
  void add(Tcp::socket&& socket);
  void tick();
  void sweep();
  void stop_accepting();
  /// Calls use(session) for each session, which may remove itself from the set.
  template <typename Use>
  void for_each_session(const Use& use) {
    for (auto next = sessions.begin(); next != sessions.end();) {
      const auto session = *next++;
      use(*session);
    }
  }

  void wake_one();
  void close_jobs();
  bool handlers_end();
  bool submit(Job& job);
  bool take(Job& job);
  void work();
  void answer(Job& job);
  HttpResponse respond_to(HttpRequest& request) const;
  HttpResponse error(const HttpError& error) const;
  void add_headers(const HttpRequest& request, HttpResponse& response) const;
  void report(const HttpRequest& request, int status, Clock::time_point arrived) const;
  /// The route for a path: the path itself or its folder with a slash; "other" if there is neither.
  std::string known_path(const std::string& path) const {
    if (routes.count(path) > 0) return path;
    const auto folder = path.substr(0, path.rfind('/') + 1);
    return folder != "/" && routes.count(folder) > 0 ? folder : kOtherPath;
  }
  std::string next_id() { return fmt::format("{:08x}-{:x}", run_id, ++num_requests); }

  // Used only by the thread of run(), once it runs.
  asio::io_context io{1};
  Tcp::acceptor acceptor{io};
  asio::steady_timer timer{io};
  ClientStream::TlsContext tls;  // null: without encryption
  HttpOptions options;
  HttpResponse overload;  // made once: an overloaded server must refuse cheaply
  std::function<bool()> stopping;
  std::map<std::string, std::map<std::string, Handler>> routes;  // by path and method
  std::set<std::shared_ptr<Session>> sessions;
  bool accept_pending = false;
  bool accept_fails = false;
  const unsigned run_id = std::random_device()();  // distinguishes requests of different runs
  uint64_t num_requests = 0;
  Clock::time_point stopped = {};
  bool drained_in_time = true;

  std::atomic<bool> draining{false};  // each response is the last of its connection
  std::atomic<size_t> open{0};
  std::atomic<size_t> failed_accepts{0};

  std::mutex mutex;  // guards what follows
  std::deque<Job> jobs;
  size_t waiting_bytes = 0;  // of their bodies
  // The last is woken first: a quiet server then always uses the same few threads, and the others
  // hold no memory.
  std::vector<Idle*> idle;
  bool closing = false;
};

/// One client's connection: reads a request, waits for its response, writes it, repeats.
class HttpServer::Impl::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Impl& server, Tcp::socket&& socket)
      : server_(server),
        peer_address_(address_of_peer(socket)),
        began_(server.options.now()),
        stream_(std::move(socket), server.tls),
        reader_(server.options.max_header, server.options.max_body) {}

  // On the server's thread.

  /// Starts with the first request or, if there are too many connections, with a refusal.
  void start(bool too_many) {
    stream_.start([self = shared_from_this(), too_many](ErrorCode error) {
      if (error) return self->close();
      self->state_ = State::kReading;
      self->began_ = self->server_.options.now();
      if (!too_many) return self->read();
      self->refuse({503, "too many open connections; try again in a moment"});
    });
  }

  void read() {
    if (reading_) return;
    if (input_ended_) return close();
    reading_ = true;
    stream_.read_some(asio::buffer(bytes_),
                      [self = shared_from_this()](ErrorCode error, size_t count) {
                        self->reading_ = false;
                        self->on_read(error, count);
                      });
  }

  void refuse(const HttpError& reason) {
    keep_alive_ = false;
    state_ = State::kAnswering;
    const auto request = take_request();
    without_body_ = request.method == "HEAD";
    answer_at_once(request, server_.error(reason));
  }

  bool is_idle() const {
    return state_ == State::kStarting || (state_ == State::kReading && reader_.received() == 0);
  }
  size_t buffered() const { return unsent_ + reader_.buffered(); }

  /// Closes the connection when its state's timeout has passed.
  void check_time(Clock::time_point now, bool too_much_buffered) {
    const auto& limits = server_.options;
    const auto age = now - began_;
    switch (state_) {
      case State::kStarting:
        if (age > limits.read_timeout) close();
        return;
      case State::kReading:
        if (is_idle() ? age > limits.idle_timeout : too_much_buffered) return close();
        if (!is_idle() && age > limits.read_timeout + seconds_for(reader_.received()))
          refuse({408, "the request took too long"});
        return;
      case State::kAnswering:
        if (abandoned_) close();
        return;
      case State::kWriting:
        if (age > limits.write_timeout + seconds_for(unsent_) || too_much_buffered) {
          close();
        }
        return;
      case State::kLeaving:
        if (age > limits.linger_timeout) close();
        return;
    }
  }

  void close() {
    stream_.close();
    broken_ = true;
    server_.sessions.erase(shared_from_this());
    server_.open = server_.sessions.size();
  }

  // On the thread of a handler.

  bool has_left() const { return left_ || broken_; }

  /// Returns false once the client has left.
  bool send(std::string&& bytes, bool last = false) {
    if (!broken_ && (unsent_ += bytes.size()) > kMaxUnsent) broken_ = true;
    if (broken_ && !last) return false;
    asio::post(server_.io, [self = shared_from_this(), bytes = std::move(bytes), last] {
      self->responding_ = true;
      self->write(bytes, last);
    });
    return true;
  }

  void respond(const HttpResponse& response) { send(whole_response(response), true); }

  /// Returns the status to report; end_stream() must follow.
  int stream(const HttpResponse& response) {
    keep_alive_ = keep_alive_ && has_chunks_;
    send(response_head(response) + (has_chunks_ ? "Transfer-Encoding: chunked\r\n" : "") +
         connection_header());
    return response.stream([&](std::string_view bytes) {
      if (bytes.size() > kMaxResponse) throw too_large_response();
      return bytes.empty() || send(has_chunks_ ? fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes)
                                               : std::string(bytes));
    });
  }

  void end_stream() { send(has_chunks_ ? "0\r\n\r\n" : "", true); }

  /// Closes without a response. Must not allocate: memory may have run out.
  void abandon() {
    broken_ = true;
    abandoned_ = true;
  }

 private:
  enum class State { kStarting, kReading, kAnswering, kWriting, kLeaving };

  static std::string address_of_peer(const Tcp::socket& socket) {
    ErrorCode error;
    return normalized_address(socket.remote_endpoint(error).address().to_string());
  }

  void on_read(ErrorCode error, size_t count) {
    const bool reading = state_ == State::kReading;
    if (error && (reading || state_ == State::kLeaving)) return close();
    if (reading && reader_.received() == 0) began_ = server_.options.now();
    input_ended_ = static_cast<bool>(error);
    reader_.append({bytes_.data(), count});
    if (reading) return read_request();
    if (state_ != State::kAnswering) return;  // writing shows whether the client is there
    if (error && !ClientStream::is_end(error)) {
      broken_ = true;
    } else {
      read_ahead();
    }
  }

  /// Notices that the client leaves; what it sends meanwhile belongs to its next requests.
  void read_ahead() {
    if (input_ended_) return on_input_end();
    if (reader_.buffered() < bytes_.size()) read();
  }

  /// A client that has closed its connection looks like one that only stopped sending, until
  /// something is sent to it: then its system resets the connection.
  void on_input_end() {
    if (!has_chunks_) {  // HTTP/1.0 has no interim responses: assumes closed
      left_ = true;
      return;
    }
    stream_.wait_reset([self = shared_from_this()](ErrorCode error) {
      if (!error) self->broken_ = true;
    });
    if (!responding_) write(kContinue, false);
  }

  void read_request() try {
    const bool complete = reader_.read();
    if (reader_.takes_continue()) write(kContinue, false);
    complete ? submit() : read();
  } catch (const HttpError& reason) {
    refuse(reason);
  }

  HttpRequest take_request() {
    auto request = reader_.take();
    request.peer_address = peer_address_;
    request.id = server_.next_id();
    return request;
  }

  void submit() {
    keep_alive_ = reader_.keeps_alive();
    has_chunks_ = reader_.takes_chunks();
    Job job{shared_from_this(), take_request(), server_.options.now()};
    without_body_ = job.request.method == "HEAD";
    began_ = job.arrived;
    state_ = State::kAnswering;
    responding_ = false;
    if (server_.submit(job)) return read_ahead();
    answer_at_once(job.request, server_.overload);
  }

  /// Without a handler.
  void answer_at_once(const HttpRequest& request, HttpResponse response) {
    server_.add_headers(request, response);
    server_.report(request, response.status, began_);
    write(whole_response(response), true);
  }

  std::string connection_header() const {
    if (!keep_alive_ || server_.draining) return "Connection: close\r\n\r\n";
    return fmt::format("Connection: keep-alive\r\nKeep-Alive: timeout={}\r\n\r\n",
                       server_.options.idle_timeout.count());
  }

  std::string whole_response(const HttpResponse& response) const {
    auto text = response_head(response);
    if (response.status != 204) text += fmt::format("Content-Length: {}\r\n", response.body.size());
    text += connection_header();
    return without_body_ ? text : text + response.body;
  }

  void write(const std::string& bytes, bool last) {
    if (last && broken_) return close();
    if (last) state_ = State::kWriting;
    if (last) began_ = server_.options.now();
    pending_ += bytes;
    if (!writing_) flush();
  }

  void flush() {
    if (pending_.empty()) {
      if (state_ == State::kWriting) after_response();
      return;
    }
    writing_ = true;
    output_.swap(pending_);
    stream_.write(output_, [self = shared_from_this()](ErrorCode error) {
      self->writing_ = false;
      self->on_written(error);
    });
  }

  void on_written(ErrorCode error) {
    unsent_ -= std::min<size_t>(unsent_, output_.size());
    output_.clear();
    if (state_ == State::kWriting) began_ = server_.options.now();
    if (!error) return flush();
    broken_ = true;
    if (state_ != State::kAnswering) close();
  }

  void after_response() {
    output_.shrink_to_fit();
    unsent_ = 0;
    began_ = server_.options.now();
    if (keep_alive_ && !server_.draining) {
      state_ = State::kReading;
      return read_request();
    }
    state_ = State::kLeaving;
    stream_.finish([self = shared_from_this()] { self->close(); });
  }

  Impl& server_;
  const std::string peer_address_;
  State state_ = State::kStarting;
  Clock::time_point began_;  // when the state began; of kReading, its first byte
  ClientStream stream_;
  std::array<char, 8192> bytes_;
  RequestReader reader_;
  std::string output_;   // being written
  std::string pending_;  // to be written next
  bool reading_ = false;
  bool writing_ = false;
  bool responding_ = false;   // bytes of the response may have been sent
  bool input_ended_ = false;  // the client sends nothing more: do not read again
  bool keep_alive_ = true;
  bool has_chunks_ = true;         // HTTP/1.1
  bool without_body_ = false;      // HEAD
  std::atomic<bool> left_{false};  // probably; a response is still written
  std::atomic<bool> broken_{false};
  std::atomic<bool> abandoned_{false};  // by the handler's thread
  std::atomic<size_t> unsent_{0};       // bytes of the response
};

void HttpServer::Impl::listen(const std::string& host, int port) {
  const auto name = fmt::format("{}:{}", host, port);
  const auto service = static_cast<unsigned short>(port);
  ErrorCode error;
  std::vector<Tcp::endpoint> endpoints;
  const auto address = asio::ip::make_address(host, error);
  if (!error) {
    endpoints.emplace_back(address, service);
  } else if (host.find_first_not_of("0123456789.") != std::string::npos) {  // a name
    for (const auto& found : Tcp::resolver(io).resolve(host, "", error)) {
      endpoints.emplace_back(found.endpoint().address(), service);
    }
  }
  for (size_t i = 0; !acceptor.is_open() && i < endpoints.size(); ++i) {
    error = open_listener(endpoints[i]);
  }
  if (!error) return;
  if (error == asio::error::address_in_use) {
    throw Error(name +
                ": cannot listen here: already in use; use another port, or 0 for a free one");
  }
  if (error == asio::error::access_denied) {
    throw Error(name + ": cannot listen here: permission denied; use a port above 1023");
  }
  throw Error(host + ": not an address of this machine; use 127.0.0.1, 0.0.0.0 or one that " +
              "`ip address` lists");
}

ErrorCode HttpServer::Impl::open_listener(const Tcp::endpoint& endpoint) {
  ErrorCode error;
  ErrorCode ignored;
  acceptor.open(endpoint.protocol(), error);
  close_on_exec(acceptor.native_handle());
  acceptor.set_option(Tcp::acceptor::reuse_address(true), ignored);
  if (endpoint.address().is_v6()) acceptor.set_option(asio::ip::v6_only(false), ignored);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(kBacklog, error);
  if (error) acceptor.close(ignored);
  return error;
}

void HttpServer::Impl::accept() {
  accept_pending = true;
  acceptor.async_accept([this](ErrorCode error, Tcp::socket socket) {
    accept_pending = false;
    if (!acceptor.is_open()) return;
    if (error) {  // such as no free file descriptor: tick() retries; retrying at once would spin
      ++failed_accepts;
      if (!accept_fails) {
        log_warning("cannot accept connections: {}; they wait until others close", error.message());
      }
      accept_fails = true;
      return;
    }
    accept_fails = false;
    accept();
    add(std::move(socket));
  });
}

void HttpServer::Impl::add(Tcp::socket&& socket) {
  if (sessions.size() >= options.max_connections + kMaxRefused) return;  // closes it
  close_on_exec(socket.native_handle());
  ErrorCode ignored;
  socket.set_option(Tcp::no_delay(true), ignored);
  const auto session = std::make_shared<Session>(*this, std::move(socket));
  sessions.insert(session);
  open = sessions.size();
  session->start(/*too_many=*/sessions.size() > options.max_connections);
}

void HttpServer::Impl::tick() {
  timer.expires_after(kTick);
  timer.async_wait([this](ErrorCode error) {
    if (error) return;
    tick();
    if (acceptor.is_open() && stopping()) stop_accepting();
    sweep();
    if (acceptor.is_open()) {
      if (!accept_pending) accept();
    } else if (sessions.empty()) {
      io.stop();
    } else if (options.now() - stopped > options.drain_timeout) {
      log_warning("not all requests could be answered in time: {} closed",
                  counted(static_cast<int64_t>(sessions.size()), "connection"));
      // So that handlers learn that nobody waits for them.
      for_each_session([](Session& session) { session.close(); });
      drained_in_time = false;
      io.stop();
    }
  });
}

void HttpServer::Impl::sweep() {
  const auto now = options.now();
  size_t buffered = 0;
  for_each_session([&](Session& session) {
    buffered += session.buffered();
    session.check_time(now, buffered > options.max_buffered);
  });
}

void HttpServer::Impl::stop_accepting() {
  draining = true;
  ErrorCode ignored;
  acceptor.close(ignored);
  stopped = options.now();
  for_each_session([](Session& session) {
    if (session.is_idle()) session.close();
  });
}

/// With the mutex locked.
void HttpServer::Impl::wake_one() {
  if (idle.empty()) return;
  idle.back()->woken = true;
  idle.back()->changed.notify_one();  // before it can wake up and leave on its own
  idle.pop_back();
}

void HttpServer::Impl::close_jobs() {
  const std::lock_guard<std::mutex> lock(mutex);
  closing = true;
  while (!idle.empty()) wake_one();
}

/// Waits briefly for handlers that are still running: some cannot be interrupted. Returns whether
/// all have returned.
bool HttpServer::Impl::handlers_end() {
  for (int tick = 0; tick < kLastTicks; ++tick) {
    std::this_thread::sleep_for(kTick);
    const std::lock_guard<std::mutex> lock(mutex);
    if (idle.size() == static_cast<size_t>(options.threads)) return true;
  }
  return false;
}

/// Takes the job, or returns false when too many or too large ones wait.
bool HttpServer::Impl::submit(Job& job) {
  if (!options.has_memory()) return false;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const size_t bytes = waiting_bytes + job.request.body.size();
    if (jobs.size() >= options.max_waiting || bytes > options.max_buffered) return false;
    waiting_bytes = bytes;
    jobs.push_back(std::move(job));
    wake_one();
  }
  return true;
}

bool HttpServer::Impl::take(Job& job) {
  std::unique_lock<std::mutex> lock(mutex);
  while (jobs.empty() && !closing) {
    Idle self;
    idle.push_back(&self);
    self.changed.wait(lock, [&] { return self.woken; });
  }
  if (closing) return false;
  job = std::move(jobs.front());
  jobs.pop_front();
  waiting_bytes -= job.request.body.size();
  return true;
}

void HttpServer::Impl::work() {
  for (Job job; take(job); job = {}) {
    try {
      answer(job);
    } catch (const std::exception& error) {
      job.session->abandon();
      log_if_possible("a request got no response", error);
    }
  }
}

void HttpServer::Impl::answer(Job& job) {
  job.request.has_left = [session = job.session] { return session->has_left(); };
  const bool late = options.now() - job.arrived > options.queue_timeout;
  auto response = late ? error({503, "no thread was free in time; try again in a moment"})
                       : respond_to(job.request);
  if (response.body.size() > kMaxResponse) response = error(too_large_response());
  add_headers(job.request, response);
  if (!response.stream) {
    report(job.request, response.status, job.arrived);
    return job.session->respond(response);
  }
  const int status = job.session->stream(response);
  report(job.request, status, job.arrived);  // before the client can see the complete response
  job.session->end_stream();
}

HttpResponse HttpServer::Impl::respond_to(HttpRequest& request) const {
  const bool asks_options = request.method == "OPTIONS";
  const auto route = routes.find(known_path(request.path));
  if (route == routes.end()) {
    // A page can read a 404 only if the CORS preflight before it was allowed.
    const bool is_preflight = request.headers.count("access-control-request-method") > 0;
    if (asks_options && (is_preflight || request.path == "*")) return {204};
    return error({404, "Not found"});
  }
  const auto handler = route->second.find(request.method == "HEAD" ? "GET" : request.method);
  if (handler == route->second.end()) {
    auto response = asks_options ? HttpResponse{204} : error({405, "Method not allowed"});
    response.headers.emplace_back("Allow", allowed_methods(route->second));
    return response;
  }
  try {
    return handler->second(request);
  } catch (...) {
    return error(current_http_error(route->first + ", request " + request.id));
  }
}

HttpResponse HttpServer::Impl::error(const HttpError& error) const {
  HttpResponse response;
  response.body = std::string(error.what()) + "\n";
  if (options.error_response) response = options.error_response(error.status(), error.what());
  response.status = error.status();
  if (const auto wait = error.retry_after().count(); wait > 0) {
    response.headers.emplace_back("Retry-After", std::to_string(wait));
  }
  return response;
}

/// The headers that every response has.
void HttpServer::Impl::add_headers(const HttpRequest& request, HttpResponse& response) const {
  response.headers.emplace_back("X-Request-Id", request.id);
  if (options.response_headers) {
    for (auto& header : options.response_headers(request)) {
      response.headers.push_back(std::move(header));
    }
  }
}

void HttpServer::Impl::report(const HttpRequest& request, int status,
                              Clock::time_point arrived) const {
  if (!options.on_response) return;
  options.on_response(request, known_path(request.path), status, options.now() - arrived);
}

HttpServer::HttpServer(const std::string& host, int port) : impl_(std::make_unique<Impl>()) {
  impl_->listen(host, port);
}

HttpServer::~HttpServer() = default;

void require_valid_certificate(const TlsFiles& files) { make_tls_context(files); }

void HttpServer::use_tls(const TlsFiles& files) { impl_->tls = make_tls_context(files); }

bool HttpServer::has_tls() const { return impl_->tls != nullptr; }

int HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }

std::string HttpServer::url() const {
  const auto endpoint = impl_->acceptor.local_endpoint();
  auto address = endpoint.address();
  if (address.is_unspecified() && address.is_v4()) address = asio::ip::address_v4::loopback();
  if (address.is_unspecified()) address = asio::ip::address_v6::loopback();
  const auto host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  return fmt::format("{}://{}:{}", has_tls() ? "https" : "http", host, endpoint.port());
}

bool HttpServer::is_everywhere() const {
  return impl_->acceptor.local_endpoint().address().is_unspecified();
}

bool HttpServer::is_local() const {
  return impl_->acceptor.local_endpoint().address().is_loopback();
}

void HttpServer::get(const std::string& path, Handler handler) {
  impl_->routes[path]["GET"] = std::move(handler);
}

void HttpServer::post(const std::string& path, Handler handler) {
  impl_->routes[path]["POST"] = std::move(handler);
}

void HttpServer::run(const HttpOptions& options, const std::function<bool()>& stopping) {
  auto& server = *impl_;
  server.options = options;
  server.overload = server.error({503, "the server is overloaded; try again in a moment"});
  server.stopping = stopping;
  server.idle.reserve(static_cast<size_t>(options.threads));  // take() must not need memory
  const WorkerThreads threads(
      options.threads, [&] { server.work(); }, [&] { server.close_jobs(); });
  if (options.on_start) options.on_start();
  server.accept();
  for (bool ticking = false; !server.io.stopped();) {
    try {
      if (!ticking) server.tick();
      ticking = true;
      server.io.run();
    } catch (const std::exception& error) {  // of one connection, which its timeout will close
      log_if_possible("while serving a connection", error);
      ticking = false;  // thrown before the timer was set again, perhaps
      std::this_thread::sleep_for(kTick / 10);
    }
  }
  if (options.on_hanging_handlers && !server.drained_in_time && !server.handlers_end()) {
    options.on_hanging_handlers();
  }
}

size_t HttpServer::open_connections() const { return impl_->open; }

size_t HttpServer::failed_accepts() const { return impl_->failed_accepts; }

}  // namespace nmt
