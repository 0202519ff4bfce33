#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "http/http_server.h"
#include "markup/document.h"
#include "serve/api_request.h"
#include "serve/languages.h"
#include "serve/metrics.h"
#include "serve/translation_queue.h"
#include "translate/translator.h"

namespace nmt {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: any free one
  Direction direction;
  std::filesystem::path api_keys;  // a file with one key a line; empty: no key is required
  TranslationOptions translation;
  HttpOptions http;
  size_t max_characters = 20000;  // of a request
  size_t max_sentences = 500;     // of a request
  size_t max_queue = 4096;        // waiting sentences of all requests
};

/// What the routes share.
class Service {
 public:
  Service(const Translator& translator, const ServeOptions& options);

  const ServeOptions& options() const { return options_; }
  const Direction& direction() const { return options_.direction; }
  const LanguageIdentifier& language_identifier() const {
    return translator_.language_identifier();
  }
  TranslationQueue& queue() { return queue_; }
  Metrics& metrics() { return metrics_; }

  bool requires_key() const { return !key_hashes_.empty(); }
  /// Throws HttpError 403 for a key that is not one of those required.
  void require_key(const std::string& key) const;

  /// Throw HttpError 413 for texts beyond the limits of a request.
  void require_characters(const std::vector<std::string>& texts) const;
  void require_sentences(const std::vector<Document>& texts) const;

  /// A text with its sentences or, if lines are not split, its lines; without `split`, as a whole.
  /// Throws HttpError 400 when it is not of that format.
  Document parse(const std::string& text, DocumentFormat format, bool split = true) const;

  /// The options, with words if the markup of one of the texts needs them.
  static TranslationOptions with_words(TranslationOptions options,
                                       const std::vector<Document>& texts);

  /// Translates the sentences of texts. Throws HttpError.
  std::vector<std::vector<Translation>> translate(const std::vector<Document>& texts,
                                                  const TranslationOptions& options,
                                                  const TranslationConstraints& guide = {});

  /// The request's "format". Throws HttpError 400 for an unknown one.
  static DocumentFormat format_of(const ApiRequest& request);

  /// The server's options, overridden by the request's. Throws HttpError and UsageError.
  TranslationOptions options_of(const ApiRequest& request) const;

 private:
  const Translator& translator_;
  const ServeOptions options_;
  std::set<std::string> key_hashes_;
  Metrics metrics_;
  TranslationQueue queue_;
};

/// Answers requests until SIGINT or SIGTERM and then those that have arrived; call it after
/// catch_interrupts(). Calls `listening` with the address once clients can connect. Throws Error
/// when it cannot listen there or start its threads.
void serve(const Translator& translator, const ServeOptions& options,
           const std::function<void(const std::string& address)>& listening);

}  // namespace nmt
