#include <array>

#include "files/sha256.h"
#include "office/made_archive.h"
#include "office/zip_archive.h"
#include "serve/file_documents.h"
#include "serve/form_parts.h"
#include "serve/labelled_model.h"
#include "serve/running_server.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const std::string kReading = "저는 책을 읽어요.";

FormParts file_form(const std::string& name, const std::string& content,
                    const std::string& source = "ko") {
  return {{"file", content, name, "application/octet-stream"},
          {"source", source, "", ""},
          {"target", "en", "", ""}};
}

Json post_file(const RunningServer& server, const FormParts& form, int status = 200) {
  const auto response = server.client().Post("/translate_file", form);
  REQUIRE(response);
  INFO(response->body);
  REQUIRE(response->status == status);
  return Json::parse(response->body);
}

/// The response to the URL that the server returned.
httplib::Result fetch(const RunningServer& server, const Json& answer) {
  const auto url = answer["translatedFileUrl"].get<std::string>();
  const auto origin = "http://127.0.0.1:" + std::to_string(server.port());
  REQUIRE(url.rfind(origin + "/download_file/", 0) == 0);
  return server.client().Get(url.substr(origin.size()));
}

std::string docx_of(const std::string& text) {
  return zipped({{"word/document.xml", "<w:document xmlns:w=\"urn:w\"><w:p><w:r><w:t>" + text +
                                           "</w:t></w:r></w:p></w:document>"}});
}

}  // namespace

TEST_CASE("Files of each format are translated and fetched", "[serve]") {
  const RunningServer server;
  const std::vector<std::array<std::string, 3>> files = {
      {"a.txt", kReading + "\n\n", "I read a book.\n\n"},
      {"a.HTML", "<p>" + kReading + "</p>", "<p>I read a book.</p>"},
      {"a.xml", "<a>" + kReading + "</a>", "<a>I read a book.</a>"},
      {"a.md", "# " + kReading, "# I read a book."},
      {"a.srt", "1\n00:00:01,000 --> 00:00:02,000\n" + kReading,
       "1\n00:00:01,000 --> 00:00:02,000\nI read a book."},
      {"a.po", "msgid \"" + kReading + "\"\nmsgstr \"\"\n",
       "msgid \"" + kReading + "\"\nmsgstr \"I read a book.\"\n"},
  };
  for (const auto& [name, content, translated] : files) {
    INFO(name);
    const auto response = fetch(server, post_file(server, file_form(name, content)));
    REQUIRE(response->status == 200);
    REQUIRE(response->body == translated);
    REQUIRE(response->get_header_value("Content-Disposition") ==
            "attachment; filename*=UTF-8''a_en" + name.substr(1));
    REQUIRE(contains(response->get_header_value("Content-Security-Policy"), "sandbox"));
  }
  const auto docx = fetch(server, post_file(server, file_form("책 1.docx", docx_of(kReading))));
  REQUIRE(contains(ZipArchive(docx->body).read("word/document.xml"), ">I read a book.<"));
  REQUIRE(contains(docx->get_header_value("Content-Disposition"), "1_en.docx"));
  const auto detected = post_file(server, file_form("a.txt", kReading, "auto"));
  REQUIRE(fetch(server, detected)->body == "I read a book.");
  const auto settings = server.get("/frontend/settings");
  REQUIRE(settings["filesTranslation"] == true);
  REQUIRE(settings["supportedFilesFormat"] == file_endings());
}

TEST_CASE("The URL of a translated file is as the client reached the server", "[serve]") {
  const RunningServer server;
  for (const auto& [forwarded, scheme] : {std::pair{"https", "https"},
                                          {"HTTPS", "https"},
                                          {"https, http", "https"},
                                          {"https,http", "https"},
                                          {"http, https", "http"},
                                          {"", "http"}}) {
    INFO(forwarded);
    const auto response = server.client().Post(
        "/translate_file", {{"X-Forwarded-Proto", forwarded}}, file_form("a.txt", "12"));
    REQUIRE(response);
    CHECK(contains(response->body, scheme + std::string("://127.0.0.1:")));
  }
  for (const auto& [prefix, path] : {std::pair{"/nmt", "/nmt/download_file/"},
                                     {"/a/nmt/", "/a/nmt/download_file/"},
                                     {"/", "/download_file/"},
                                     {"nmt", "/download_file/"}}) {
    INFO(prefix);
    const auto response = server.client().Post("/translate_file", {{"X-Forwarded-Prefix", prefix}},
                                               file_form("a.txt", "12"));
    REQUIRE(response);
    const auto host = "http://127.0.0.1:" + std::to_string(server.port());
    CHECK(contains(response->body, host + path));
  }
}

TEST_CASE("A file is translated by a model of unknown languages too", "[serve]") {
  const TemporaryFolder folder;
  const auto model = label_model(folder.path(), "model", "xx", "xx");
  const RunningServer server("", "-m '" + model.string() + "'");
  auto form = file_form("a.txt", kReading, "xx");
  form.back().content = "xx";
  REQUIRE(fetch(server, post_file(server, form))->body == "I read a book.");
}

TEST_CASE("A file is translated through a third language like a text", "[serve]") {
  const TemporaryFolder folder;
  const auto second = label_model(folder.path(), "en-de", "en", "de");
  const RunningServer server("",
                             "-m '" NMT_SOURCE_DIR "/models/sample' -m '" + second.string() + "'");
  auto form = file_form("a.md", "# " + kReading);
  form[2].content = "de";
  const Json text = {
      {"q", "# " + kReading}, {"source", "ko"}, {"target", "de"}, {"format", "markdown"}};
  REQUIRE(server.post("/translate", text)["translatedText"] ==
          fetch(server, post_file(server, form))->body);
  // The second model would find every message translated.
  const std::string catalog = "msgid \"" + kReading + "\"\nmsgstr \"\"\n";
  auto catalog_form = file_form("a.po", catalog);
  catalog_form[2].content = "de";
  const auto usage = server.get("/v2/usage");
  CHECK(contains(post_file(server, catalog_form, 400)["error"], "through a third language"));
  CHECK(server.get("/v2/usage") == usage);
  for (const std::string route : {"/translate", "/v1/translate"}) {
    for (const std::string format : {"po", "xliff"}) {
      const Json request = {{"q", catalog}, {"source", "ko"}, {"target", "de"}, {"format", format}};
      CHECK(contains(server.post(route, request, 400)["error"],
                     "message catalogs and XLIFF are not translated through a third language"));
    }
  }
}

TEST_CASE("A file that cannot be translated is refused with the reason", "[serve]") {
  const RunningServer server;
  const auto refusal = [&](const FormParts& form, int status = 400) {
    return post_file(server, form, status)["error"].get<std::string>();
  };
  CHECK(contains(refusal(file_form("a.exe", "x")), "file format not supported"));
  CHECK(contains(refusal(file_form("a.xml", "<a>")), "XML: line 1"));
  CHECK(contains(refusal(file_form("a.docx", "<a>")), "ZIP archive"));
  CHECK(contains(refusal(file_form("a.txt", "\xFF")), "not UTF-8"));
  CHECK(contains(refusal(file_form("a.txt", "x", "fr")), "fr is not supported"));
  CHECK(
      contains(refusal({{"file", "x", "a.txt", ""}, {"target", "en", "", ""}}), "missing source"));
  CHECK(contains(refusal({{"file", "x", "", ""}}), "missing file"));
  for (const std::string path : {"/download_file/", "/download_file/x", "/download_file/../x"}) {
    CHECK(server.client().Get(path)->status == 404);
  }
  CHECK(server.client().Get("/translate/x")->status == 404);
}

TEST_CASE("Files count as what is in them, and need a key where texts do", "[serve]") {
  const TemporaryFolder folder;
  folder.write("keys", "alice sha256:" + sha256("one") + " requests=4 characters=40\n");
  const RunningServer server("--max-characters 30 --api-key-file '" + (folder / "keys").string() +
                             "'");
  const auto with_key = [](const std::string& name, const std::string& content) {
    auto form = file_form(name, content);
    form.push_back({"api_key", "one", "", ""});
    return form;
  };
  post_file(server, file_form("a.docx", "not even an archive"), 403);
  CHECK(contains(post_file(server, with_key("a.txt", std::string(30, 'a')), 413)["error"], "30"));
  // A file in a language that no model reads does not count.
  auto unknown = with_key("a.txt", std::string(25, 'a'));
  unknown[1].content = "fr";
  post_file(server, unknown, 400);
  // Tags and what surrounds the text in an archive do not count.
  post_file(server, with_key("a.docx", docx_of(std::string(25, 'a'))));
  post_file(server, with_key("a.docx", docx_of(std::string(25, 'a'))), 429);  // characters
  post_file(server, with_key("a.docx", "not even an archive"), 429);          // requests
}

TEST_CASE("Suggestions are stored where a file is given", "[serve]") {
  const Json suggestion = {
      {"q", kReading}, {"s", "I am reading."}, {"source", "ko"}, {"target", "en"}};
  const RunningServer closed;
  REQUIRE(contains(closed.post("/suggest", suggestion, 403)["error"], "with --suggestions"));
  REQUIRE(closed.get("/frontend/settings")["suggestions"] == false);
  const TemporaryFolder folder;
  folder.write("suggestions", "old\n");
  const RunningServer server("--suggestions '" + (folder / "suggestions").string() + "'");
  REQUIRE(server.get("/frontend/settings")["suggestions"] == true);
  REQUIRE(server.post("/suggest", suggestion) == Json{{"success", true}});
  auto detected = suggestion;
  detected["source"] = "auto";
  server.post("/suggest", detected);
  REQUIRE(read_file(folder / "suggestions") ==
          "old\n{\"q\":\"" + kReading +
              "\",\"s\":\"I am reading.\",\"source\":\"ko\",\"target\":\"en\"}\n"
              "{\"q\":\"" +
              kReading + "\",\"s\":\"I am reading.\",\"source\":\"ko\",\"target\":\"en\"}\n");
  std::filesystem::rename(folder / "suggestions", folder / "collected");
  server.post("/suggest", suggestion);
  REQUIRE(contains(read_file(folder / "suggestions"), "I am reading."));
  std::filesystem::resize_file(folder / "suggestions", 64 << 20);  // as much as it may hold
  const auto full = server.client().Post("/suggest", suggestion.dump(), "application/json");
  REQUIRE(full->status == 503);
  REQUIRE(full->get_header_value("Retry-After") == "86400");
  std::filesystem::rename(folder / "suggestions", folder / "collected");
  server.post("/suggest", suggestion);
  auto wrong = suggestion;
  wrong.erase("s");
  REQUIRE(contains(server.post("/suggest", wrong, 400)["error"], "missing s parameter"));
  for (const char* name : {"q", "s"}) {
    wrong = suggestion;
    wrong[name] = " \n";
    REQUIRE(contains(server.post("/suggest", wrong, 400)["error"],
                     "Invalid request: " + std::string(name) + " is empty"));
  }
  wrong = suggestion;
  wrong["target"] = "fr";
  server.post("/suggest", wrong, 400);
  wrong["s"] = std::string(30000, 'a');
  server.post("/suggest", wrong, 413);
}

}  // namespace nmt
