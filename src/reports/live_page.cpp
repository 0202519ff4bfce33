#include "reports/live_page.h"

#include <httplib.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <thread>

#include "errors/error.h"
#include "reports/model_report.h"

namespace nmt {
namespace {

constexpr char kHost[] = "127.0.0.1";
constexpr size_t kThreads = 2;  // a few viewers, no load

/// Rejects DNS rebinding: pages of another origin that reach this port by their own host name.
bool is_local_name(const std::string& host) {
  const auto name = host.substr(0, host.find(':'));
  return name == kHost || name == "localhost";
}

void answer(const std::filesystem::path& model_dir, const httplib::Request& request,
            httplib::Response& response) {
  if (!is_local_name(request.get_header_value("Host"))) {
    response.status = 403;
    response.set_content("only available on this machine\n", "text/plain");
    return;
  }
  response.set_header("Cache-Control", "no-store");
  try {
    auto content = read_run(model_dir);
    content.live = true;
    response.set_content(report_page(content), "text/html; charset=utf-8");
  } catch (const std::exception& error) {
    response.status = 500;
    response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
  }
}

}  // namespace

struct LivePage::Impl {
  httplib::Server server;
  int port = 0;
  std::atomic<bool> ended{false};
  std::thread thread;
};

LivePage::LivePage(const std::filesystem::path& model_dir, int port)
    : impl_(std::make_unique<Impl>()) {
  auto& server = impl_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  // httplib's own options let several programs listen on one port.
  server.set_socket_options([](int socket) {
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  });
  server.set_keep_alive_max_count(1);  // an idle browser must not keep a thread
  server.Get("/", [model_dir](const httplib::Request& request, httplib::Response& response) {
    answer(model_dir, request, response);
  });
  errno = 0;
  impl_->port = port == 0                          ? server.bind_to_any_port(kHost)
                : server.bind_to_port(kHost, port) ? port
                                                   : -1;
  if (impl_->port < 0) {
    throw Error("--live " + std::to_string(port) + ": cannot listen on " + kHost + ": " +
                std::strerror(errno != 0 ? errno : EADDRINUSE) +
                "; choose another port, or 0 for a free one");
  }
  impl_->thread = std::thread([impl = impl_.get()] {
    impl->server.listen_after_bind();
    impl->ended = true;
  });
}

LivePage::~LivePage() {
  // stop() has no effect before the server runs.
  while (!impl_->server.is_running() && !impl_->ended) std::this_thread::yield();
  impl_->server.stop();
  impl_->thread.join();
}

int LivePage::port() const { return impl_->port; }

}  // namespace nmt
