#include "serve/request_log.h"

#include <algorithm>

#include "support/catch.h"
#include "support/log_capture.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;

size_t lines_of(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

HttpRequest request(const std::string& method) {
  HttpRequest request;
  request.method = method;
  request.id = "a-1";
  request.notes = "  characters 3";
  return request;
}

}  // namespace

TEST_CASE("A request's line has its route but nothing that the client wrote", "[serve]") {
  const LogCapture log;
  RequestLog requests;
  requests.write(request("POST"), "/translate", 200, 1234ms);
  requests.write(request("EVIL\n"), "other", 404, 0ms);
  REQUIRE(log.text() ==
          "POST /translate  status 200  seconds 1.234  request a-1  characters 3\n"
          "other other  status 404  seconds 0.000  request a-1  characters 3\n");
}

TEST_CASE("Refusals beyond so many in a second are only counted", "[serve]") {
  const LogCapture log;
  RequestLog::Clock::time_point now = {};
  RequestLog requests([&] { return now; });
  const auto refuse = [&](int times) {
    for (int i = 0; i < times; ++i) {
      requests.write(request("POST"), "/translate", i % 2 == 0 ? 503 : 429, 0ms);
    }
  };
  refuse(RequestLog::kRefusals + 30);
  requests.write(request("POST"), "/translate", 200, 0ms);
  REQUIRE(lines_of(log.text()) == RequestLog::kRefusals + 1);

  now += 900ms;
  requests.end_second();
  REQUIRE(lines_of(log.text()) == RequestLog::kRefusals + 1);
  now += 200ms;
  requests.end_second();
  REQUIRE(lines_of(log.text()) == RequestLog::kRefusals + 2);
  REQUIRE(log.text().rfind("overloaded: 30 more requests refused within 1.1 s\n") !=
          std::string::npos);

  refuse(1);
  now += 1s;
  requests.end_second();
  REQUIRE(lines_of(log.text()) == RequestLog::kRefusals + 3);
}

}  // namespace nmt
