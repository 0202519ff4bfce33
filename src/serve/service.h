#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "http/http_server.h"
#include "markup/document.h"
#include "serve/access.h"
#include "serve/api_request.h"
#include "serve/file_store.h"
#include "serve/metrics.h"
#include "serve/model_catalog.h"
#include "serve/suggestion_file.h"
#include "serve/translation_path.h"
#include "serve/translation_queue.h"
#include "translate/language_detection.h"

namespace nmt {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: any free one
  TlsFiles tls;     // none: without encryption
  AccessOptions access;
  std::filesystem::path suggestions;  // file to append suggestions to; empty: disabled
  TranslationOptions translation;
  HttpOptions http;
  size_t max_characters = 20000;  // of a request
  size_t max_sentences = 500;     // of a request
  size_t max_queue = 4096;        // waiting sentences of all requests
};

/// Texts of one format, and how to translate them.
struct TextJob {
  std::vector<std::string> texts;
  TranslationPath path;
  DocumentFormat format = DocumentFormat::kText;
  bool split = true;      // by the last model; false: each text is one sentence
  bool detected = false;  // the source language was: keeps sentences in the target language
  TranslationOptions options;
  HasLeft has_left = {};  // the client, which ends the job with ClientLeft
};

/// Texts that remain to be translated by the last model of their path.
struct LastLeg {
  ModelHandle model;
  std::vector<std::string> texts;  // in its source language
  TranslationOptions options;
  std::string pivot;  // that language, if other models translated into it
  std::string kept;   // language whose sentences stay as they are; empty: none
};

/// How to translate a text whose language its request does not name.
struct DetectedPath {
  LanguageShare language;  // the likeliest
  TranslationPath path;
  /// No part of the text is in another language with a path to the target. With two vocabularies,
  /// the model decides this for each sentence instead.
  bool unchanged = false;
};

/// What the routes share.
class Service {
 public:
  Service(ModelCatalog& models, const ServeOptions& options);

  const ServeOptions& options() const { return options_; }
  const ModelCatalog& models() const { return models_; }
  TranslationQueue& queue() { return queue_; }
  Metrics& metrics() { return metrics_; }
  Access& access() { return access_; }
  const Access& access() const { return access_; }

  /// Throw HttpError 413 for texts beyond the limits of a request.
  void require_characters(int64_t characters) const;
  void require_list_entries(size_t entries) const;
  /// With constraints, each sentence is translated once for each of the `phrases`.
  void require_sentences(const std::vector<Document>& texts, size_t phrases = 1) const;

  /// All languages, likeliest first; if their shares sum to less than 1, the rest is in unknown
  /// languages. Uses the vocabularies of a single model, if its languages have one each, otherwise
  /// CLD2.
  std::vector<LanguageShare> detect(const std::string& text) const;

  /// The models that lead from one language to another. Throws HttpError 400 if there are none.
  TranslationPath path_between(const std::string& source, const std::string& target) const;

  /// The same, but empty from a language to itself, unless a model has that direction.
  TranslationPath path_unless_same(const std::string& source, const std::string& target) const;

  /// The path from the likeliest language of the text that has one to `target`; for a text in the
  /// target language, any model into it. Throws HttpError 400 if there is none.
  DetectedPath detect_path(const std::string& text, const std::string& target) const;

  /// The translatable part of the texts, line by line, for language detection. Throws HttpError 400
  /// if a text is not of that format.
  static std::string visible_text(const std::vector<std::string>& texts, DocumentFormat format);

  /// Translates the texts by all models of their path but the last. Throws HttpError. A LastLeg
  /// must be destroyed before the next job begins: its model's memory may be needed.
  LastLeg reach_last_model(const TextJob& job);

  /// Texts with their sentences or, if the model translates whole lines, their lines; without
  /// `split`, as a whole. Throws HttpError 400 when one is not of that format.
  std::vector<Document> parse(const std::vector<std::string>& texts, const LoadedModel& model,
                              DocumentFormat format, bool split) const;

  /// The options, with words if the markup of one of the texts needs them.
  static TranslationOptions with_words(TranslationOptions options,
                                       const std::vector<Document>& texts);

  /// Whether the sentence stays unchanged because it is in the language `kept`; false for "".
  bool keeps(const std::string& sentence, const std::string& kept) const;

  /// Translates the sentences of the texts, except those that keeps() leaves unchanged. Throws
  /// HttpError.
  std::vector<std::vector<Translation>> translate(const ModelHandle& model,
                                                  const std::vector<Document>& texts,
                                                  const TranslationOptions& options,
                                                  const std::string& kept, const HasLeft& has_left,
                                                  const TranslationConstraints& guide = {});

  /// The request's "format". Throws HttpError 400 for an unknown one.
  static DocumentFormat format_of(const ApiRequest& request);

  /// The server's options, overridden by the request's. Throws HttpError and UsageError.
  TranslationOptions options_of(const ApiRequest& request) const;

  /// Throws HttpError 400 for a message catalog on a path of several models: the second would find
  /// every message translated.
  static void refuse_catalog_pivot(const TranslationPath& path, DocumentFormat format);

  /// Translates a file along a path, which refuse_catalog_pivot() must accept for a catalog. Throws
  /// HttpError.
  std::string translate_file(const NamedFile& file, const TranslationPath& path, bool detected,
                             const HasLeft& has_left);

  /// Null if suggestions are disabled.
  SuggestionFile* suggestions() { return suggestions_ ? &*suggestions_ : nullptr; }

  /// Translated files that clients fetch.
  FileStore& files() { return files_; }

  /// How many files are being translated.
  std::atomic<int>& files_in_progress() { return files_in_progress_; }

 private:
  ModelHandle acquire(size_t model);
  bool detects_by_vocabularies() const;
  void sort_by_vocabularies(const std::string& text, std::vector<LanguageShare>& languages) const;
  std::string kept_language(const TranslationPath& path, bool detected) const;
  TranslationOptions leg_options(const TextJob& job, size_t leg) const;

  ModelCatalog& models_;
  const ServeOptions options_;
  Access access_;
  Metrics metrics_;
  FileStore files_;
  std::atomic<int> files_in_progress_{0};
  std::optional<SuggestionFile> suggestions_;
  TranslationQueue queue_;
};

/// The sentences of documents, one per line.
std::string joined_sentences(const std::vector<Document>& documents);

/// A beam for that many hypotheses, and of whole diverse_groups.
int64_t beam_for(int64_t hypotheses, const TranslationOptions& options);

/// Answers requests until SIGINT or SIGTERM and then those that have arrived; call it after
/// catch_interrupts(). Requests that take longer than the drain_timeout then end the process. Calls
/// `listening` with the address once clients can connect. Throws Error when it cannot listen there
/// or start its threads.
void serve(ModelCatalog& models, const ServeOptions& options,
           const std::function<void(const std::string& address)>& listening);

}  // namespace nmt
