#include "serve/text_pieces.h"

#include <algorithm>
#include <cctype>

#include "text/sentence_marks.h"

namespace nmt {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0'; }

bool starts_with(std::string_view text, size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

/// Length of the mark at `at` that ends a sentence anywhere, or 0.
size_t wide_mark(std::string_view text, size_t at) {
  for (const auto mark : kWideSentenceMarks) {
    if (starts_with(text, at, mark)) return mark.size();
  }
  return 0;
}

/// Length of the mark at `at` that ends a sentence before white space, or 0.
size_t narrow_mark(std::string_view text, size_t at) {
  for (const auto mark : kNarrowSentenceMarks) {
    if (starts_with(text, at, mark)) return mark.size();
  }
  return starts_with(text, at, "…") ? std::string_view("…").size() : 0;
}

/// Length of a closing quotation mark or bracket at `at`, or 0.
size_t closing(std::string_view text, size_t at) {
  for (const std::string_view mark : {"\"", "'", ")", "]", "”", "’", "»", "」", "』", "）"}) {
    if (starts_with(text, at, mark)) return mark.size();
  }
  return 0;
}

/// "Mr", "e.g", "U.S", "J", "12": a full stop after these does not end a sentence.
bool looks_abbreviated(std::string_view word) {
  const auto is = [&](auto property) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
      return property(static_cast<unsigned char>(c)) != 0;
    });
  };
  if (is([](int c) { return std::isdigit(c); })) return word.size() <= 3;
  if (word.find('.') != std::string_view::npos) return true;
  if (is([](int c) { return std::isalpha(c); }) && word.size() == 1) return word != "I";
  for (const std::string_view known : {"Mr", "Mrs", "Ms", "Dr", "Prof", "St", "No", "vs", "Nr"}) {
    if (word == known) return true;
  }
  return false;
}

/// The word that ends before `end`.
std::string_view word_before(std::string_view line, size_t begin, size_t end) {
  size_t first = end;
  while (first > begin && !is_space(line[first - 1])) --first;
  return line.substr(first, end - first);
}

/// The end of the sentence that begins at `begin`: after its last mark, or the end of the line.
size_t sentence_end(std::string_view text, size_t begin) {
  size_t at = begin;
  while (at < text.size() && text[at] != '\n' && text[at] != '\r') {
    const size_t wide = wide_mark(text, at);
    const size_t narrow = wide > 0 ? 0 : narrow_mark(text, at);
    if (wide + narrow == 0) {
      ++at;
      continue;
    }
    const bool stop = text[at] == '.';
    const size_t mark = at;
    for (size_t length = wide + narrow; length > 0 && at < text.size();) {
      at += length;
      if (at >= text.size()) return at;
      length = std::max({wide_mark(text, at), narrow_mark(text, at), closing(text, at)});
    }
    if (wide > 0) return at;
    if (!is_space(text[at])) continue;
    if (stop && looks_abbreviated(word_before(text, begin, mark))) continue;
    return at;
  }
  return at;
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

TextPieces split_text(std::string_view text) {
  TextPieces pieces{{}, {""}};
  for (size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      pieces.between.back() += text[at++];
      continue;
    }
    const auto sentence = without_trailing_space(text.substr(at, sentence_end(text, at) - at));
    pieces.sentences.emplace_back(sentence);
    pieces.between.emplace_back();
    at += sentence.size();
  }
  return pieces;
}

TextPieces whole_text(std::string_view text) {
  const auto is_text = [](char c) { return !is_space(c); };
  const auto first = std::find_if(text.begin(), text.end(), is_text);
  const auto begin = static_cast<size_t>(first - text.begin());
  const auto sentence = without_trailing_space(text.substr(begin));
  if (sentence.empty()) return {{}, {std::string(text)}};
  return {{std::string(sentence)},
          {std::string(text.substr(0, begin)), std::string(text.substr(begin + sentence.size()))}};
}

std::string join_text(const TextPieces& pieces, const std::vector<std::string>& translations) {
  std::string text = pieces.between.front();
  for (size_t i = 0; i < translations.size(); ++i) {
    text += translations[i];
    const bool last = i + 1 == translations.size();
    // The source may lack the space that the translation needs.
    const bool joined = !last && pieces.between[i + 1].empty() && !translations[i].empty() &&
                        static_cast<unsigned char>(translations[i].back()) < 0x80;
    text += joined ? " " : pieces.between[i + 1];
  }
  return text;
}

}  // namespace nmt
