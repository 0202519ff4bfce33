#include "serve/service.h"

#include <algorithm>
#include <numeric>

#include "errors/error.h"
#include "files/line_reader.h"
#include "files/sha256.h"
#include "markup/model_splitter.h"
#include "text/sentence_splitter.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr int64_t kMaxBeam = 16;
constexpr int64_t kMaxLength = 1000;  // tokens

std::set<std::string> read_keys(const std::filesystem::path& file) {
  std::set<std::string> hashes;
  if (file.empty()) return hashes;
  LineReader reader(file);
  // Hashes: the time of a look-up then reveals nothing about a key.
  for (std::string line; reader.next(line);) {
    if (!line.empty()) hashes.insert(sha256(line));
  }
  if (hashes.empty()) throw Error(file.string() + ": has no keys; write one on each line");
  return hashes;
}

}  // namespace

Service::Service(const Translator& translator, const ServeOptions& options)
    : translator_(translator),
      options_(options),
      key_hashes_(read_keys(options.api_keys)),
      queue_(translator, options.max_queue, options.http.queue_timeout, metrics_) {}

void Service::require_key(const std::string& key) const {
  if (!requires_key() || key_hashes_.count(sha256(key)) > 0) return;
  throw HttpError(403,
                  key.empty() ? "This server requires an API key (api_key)" : "Invalid API key");
}

void Service::require_characters(const std::vector<std::string>& texts) const {
  const size_t characters = std::accumulate(
      texts.begin(), texts.end(), size_t{0},
      [](size_t sum, const auto& text) { return sum + to_code_points(text).size(); });
  if (characters <= options_.max_characters) return;
  throw HttpError(413, "Invalid request: " + std::to_string(characters) +
                           " characters exceed the text limit of " +
                           std::to_string(options_.max_characters));
}

void Service::require_sentences(const std::vector<Document>& texts) const {
  const size_t sentences =
      std::accumulate(texts.begin(), texts.end(), size_t{0},
                      [](size_t sum, const auto& text) { return sum + text.sentences().size(); });
  if (sentences <= options_.max_sentences) return;
  throw HttpError(413, "Invalid request: " + std::to_string(sentences) +
                           " sentences exceed the limit of " +
                           std::to_string(options_.max_sentences));
}

Document Service::parse(const std::string& text, DocumentFormat format, bool split) const try {
  return Document(text, format,
                  split ? make_splitter(translator_, options_.translation) : whole_text);
} catch (const MarkupError& error) {
  throw HttpError(400, std::string("Invalid request: ") + error.what());
}

TranslationOptions Service::with_words(TranslationOptions options,
                                       const std::vector<Document>& texts) {
  const auto needs_words = [](const Document& text) { return text.needs_words(); };
  options.words = options.words || std::any_of(texts.begin(), texts.end(), needs_words);
  return options;
}

DocumentFormat Service::format_of(const ApiRequest& request) {
  const auto format = parse_choice<DocumentFormat>(request.text("format", "text"));
  if (format) return *format;
  throw HttpError(
      400, "Invalid request: format must be one of " + list_of(choice_names<DocumentFormat>()));
}

std::vector<std::vector<Translation>> Service::translate(const std::vector<Document>& texts,
                                                         const TranslationOptions& asked,
                                                         const TranslationConstraints& guide) {
  require_sentences(texts);
  const auto options = with_words(asked, texts);
  std::vector<Sentence> sentences;
  for (const auto& text : texts) {
    for (const auto& sentence : text.sentences()) sentences.push_back({sentence, guide});
  }
  auto all = queue_.translate(sentences, options);
  std::vector<std::vector<Translation>> translations;
  auto first = all.begin();
  for (const auto& text : texts) {
    const auto last = first + static_cast<std::ptrdiff_t>(text.sentences().size());
    translations.emplace_back(std::make_move_iterator(first), std::make_move_iterator(last));
    first = last;
  }
  return translations;
}

TranslationOptions Service::options_of(const ApiRequest& request) const {
  auto options = options_.translation;
  const int64_t widest = std::max(options.beam_size, kMaxBeam);
  const int64_t longest = std::max(options.max_length, kMaxLength);
  options.n_best = request.integer("n_best", options.n_best, 1, widest);
  options.beam_size =
      request.integer("beam_size", std::max(options.beam_size, options.n_best), 1, widest);
  options.max_length = request.integer("max_length", options.max_length, 1, longest);
  options.min_length = request.integer("min_length", options.min_length, 0, longest);
  options.length_penalty = request.number("length_penalty", options.length_penalty);
  if (request.has("length_penalty") && options.length_normalization == ScoreNormalization::kNone) {
    throw HttpError(400, "Invalid request: length_penalty has no effect on this server");
  }
  options.no_repeat_ngram = request.integer("no_repeat_ngram", options.no_repeat_ngram, 0, 1000);
  options.coverage_penalty = request.number("coverage_penalty", options.coverage_penalty);
  options.pass_through = request.flag("pass_through", options.pass_through);
  options.attention = request.flag("attention", false);
  options.words = request.flag("words", false);
  options.scores = true;
  require_valid(options);
  return options;
}

}  // namespace nmt
