#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "markup/document.h"

namespace nmt {

inline std::vector<std::string> words_of_line(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// A translation as a model might give it. `links`: of each target word, the source word.
inline Translation made_translation(const std::string& source, const std::string& target,
                                    const std::vector<int64_t>& links) {
  Translation translation;
  translation.text = target;
  translation.source_words = words_of_line(source);
  TranslationCandidate candidate;
  candidate.text = target;
  candidate.words = words_of_line(target);
  for (size_t t = 0; t < links.size(); ++t) {
    candidate.alignment.push_back({links[t], static_cast<int64_t>(t)});
  }
  translation.candidates = {candidate};
  return translation;
}

using MadeTranslator = std::function<Translation(const std::string& sentence)>;

/// Each word in upper-case ASCII, in the same order.
inline Translation in_upper_case(const std::string& sentence) {
  auto target = sentence;
  for (char& c : target) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  std::vector<int64_t> links(words_of_line(sentence).size());
  for (size_t i = 0; i < links.size(); ++i) links[i] = static_cast<int64_t>(i);
  return made_translation(sentence, target, links);
}

/// The words in reverse order.
inline Translation reversed(const std::string& sentence) {
  const auto words = words_of_line(sentence);
  std::string target;
  std::vector<int64_t> links;
  for (size_t i = words.size(); i-- > 0;) {
    target += (target.empty() ? "" : " ") + words[i];
    links.push_back(static_cast<int64_t>(i));
  }
  return made_translation(sentence, target, links);
}

inline std::string translate_made(const Document& document, const MadeTranslator& translate) {
  std::vector<Translation> translations;
  for (const auto& sentence : document.sentences()) translations.push_back(translate(sentence));
  return document.render(translations);
}

inline TextPieces split_line(std::string_view line) { return split_text(line); }

inline std::string translate_made(const std::string& text, DocumentFormat format,
                                  const MadeTranslator& translate) {
  return translate_made(Document(text, format, split_line), translate);
}

}  // namespace nmt
