#include "translate/language_detection.h"

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "config/choice.h"
#include "text/placeholders.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr int kResults = 3;  // languages that CLD2 finds in one text
constexpr bool kPlainText = true;

// CLD2 has names but no tables for these. It mistakes their sentences for another language, with
// hints often the other side's: Mongolian for Russian, Luxembourgish for German.
constexpr std::string_view kWithoutTable[] = {"ha", "lb", "mn", "nn", "ps",
                                              "so", "ug", "xh", "yo", "zu"};

struct Detected {
  CLD2::Language languages[kResults];
  int percents[kResults];  // of the text
};

/// `hints`: comma-separated codes. CLD2 favors these languages in case of doubt, which matters for
/// single sentences.
Detected detect(const std::string& text, const std::string& hints) {
  const CLD2::CLDHints likely = {hints.c_str(), nullptr, CLD2::UNKNOWN_ENCODING,
                                 CLD2::UNKNOWN_LANGUAGE};
  Detected detected{};
  double scores[kResults];
  int text_bytes = 0;
  int valid_bytes = 0;
  bool reliable = false;
  CLD2::ExtDetectLanguageSummaryCheckUTF8(
      text.data(), static_cast<int>(text.size()), kPlainText, &likely, CLD2::kCLDFlagBestEffort,
      detected.languages, detected.percents, scores, nullptr, &text_bytes, &reliable, &valid_bytes);
  return detected;
}

/// CLD2's language for a code such as zh-TW, or for zh if it does not know the region.
CLD2::Language known_language(const std::string& code) {
  const auto language = CLD2::GetLanguageFromName(code.c_str());
  if (language != CLD2::UNKNOWN_LANGUAGE) return language;
  return CLD2::GetLanguageFromName(code.substr(0, code.find('-')).c_str());
}

/// The entry for the language that CLD2 found, or null. zh also matches zh-Hant, which CLD2
/// distinguishes.
LanguageShare* find_share(std::vector<LanguageShare>& languages, CLD2::Language meant) {
  const auto is_meant = [&](const LanguageShare& language) {
    return known_language(language.code) == meant;
  };
  const auto is_similar = [&](const LanguageShare& language) {
    return language.code != "xx" && same_language(language.code, CLD2::LanguageCode(meant));
  };
  auto found = std::find_if(languages.begin(), languages.end(), is_meant);
  if (found == languages.end()) {
    found = std::find_if(languages.begin(), languages.end(), is_similar);
  }
  return found == languages.end() ? nullptr : &*found;
}

}  // namespace

std::vector<LanguageShare> detect_languages(const std::string& text,
                                            const std::vector<std::string>& codes) {
  std::vector<LanguageShare> languages;
  for (const auto& code : codes) languages.push_back({code, 0.0});
  const auto hints = list_of(codes, ",");
  double found = 0.0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // CLD2 takes addresses for English.
    line = with_placeholders(replace_invalid_utf8(line), {SpanKind::kUrl, SpanKind::kEmail});
    const auto detected = detect(line, hints);
    for (int i = 0; i < kResults; ++i) {
      if (detected.languages[i] == CLD2::UNKNOWN_LANGUAGE) continue;
      const double bytes = detected.percents[i] * static_cast<double>(line.size());
      found += bytes;
      auto* language = find_share(languages, detected.languages[i]);
      if (language != nullptr) language->share += bytes;
    }
  }
  for (auto& language : languages) {
    language.share = found > 0 ? language.share / found : 1.0 / static_cast<double>(codes.size());
  }
  sort_shares(languages);
  return languages;
}

bool is_in(const std::string& text, const std::string& language,
           const std::vector<std::string>& codes) {
  const auto likeliest = detect_languages(text, codes).front();
  return same_language(likeliest.code, language) && likeliest.share > 0.5;
}

bool is_detected(const std::string& code) {
  const bool lacks_table = std::find(std::begin(kWithoutTable), std::end(kWithoutTable),
                                     primary_language(code)) != std::end(kWithoutTable);
  return code != "xx" && !lacks_table && known_language(code) != CLD2::UNKNOWN_LANGUAGE;
}

bool can_distinguish(const Direction& direction) {
  return is_detected(direction.source) && is_detected(direction.target) &&
         known_language(direction.source) != known_language(direction.target) &&
         !same_language(direction.source, direction.target);
}

void sort_shares(std::vector<LanguageShare>& languages) {
  std::stable_sort(languages.begin(), languages.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
}

}  // namespace nmt
