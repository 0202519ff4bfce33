#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "serve/api_request.h"
#include "serve/connections.h"
#include "serve/languages.h"
#include "serve/metrics.h"
#include "serve/text_pieces.h"
#include "serve/translation_queue.h"
#include "translate/translator.h"

namespace nmt {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: a free one
  Direction direction;
  std::filesystem::path api_keys;  // a file with one a line; empty: none are asked for
  TranslationOptions translation;
  ConnectionLimits connections;
  size_t max_characters = 20000;  // of one request
  size_t max_sentences = 500;     // of one request
  size_t max_queue = 4096;        // sentences that wait, of all requests
};

/// What the routes share.
class Service {
 public:
  Service(const Translator& translator, const ServeOptions& options);

  const ServeOptions& options() const { return options_; }
  const Direction& direction() const { return options_.direction; }
  TranslationQueue& queue() { return queue_; }
  Metrics& metrics() { return metrics_; }

  bool asks_for_key() const { return !key_hashes_.empty(); }
  /// Throws ApiError 403 unless the key is one, or none is asked for.
  void require_key(const std::string& key) const;

  /// Throws ApiError unless the texts are within the limits of a request.
  void require_characters(const std::vector<std::string>& texts) const;
  void require_sentences(const std::vector<TextPieces>& texts) const;

  /// The best translations of texts that were cut into sentences. Throws ApiError and Busy.
  std::vector<std::vector<Translation>> translate(const std::vector<TextPieces>& texts,
                                                  const TranslationOptions& options,
                                                  const TranslationGuide& guide = {});

  /// The server's options with what the request asks for. Throws ApiError.
  TranslationOptions options_of(const ApiRequest& request) const;

 private:
  const ServeOptions options_;
  std::set<std::string> key_hashes_;
  Metrics metrics_;
  TranslationQueue queue_;
};

}  // namespace nmt
