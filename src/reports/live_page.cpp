#include "reports/live_page.h"

#include <chrono>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>

#include "errors/error.h"
#include "errors/log.h"
#include "http/client_address.h"
#include "reports/model_report.h"

namespace nmt {
namespace {

constexpr char kHost[] = "127.0.0.1";

// An open page asks every two seconds (report.js). Browsers ask less often for a page in the
// background, which then says that the training cannot be reached.
constexpr std::chrono::seconds kWatched{5};
constexpr std::chrono::seconds kFarewell{3};

HttpResponse report_of(const std::filesystem::path& model_dir, const HttpRequest& request,
                       bool is_live) {
  if (!is_private_host(request.header("host")))
    throw HttpError(403, "only available on this machine; use localhost in place of this name");
  try {
    auto content = read_run(model_dir);
    content.live = is_live;
    return {200, "text/html; charset=utf-8", report_page(content), {{"Cache-Control", "no-store"}}};
  } catch (const Error& error) {
    throw HttpError(500, error.what());
  }
}

}  // namespace

LivePage::LivePage(const std::filesystem::path& model_dir, int port) try : server_(kHost, port) {
  server_.get("/", [this, model_dir](const HttpRequest& request) {
    const bool has_ended = ended_;
    auto response = report_of(model_dir, request, !has_ended);
    note_visit(has_ended);
    return response;
  });
  thread_ = std::thread([this] {
    try {
      server_.run({}, [this] { return stopping_.load(); });
    } catch (const std::exception& error) {
      log_warning("the live page ends: {}", error.what());
    }
  });
} catch (const std::system_error& error) {
  throw Error(std::string("--live: cannot start a thread: ") + error.code().message());
}

void LivePage::note_visit(bool has_ended) {
  const std::lock_guard lock(mutex_);
  last_visit_ = Clock::now();
  if (has_ended) has_said_farewell_ = true;
  visited_.notify_one();
}

LivePage::~LivePage() {
  {
    std::unique_lock lock(mutex_);
    ended_ = true;
    if (last_visit_ && Clock::now() - *last_visit_ < kWatched) {
      visited_.wait_for(lock, kFarewell, [this] { return has_said_farewell_; });
    }
  }
  stopping_ = true;
  thread_.join();
}

}  // namespace nmt
