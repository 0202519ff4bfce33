#include "serve/service.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "errors/error.h"
#include "errors/log.h"
#include "serve/file_documents.h"
#include "text/language_identifier.h"
#include "text/sentence_splitter.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr int64_t kMaxBeam = 16;
constexpr int64_t kMaxLength = 1000;  // tokens

[[noreturn]] void refuse_path(const std::string& source, const std::string& target,
                              const std::vector<Direction>& directions) {
  const auto& only = directions.front();
  if (directions.size() > 1) {
    throw HttpError(400, (source.empty() ? "an empty language" : source) + " to " + target +
                             " is not supported; GET /languages lists what this server translates");
  }
  const auto& unknown = same_language(only.target, target) ? source : target;
  throw HttpError(400, (unknown.empty() ? "an empty language" : unknown) +
                           " is not supported; this server translates from " + only.source +
                           " to " + only.target);
}

/// How the model reads documents of its direction; without `split`, each text as a whole.
Splitter splitter_of(const LoadedModel& model, const TranslationOptions& options, bool split) {
  auto splitter = split ? make_splitter(*model.translator, options) : Splitter(whole_text);
  const auto& [source, target] = model.direction;
  splitter.source_languages.clear();
  if (source != "xx") splitter.source_languages.push_back(source);
  splitter.target_language = target == "xx" ? "" : target;
  return splitter;
}

std::vector<Document> parse_texts(const std::vector<std::string>& texts, DocumentFormat format,
                                  const Splitter& splitter) try {
  std::vector<Document> documents;
  documents.reserve(texts.size());
  for (const auto& text : texts) documents.emplace_back(text, format, splitter);
  return documents;
} catch (const MarkupError& error) {
  throw InvalidRequest(error.what());
}

/// Whether CLD2, which found none of these languages in the text, can be trusted: it knows them
/// all, and the text is longer than a few words.
bool is_in_no_language(const std::string& text, const std::vector<LanguageShare>& languages) {
  constexpr int64_t kEnoughLetters = 40;
  const auto codes = to_code_points(text);
  return std::count_if(codes.begin(), codes.end(), is_letter) >= kEnoughLetters &&
         std::all_of(languages.begin(), languages.end(),
                     [](const LanguageShare& language) { return is_detected(language.code); });
}

}  // namespace

std::string joined_sentences(const std::vector<Document>& documents) {
  std::string text;
  for (const auto& document : documents) {
    for (const auto& sentence : document.sentences()) text += sentence + "\n";
  }
  return text;
}

int64_t beam_for(int64_t hypotheses, const TranslationOptions& options) {
  const int64_t groups = options.diverse_groups;
  return (std::max(options.beam_size, hypotheses) + groups - 1) / groups * groups;
}

Service::Service(ModelCatalog& models, const ServeOptions& options)
    : models_(models),
      options_(options),
      access_(options.access),
      queue_(models.callers(), options.max_queue, options.http.queue_timeout, metrics_) {
  if (!options.suggestions.empty()) suggestions_.emplace(options.suggestions);
}

void Service::require_characters(int64_t characters) const {
  if (characters <= static_cast<int64_t>(options_.max_characters)) return;
  throw InvalidRequest(
      fmt::format("{} characters exceed the text limit of {}", characters, options_.max_characters),
      413);
}

void Service::require_list_entries(size_t entries) const {
  if (entries <= options_.max_sentences) return;
  throw InvalidRequest(fmt::format("a list of {} exceeds the limit of {} sentences", entries,
                                   options_.max_sentences),
                       413);
}

void Service::require_sentences(const std::vector<Document>& texts, size_t phrases) const {
  const size_t sentences =
      std::accumulate(texts.begin(), texts.end(), size_t{0},
                      [](size_t sum, const auto& text) { return sum + text.sentences().size(); });
  if (sentences * phrases <= options_.max_sentences) return;
  throw InvalidRequest(
      fmt::format("{} sentences{} exceed the limit of {}", sentences,
                  phrases > 1 ? fmt::format(", times {} constraints,", phrases) : "",
                  options_.max_sentences),
      413);
}

std::vector<Document> Service::parse(const std::vector<std::string>& texts,
                                     const LoadedModel& model, DocumentFormat format,
                                     bool split) const {
  return parse_texts(texts, format, splitter_of(model, options_.translation, split));
}

std::string Service::visible_text(const std::vector<std::string>& texts, DocumentFormat format) {
  return joined_sentences(parse_texts(texts, format, split_lines));
}

bool Service::detects_by_vocabularies() const {
  return models_.directions().size() == 1 && models_.language_identifier(0).has_two_vocabularies();
}

std::vector<LanguageShare> Service::detect(const std::string& text) const {
  const auto& directions = models_.directions();
  if (!detects_by_vocabularies()) {
    auto languages = detect_languages(text, languages_of(directions));
    if (languages.front().share == 0.0) sort_by_vocabularies(text, languages);
    return languages;
  }
  const auto found = models_.language_identifier(0).identify(text);
  std::vector<LanguageShare> languages = {{directions[0].source, found.source},
                                          {directions[0].target, found.target}};
  sort_shares(languages);
  return languages;
}

/// Of languages that are not found in the text, those first whose models know its words.
void Service::sort_by_vocabularies(const std::string& text,
                                   std::vector<LanguageShare>& languages) const {
  const auto& directions = models_.directions();
  std::map<std::string, double> likelihoods;
  for (size_t model = 0; model < directions.size(); ++model) {
    const auto found = models_.language_identifier(model).identify(text);
    auto& likelihood = likelihoods[directions[model].source];
    likelihood = std::max(likelihood, found.source);
  }
  std::stable_sort(languages.begin(), languages.end(), [&](const auto& a, const auto& b) {
    return likelihoods[a.code] > likelihoods[b.code];
  });
}

TranslationPath Service::path_between(const std::string& source, const std::string& target) const {
  const auto& directions = models_.directions();
  auto path = find_path(directions, source, target);
  if (path.empty()) refuse_path(source, target, directions);
  return path;
}

TranslationPath Service::path_unless_same(const std::string& source,
                                          const std::string& target) const {
  const auto& directions = models_.directions();
  const bool translates = source == target
                              ? std::find(directions.begin(), directions.end(),
                                          Direction{source, target}) != directions.end()
                              : !find_path(directions, source, target).empty();
  const bool same = primary_language(source) == primary_language(target);  // as EN for EN-GB
  return same && !translates ? TranslationPath() : path_between(source, target);
}

DetectedPath Service::detect_path(const std::string& text, const std::string& target) const {
  const auto languages = detect(text);
  const auto& directions = models_.directions();
  const auto& likeliest = languages.front();
  const bool in_target = same_language(likeliest.code, target);
  if (likeliest.share == 0.0 && directions.size() > 1 && is_in_no_language(text, languages)) {
    throw InvalidRequest(
        "the text seems to be in none of this server's languages; give its source language");
  }
  for (const auto& language : languages) {
    // No part of the text is in this or a later language, and some of it is in a known one.
    // Vocabularies cannot show this: they judge only the beginning of a text, as a whole.
    const bool absent =
        !detects_by_vocabularies() && language.share == 0.0 && likeliest.share > 0.0;
    if (absent && (in_target || directions.size() > 1)) break;
    auto path = find_path(directions, language.code, target);
    if (!path.empty()) return {likeliest, std::move(path), false};
  }
  for (size_t model = 0; in_target && model < directions.size(); ++model) {
    if (same_language(directions[model].target, target)) return {likeliest, {model}, true};
  }
  refuse_path(likeliest.share > 0.0 ? likeliest.code : "auto", target, directions);
}

std::string Service::kept_language(const TranslationPath& path, bool detected) const {
  const auto& directions = models_.directions();
  const auto& source = directions[path.front()].source;
  const auto& target = directions[path.back()].target;
  const bool reads_target = source != "xx" && same_language(source, target);  // as zh for zh-TW
  const bool keeps = detected && !detects_by_vocabularies() &&  // else the model does it
                     target != "xx" && !reads_target;
  return keeps ? target : "";
}

bool Service::keeps(const std::string& sentence, const std::string& kept) const {
  return !kept.empty() && is_in(sentence, kept, languages_of(models_.directions()));
}

ModelHandle Service::acquire(size_t model) try {
  return models_.acquire(model);
} catch (const Error& error) {
  log_error("{}", error.what());
  const auto& direction = models_.directions()[model];
  throw HttpError(503, fmt::format("the model from {} to {} cannot be loaded; try again later",
                                   direction.source, direction.target));
}

TranslationOptions Service::leg_options(const TextJob& job, size_t leg) const {
  auto options = job.options;
  const size_t model = job.path[leg];
  options.pass_through =
      options.pass_through ||
      (job.detected && models_.language_identifier(model).has_two_vocabularies());
  if (leg + 1 == job.path.size()) return options;
  options.split = options_.translation.split;
  options.n_best = 1;
  options.min_length = 0;
  options.scores = options.attention = options.words = false;
  return options;
}

void Service::refuse_catalog_pivot(const TranslationPath& path, DocumentFormat format) {
  const bool is_catalog = format == DocumentFormat::kGettext || format == DocumentFormat::kXliff;
  if (path.size() < 2 || !is_catalog) return;
  throw InvalidRequest("message catalogs and XLIFF are not translated through a third language");
}

LastLeg Service::reach_last_model(const TextJob& job) {
  refuse_catalog_pivot(job.path, job.format);
  const size_t last = job.path.size() - 1;
  const auto kept = kept_language(job.path, job.detected);
  auto texts = job.texts;
  for (size_t leg = 0; leg < last; ++leg) {
    const auto model = acquire(job.path[leg]);
    const auto documents = parse(texts, *model, job.format, /*split=*/true);
    const auto translations =
        translate(model, documents, leg_options(job, leg), kept, job.has_left);
    for (size_t i = 0; i < texts.size(); ++i) texts[i] = documents[i].render(translations[i]);
  }
  const auto pivot = last > 0 ? models_.directions()[job.path[last]].source : "";
  return {acquire(job.path[last]), std::move(texts), leg_options(job, last), pivot, kept};
}

std::string Service::translate_file(const NamedFile& file, const TranslationPath& path,
                                    bool detected, const HasLeft& has_left) {
  TextJob job;
  job.path = path;
  job.detected = detected;
  job.options = options_.translation;
  auto content = file.content;
  for (size_t leg = 0; leg < path.size(); ++leg) {
    const auto model = acquire(path[leg]);
    FileDocuments documents({file.name, std::move(content)},
                            splitter_of(*model, options_.translation, /*split=*/true),
                            options_.http.max_body);
    content = documents.render(translate(model, documents.all(), leg_options(job, leg),
                                         kept_language(path, detected), has_left));
  }
  return content;
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
  throw InvalidRequest("format must be one of " + list_of(choice_names<DocumentFormat>()));
}

std::vector<std::vector<Translation>> Service::translate(
    const ModelHandle& model, const std::vector<Document>& texts, const TranslationOptions& asked,
    const std::string& kept, const HasLeft& has_left, const TranslationConstraints& guide) {
  require_sentences(texts);
  const auto options = with_words(asked, texts);
  std::vector<Sentence> sentences;
  std::vector<std::vector<Translation>> translations;
  std::vector<Translation*> places;  // of the translated ones
  for (const auto& text : texts) {
    const auto constraints = text.constraints(guide);
    auto& all = translations.emplace_back(text.sentences().size());
    for (size_t i = 0; i < all.size(); ++i) {
      const auto& sentence = text.sentences()[i];
      if (keeps(sentence, kept)) {
        all[i] = own_translation(sentence);
        continue;
      }
      places.push_back(&all[i]);  // stays valid: only `translations` grows
      sentences.push_back({model->line(sentence), model->in_line(constraints[i])});
    }
  }
  auto translated = queue_.translate(model, sentences, options, has_left);
  for (size_t i = 0; i < places.size(); ++i) *places[i] = std::move(translated[i]);
  return translations;
}

TranslationOptions Service::options_of(const ApiRequest& request) const {
  auto options = options_.translation;
  const int64_t widest = beam_for(kMaxBeam, options);
  const int64_t longest = std::max(options.max_length, kMaxLength);
  options.n_best = request.integer("n_best", options.n_best, 1, widest);
  options.beam_size = request.integer("beam_size", beam_for(options.n_best, options), 1, widest);
  options.max_length = request.integer("max_length", options.max_length, 1, longest);
  options.min_length = request.integer("min_length", options.min_length, 0, longest);
  options.length_penalty = request.number("length_penalty", options.length_penalty);
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
