#include "translate/assembly.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "decode/confidence.h"
#include "decode/token_sampler.h"
#include "numbers/random.h"
#include "text/special_tokens.h"
#include "translate/warnings.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

// Attention is returned only up to this square of the source length: the matrix of a line with many
// parts is mostly zeros and grows quadratically.
constexpr size_t kMaxWeights = size_t{1} << 22;
constexpr size_t kNoSource = SIZE_MAX;

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() || word.empty() ? "" : " ") + word;
  return text;
}

std::string joined_range(const std::vector<std::string>& words, size_t first, size_t last) {
  return joined({words.data() + first, words.data() + last + 1});
}

/// Builds one candidate of a line part by part.
class CandidateBuilder {
 public:
  CandidateBuilder(const SourceLine& line, const AssemblyContext& context,
                   const TranslationOptions& options)
      : line_(line),
        protection_(context.protection),
        target_(context.tokenizers.target),
        options_(options),
        calibration_(line.tokens.empty() ? nullptr : context.calibration),
        seen_(line.words.texts.size(), 0.0) {}

  void add(const Hypothesis& hypothesis) {
    if (!part().verbatim.empty()) {
      add_verbatim();
    } else {
      add_translation(hypothesis);
    }
    ++part_;
  }

  TranslationCandidate finish() {
    // Without attention, only verbatim words have rows and links, so these are dropped.
    if (whole_.word_attention.size() != whole_.words.size()) whole_.word_attention.clear();
    if (whole_.alignment.size() != whole_.words.size()) whole_.alignment.clear();
    if (line_.tokens.empty()) {
      if (!whole_.words.empty()) whole_.word_log_probabilities.push_back(0.0);
      return std::move(whole_);
    }
    whole_.token_log_probabilities.push_back(ends_);
    if (calibration_ != nullptr) {
      whole_.confidence = confidence_ / static_cast<double>(line_.tokens.size());
    }
    if (!options_.words) return std::move(whole_);
    whole_.word_log_probabilities.push_back(ends_);
    warn(repetition_warning(line_.words.texts, whole_.words));
    if (!whole_.alignment.empty()) warn(coverage_warning(line_.words.texts, seen_));
    return std::move(whole_);
  }

 private:
  const SourcePart& part() const { return line_.parts[part_]; }
  /// Whether this is the last part that the model reads.
  bool is_last() const { return first_source_ + part().tokens.size() == line_.tokens.size(); }

  void add_verbatim() {
    if (part_ > 0) whole_.text += gap_before_verbatim(whole_.text, line_, part_);
    whole_.text += part().verbatim;
    if (options_.words) add_own_word(part().first_word, part().verbatim);
  }

  /// Adds a word that is its own translation.
  void add_own_word(size_t source_word, const std::string& text) {
    whole_.alignment.push_back(word_link(source_word, whole_.words.size()));
    whole_.words.push_back(text);
    whole_.word_log_probabilities.push_back(0.0);
    add_rows({{1.0F}}, 1, source_word, line_.words.texts.size(), whole_.word_attention);
    seen_[source_word] += 1.0;
  }

  /// Whether the translation of a sentence with letters has nothing but marks, and nothing is to be
  /// added to it. A sample may be empty.
  bool is_untranslated(const Hypothesis& hypothesis, const std::vector<UnknownName>& names) const {
    if (options_.sample || !options_.copy_unknown) return false;
    const auto is_mark = [](char32_t code) { return is_punctuation(code) || code == U'\u2581'; };
    const auto is_of_marks = [&](int32_t token) {
      const auto codes = to_code_points(target_.piece(token));
      return token != kUnknownId && std::all_of(codes.begin(), codes.end(), is_mark);
    };
    const auto& tokens = hypothesis.tokens;
    if (!std::all_of(tokens.begin(), tokens.end(), is_of_marks)) return false;
    const auto& replacements = part().replacements;
    const bool adds = std::any_of(replacements.begin(), replacements.end(),
                                  [](const Replacement& one) { return !is_of_form(one.kind); });
    const auto& given = part().given;
    return !part().tokens.empty() && !adds && names.empty() && given.prefix == 0 &&
           given.phrases.empty() && has_letters(part().text);
  }

  /// Adds the source of the part as its translation.
  void add_source() {
    const auto& text = part().text;
    add_text(text);
    whole_.untranslated = line_.parts.size() == 1;
    if (!options_.words) return;
    for (size_t word = part().first_word; word <= last_source_word(); ++word) {
      add_own_word(word, line_.words.texts[word]);
    }
    warn("empty: the model found no words for " + text);
  }

  void add_translation(const Hypothesis& hypothesis) {
    add_tokens(hypothesis);
    if (calibration_ != nullptr) add_confidence(hypothesis);
    const auto names = this->names();
    const bool by_words = options_.words || !names.empty() || !part().replacements.empty();
    if (is_untranslated(hypothesis, names)) {
      add_source();
    } else if (!by_words || part().tokens.empty()) {
      add_text(decoded(hypothesis.tokens));
    } else {
      add_by_words(hypothesis, names);
    }
    first_source_ += part().tokens.size();
  }

  std::string as_source_case(const std::string& text) const {
    return part().all_caps ? to_upper(text) : text;
  }

  std::string decoded(const std::vector<int32_t>& tokens) const {
    auto text = std::string(trimmed(as_source_case(target_.decode(tokens))));
    // Without U+2581 that the model wrote alone before another.
    for (size_t i = 0; (i = text.find("  ", i)) != std::string::npos;) text.erase(i, 1);
    return text;
  }

  /// The names that are words of the part, without those that a term translates.
  std::vector<UnknownName> names() const {
    auto names = part().names;
    const auto is_in_term = [&](const UnknownName& name) {
      const auto& all = part().replacements;
      return std::any_of(all.begin(), all.end(), [&](const Replacement& one) {
        return one.kind == Replacement::Kind::kTerm && one.first_word <= name.word &&
               name.word <= one.last_word;
      });
    };
    names.erase(std::remove_if(names.begin(), names.end(), is_in_term), names.end());
    return names;
  }

  void add_by_words(const Hypothesis& hypothesis, const std::vector<UnknownName>& names) {
    auto pieces = merge_pieces(hypothesis.tokens, target_);
    const bool says_nothing = pieces.texts.empty();
    const bool replaces = !part().replacements.empty();
    const PartAttention attention{hypothesis.attention, line_.words, first_source_,
                                  part().tokens.size()};
    std::vector<WordLink> added;
    if (says_nothing) {
      added = take_over(names, pieces.texts);
    } else if (replaces) {
      added = protection_.restore(part().replacements, attention, hypothesis.tokens, pieces,
                                  part().all_caps, part().given);
    } else {
      for (auto& text : pieces.texts) text = as_source_case(text);
    }
    TargetWords words{pieces.texts,
                      word_log_probabilities(hypothesis.token_log_probabilities, pieces),
                      word_attention(attention, pieces), part().first_word};
    attend(added, words);
    const bool has_unknown = copy_unknown(hypothesis.tokens, pieces, names, words);
    const bool took_over = says_nothing && !added.empty();
    const bool copied = copy_names(names, words) || has_unknown || took_over;
    if (copied && !names.empty()) add_end_marks(names.back(), words.texts.back());
    const auto text = copied || replaces ? joined(words.texts) : decoded(hypothesis.tokens);
    add_text(text);
    if (!options_.words) return;
    add_words(hypothesis, replaces ? divided(words) : words);
    if (calibration_ != nullptr && !copied) {  // names of other scripts have other lengths
      const auto source = joined_range(line_.words.texts, part().first_word, last_source_word());
      warn(ratio_warning(log_character_ratio(source, text), calibration_->lengths));
    }
  }

  /// For a part with an empty translation: its names and replacements, in the order of the source.
  std::vector<WordLink> take_over(const std::vector<UnknownName>& names,
                                  std::vector<std::string>& texts) const {
    std::vector<std::pair<size_t, std::string>> taken;
    for (const auto& name : names) taken.emplace_back(name.word, name.text);
    for (const auto& one : part().replacements) {
      if (!is_of_form(one.kind)) taken.emplace_back(one.first_word, one.text);
    }
    std::stable_sort(taken.begin(), taken.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<WordLink> links;
    for (auto& [word, text] : taken) {
      links.push_back(word_link(word, texts.size()));
      texts.push_back(std::move(text));
    }
    return links;
  }

  /// Sets the attention of each added word to 1 on its source word. The model may not have read
  /// that word, so it may lie outside the part's words.
  void attend(const std::vector<WordLink>& added, TargetWords& words) {
    auto& rows = words.attention;
    for (const auto& link : added) {
      const auto source = std::min(static_cast<size_t>(link.source), line_.words.texts.size() - 1);
      seen_[source] += 1.0;
      if (rows.empty()) continue;  // the model has no attention
      const size_t before = words.first_source - std::min(words.first_source, source);
      words.first_source -= before;
      const size_t column = source - words.first_source;
      const size_t width = std::max(rows.front().size() + before, column + 1);
      for (auto& row : rows) {
        row.insert(row.begin(), before, 0.0F);
        row.resize(width);
      }
      rows[static_cast<size_t>(link.target)][column] = 1.0F;
    }
  }

  /// For each word with an unknown piece, the column of the source word to copy; kNoSource for
  /// others. It is the one with most attention, unless the model knows that one and there is
  /// another unknown one. A term may have replaced the piece already.
  std::vector<size_t> sources_of_unknown(const std::vector<int32_t>& tokens, const Words& pieces,
                                         const std::string& surface,
                                         const TargetWords& words) const {
    std::vector<size_t> sources(words.texts.size(), kNoSource);
    const auto links = strongest_links(words.attention);
    for (size_t t = 0; t < tokens.size() && !links.empty(); ++t) {
      const size_t word = pieces.of_token[t];
      if (tokens[t] == kUnknownId && words.texts[word].find(surface) != std::string::npos) {
        sources[word] = static_cast<size_t>(links[word].source);
      }
    }
    std::set<size_t> unknown;
    for (size_t t = first_source_; t < first_source_ + part().tokens.size(); ++t) {
      if (line_.tokens[t] == kUnknownId) {
        unknown.insert(line_.words.of_token[t] - words.first_source);
      }
    }
    for (size_t word = 0; word < sources.size(); ++word) {
      if (sources[word] == kNoSource || unknown.count(sources[word]) > 0) continue;
      const auto& row = words.attention[word];
      size_t best = kNoSource;
      for (const size_t source : unknown) {
        const bool is_copied = std::find(sources.begin(), sources.end(), source) != sources.end();
        if (!is_copied && (best == kNoSource || row[source] > row[best])) best = source;
      }
      for (const size_t near : {word - 1, word + 1}) {  // a second word for that source word
        if (best == kNoSource && near < sources.size() && unknown.count(sources[near]) > 0) {
          best = sources[near];
        }
      }
      if (best != kNoSource) sources[word] = best;
    }
    return sources;
  }

  /// Replaces each word that has an unknown piece by a source word, or only the name in it if it
  /// has one, and keeps the marks around it. Consecutive words for one source word become one.
  bool copy_unknown(const std::vector<int32_t>& tokens, const Words& pieces,
                    const std::vector<UnknownName>& names, TargetWords& words) const {
    const auto decoded_unknown = as_source_case(target_.decode({kUnknownId}));
    const std::string surface(trimmed(decoded_unknown));
    const auto sources = sources_of_unknown(tokens, pieces, surface, words);
    bool copied = false;
    for (size_t word = sources.size(); word-- > 0;) {
      if (sources[word] == kNoSource) continue;
      auto& text = words.texts[word];
      if (word > 0 && sources[word - 1] == sources[word]) {
        words.texts[word - 1] += text;
        erase_word(words, word);
        continue;
      }
      const size_t source = words.first_source + sources[word];
      const auto name = std::find_if(names.begin(), names.end(),
                                     [&](const UnknownName& one) { return one.word == source; });
      if (!surface.empty()) replace_all(text, surface, to_utf8({&kUnknownMark, 1}));
      replace_all(text, " ", "");
      const auto& whole = line_.words.texts[source];
      if (name != names.end()) {
        text = with_name(text, name->text);
      } else {
        text = with_name(text, "").empty() ? whole : with_name(text, without_outer_marks(whole));
      }
      copied = true;
    }
    return copied;
  }

  /// The model may take the marks at the end of a sentence for a part of the name before them.
  void add_end_marks(const UnknownName& last, std::string& text) const {
    const auto& source = line_.words.texts[last.word];
    const auto marks = source.substr(source.find_last_not_of(".!?") + 1);
    const bool is_last = last.word == last_source_word();
    if (is_last && !text.empty() && !is_punctuation(last_code(text))) text += marks;
  }

  size_t last_source_word() const {
    return line_.words.of_token[first_source_ + part().tokens.size() - 1];
  }

  void add_text(const std::string& text) {
    if (!whole_.text.empty() && !text.empty()) whole_.text += joint(whole_.text, part().before);
    whole_.text += text;
  }

  void add_confidence(const Hypothesis& hypothesis) {
    const auto& source = part().tokens;
    if (hypothesis.tokens.empty()) return;  // an empty translation counts as confidence 0
    const auto features = bounded_features(confidence_features(source, hypothesis), *calibration_);
    confidence_ += static_cast<double>(source.size()) * calibration_->confidence(features);
  }

  void add_tokens(const Hypothesis& hypothesis) {
    whole_.score += hypothesis.score;
    whole_.log_probability += hypothesis.log_probability;
    const size_t count = hypothesis.tokens.size();
    append(whole_.tokens, target_.pieces(hypothesis.tokens));
    const auto& values = hypothesis.token_log_probabilities;
    if (values.empty()) return;  // the part is empty
    for (size_t t = 0; t < count; ++t) {
      whole_.token_log_probabilities.push_back(double{values[t]});
    }
    ends_ += double{values.back()};
    if (options_.attention) {
      // Only the last part has a row for its end.
      add_rows(hypothesis.attention, count + (is_last() ? 1 : 0), first_source_,
               line_.tokens.size(), whole_.attention);
    }
  }

  /// Appends the first `count` rows of a part's attention, placed at `column` of `width` columns.
  /// Does nothing if width² exceeds kMaxWeights.
  static void add_rows(const std::vector<std::vector<float>>& rows, size_t count, size_t column,
                       size_t width, std::vector<std::vector<float>>& whole) {
    const bool attends = !rows.empty() && !rows.front().empty();
    if (!attends || width * width > kMaxWeights) return;
    for (size_t t = 0; t < std::min(count, rows.size()); ++t) {
      whole.emplace_back(width, 0.0F);
      std::copy(rows[t].begin(), rows[t].end(),
                whole.back().begin() + static_cast<std::ptrdiff_t>(column));
    }
  }

  /// Terms of several words as words of their own; the log-probability is the first one's.
  static TargetWords divided(const TargetWords& words) {
    TargetWords all;
    all.first_source = words.first_source;
    for (size_t word = 0; word < words.texts.size(); ++word) {
      double log_probability = words.log_probabilities[word];
      auto texts = written_words(words.texts[word]);
      if (texts.empty()) texts.emplace_back();
      for (auto& text : texts) {
        all.texts.push_back(std::move(text));
        all.log_probabilities.push_back(std::exchange(log_probability, 0.0));
        if (!words.attention.empty()) all.attention.push_back(words.attention[word]);
      }
    }
    return all;
  }

  void add_words(const Hypothesis& hypothesis, const TargetWords& words) {
    for (auto link : strongest_links(words.attention)) {
      link.source += static_cast<int64_t>(words.first_source);
      link.target += static_cast<int64_t>(whole_.words.size());
      whole_.alignment.push_back(link);
    }
    append(whole_.words, words.texts);
    append(whole_.word_log_probabilities, words.log_probabilities);
    add_rows(words.attention, words.attention.size(), words.first_source, line_.words.texts.size(),
             whole_.word_attention);
    for (const auto& weights : hypothesis.attention) {
      for (size_t s = 0; s < part().tokens.size(); ++s) {
        seen_[line_.words.of_token[first_source_ + s]] += double{weights[s]};
      }
    }
    warn(length_warning(static_cast<int64_t>(hypothesis.tokens.size()), part().limit));
  }

  void warn(const std::string& warning) {
    if (!warning.empty()) whole_.warnings.push_back(warning);
  }

  const SourceLine& line_;
  const Protection& protection_;
  const Tokenizer& target_;
  const TranslationOptions& options_;
  const Calibration* calibration_;  // null: no confidence
  double confidence_ = 0.0;         // sum over parts, weighted by source tokens
  std::vector<double> seen_;        // total attention on each source word
  double ends_ = 0.0;               // sum of the log-probabilities of the parts' ends
  size_t part_ = 0;
  size_t first_source_ = 0;  // index of the part's first token in the line
  TranslationCandidate whole_;
};

/// The ranks of a part's samples, in random order.
std::vector<size_t> shuffled_ranks(size_t size, uint64_t key) {
  constexpr uint64_t kStream = uint64_t{1} << 32;  // not used by any sample
  std::vector<size_t> ranks(size);
  std::iota(ranks.begin(), ranks.end(), size_t{0});
  Random random(key, kStream);
  shuffle(ranks, random);
  return ranks;
}

/// For each sample of a line, the rank in every part's list. The lists are sorted by score, so each
/// part's samples are shuffled to combine independent ones. A part without tokens has one
/// hypothesis, which all samples share.
std::vector<std::vector<size_t>> sample_combinations(const HypothesisLists& lists,
                                                     const SourceLine& line, uint64_t seed) {
  size_t samples = 0;
  for (const auto& list : lists) samples = std::max(samples, list.size());
  std::vector<std::vector<size_t>> combinations(samples);
  for (size_t i = 0; i < lists.size(); ++i) {
    const auto ranks = shuffled_ranks(lists[i].size(), sampling_key(seed, line.parts[i].tokens));
    for (size_t k = 0; k < samples; ++k) {
      combinations[k].push_back(ranks[std::min(k, ranks.size() - 1)]);
    }
  }
  return combinations;
}

std::vector<TermMatch> terms_of(const SourceLine& line) {
  std::vector<TermMatch> terms;
  for (const auto& part : line.parts) {
    for (const auto& one : part.replacements) {
      if (one.kind != Replacement::Kind::kTerm) continue;
      terms.push_back({joined_range(line.words.texts, one.first_word, one.last_word), one.text});
    }
  }
  return terms;
}

void sort_by_score(std::vector<TranslationCandidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& one, const auto& other) { return one.score > other.score; });
}

/// Removes untranslated candidates, which only copy the source and have the score of no words,
/// except the first.
void keep_translated(std::vector<TranslationCandidate>& candidates) {
  const auto is_untranslated = [](const auto& candidate) { return candidate.untranslated; };
  candidates.erase(std::remove_if(candidates.begin() + 1, candidates.end(), is_untranslated),
                   candidates.end());
}

/// Keeps only the first of candidates with equal text but different segmentations.
void keep_distinct(std::vector<TranslationCandidate>& candidates) {
  std::set<std::string> texts;
  const auto is_known = [&](const auto& candidate) { return !texts.insert(candidate.text).second; };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), is_known),
                   candidates.end());
}

}  // namespace

void add_source_words(const SourceLine& line, const AssemblyContext& context,
                      Translation& translation) {
  translation.source_words = line.words.texts;
  const auto measures =
      measure_source(line.tokens, line.words, context.tokenizers.source, context.scripts);
  translation.unknown_words = measures.unknown_words;
  translation.unknown_share = measures.unknown_share;
  translation.foreign_share = measures.foreign.share;
  const auto source = joined(line.words.texts);
  for (auto& candidate : translation.candidates) {
    for (auto warning : {number_warning(source, candidate.text), unknown_warning(measures),
                         script_warning(measures)}) {
      if (!warning.empty()) candidate.warnings.push_back(std::move(warning));
    }
  }
}

std::vector<std::vector<size_t>> best_combinations(const HypothesisLists& lists, size_t n) {
  struct Beginning {
    double score;
    size_t before;  // index in the previous part's steps
    size_t rank;
  };
  std::vector<std::vector<Beginning>> steps(lists.size());
  for (size_t i = 0; i < lists.size(); ++i) {
    const size_t befores = i == 0 ? 1 : steps[i - 1].size();
    for (size_t before = 0; before < befores; ++before) {
      const double sum = i == 0 ? 0.0 : steps[i - 1][before].score;
      // Prunes: (before + 1) · (rank + 1) combinations are at least as good as this one.
      for (size_t rank = 0; rank < lists[i].size() && (before + 1) * (rank + 1) <= n; ++rank) {
        steps[i].push_back({sum + lists[i][rank].score, before, rank});
      }
    }
    std::stable_sort(steps[i].begin(), steps[i].end(),
                     [](const Beginning& a, const Beginning& b) { return a.score > b.score; });
    if (steps[i].size() > n) steps[i].resize(n);
  }
  std::vector<std::vector<size_t>> combinations(steps.back().size());
  for (size_t k = 0; k < combinations.size(); ++k) {
    combinations[k].resize(lists.size());
    size_t step = k;
    for (size_t i = lists.size(); i-- > 0; step = steps[i][step].before) {
      combinations[k][i] = steps[i][step].rank;
    }
  }
  return combinations;
}

void keep_highest(Translation& translation, size_t count) {
  auto& candidates = translation.candidates;
  sort_by_score(candidates);
  candidates.resize(std::min(candidates.size(), count));
  translation.text = candidates.front().text;
}

Translation assemble(const SourceLine& line, const HypothesisLists& found,
                     const AssemblyContext& context, const TranslationOptions& options) {
  Translation translation;
  const auto combinations = options.sample
                                ? sample_combinations(found, line, options.seed)
                                : best_combinations(found, static_cast<size_t>(options.n_best));
  for (const auto& ranks : combinations) {
    CandidateBuilder candidate(line, context, options);
    for (size_t i = 0; i < found.size(); ++i) candidate.add(found[i][ranks[i]]);
    translation.candidates.push_back(candidate.finish());
    auto& text = translation.candidates.back().text;
    text = line.before + text + line.after;
  }
  keep_translated(translation.candidates);
  if (options.sample) sort_by_score(translation.candidates);
  if (options.distinct && !options.sample) keep_distinct(translation.candidates);
  translation.text = translation.candidates.front().text;
  translation.passed_through =
      std::all_of(line.parts.begin(), line.parts.end(),
                  [](const SourcePart& part) { return !part.verbatim.empty(); });
  translation.source_tokens = context.tokenizers.source.pieces(line.tokens);
  translation.terms = terms_of(line);
  if (options.words) add_source_words(line, context, translation);
  return translation;
}

}  // namespace nmt
