#include <atomic>
#include <thread>

#include "serve/labelled_model.h"
#include "serve/running_server.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const std::string kKorean = "저는 책을 읽어요.";

/// A server from Korean into English and from that into German. Both models are the same.
class TwoModels {
 public:
  explicit TwoModels(const std::string& arguments = "") : server_(arguments, models()) {}

  const RunningServer& operator*() const { return server_; }
  const RunningServer* operator->() const { return &server_; }

 private:
  std::string models() const {
    const auto first = label_model(folder_.path(), "1", "ko", "en");
    const auto second = label_model(folder_.path(), "2", "en", "de");
    return "-m '" + first.string() + "' -m '" + second.string() + "'";
  }

  TemporaryFolder folder_;
  RunningServer server_;
};

}  // namespace

TEST_CASE("A server of several models translates each pair, by way of a third language too",
          "[serve]") {
  const TwoModels server;
  REQUIRE(server->get("/languages") ==
          Json::parse(R"([{"code": "ko", "name": "Korean", "targets": ["en", "de"]},
                          {"code": "en", "name": "English", "targets": ["de"]},
                          {"code": "de", "name": "German", "targets": []}])"));
  const auto ask = [&](const Json& text, const std::string& source, const std::string& target,
                       int status = 200) {
    return server->post("/translate", {{"q", text}, {"source", source}, {"target", target}},
                        status);
  };
  const auto english = ask(kKorean, "ko", "en");
  REQUIRE(english["translatedText"] == "I read a book.");
  REQUIRE_FALSE(english.contains("pivot"));
  const auto german = ask(kKorean, "ko", "de");
  REQUIRE(german["pivot"] == "en");
  REQUIRE(german["translatedText"] == ask("I read a book.", "en", "de")["translatedText"]);
  const auto several = ask({kKorean, "", kKorean + "\n\n" + kKorean}, "ko", "de");
  REQUIRE(several["pivot"] == Json{"en", "en", "en"});
  REQUIRE(several["translatedText"][0] == german["translatedText"]);
  REQUIRE(contains(several["translatedText"][2], "\n\n"));
  REQUIRE(contains(ask(kKorean, "de", "ko", 400)["error"],
                   "de to ko is not supported; GET /languages"));
  REQUIRE(ask("Buch", "de", "de")["translatedText"] == "Buch");
  REQUIRE(ask("Buch", "de", "de-AT")["translatedText"] == "Buch");
}

TEST_CASE("The source of a text is found among all languages", "[serve]") {
  const TwoModels server;
  const auto ask = [&](const Json& text, const std::string& target) {
    return server->post("/translate", {{"q", text}, {"source", "auto"}, {"target", target}});
  };
  const auto german = ask(kKorean, "de");
  REQUIRE(german["detectedLanguage"]["language"] == "ko");
  REQUIRE(german["pivot"] == "en");
  const std::string english = "This is English already, isn't it?";
  const auto both = ask({english, kKorean}, "en");
  REQUIRE(both["translatedText"] == Json{english, "I read a book."});
  REQUIRE(both["detectedLanguage"][1]["language"] == "ko");
  // Of markup, only the text counts.
  const std::string html =
      "<p data-note=\"This is a long description in plain English, and here is some more of it\">" +
      kKorean + "</p>";
  const Json markup = {{"q", html}, {"source", "auto"}, {"target", "de"}, {"format", "html"}};
  REQUIRE(server->post("/translate", markup)["detectedLanguage"]["language"] == "ko");
  REQUIRE(server->post("/v1/translate", markup)["source"] == "ko");
  const Json deepl = {{"text", {html}}, {"target_lang", "DE"}, {"tag_handling", "html"}};
  REQUIRE(server->post("/v2/translate", deepl)["translations"][0]["detected_source_language"] ==
          "KO");
  const auto guesses = server->post("/detect", {{"q", kKorean}});
  REQUIRE(guesses.size() == 3);
  REQUIRE(guesses[0]["language"] == "ko");
}

TEST_CASE("A text that is partly in the target language is translated from that of the rest",
          "[serve]") {
  const TemporaryFolder folder;
  const auto french = label_model(folder.path(), "1", "fr", "en");
  const auto korean = label_model(folder.path(), "2", "ko", "en");
  const RunningServer server("", "-m '" + french.string() + "' -m '" + korean.string() + "'");
  const std::string english =
      "This is English already, isn't it?\nThis is English already, isn't it?\n";
  const auto answer =
      server.post("/translate", {{"q", english + kKorean}, {"source", "auto"}, {"target", "en"}});
  REQUIRE(answer["detectedLanguage"]["language"] == "en");
  REQUIRE(answer["translatedText"] == english + "I read a book.");
  const auto metrics = server.client().Get("/metrics")->body;
  REQUIRE(contains(metrics, "nmt_model_loaded{source=\"fr\",target=\"en\"} 0\n"));
  REQUIRE(contains(metrics, "nmt_model_loaded{source=\"ko\",target=\"en\"} 1\n"));
}

TEST_CASE("Sentences in the target language stay as they are through a third language", "[serve]") {
  const TwoModels server;
  const std::string german = "Das ist schon auf Deutsch geschrieben.";
  const Json request = {
      {"q", kKorean + "\n" + german + "\n" + kKorean}, {"source", "auto"}, {"target", "de"}};
  const auto answer = server->post("/translate", request);
  REQUIRE(answer["pivot"] == "en");
  REQUIRE(contains(answer["translatedText"].get<std::string>(), "\n" + german + "\n"));
  const auto sentences = server->post("/v1/translate", request)["sentences"];
  REQUIRE(sentences[1]["candidates"][0]["text"] == german);
  REQUIRE(sentences[1]["passed_through"] == true);
  REQUIRE_FALSE(contains(sentences[0]["candidates"][0]["text"].get<std::string>(), german));
}

TEST_CASE("A text in a language without a path to the target is refused", "[serve]") {
  const TwoModels server;
  const Json request = {{"q", "Das ist auf Deutsch."}, {"source", "auto"}, {"target", "en"}};
  REQUIRE(contains(server->post("/translate", request, 400)["error"].get<std::string>(),
                   "de to en is not supported"));
}

TEST_CASE("A text in a language that no model knows is refused, unless it is too short to tell",
          "[serve]") {
  const TwoModels server;
  Json request = {{"q", "Bonjour monsieur, je voudrais prendre un rendez-vous à la mairie."},
                  {"source", "auto"},
                  {"target", "en"}};
  for (const char* route : {"/translate", "/v1/translate"}) {
    REQUIRE(contains(server->post(route, request, 400)["error"].get<std::string>(),
                     "none of this server's languages; give its source language"));
  }
  request["q"] = {kKorean, request["q"]};
  CHECK(contains(server->post("/translate", request, 400)["error"].get<std::string>(),
                 "text 2: Invalid request: the text seems to be in none"));
  request["source"] = "ko";
  server->post("/translate", request);
  for (const char* text : {"Bonjour monsieur", "2026-11-28, 12:30 – 13:45, 100.000.000.000.000.000",
                           "https://example.org/Bonjour/monsieur/je/voudrais/prendre"}) {
    INFO(text);
    server->post("/translate", {{"q", text}, {"source", "auto"}, {"target", "en"}});
  }
}

TEST_CASE("A text of no certain language goes to the model that knows its letters", "[serve]") {
  const TemporaryFolder folder;
  const auto korean = label_model(folder.path(), "1", "ko", "en");
  const auto german =
      label_model(folder.path(), "2", "de", "en", NMT_SOURCE_DIR "/tests/models/version-2");
  const RunningServer server("", "-m '" + korean.string() + "' -m '" + german.string() + "'");
  const auto answer = server.post(
      "/translate", {{"q", "Ein Mann liest ein Buch."}, {"source", "auto"}, {"target", "en"}});
  CHECK(answer["detectedLanguage"] == Json{{"confidence", 0.0}, {"language", "de"}});
}

TEST_CASE("A text in the target language stays as it is, whatever vocabularies the model has",
          "[serve]") {
  const TemporaryFolder folder;
  const auto model =
      label_model(folder.path(), "joint", "de", "en", NMT_SOURCE_DIR "/tests/models/version-2");
  const RunningServer server("", "-m '" + model.string() + "'");
  const std::string english = "This is English already, isn't it?";
  const auto answer = server.post(
      "/translate",
      {{"q", {english, "Das ist noch kein Englisch."}}, {"source", "auto"}, {"target", "en"}});
  REQUIRE(answer["translatedText"][0] == english);
  REQUIRE(answer["translatedText"][1] != "Das ist noch kein Englisch.");
  REQUIRE(answer["detectedLanguage"][1]["language"] == "de");
  const auto mixed =
      server
          .post("/translate", {{"q", english + "\nDas ist noch kein Englisch.\n" + english},
                               {"source", "auto"},
                               {"target", "en"}})["translatedText"]
          .get<std::string>();
  REQUIRE(contains(mixed, english + "\n"));
  REQUIRE(contains(mixed, "\n" + english));
  REQUIRE_FALSE(contains(mixed, "Das ist noch kein Englisch."));

  const Json request = {{"q", english}, {"source", "auto"}, {"target", "en"}, {"words", true}};
  const auto same = server.post("/v1/translate", request);
  REQUIRE(same["text"] == english);
  REQUIRE(same["source"] == "en");
  const auto& sentence = same["sentences"][0];
  REQUIRE(sentence["source"] == english);
  REQUIRE(sentence["passed_through"] == true);
  REQUIRE(sentence["candidates"][0]["text"] == english);
  REQUIRE(sentence["candidates"][0]["words"] == sentence["source_words"]);
  REQUIRE(sentence["candidates"][0]["alignment"] == "0-0 1-1 2-2 3-3 4-4 5-5");
  const auto with = [&](const Json& more) {
    auto changed = request;
    changed.update(more);
    return changed;
  };
  const std::string html = "<p class='x'>This is <b>English</b> already &amp; stays so.</p>\n";
  REQUIRE(server.post("/v1/translate", with({{"q", html}, {"format", "html"}}))["text"] == html);
  REQUIRE(server.post("/v1/translate",
                      with({{"q", {english, english}}}))["translations"][1]["text"] == english);
  const auto stream =
      server.client().Post("/v1/translate", with({{"stream", true}}).dump(), "application/json");
  REQUIRE(contains(stream->body, "event: done\ndata: {\"text\":\"" + english + "\""));
  REQUIRE(server.post("/v1/translate", with({{"prefix", "2 1"}}))["text"] != english);

  const auto from_german = with({{"source", "de"}});
  REQUIRE(server.post("/v1/translate", from_german)["text"] != english);
  const RunningServer passing("--pass-through", "-m '" + model.string() + "'");
  REQUIRE(passing.post("/v1/translate", from_german)["text"] == english);
}

TEST_CASE("A text in the target language stays as it is where the source language is unknown",
          "[serve]") {
  const TemporaryFolder folder;
  const auto model =
      label_model(folder.path(), "joint", "xx", "en", NMT_SOURCE_DIR "/tests/models/version-2");
  const RunningServer server("", "-m '" + model.string() + "'");
  const std::string english = "This is English already, isn't it?";
  REQUIRE(server.post("/translate",
                      {{"q", english}, {"source", "auto"}, {"target", "en"}})["translatedText"] ==
          english);
}

TEST_CASE("/v1 takes a source and a target, and shows the last of two translations", "[serve]") {
  const TwoModels server;
  const auto ask = [&](Json request, int status = 200) {
    request["q"] = kKorean;
    return server->post("/v1/translate", request, status);
  };
  REQUIRE(ask({})["text"] == "I read a book.");
  REQUIRE(ask({{"target", "en"}})["text"] == "I read a book.");
  const auto german = ask({{"source", "ko"}, {"target", "de"}, {"words", true}});
  REQUIRE(german["pivot"] == "en");
  REQUIRE(german["sentences"][0]["source"] == "I read a book.");
  const auto direct =
      server->post("/v1/translate", {{"q", "I read a book."}, {"source", "en"}, {"words", true}});
  REQUIRE(german["sentences"] == direct["sentences"]);
  const auto prefixed = ask({{"source", "ko"}, {"target", "de"}, {"prefix", "We "}});
  REQUIRE(prefixed["text"].get<std::string>().rfind("We ", 0) == 0);
  REQUIRE(ask({{"source", "auto"}, {"target", "en"}})["source"] == "ko");
  REQUIRE(ask({{"source", "fr"}}, 400)["error"].is_string());
  REQUIRE(ask({{"source", "de"}, {"target", "en"}}, 400)["error"].is_string());
  const auto others = server->post(
      "/v1/alternatives", {{"q", kKorean}, {"source", "ko"}, {"target", "de"}, {"count", 2}});
  REQUIRE(others == server->post("/v1/alternatives",
                                 {{"q", "I read a book."}, {"source", "en"}, {"count", 2}}));
  const auto stream = server->client().Post(
      "/v1/translate",
      Json{{"q", kKorean}, {"source", "ko"}, {"target", "de"}, {"stream", true}}.dump(),
      "application/json");
  REQUIRE(contains(stream->body, "\"pivot\":\"en\"}"));
}

TEST_CASE("/v1 takes the model with the very code of a target alone", "[serve]") {
  const TemporaryFolder folder;
  const auto simplified = label_model(folder.path(), "1", "ko", "zh-CN");
  const auto traditional = label_model(folder.path(), "2", "ko", "zh-TW");
  const RunningServer server("",
                             "-m '" + simplified.string() + "' -m '" + traditional.string() + "'");
  for (const auto& [asked, used] : {std::pair("zh-TW", "zh-TW"), std::pair("zh", "zh-CN")}) {
    const auto answer = server.post(
        "/v1/translate",
        {{"q", "<html lang='ko'>" + kKorean + "</html>"}, {"target", asked}, {"format", "html"}});
    REQUIRE(contains(answer["text"], "<html lang='" + std::string(used) + "'>"));
  }
}

TEST_CASE("Models take turns in memory that is enough for one", "[serve]") {
  const TwoModels server("--max-memory 20M");
  for (int i = 0; i < 3; ++i) {
    const auto answer =
        server->post("/translate", {{"q", {kKorean, kKorean}}, {"source", "ko"}, {"target", "de"}});
    REQUIRE(answer["pivot"][0] == "en");
  }
  const auto metrics = server->client().Get("/metrics")->body;
  REQUIRE(contains(metrics, "nmt_model_loads_total{source=\"ko\",target=\"en\"} 3\n"));
  REQUIRE(contains(metrics, "nmt_model_loaded{source=\"ko\",target=\"en\"} 0\n"));
  REQUIRE(contains(metrics, "nmt_model_loaded{source=\"en\",target=\"de\"} 1\n"));
}

TEST_CASE("A model that is replaced on the disk costs no request", "[serve]") {
  const TemporaryFolder folder;
  const auto model = label_model(folder.path(), "ko-en", "ko", "en");
  const auto next =
      label_model(folder.path(), "next", "ko", "en", NMT_SOURCE_DIR "/tests/models/version-2");
  RunningServer server("", "-m '" + model.string() + "'");
  std::atomic<bool> stopping{false};
  std::atomic<int> lost{0};
  std::thread client([&] {
    const Json request = {{"q", kKorean}, {"source", "ko"}, {"target", "en"}};
    auto http = server.client();
    http.set_keep_alive(true);
    while (!stopping) {
      const auto response = http.Post("/translate", request.dump(), "application/json");
      if (!response || response->status != 200) ++lost;
    }
  });
  const auto translation = [&] {
    return server.post("/translate",
                       {{"q", kKorean}, {"source", "ko"}, {"target", "en"}})["translatedText"];
  };
  const auto logs = [&](const std::string& text) {
    return server.program().wait_until([&] { return contains(server.log(), text); });
  };
  REQUIRE(translation() == "I read a book.");
  std::filesystem::rename(model, folder / "old");
  std::filesystem::rename(next, model);
  REQUIRE(logs("ko-en: replaced; requests use the new version"));
  REQUIRE(translation() != "I read a book.");
  write_file_atomically(model / "target.spm", "damaged");
  REQUIRE(logs("target.spm: does not match SHA256SUMS"));
  REQUIRE(contains(server.log(), "ko-en: not replaced: "));
  REQUIRE(translation() != "I read a book.");
  std::filesystem::rename(model, folder / "damaged");
  std::filesystem::rename(folder / "old", model);
  REQUIRE(server.program().wait_until([&] { return translation() == "I read a book."; }));
  stopping = true;
  client.join();
  REQUIRE(lost == 0);
}

TEST_CASE("What fits one model only is refused with several", "[serve]") {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& arguments, const std::string& message, int code) {
    ChildProgram program("serve --port 0 " + arguments, (folder / "log").string());
    REQUIRE(program.wait() == code);
    const auto log = read_file(folder / "log");
    INFO(log);
    REQUIRE(contains(log, message));
    REQUIRE(std::count(log.begin(), log.end(), '\n') == 1);
    std::filesystem::remove(folder / "log");
  };
  const auto first = "-m '" + label_model(folder.path(), "1", "ko", "en").string() + "' ";
  const auto both = first + "-m '" + label_model(folder.path(), "2", "en", "de").string() + "' ";
  fails(both + "--source-language ko", "--source-language: is for one model", 2);
  fails(both + "--terms nowhere", "--terms: is for one model", 2);
  fails(both + "--models '" + folder.path().string() + "'", ": both translate ", 1);
  fails("", "no model given; use --model-dir or --models", 2);
  fails(first + "--max-memory 1M", "more than --max-memory 1 MiB; ", 1);
  fails(first + "--max-memory 1K", "more than --max-memory 1 KiB; ", 1);
  fails(first + "--max-memory many", "--max-memory", 2);
  const auto joint =
      label_model(folder.path(), "3", "de", "de-AT", NMT_SOURCE_DIR "/tests/models/version-2");
  fails(both + "-m '" + joint.string() + "' --pass-through",
        "--pass-through: the languages of the model from de to de-AT cannot be distinguished", 2);
}

}  // namespace nmt
