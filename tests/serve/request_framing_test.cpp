#include "serve/request_framing.h"

#include "support/catch.h"

namespace nmt {
namespace {

using Progress = RequestFraming::Progress;

const RequestLimits kSmall{200, 20};

/// The status that refuses it; 0 where it is whole, -1 where more is awaited.
int outcome(const std::string& bytes) {
  RequestFraming framing;
  const auto progress = framing.advance(bytes, kSmall);
  return progress == Progress::kRefused ? framing.status() : progress == Progress::kWhole ? 0 : -1;
}

}  // namespace

TEST_CASE("The end of a request is found whatever pieces it comes in", "[serve]") {
  const std::string more = "GET / HT";
  for (const std::string request :
       {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab\r\n ",
        "POST / HTTP/1.1\r\ntransfer-ENCODING: "
        "chunked\r\n\r\n3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nT: "
        "x\r\n\r\n"}) {
    RequestFraming framing;
    for (size_t size = 1; size < request.size(); ++size) {
      REQUIRE(framing.advance(request.substr(0, size), kSmall) == Progress::kMore);
    }
    REQUIRE(framing.advance(request + more, kSmall) == Progress::kWhole);
    REQUIRE(framing.length() == request.size());
  }
}

TEST_CASE("What is too long is refused before it has come", "[serve]") {
  REQUIRE(outcome("POST / HTTP/1.1\r\nContent-Length: 21\r\n\r\n") == 413);
  REQUIRE(outcome("POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n") == 413);
  REQUIRE(outcome("GET /" + std::string(300, 'x')) == 431);
  const std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  REQUIRE(outcome(chunked + "FFFFFFFFFFFFFFF\r\n") == 413);
  REQUIRE(outcome(chunked + "B\r\n01234567890\r\nB\r\n") == 413);
  REQUIRE(outcome(chunked + std::string(300, '0')) == 400);
}

TEST_CASE("What two programs could read differently is refused", "[serve]") {
  REQUIRE(outcome("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx") == 400);
  REQUIRE(outcome("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\nx") == 400);
  REQUIRE(outcome("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx") ==
          400);
  REQUIRE(outcome("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n") == 501);
  REQUIRE(outcome("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx") ==
          415);
  REQUIRE(outcome("POST / HTTP/1.1\r\nnonsense\r\n\r\n") == 400);
  REQUIRE(outcome("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n") == 400);
}

}  // namespace nmt
