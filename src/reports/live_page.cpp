#include "reports/live_page.h"

#include <exception>
#include <string>
#include <system_error>

#include "errors/error.h"
#include "errors/log.h"
#include "reports/model_report.h"

namespace nmt {
namespace {

constexpr char kHost[] = "127.0.0.1";

/// Rejects DNS rebinding: pages of another origin that reach this port by their own host name.
bool is_local_name(const std::string& host) {
  const auto name = host.substr(0, host.find(':'));
  return name == kHost || name == "localhost";
}

HttpResponse report_of(const std::filesystem::path& model_dir, const HttpRequest& request) {
  if (!is_local_name(request.header("host")))
    throw HttpError(403, "only available on this machine");
  try {
    auto content = read_run(model_dir);
    content.live = true;
    return {200, "text/html; charset=utf-8", report_page(content), {{"Cache-Control", "no-store"}}};
  } catch (const Error& error) {
    throw HttpError(500, error.what());
  }
}

}  // namespace

LivePage::LivePage(const std::filesystem::path& model_dir, int port) try : server_(kHost, port) {
  server_.get("/",
              [model_dir](const HttpRequest& request) { return report_of(model_dir, request); });
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

LivePage::~LivePage() {
  stopping_ = true;
  thread_.join();
}

}  // namespace nmt
