#include <memory>
#include <vector>

#include "http/raw_client.h"
#include "serve/running_server.h"

namespace nmt {
namespace {

std::string request_of(const std::string& body) {
  return "POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: "
         "application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

TEST_CASE("Hundreds of clients that never finish a request hold nobody up", "[serve]") {
  const RunningServer server;
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 400; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port()));
    REQUIRE(slow.back()->connected());
    slow.back()->send(
        i % 2 == 0 ? "POST /translate HTT"
                   : "POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{\"q");
  }
  const auto answer =
      server.post("/translate", {{"q", "저는 책을 읽어요."}, {"source", "ko"}, {"target", "en"}});
  REQUIRE(answer["translatedText"] == "I read a book.");
}

TEST_CASE("Strange requests are refused and the server goes on", "[serve]") {
  const RunningServer server;
  const std::string chunked =
      "POST /translate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& request :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n", 12), std::string("GET\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string(20000, 'x'),
        "GET /" + std::string(10000, 'y') + " HTTP/1.1\r\nHost: x\r\n\r\n", chunked + "zz\r\n",
        std::string("POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n"),
        std::string("PROPFIND /translate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")}) {
    RawClient client(server.port());
    client.send(request);
    const auto answer = client.receive();
    INFO(request.substr(0, 60) << " -> " << answer);
    REQUIRE(answer.rfind("HTTP/1.1 4", 0) == 0);
  }
  for (const std::string& body :
       {std::string("{\"q\": \"\xFF\xFE\"}"), std::string("{\"q\": \"a\0b\"}", 12), std::string(),
        std::string(900000, '['), std::string("{\"q\":\"\\ud800\"}"),
        std::string(900000, '\xC3')}) {
    server.post_text("/translate", body, 400);
  }
  const auto answer = server.post_text(
      "/translate", R"({"q": "a\u0000b \u200f\ufeff", "source": "ko", "target": "en"})", 200);
  REQUIRE(answer["translatedText"].is_string());
  server.require_alive();
}

TEST_CASE("A body that is too long is refused by its head, or as it comes", "[serve]") {
  const RunningServer server;
  RawClient honest(server.port());
  honest.send("POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
  REQUIRE(honest.receive().rfind("HTTP/1.1 413", 0) == 0);
  RawClient chunked(server.port());
  chunked.send("POST /translate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const auto chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
  for (int i = 0; i < 40; ++i) chunked.send(chunk);
  REQUIRE(chunked.receive().rfind("HTTP/1.1 413", 0) == 0);
  server.require_alive();
}

TEST_CASE("A client that leaves in the middle costs nobody an answer", "[serve]") {
  const RunningServer server;
  for (int i = 0; i < 50; ++i) {
    RawClient client(server.port());
    client.send(request_of(R"({"q": "저는 책을 읽어요.\n저는", "source": "ko", "target": "en"})")
                    .substr(0, i % 3 == 0 ? 60 : std::string::npos));
  }
  for (int i = 0; i < 5; ++i) {
    RawClient client(server.port());
    client.send(
        "POST /v1/translate HTTP/1.1\r\nHost: x\r\nContent-Length: 38\r\n\r\n"
        "{\"stream\": true, \"q\": \"aaa bbb ccc\"  }");
    if (i % 2 == 0) client.receive();
  }
  server.require_alive();
}

TEST_CASE("Requests whose clients have left are not translated", "[serve]") {
  const RunningServer server;
  const int clients = 20;
  const int sentences = 200;
  std::string text;
  for (int i = 0; i < sentences; ++i) text += "저는 도서관에서 책을 읽었어요. ";
  const bool reset = GENERATE(false, true);
  for (int i = 0; i < clients; ++i) {
    RawClient client(server.port());
    client.send(request_of(Json{{"q", text}, {"source", "ko"}, {"target", "en"}}.dump()));
    if (reset) client.reset_on_close();
  }
  server.post("/translate", {{"q", "저는 책을 읽어요."}, {"source", "ko"}, {"target", "en"}});
  const auto metrics = server.client().Get("/metrics")->body;
  const std::string name = "nmt_sentences_total{source=\"ko\",target=\"en\"} ";
  const auto found = metrics.find(name);
  REQUIRE(found != std::string::npos);
  REQUIRE(std::stoi(metrics.substr(found + name.size())) < clients * sentences / 2);
}

TEST_CASE("Requests may come together, and a client may wait for 100 Continue", "[serve]") {
  const RunningServer server;
  const auto request = request_of(R"({"q": "저는 책을 읽어요.", "source": "ko", "target": "en"})");
  RawClient together(server.port());
  together.send(request + request + "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const auto answers = together.receive_all();
  size_t found = 0;
  for (size_t at = answers.find("I read a book."); at != std::string::npos;
       at = answers.find("I read a book.", at + 1)) {
    ++found;
  }
  REQUIRE(found == 2);
  REQUIRE(answers.find("\"status\":\"ok\"") != std::string::npos);

  RawClient polite(server.port());
  const auto body_begins = request.find("\r\n\r\n");
  polite.send(request.substr(0, body_begins) +
              "\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n");
  REQUIRE(polite.receive() == "HTTP/1.1 100 Continue\r\n\r\n");
  polite.send(request.substr(body_begins + 4));
  REQUIRE(polite.receive_all().rfind("HTTP/1.1 200", 0) == 0);
}

TEST_CASE("Who comes when all connections are taken is told so", "[serve]") {
  const RunningServer server("--max-connections 3");
  std::vector<std::unique_ptr<RawClient>> first;
  for (int i = 0; i < 3; ++i) first.push_back(std::make_unique<RawClient>(server.port()));
  // Accepted in order: the first three are in.
  RawClient late(server.port());
  const auto answer = late.receive_all();
  REQUIRE(answer.rfind("HTTP/1.1 503", 0) == 0);
  REQUIRE(answer.find("Retry-After: 1\r\n") != std::string::npos);
}

}  // namespace nmt
