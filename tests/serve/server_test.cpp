#include <atomic>
#include <csignal>
#include <set>
#include <thread>
#include <vector>

#include "http/raw_client.h"
#include "serve/form_parts.h"
#include "serve/labelled_model.h"
#include "serve/running_server.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const std::string kBook = "저는 책을 읽어요.";
const std::string kLibrary = "저는 도서관에서 책을 읽었어요.";

}  // namespace

TEST_CASE("LibreTranslate's routes answer as its clients expect", "[serve]") {
  const RunningServer server;
  const Json both = {{"source", "ko"}, {"target", "en"}};
  const auto ask = [&](Json request, int status = 200) {
    for (const auto& [name, value] : both.items()) {
      if (!request.contains(name)) request[name] = value;
    }
    return server.post("/translate", request, status);
  };
  REQUIRE(ask({{"q", kBook}})["translatedText"] == "I read a book.");
  REQUIRE(ask({{"q", {kBook, "", kLibrary}}})["translatedText"] ==
          Json{"I read a book.", "", "I read a book in the library."});
  REQUIRE(ask({{"q", kBook + "\n\n  " + kLibrary + "\n"}})["translatedText"] ==
          "I read a book.\n\n  I read a book in the library.\n");
  REQUIRE(ask({{"q", "<p>저는 <b>책을</b> 읽어요.</p>"}, {"format", "html"}})["translatedText"] ==
          "<p>I read <b>a book</b>.</p>");
  REQUIRE(
      ask({{"q", "# " + kBook}, {"format", "markdown"}, {"alternatives", 1}})["alternatives"][0] !=
      "# I read a book.");
  const auto detected = ask({{"q", kBook}, {"source", "auto"}});
  REQUIRE(detected["detectedLanguage"] == Json{{"confidence", 100.0}, {"language", "ko"}});
  const std::string english = "This is English already, isn't it?";
  const auto unchanged =
      ask({{"q", {english, "12:30", kBook + " " + english}}, {"source", "auto"}});
  REQUIRE(unchanged["translatedText"] == Json{english, "12:30", "I read a book. " + english});
  REQUIRE(unchanged["detectedLanguage"][0] == Json{{"confidence", 100.0}, {"language", "en"}});
  std::string rest;  // longer than what tells the language
  for (int i = 0; i < 150; ++i) rest += english + "\n";
  REQUIRE(ask({{"q", rest + kBook}, {"source", "auto"}})["translatedText"] ==
          rest + "I read a book.");
  REQUIRE(ask({{"q", english}, {"source", "ko"}})["translatedText"] != english);
  REQUIRE(ask({{"q", kBook}, {"alternatives", 2}})["alternatives"].size() == 2);
  REQUIRE(ask({{"q", kBook}, {"alternatives", "2"}})["alternatives"].size() == 2);
  const auto found = ask({{"q", "123 책"}, {"alternatives", 5}});
  std::set<Json> texts{found["translatedText"]};  // each of them once
  for (const auto& text : found["alternatives"]) REQUIRE(texts.insert(text).second);
  REQUIRE(ask({{"q", "12:30"}})["translatedText"] == "12:30");
  REQUIRE(ask({{"q", "the same"}, {"source", "en"}})["translatedText"] == "the same");
  REQUIRE(server.post_text("/translate",
                           "q=%EC%A0%80%EB%8A%94+%EC%B1%85%EC%9D%84+%EC%9D%BD%EC%96%B4%EC%9A%94.&"
                           "source=ko&target=en",
                           200, "application/x-www-form-urlencoded")["translatedText"] ==
          "I read a book.");
  REQUIRE(server.post_text("/translate?q=%EC%B1%85&source=en&target=en&api_key=x", "",
                           200)["translatedText"] == "책");  // deep-translator
  const FormParts form = {{"q", kBook, "", ""}, {"source", "ko", "", ""}, {"target", "en", "", ""}};
  for (const std::string path : {"/translate", "/detect", "/v1/translate"}) {
    INFO(path);
    const auto items = path == "/translate" ? form : FormParts{form[0]};
    const auto response = server.client().Post(path, items);
    REQUIRE(response);
    REQUIRE(response->status == 200);
    REQUIRE(contains(response->body, path == "/detect" ? "\"ko\"" : "I read a book."));
  }

  for (const Json& wrong :
       {Json{{"q", kBook}, {"target", "fr"}}, Json{{"q", kBook}, {"source", "ja"}}, Json{{"q", 1}},
        Json{{"q", kBook}, {"target", "xx"}}, Json{{"q", kBook}, {"source", "xx"}},
        Json{{"q", kBook}, {"source", "auto"}, {"target", "xx"}},
        Json{{"q", kBook}, {"format", "pdf"}}, Json{{"text", kBook}},
        Json{{"q", "<a>" + kBook}, {"format", "xml"}}, Json{{"q", kBook}, {"alternatives", -1}}}) {
    REQUIRE(ask(wrong, 400)["error"].is_string());
  }
  REQUIRE(server.get("/languages") ==
          Json::parse(R"([{"code": "ko", "name": "Korean", "targets": ["en"]},
                          {"code": "en", "name": "English", "targets": []}])"));
  REQUIRE(server.post("/detect", {{"q", "hello"}})[0]["language"] == "en");
  const auto tie = server.post("/detect", {{"q", "12:30"}});
  REQUIRE(tie[0]["confidence"] == 50.0);
  REQUIRE(tie[1]["confidence"] == 50.0);
  const auto passed = server.post("/v1/translate", {{"q", english}, {"pass_through", true}});
  REQUIRE(passed["text"] == english);
  REQUIRE(passed["sentences"][0]["passed_through"] == true);
  REQUIRE(server.get("/frontend/settings")["language"]["source"]["code"] == "ko");
}

TEST_CASE("/v1 tells candidates, words, attention and alternatives, and keeps to a prefix",
          "[serve]") {
  const RunningServer server;
  const auto answer = server.post(
      "/v1/translate",
      {{"q", kBook + " " + kLibrary}, {"words", true}, {"attention", true}, {"n_best", 3}});
  REQUIRE(answer["text"] == "I read a book. I read a book in the library.");
  REQUIRE(answer["sentences"].size() == 2);
  const auto& sentence = answer["sentences"][0];
  REQUIRE(sentence["source"] == kBook);
  REQUIRE(sentence["candidates"].size() == 3);
  const auto& best = sentence["candidates"][0];
  REQUIRE(best["word_attention"].size() == best["words"].size());
  REQUIRE(best["word_attention"][0].size() == sentence["source_words"].size());
  REQUIRE(best["score"] >= sentence["candidates"][1]["score"]);
  REQUIRE(best["alignment"].is_string());

  const Json lines = {{"q", "저는 책을\n읽어요."}, {"split", false}};
  REQUIRE(server.post("/v1/translate", lines)["text"] == "I read a book.");

  const auto prefixed = server.post("/v1/translate", {{"q", kBook}, {"prefix", "We "}});
  REQUIRE(prefixed["text"].get<std::string>().rfind("We ", 0) == 0);
  const auto others =
      server.post("/v1/alternatives", {{"q", kBook}, {"prefix", "I "}, {"count", 3}});
  REQUIRE(others["alternatives"].size() == 3);
  const Json asks_words = {{"q", kBook}, {"words", true}};
  REQUIRE(server.post("/v1/alternatives", asks_words, 400)["error"] ==
          "Invalid request: alternatives have no 'words'; omit it");
  REQUIRE(others["alternatives"][0]["word"] == "read");
  REQUIRE(others["alternatives"][0]["probability"] > others["alternatives"][1]["probability"]);
  REQUIRE(server.post("/v1/translate", {{"q", Json{kBook, kBook}}})["translations"].size() == 2);
  for (const Json& wrong :
       {Json{{"q", kBook}, {"beam_size", 1000000}}, Json{{"q", kBook}, {"n_best", 0}},
        Json{{"q", kBook}, {"prefix", "\xE2\x98\x83"}},
        Json{{"q", kBook}, {"length_penalty", 1e300}}, Json{{"q", kBook}, {"constraints", 7}},
        Json{{"q", kBook}, {"min_length", 20}, {"max_length", 10}},
        Json{{"q", kBook}, {"beam_sise", 2}}}) {
    REQUIRE(server.post("/v1/translate", wrong, 400)["error"].is_string());
  }
  REQUIRE(server.get("/v1/info")["source"] == "ko");
}

TEST_CASE("A streamed translation grows and ends with the whole answer", "[serve]") {
  const RunningServer server;
  const Json request = {{"q", kBook + " " + kLibrary}, {"stream", true}, {"beam_size", 1}};
  const auto response = server.client().Post("/v1/translate", request.dump(), "application/json");
  REQUIRE(response);
  REQUIRE(response->get_header_value("Content-Type") == "text/event-stream");
  REQUIRE(response->get_header_value("X-Accel-Buffering") == "no");
  const auto& events = response->body;
  REQUIRE(events.find("event: text\ndata: {\"sentence\":0,\"text\":\"I read\"}\n\n") !=
          std::string::npos);
  REQUIRE(events.find("\"sentence\":1") != std::string::npos);
  const auto done = events.find("event: done\ndata: ");
  REQUIRE(done != std::string::npos);
  REQUIRE(Json::parse(events.substr(done + 18))["text"] ==
          "I read a book. I read a book in the library.");
  const auto wrong = server.client().Post(
      "/v1/translate", Json{{"q", kBook}, {"stream", true}, {"prefix", "\xE2\x98\x83"}}.dump(),
      "application/json");
  REQUIRE(wrong->body.rfind("event: error\n", 0) == 0);
  const auto metrics = server.client().Get("/metrics")->body;
  REQUIRE(contains(metrics, "nmt_requests_total{route=\"/v1/translate\",code=\"200\"} 1\n"));
  REQUIRE(contains(metrics, "nmt_requests_total{route=\"/v1/translate\",code=\"400\"} 1\n"));
}

TEST_CASE("Streamed translations and alternatives count as others do", "[serve]") {
  const RunningServer server;
  const auto counted = [&](const std::string& what) {
    const auto metrics = server.client().Get("/metrics")->body;
    const auto name = "\nnmt_" + what + "_total{source=\"ko\",target=\"en\"} ";
    const auto found = metrics.find(name);
    return found == std::string::npos ? 0 : std::stoi(metrics.substr(found + name.size()));
  };
  server.post("/v1/translate", {{"q", kBook}, {"beam_size", 1}});
  const int source_tokens = counted("source_tokens");
  const int target_tokens = counted("target_tokens");
  REQUIRE(source_tokens > 0);
  const Json request = {{"q", kBook + " " + kBook}, {"stream", true}, {"beam_size", 1}};
  server.client().Post("/v1/translate", request.dump(), "application/json");
  REQUIRE(counted("sentences") == 3);
  REQUIRE(counted("batches") == 3);
  REQUIRE(counted("source_tokens") == 3 * source_tokens);
  REQUIRE(counted("target_tokens") == 3 * target_tokens);
  server.post("/v1/alternatives", {{"q", kBook}, {"prefix", "I "}, {"count", 3}});
  REQUIRE(counted("sentences") == 6);
  REQUIRE(counted("batches") == 4);
}

TEST_CASE("The page, its description and the counts are there", "[serve]") {
  const RunningServer server;
  auto client = server.client();
  client.set_keep_alive(true);
  for (const std::string path : {"/", "/page.css", "/page.js"}) {
    const auto response = client.Get(path);
    REQUIRE(response->status == 200);
    REQUIRE(response->body.size() > 500);
    REQUIRE(response->body.find("://") == std::string::npos);  // nothing comes from elsewhere
  }
  REQUIRE(client.Get("/nothing")->status == 404);
  const auto refused = client.Get("/translate");
  REQUIRE(refused->status == 405);
  REQUIRE(refused->get_header_value("Allow") == "POST, OPTIONS");
  REQUIRE(client.Options("/translate")->status == 204);
  const auto page = client.Get("/");
  REQUIRE(page->get_header_value("Referrer-Policy") == "no-referrer");
  REQUIRE(page->get_header_value("X-Content-Type-Options") == "nosniff");
  REQUIRE(!contains(page->get_header_value("Content-Security-Policy"), "unsafe"));
  REQUIRE(!page->has_header("Access-Control-Allow-Origin"));
  const auto api = server.get("/openapi.json");
  for (const auto& [path, operations] : api["paths"].items()) {
    INFO(path);
    for (const auto& operation : operations) REQUIRE(operation["responses"].contains("default"));
    REQUIRE(client.Get(path)->status == (operations.contains("get") ? 200 : 405));
    if (!operations.contains("post")) continue;
    const auto& content = operations["post"]["requestBody"]["content"];
    if (!content.contains("application/json")) continue;
    const auto example = content["application/json"]["example"].dump();
    REQUIRE(client.Post(path, example, "application/json")->status == 200);
  }
  REQUIRE(client.Get("/metrics")->body.find("nmt_requests_total{route=\"/\",code=\"200\"} 2\n") !=
          std::string::npos);
}

TEST_CASE("The description of the interface has all that a sentence may have", "[serve]") {
  const TemporaryFolder folder;
  const auto terms = folder.write("terms", "책\tvolume\n").string();
  const RunningServer server("--terms '" + terms + "'");
  const auto answer = server.post("/v1/translate", {{"q", kBook}, {"words", true}});
  const auto& sentence = answer["sentences"][0];
  REQUIRE(sentence["terms"][0]["used"] == true);
  const auto api = server.get("/openapi.json");
  const auto& described = api["components"]["schemas"]["Sentence"]["properties"];
  for (const auto& [name, value] : sentence.items()) {
    INFO(name);
    CHECK(described.contains(name));
  }
  for (const auto& [name, value] : sentence["terms"][0].items()) {
    INFO(name);
    CHECK(described["terms"]["items"]["properties"].contains(name));
  }
}

TEST_CASE("Many clients at once each get their own answers", "[serve]") {
  const RunningServer server;
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {kBook, "I read a book."}, {kLibrary, "I read a book in the library."}, {"", ""}};
  std::atomic<int> wrong{0};
  std::vector<std::thread> clients;
  for (size_t c = 0; c < 40; ++c) {
    clients.emplace_back([&, c] {
      auto client = server.client();
      client.set_keep_alive(true);
      for (size_t i = 0; i < 5; ++i) {
        const auto& [source, target] = pairs[(c + i) % pairs.size()];
        const Json request = {{"q", source}, {"source", "ko"}, {"target", "en"}};
        const auto response = client.Post("/translate", request.dump(), "application/json");
        const bool right = response && response->status == 200 &&
                           Json::parse(response->body)["translatedText"] == target;
        wrong += right ? 0 : 1;
      }
    });
  }
  for (auto& client : clients) client.join();
  REQUIRE(wrong == 0);
}

TEST_CASE("Limits are answered with what they are", "[serve]") {
  const RunningServer server("--max-characters 30 --max-sentences 3 --max-body 2000 --max-queue 3");
  const auto ask = [&](const std::string& text, int status) {
    return server.post("/translate", {{"q", text}, {"source", "ko"}, {"target", "en"}}, status);
  };
  REQUIRE(ask("가. 나.", 200)["translatedText"].is_string());
  REQUIRE(ask(std::string(31, 'a'), 413)["error"].get<std::string>().find("30") !=
          std::string::npos);
  REQUIRE(ask("1\n2\n3\n4", 413)["error"].is_string());
  REQUIRE(ask(std::string(3000, 'a'), 413)["error"].is_string());
  const auto empty_texts = Json::array({"", "", "", ""});
  for (const Json& request :
       {Json{{"q", empty_texts}, {"source", "ko"}, {"target", "en"}},
        Json{{"q", "가."}, {"constraints", empty_texts}},
        Json{{"text", empty_texts}, {"source_lang", "KO"}, {"target_lang", "EN"}}}) {
    const std::string path = request.contains("text")     ? "/v2/translate"
                             : request.contains("source") ? "/translate"
                                                          : "/v1/translate";
    INFO(path);
    REQUIRE(contains(server.post(path, request, 413).dump(), "a list of 4 exceeds the limit of 3"));
  }
}

TEST_CASE("Sentences are limited where they are translated many times, and in alternatives too",
          "[serve]") {
  const RunningServer server;
  std::string text;
  for (int i = 0; i < 80; ++i) text += kBook + " ";
  const std::vector<std::string> phrases(80, "book");
  const Json guided = {{"q", text}, {"constraints", phrases}};
  REQUIRE(server.post("/v1/translate", guided, 413)["error"] ==
          "Invalid request: 80 sentences, times 80 constraints, exceed the limit of 500");
  const Json few = {{"q", kBook + " " + kLibrary}, {"constraints", {"library"}}};
  REQUIRE(contains(server.post("/v1/translate", few)["text"].get<std::string>(), "library"));
  std::string lines;
  for (int i = 0; i < 501; ++i) lines += "가.\n";
  REQUIRE(server.post("/v1/alternatives", {{"q", lines}}, 413)["error"] ==
          "Invalid request: 501 sentences exceed the limit of 500");
}

TEST_CASE("A model of unknown languages translates every kind of request", "[serve]") {
  const TemporaryFolder folder;
  const auto model = label_model(folder.path(), "model", "xx", "xx");
  const RunningServer server("", "-m '" + model.string() + "'");
  const Json both = {{"q", kBook}, {"source", "xx"}, {"target", "xx"}};
  REQUIRE(server.post("/translate", both)["translatedText"] == "I read a book.");
  const auto deepl = server.post("/v2/translate",
                                 {{"text", {kBook}}, {"source_lang", "XX"}, {"target_lang", "XX"}});
  REQUIRE(deepl["translations"][0]["text"] == "I read a book.");
}

TEST_CASE("Alternatives widen the beam to whole groups", "[serve]") {
  const RunningServer server("--diverse-groups 2 --beam-size 4");
  const Json request = {{"q", kBook}, {"source", "ko"}, {"target", "en"}, {"alternatives", 4}};
  REQUIRE(server.post("/translate", request)["translatedText"] == "I read a book.");
  REQUIRE(server.post("/v1/translate", {{"q", kBook}, {"n_best", 5}})["sentences"].size() == 1);
}

TEST_CASE("A signal ends the server when what has come is answered", "[serve]") {
  RunningServer server("--request-timeout 600");  // also under a sanitizer, on a busy machine
  std::vector<std::thread> clients;
  std::atomic<int> answered{0};
  std::string text;
  for (int i = 0; i < 100; ++i) text += kLibrary + "\n";
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&] {
      const Json request = {{"q", text}, {"source", "ko"}, {"target", "en"}};
      const auto response = server.client().Post("/translate", request.dump(), "application/json");
      answered += response && response->status == 200 ? 1 : 0;
    });
  }
  const auto waiting = [&] {
    const auto metrics = server.client().Get("/metrics");
    return metrics && metrics->body.find("nmt_batches_total{") != std::string::npos;
  };
  REQUIRE(server.program().wait_until(waiting));
  server.program().send(SIGTERM);
  const int exit_code = server.program().wait();
  for (auto& client : clients) client.join();
  INFO(server.log());
  REQUIRE(exit_code == 0);
  REQUIRE(answered == 4);
}

TEST_CASE("A signal ends the server though a translation in progress takes far too long",
          "[serve]") {
  RunningServer server("--request-timeout 1 --max-length 100000 --max-length-ratio 1000");
  std::string text;
  for (int i = 0; i < 20; ++i) text += kBook + " ";
  const Json endless = {
      {"q", text}, {"split", false}, {"beam_size", 16}, {"min_length", 100000}};  // tokens
  const auto body = endless.dump();
  RawClient client(server.port());
  client.send("POST /v1/translate HTTP/1.1\r\nHost: x\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  server.require_alive();  // asked later: the translation has begun, or waits for a thread
  server.program().send(SIGTERM);
  const int exit_code = server.program().wait();
  INFO(server.log());
  REQUIRE(exit_code == 0);
  REQUIRE(contains(server.log(), "requests that take too long are aborted"));
}

TEST_CASE("A SIGHUP with nothing to reload is logged and ends no request", "[serve]") {
  RunningServer server("--max-body 1M");
  server.program().send(SIGHUP);
  REQUIRE(server.program().wait_until(
      [&] { return contains(server.log(), "no API keys or certificate to reload"); }));
  server.require_alive();
  server.program().send(SIGTERM);
  REQUIRE(server.program().wait() == 0);
}

TEST_CASE("A port that is taken is an error of one line", "[serve]") {
  const RunningServer server;
  const TemporaryFolder folder;
  ChildProgram second(
      "serve -m '" NMT_SOURCE_DIR "/models/sample' --port " + std::to_string(server.port()),
      (folder / "log").string());
  REQUIRE(second.wait() == 1);
  const auto log = read_file(folder / "log");
  REQUIRE(log.find("cannot listen here") != std::string::npos);
  REQUIRE(std::count(log.begin(), log.end(), '\n') == 1);
}

}  // namespace nmt
