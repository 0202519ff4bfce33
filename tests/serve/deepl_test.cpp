#include "files/sha256.h"
#include "serve/labelled_model.h"
#include "serve/running_server.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const std::string kBooks = "저는 책을 읽어요.";

}  // namespace

TEST_CASE("DeepL's routes answer as its clients expect", "[serve]") {
  const RunningServer server;
  const auto ask = [&](Json request, int status = 200) {
    if (!request.contains("target_lang")) request["target_lang"] = "EN-US";
    return server.post("/v2/translate", request, status);
  };
  REQUIRE(ask({{"text", {kBooks, ""}}, {"source_lang", "KO"}}) ==
          Json{{"translations",
                {{{"detected_source_language", "KO"}, {"text", "I read a book."}},
                 {{"detected_source_language", "KO"}, {"text", ""}}}}});
  const auto detected = ask({{"text", {kBooks}}, {"show_billed_characters", true}});
  REQUIRE(detected["translations"][0] == Json{{"detected_source_language", "KO"},
                                              {"text", "I read a book."},
                                              {"billed_characters", 10}});
  REQUIRE(ask({{"text", {kBooks}}, {"source_lang", ""}})["translations"][0]["text"] ==
          "I read a book.");
  REQUIRE(ask({{"text", {"A dog."}}, {"source_lang", "EN"}})["translations"][0] ==
          Json{{"detected_source_language", "EN"}, {"text", "A dog."}});
  REQUIRE(ask({{"text", {"<a>저는 <b>책을</b> 읽어요.</a>"}},
               {"tag_handling", "xml"}})["translations"][0]["text"] ==
          "<a>I read <b>a book</b>.</a>");
  const auto fragments = ask({{"text", {"저는 <b>책을</b> 읽어요.", "", "<nmt>12</nmt>"}},
                              {"source_lang", "KO"},
                              {"tag_handling", "xml"},
                              {"show_billed_characters", true}})["translations"];
  REQUIRE(fragments[0]["text"] == "I read <b>a book</b>.");
  REQUIRE(fragments[0]["billed_characters"] == 17);
  REQUIRE(fragments[1]["text"] == "");
  REQUIRE(fragments[2]["text"] == "<nmt>12</nmt>");
  REQUIRE(ask({{"text", {"저는 책을\n읽어요."}},
               {"split_sentences", "0"}})["translations"][0]["text"] == "I read a book.");
  const auto form = server.post_text("/v2/translate",
                                     "text=%EC%A0%80%EB%8A%94+%EC%B1%85%EC%9D%84%0D%0A"
                                     "%EC%9D%BD%EC%96%B4%EC%9A%94.&text=12&target_lang=en&"
                                     "preserve_formatting=1&enable_beta_languages=1&"
                                     "split_sentences=nonewlines",
                                     200, "application/x-www-form-urlencoded");
  REQUIRE(form["translations"][0]["text"] == "I read a book.");
  REQUIRE(form["translations"][1]["text"] == "12");
  for (const char* name : {"context", "glossary_id", "style_id"}) {  // empty: no difference
    REQUIRE(ask({{"text", {kBooks}}, {name, ""}})["translations"].size() == 1);
  }
  REQUIRE(ask({{"text", {kBooks}}, {"non_splitting_tags", Json::array()}})["translations"].size() ==
          1);
  for (const Json& wrong :
       {Json{{"formality", "more"}}, Json{{"formality", "rude"}}, Json{{"glossary_id", "x"}},
        Json{{"context", "x"}}, Json{{"ignore_tags", "x"}}, Json{{"outline_detection", false}},
        Json{{"model_type", "quality_optimized"}}, Json{{"tag_handling", "pdf"}},
        Json{{"split_sentences", "2"}}, Json{{"target_lang", "FR"}}, Json{{"source_lang", "FR"}},
        Json{{"text", 1}}, Json{{"txet", "x"}},
        Json{{"text", {"<a>저는"}}, {"tag_handling", "xml"}}}) {
    INFO(wrong);
    Json request = {{"text", {kBooks}}};
    request.update(wrong);
    REQUIRE(ask(request, 400)["message"].is_string());
  }
  REQUIRE(contains(ask({{"text", {kBooks}}, {"formality", "more"}}, 400)["message"], "formality"));
  REQUIRE(ask({{"text", {kBooks}}, {"formality", "prefer_less"}})["translations"].size() == 1);
  const auto refused = server.client().Get("/v2/translate");  // by the HTTP server itself
  REQUIRE(refused->status == 405);
  REQUIRE(Json::parse(refused->body)["message"] == "Method not allowed");
}

TEST_CASE("DeepL's list of languages names variants that its clients need", "[serve]") {
  const TemporaryFolder folder;
  const auto to_french = label_model(folder.path(), "ko-fr", "ko", "fr");
  const RunningServer server(
      "", "-m '" NMT_SOURCE_DIR "/models/sample' -m '" + to_french.string() + "'");
  REQUIRE(server.get("/v2/languages") == Json::parse(R"([{"language": "KO", "name": "Korean"}])"));
  const auto targets = server.get("/v2/languages?type=target");
  REQUIRE(targets.size() == 3);
  REQUIRE(targets[0]["language"] == "EN-GB");
  REQUIRE(targets[1] == Json{{"language", "EN-US"},
                             {"name", "English (American)"},
                             {"supports_formality", false}});
  REQUIRE(targets[2]["language"] == "FR");
  REQUIRE(server.post("/v2/languages", {{"type", "target"}}) == targets);
  REQUIRE(server.client().Get("/v2/languages?type=x")->status == 400);
  for (const char* path : {"/v2/languages", "/v2/usage"}) {
    REQUIRE(server.post_text(path, "", 200) == server.get(path));
  }
}

TEST_CASE("DeepL's usage is what a key has sent", "[serve]") {
  const TemporaryFolder folder;
  folder.write("keys",
               "alice sha256:" + sha256("one") + " requests=3\nbob sha256:" + sha256("two") + "\n");
  const RunningServer server("--api-key-file '" + (folder / "keys").string() + "'");
  const auto send = [&](const std::string& key, const std::string& path, const std::string& body) {
    const httplib::Headers headers = {{"Authorization", "DeepL-Auth-Key " + key}};
    auto client = server.client();
    return body.empty() ? client.Get(path, headers)
                        : client.Post(path, headers, body, "application/json");
  };
  const Json request = {{"text", {kBooks, kBooks}}, {"target_lang", "EN"}};
  const auto denied = send("wrong", "/v2/translate", "not even JSON");
  REQUIRE(denied->status == 403);
  REQUIRE(Json::parse(denied->body)["message"] == "Invalid API key");
  REQUIRE(server.client().Get("/v2/usage")->status == 403);
  REQUIRE(send("one", "/v2/translate", request.dump())->status == 200);
  REQUIRE(Json::parse(send("one", "/v2/usage", "")->body) ==
          Json{{"character_count", 20}, {"character_limit", 1000000000000}});
  REQUIRE(Json::parse(send("two", "/v2/usage", "")->body)["character_count"] == 0);
  // As LibreOffice sends the key.
  const std::string form = "auth_key=two&source_lang=KO&target_lang=EN&text=12";
  const std::string type = "application/x-www-form-urlencoded";
  REQUIRE(server.post_text("/v2/translate", form, 200, type)["translations"].size() == 1);
  REQUIRE(server.get("/v2/usage?auth_key=two")["character_count"] == 2);
  send("one", "/v2/usage", "");
  const auto limited = send("one", "/v2/usage", "");
  REQUIRE(limited->status == 429);
  const int wait = std::stoi(limited->get_header_value("Retry-After"));  // a request in 20 s
  CHECK(wait >= 1);
  CHECK(wait <= 20);
}

}  // namespace nmt
