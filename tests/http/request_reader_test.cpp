#include "http/request_reader.h"

#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

constexpr char kTwo[] =
    "\r\nPOST /a%20b?q=1#f HTTP/1.1\r\nHost: x\r\nX-Y: 1\r\nx-y: 2\r\nContent-Length: 4\r\n\r\nbody"
    "HEAD / HTTP/1.0\r\n\r\n";

int status_of(const std::string& bytes, size_t max_header = 1000, size_t max_body = 10) {
  RequestReader reader(max_header, max_body);
  reader.append(bytes);
  try {
    reader.read();
  } catch (const HttpError& error) {
    return error.status();
  }
  return 0;
}

}  // namespace

TEST_CASE("Requests are read from bytes in pieces of any size", "[http]") {
  const std::string bytes = kTwo;
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    INFO(piece);
    RequestReader reader(1000, 10);
    std::vector<HttpRequest> requests;
    for (size_t i = 0; i < bytes.size(); i += piece) {
      reader.append(std::string_view(bytes).substr(i, piece));
      while (reader.read()) {
        REQUIRE(reader.keeps_alive() == requests.empty());
        REQUIRE(reader.takes_chunks() == requests.empty());
        requests.push_back(reader.take());
      }
    }
    REQUIRE(requests.size() == 2);
    REQUIRE(requests[0].method == "POST");
    REQUIRE(requests[0].path == "/a%20b");
    REQUIRE(requests[0].query == "q=1#f");
    REQUIRE(requests[0].header("x-y") == "1, 2");
    REQUIRE(requests[0].body == "body");
    REQUIRE(requests[1].method == "HEAD");
    REQUIRE(reader.received() == 0);
    REQUIRE(reader.buffered() == 0);
  }
}

TEST_CASE("What is no plain request is refused with the fitting status", "[http]") {
  const std::string post = "POST / HTTP/1.1\r\nHost: x\r\n";
  REQUIRE(status_of("GET\r\n\r\n") == 400);
  REQUIRE(status_of("GET / HTTP/9.9\r\n\r\n") == 400);
  REQUIRE(status_of(post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n") == 400);
  REQUIRE(status_of(post + "Transfer-Encoding: gzip, chunked\r\n\r\n") == 501);
  REQUIRE(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == 400);
  REQUIRE(status_of(post + "Content-Encoding: gzip\r\n\r\n") == 415);
  REQUIRE(status_of(post + "Content-Length: 11\r\n\r\n") == 413);
  REQUIRE(status_of(post + "Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n") ==
          413);
  REQUIRE(status_of(post + "A: " + std::string(1000, 'a')) == 431);
}

TEST_CASE("A trailer adds nothing to the header, and is as limited", "[http]") {
  const std::string chunked =
      "POST /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\nTransfer-Encoding: "
      "chunked\r\n\r\n"
      "4\r\nbody\r\n0\r\n";
  RequestReader reader(1000, 10);
  reader.append(chunked + "X-Forwarded-For: 127.0.0.1\r\nHost: y\r\nOrigin: z\r\n\r\n");
  REQUIRE(reader.read());
  const auto request = reader.take();
  REQUIRE(request.body == "body");
  REQUIRE(request.header("x-forwarded-for") == "192.0.2.1");
  REQUIRE(request.header("host") == "x");
  REQUIRE(request.header("origin").empty());
  const auto trailer = [](size_t fields) {
    std::string text;
    for (size_t i = 0; i < fields; ++i) text += "a:\r\n";
    return text;
  };
  const size_t max_body = 1000;  // so that the trailer is not refused as overhead of the body
  REQUIRE(status_of(chunked + trailer(200), 1000, max_body) == 0);
  REQUIRE(status_of(chunked + trailer(300), 1000, max_body) == 431);
}

TEST_CASE("Of a request whose body is too long, the header is known", "[http]") {
  RequestReader reader(1000, 10);
  reader.append("POST /a HTTP/1.1\r\nHost: x\r\nOrigin: y\r\nContent-Length: 11\r\n\r\n");
  REQUIRE_THROWS_AS(reader.read(), HttpError);
  const auto request = reader.take();
  REQUIRE(request.path == "/a");
  REQUIRE(request.header("origin") == "y");
}

TEST_CASE("A request names its host once, which HTTP/1.0 may omit", "[http]") {
  REQUIRE(status_of("GET / HTTP/1.1\r\nHost:\r\n\r\n") == 0);
  REQUIRE(status_of("GET / HTTP/1.0\r\n\r\n") == 0);
  REQUIRE(status_of("GET / HTTP/1.1\r\n\r\n") == 400);
  for (const std::string version : {"1.0", "1.1"}) {
    REQUIRE(status_of("GET / HTTP/" + version + "\r\nHost: x\r\nHost: x\r\n\r\n") == 400);
  }
}

TEST_CASE("A target may be a whole URL, whose host counts", "[http]") {
  const auto read = [](const std::string& target) {
    RequestReader reader(1000, 10);
    reader.append("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    REQUIRE(reader.read());
    const auto request = reader.take();
    return request.header("host") + " " + request.path + " " + request.query;
  };
  REQUIRE(read("http://localhost/health") == "localhost /health ");
  REQUIRE(read("HTTPS://a:8080/b/c?d=/e") == "a:8080 /b/c d=/e");
  REQUIRE(read("http://a") == "a / ");
  REQUIRE(read("http://a?b") == "a / b");
  REQUIRE(read("/b?c=http://a/d") == "x /b c=http://a/d");
  REQUIRE(read("ftp://a/b") == "x ftp://a/b ");
}

TEST_CASE("A client that waits for it is told to continue, once", "[http]") {
  RequestReader reader(1000, 10);
  reader.append("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  REQUIRE(!reader.read());
  REQUIRE(reader.takes_continue());
  REQUIRE(!reader.takes_continue());
  reader.append("ab");
  REQUIRE(reader.read());
  REQUIRE(reader.take().body == "ab");
}

}  // namespace nmt
