#include "metrics/breakdown.h"

#include <algorithm>
#include <array>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/tokenizers.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

constexpr std::array<int64_t, 6> kLengths = {1, 6, 11, 21, 41, 81};
constexpr std::array<int64_t, 5> kFrequencies = {0, 1, 10, 100, 1000};

/// The last group whose first value is at most `value`.
template <size_t kGroups>
size_t group_of(const std::array<int64_t, kGroups>& firsts, int64_t value) {
  const auto above = std::upper_bound(firsts.begin() + 1, firsts.end(), value);
  return static_cast<size_t>(above - firsts.begin() - 1);
}

template <size_t kGroups>
int64_t last_of(const std::array<int64_t, kGroups>& firsts, size_t group) {
  return group + 1 < kGroups ? firsts[group + 1] - 1 : -1;
}

/// The text with a space on both sides of each character, marks included, of a script without
/// spaces.
std::string spaced(const std::string& line) {
  std::u32string codes;
  bool after_character = false;
  for (const char32_t code : to_code_points(line)) {
    if (!is_combining(code)) {
      const bool is_character = is_written_without_spaces(code);
      if (is_character || after_character) codes += U' ';
      after_character = is_character;
    }
    codes += code;
  }
  return to_utf8(codes);
}

/// Words of tokenizer 13a; in scripts without spaces, characters.
std::vector<std::string> words_of(const std::string& line) {
  return tokenize(spaced(line), BleuTokenizer::k13a);
}

LengthGroup measure(const std::vector<const TranslatedSentence*>& sentences,
                    const BleuOptions& options, size_t group) {
  std::vector<std::string> translations;
  std::vector<std::string> references;
  for (const auto* sentence : sentences) {
    translations.push_back(sentence->translation);
    references.push_back(sentence->reference);
  }
  const auto bleu = corpus_bleu(translations, references, options);
  return {kLengths[group],
          last_of(kLengths, group),
          static_cast<int64_t>(sentences.size()),
          bleu.score,
          corpus_chrf(translations, references),
          static_cast<double>(bleu.hypothesis_length) /
              static_cast<double>(std::max<int64_t>(bleu.reference_length, 1))};
}

}  // namespace

std::vector<std::string> references_of(const std::vector<TranslatedSentence>& sentences) {
  std::vector<std::string> references;
  for (const auto& sentence : sentences) references.push_back(sentence.reference);
  return references;
}

int64_t length_in_words(const std::string& line) {
  return static_cast<int64_t>(split_whitespace(spaced(line)).size());
}

std::vector<LengthGroup> by_length(const std::vector<TranslatedSentence>& sentences) {
  std::array<std::vector<const TranslatedSentence*>, kLengths.size()> members;
  for (const auto& sentence : sentences) {
    members[group_of(kLengths, length_in_words(sentence.source))].push_back(&sentence);
  }
  std::vector<LengthGroup> groups;
  const auto options = bleu_options_for(references_of(sentences));
  for (size_t group = 0; group < members.size(); ++group) {
    if (!members[group].empty()) groups.push_back(measure(members[group], options, group));
  }
  return groups;
}

std::string range_text(int64_t first, int64_t last) {
  if (last < 0) return std::to_string(first) + "+";
  return first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last);
}

std::vector<ConfidenceGroup> by_confidence(const std::vector<TranslatedSentence>& sentences) {
  constexpr size_t kMaxGroups = 10;
  constexpr size_t kFewest = 5;  // minimum sentences per group
  std::vector<const TranslatedSentence*> sorted;
  for (const auto& sentence : sentences) {
    if (sentence.confidence) sorted.push_back(&sentence);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* one, const auto* other) {
    return *one->confidence < *other->confidence;
  });
  const size_t count = std::min(kMaxGroups, sorted.size() / kFewest);
  std::vector<ConfidenceGroup> groups(count);
  for (size_t group = 0; group < count; ++group) {
    const size_t end = (group + 1) * sorted.size() / count;
    for (size_t i = group * sorted.size() / count; i < end; ++i) {
      ++groups[group].sentences;
      groups[group].confidence += *sorted[i]->confidence;
      groups[group].chrf += sorted[i]->chrf;
    }
    groups[group].confidence /= static_cast<double>(groups[group].sentences);
    groups[group].chrf /= static_cast<double>(groups[group].sentences);
  }
  return groups;
}

WordCounts words_of_references(const std::vector<std::string>& references) {
  WordCounts counts;
  for (const auto& reference : references) {
    for (const auto& word : words_of(reference)) counts[word] = 0;
  }
  return counts;
}

void count_words(const std::string& line, WordCounts& counts) {
  for (const auto& word : words_of(line)) {
    const auto found = counts.find(word);
    if (found != counts.end()) ++found->second;
  }
}

std::vector<FrequencyGroup> by_frequency(const std::vector<TranslatedSentence>& sentences,
                                         const WordCounts& in_training) {
  std::array<FrequencyGroup, kFrequencies.size()> all;
  for (const auto& sentence : sentences) {
    std::map<std::string, int64_t> left;  // words of the translation not matched yet
    for (const auto& word : words_of(sentence.translation)) ++left[word];
    for (const auto& word : words_of(sentence.reference)) {
      auto& group = all[group_of(kFrequencies, in_training.at(word))];
      ++group.words;
      if (left[word] > 0) {
        --left[word];
        ++group.found;
      }
    }
  }
  std::vector<FrequencyGroup> groups;
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].rarest = kFrequencies[i];
    all[i].commonest = last_of(kFrequencies, i);
    if (all[i].words > 0) groups.push_back(all[i]);
  }
  return groups;
}

}  // namespace nmt
