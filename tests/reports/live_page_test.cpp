#include "reports/live_page.h"

#include <httplib.h>

#include <memory>
#include <thread>

#include "errors/error.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

httplib::Result look_at(const LivePage& page, const std::string& host = "localhost") {
  httplib::Client client("127.0.0.1", page.port());
  return client.Get("/", {{"Host", host}});
}

}  // namespace

TEST_CASE("A live page tells what the run's files hold by now", "[report][live]") {
  const TemporaryFolder folder;
  const LivePage page(folder / "model", 0);
  auto answer = look_at(page);
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(contains(answer->body, "No data yet."));
  std::filesystem::create_directory(folder / "model");
  folder.write("model/metrics.jsonl",
               "{\"type\":\"train\",\"update\":4711,\"seconds\":1,\"loss\":4}\n{\"typ");
  answer = look_at(page);
  REQUIRE(answer);
  CHECK(contains(answer->body, "<strong>4711</strong>"));
}

TEST_CASE("A live page that is watched says that the training has ended", "[report][live]") {
  const TemporaryFolder folder;
  auto page = std::make_unique<LivePage>(folder.path(), 0);
  httplib::Client client("127.0.0.1", page->port());
  const auto look = [&] { return client.Get("/", {{"Host", "localhost"}}); };
  REQUIRE(contains(look()->body, "id=\"live\""));
  std::thread end([&] { page.reset(); });
  std::string last;
  for (auto answer = look(); answer; answer = look()) {
    last = answer->body;
    if (!contains(last, "id=\"live\"")) break;
  }
  end.join();
  CHECK(contains(last, "<main>"));
  CHECK_FALSE(contains(last, "id=\"live\""));
}

TEST_CASE("Damaged metrics are told to who looks", "[report][live]") {
  const TemporaryFolder folder;
  folder.write("metrics.jsonl", "nonsense\n");
  const LivePage page(folder.path(), 0);
  const auto answer = look_at(page);
  REQUIRE(answer);
  CHECK(answer->status == 500);
  CHECK(contains(answer->body, "metrics.jsonl: line 1"));
}

TEST_CASE("A live page answers to names of this machine alone", "[report][live]") {
  const TemporaryFolder folder;
  const LivePage page(folder.path(), 0);
  const auto answer = look_at(page, "elsewhere.example");
  REQUIRE(answer);
  CHECK(answer->status == 403);
  CHECK(contains(answer->body, "use localhost"));
  const auto by_address = look_at(page, "[::1]:8000");
  REQUIRE(by_address);
  CHECK(by_address->status == 200);
}

TEST_CASE("A port in use is an error", "[report][live]") {
  const TemporaryFolder folder;
  const LivePage page(folder.path(), 0);
  CHECK(contains(
      error_of([&] { LivePage(folder.path(), page.port()); }),
      "127.0.0.1:" + std::to_string(page.port()) + ": cannot listen here: already in use"));
}

}  // namespace nmt
