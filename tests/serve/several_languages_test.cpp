#include <string>
#include <vector>

#include "serve/labelled_model.h"
#include "serve/model_catalog.h"
#include "serve/running_server.h"
#include "support/expect_error.h"
#include "support/log_capture.h"
#include "text/model_description.h"
#include "text/protobuf.h"

namespace nmt {
namespace {

/// The model with its last source pieces replaced by those of languages.
std::string with_last_pieces(const std::string& model, const std::vector<std::string>& pieces) {
  constexpr uint64_t kPieces = 1;
  size_t left = 0;
  for_each_field(model, [&](const ProtobufField& field) { left += field.number == kPieces; });
  std::string changed;
  for_each_field(model, [&](const ProtobufField& field) {
    const bool is_last = field.number == kPieces && left <= pieces.size();
    changed += is_last ? sentence_piece(pieces[pieces.size() - left], PieceType::kControl)
                       : bytes_field(field.number, std::string(field.bytes));
    if (field.number == kPieces) --left;
  });
  return changed;
}

/// What a model of several languages says of its training.
struct Training {
  std::vector<std::string> pieces = {"<2en>", "<2de>", "<2fr>"};
  std::string languages = "[en, de, fr]";
  std::string sources = "[a.ko, b.ko, c.en]";
  std::string targets = "[a.en, b.de, c.fr]";
};

/// The sample model, as if trained from Korean to English and German, and from English to French.
std::filesystem::path label_languages(const std::filesystem::path& folder,
                                      const Training& training = {}) {
  const auto model = label_model(folder, "several", "ko", "en");
  write_file_atomically(model / "source.spm",
                        with_last_pieces(read_file(model / "source.spm"), training.pieces));
  auto settings = read_file(model / "config.yaml");
  const std::string source = "train_source: train.ko";
  settings.replace(
      settings.find(source), source.size(),
      "train_languages: " + training.languages + "\n  train_source: " + training.sources);
  const std::string target = "train_target: train.en";
  settings.replace(settings.find(target), target.size(), "train_target: " + training.targets);
  write_file_atomically(model / "config.yaml", settings);
  write_checksums(model);
  return model;
}

}  // namespace

TEST_CASE("A server selects the language of a model by the target of a request", "[serve]") {
  const TemporaryFolder folder;
  const auto model = label_languages(folder.path());
  const Translator translator({{model}});
  REQUIRE(translator.target_languages() == std::vector<std::string>{"en", "de", "fr"});
  const RunningServer server("", "-m '" + model.string() + "'");
  REQUIRE(server.get("/languages") ==
          Json::parse(R"([{"code": "ko", "name": "Korean", "targets": ["en", "de", "fr"]},
                          {"code": "en", "name": "English", "targets": ["fr"]},
                          {"code": "de", "name": "German", "targets": []},
                          {"code": "fr", "name": "French", "targets": []}])"));
  const std::string text = "저는 책을 읽어요.";
  const auto translate = [&](const std::string& target, const std::string& of) {
    return translator.translate({"<2" + target + "> " + of}).front().text;
  };
  const auto ask = [&](const std::string& target) {
    return server.post("/translate", {{"q", text}, {"source", "ko"}, {"target", target}}, 200);
  };
  for (const std::string target : {"en", "de", "en"}) {
    REQUIRE(ask(target)["translatedText"] == translate(target, text));
  }
  TranslationOptions passing;
  passing.pass_through = true;
  REQUIRE(contains(error_of([&] { translator.translate({"<2en> " + text}, passing); }),
                   "pass_through: the model's languages cannot be distinguished"));
  // A direction that was not trained goes through two that were.
  REQUIRE(ask("fr")["translatedText"] == translate("fr", translate("en", text)));
  REQUIRE(ask("fr")["pivot"] == "en");
  // What a client sends is text.
  const auto marked =
      server.post("/translate", {{"q", "<2de> " + text}, {"source", "ko"}, {"target", "en"}}, 200);
  REQUIRE(marked["translatedText"] == translator.translate({"<2en> <2de> " + text}).front().text);
  REQUIRE(contains(
      server.post("/translate", {{"q", text}, {"source", "ko"}, {"target", "it"}}, 400)["error"],
      "ko to it is not supported"));
}

TEST_CASE("A model of several languages is loaded at the start, with one direction too",
          "[serve]") {
  for (const auto& training : {Training{}, Training{{"<2en>"}, "[en]", "[a.ko]", "[a.en]"}}) {
    INFO(training.languages);
    const TemporaryFolder folder;
    const auto model = label_languages(folder.path(), training);
    const RunningServer server("", "-m '" + model.string() + "'");
    REQUIRE(contains(server.client().Get("/metrics")->body,
                     "nmt_model_loaded{source=\"ko\",target=\"en\"} 1\n"));
  }
}

TEST_CASE("Documents name the language that a model of several translates into", "[serve]") {
  const TemporaryFolder folder;
  const auto model = label_languages(folder.path());
  TranslatorOptions options{{model}};
  options.target_language = "fr";
  REQUIRE(Translator(options).source_languages() == std::vector<std::string>{"en"});
  const RunningServer server("", "-m '" + model.string() + "'");
  const std::string page = "<html lang=\"ko\"><p>저는 책을 읽어요.</p></html>";
  const Json request = {{"q", page}, {"source", "ko"}, {"target", "de"}, {"format", "html"}};
  REQUIRE(contains(server.post("/translate", request)["translatedText"], "<html lang=\"de\">"));
  auto whole = request;
  whole["split"] = false;
  REQUIRE(contains(server.post("/v1/translate", whole)["text"], "<html lang=\"de\">"));
  const std::string catalog =
      "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n"
      "msgid \"저는 책을 읽어요.\"\nmsgstr \"\"\n";
  const auto translated = server.post(
      "/translate", {{"q", catalog}, {"source", "ko"}, {"target", "de"}, {"format", "po"}});
  REQUIRE(contains(translated["translatedText"], "\"Language: de\\n\""));
}

TEST_CASE("A model that is replaced by one of other directions is refused with both", "[serve]") {
  const TemporaryFolder folder;
  CatalogOptions options;
  options.translators.model_dirs = {label_languages(folder.path())};
  ModelCatalog catalog(options);
  std::filesystem::remove_all(options.translators.model_dirs.front());
  label_languages(folder.path(),
                  {{"<2en>", "<2de>", "<2fr>"}, "[en, de]", "[a.ko, b.ko]", "[a.en, b.de]"});
  REQUIRE(contains(error_of([&] { catalog.acquire(0); }),
                   ": translates ko to en, ko to de now, no longer ko to en, ko to de, en to fr; "
                   "restart the server"));
}

TEST_CASE("Directions that no ending names are not served, with a warning", "[serve]") {
  const TemporaryFolder folder;
  CatalogOptions options;
  options.translators.model_dirs = {label_languages(
      folder.path(),
      {{"<2en>", "<2de>", "<2fr>"}, "[en, de, fr]", "[a.ko, b.ko, c.src]", "[a.en, b.de, c.fr]"})};
  const LogCapture log;
  ModelCatalog catalog(options);
  REQUIRE(catalog.directions().size() == 2);
  REQUIRE(contains(log.text(), "ending of the training file names no language: c.src to fr"));
}

TEST_CASE("Directions of one model share its memory", "[serve]") {
  const TemporaryFolder folder;
  CatalogOptions options;
  options.translators.model_dirs = {label_languages(folder.path())};
  ModelCatalog catalog(options);
  REQUIRE(catalog.directions().size() == 3);
  const auto first = catalog.acquire(0);
  const auto memory = catalog.memory_in_use();
  const auto last = catalog.acquire(2);
  REQUIRE(catalog.memory_in_use() == memory);
  REQUIRE(first->translator == last->translator);
  REQUIRE(first->line("x") == "<2en> x");
  REQUIRE(last->line("x") == "<2fr> x");
  REQUIRE(catalog.states()[2].times_loaded == 1);
  options.direction.target = "de";
  REQUIRE(contains(error_of([&] { ModelCatalog other(options); }), "omit --source-language"));
}

}  // namespace nmt
