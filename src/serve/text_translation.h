#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "serve/service.h"

namespace nmt {

/// Texts of a request, which may be in several languages.
struct TextsRequest {
  TextJob job;                          // without path and options
  int64_t alternatives = 0;             // other translations of each text
  std::vector<TranslationPath> paths;   // of each text; empty: it stays unchanged
  std::vector<LanguageShare> detected;  // the likeliest language of each text; empty: not asked for
};

/// Sets the paths; with the source "auto", for each text that of its own language. Throws HttpError
/// 400.
void find_paths(TextsRequest& request, const std::string& source, const std::string& target,
                const Service& service);

struct TranslatedText {
  std::string text;
  std::vector<std::string> alternatives;
  std::string pivot;  // the language through which two models translated; empty: one did
};

/// One for each text. Throws HttpError.
std::vector<TranslatedText> translate_texts(const TextsRequest& request, Service& service);

}  // namespace nmt
