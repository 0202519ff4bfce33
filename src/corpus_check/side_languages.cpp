#include "corpus_check/side_languages.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "corpus_check/detected_language.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kPlaces = size_t{1} << 20;  // size of the table of hashed n-grams
constexpr size_t kMaxLineCharacters = 400;   // of a line
constexpr size_t kMinLanguagePairs = 50;
constexpr double kShorterGrams = 4.0;       // pseudo-counts of the shorter n-gram's estimate
constexpr double kCharacter = 1.0 / 500.0;  // probability of a character never seen
constexpr int kSideRounds = 6;
constexpr double kMinLanguageSeparation = 0.15;  // nats per character between two languages
constexpr double kThirdSeeds = 0.03;   // share of the lines, the least likely, that seed it
constexpr size_t kMinThird = 8;        // lines
constexpr size_t kMinCharacters = 10;  // of a line that seeds it
constexpr size_t kTrigram = 2;         // its place among the orders
constexpr double kThirdSeparation =
    0.5;  // margin over the other two models, relative to a line's usual cost
// Thresholds of the verdicts, in nats.
constexpr double kThirdOdds = 5.0;
constexpr double kSwappedOdds = 4.0;
constexpr double kForeignOdds = 5.0;
constexpr double kCertainOdds = 15.0;
// Handicaps, in nats: of the other side's language, which a line of names may resemble, and of a
// language that no other line is in.
constexpr double kOtherSideOdds = 3.0;
constexpr double kUnseenOdds = 12.0;

// For whole lines; text/language_identifier.cpp has those for sentences.
constexpr double kNeither = 0.82;
constexpr double kTypical = 1.6;

uint32_t mix(uint32_t hash, char32_t code) {
  hash = (hash ^ static_cast<uint32_t>(code)) * 0x9E3779B1U;
  return hash ^ (hash >> 15);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

SideLanguages::Grams SideLanguages::grams_of(std::string_view text) {
  std::u32string codes = U" ";
  for (const char32_t code : to_code_points(to_lower(text.substr(0, 4 * kMaxLineCharacters)))) {
    if (is_letter(code)) {
      codes += code;
    } else if (codes.back() != U' ') {
      codes += U' ';
    }
    if (codes.size() == kMaxLineCharacters) break;
  }
  if (codes.back() != U' ') codes += U' ';
  Grams grams;
  for (size_t end = 1; end < codes.size(); ++end) {
    std::array<uint32_t, kOrders> places{};
    uint32_t hash = 0;
    for (size_t order = 1; order <= kOrders; ++order) {
      // The line is padded with spaces in front.
      hash = mix(hash + static_cast<uint32_t>(order),
                 end + 1 >= order ? codes[end + 1 - order] : U' ');
      places[order - 1] = hash % kPlaces;
    }
    grams.push_back(places);
  }
  return grams;
}

void SideLanguages::count(const Grams& grams, size_t language, float times) {
  for (const auto& places : grams) {
    for (const auto place : places) counts_[place][language] += times;
  }
  totals_[language] += double{times} * static_cast<double>(grams.size());
}

/// Log-probability; each order is smoothed with the one below it (Dirichlet prior).
double SideLanguages::score(const Grams& grams, size_t language) const {
  double sum = 0;
  for (size_t i = 0; i < grams.size(); ++i) {
    double probability = kCharacter;
    double context = totals_[language];
    for (size_t order = 0; order < kOrders; ++order) {
      const double times = double{counts_[grams[i][order]][language]};
      probability =
          (times + kShorterGrams * probability) / (std::max(context, times) + kShorterGrams);
      if (i == 0) break;
      context = double{counts_[grams[i - 1][order]][language]};
    }
    sum += std::log(probability);
  }
  return sum;
}

SideLanguages::Scores SideLanguages::scores_of(const Grams& grams) const {
  Scores scores{};
  for (size_t language = 0; language < kLanguages; ++language) {
    scores[language] = score(grams, language);
  }
  return scores;
}

void SideLanguages::move(Line& line, size_t language) {
  count(line.grams, line.language, -1);
  line.language = language;
  count(line.grams, language, 1);
}

SideLanguages::Scores SideLanguages::scores_without(const Line& line) {
  count(line.grams, line.language, -1);
  const auto scores = scores_of(line.grams);
  count(line.grams, line.language, 1);
  return scores;
}

/// Finds the direction along which the trigram differences source − target vary most: it separates
/// the languages even if pairs are swapped. `lines` alternates source and target.
void SideLanguages::guess_sides(std::vector<Line>& lines) {
  std::vector<float> direction(kPlaces);
  const size_t pairs = lines.size() / 2;
  std::vector<float> sign(pairs, 1.0F);
  const auto for_each_trigram = [&](size_t pair, const auto& use) {
    for (const auto& places : lines[2 * pair].grams) use(places[kTrigram], 1.0F);
    for (const auto& places : lines[2 * pair + 1].grams) use(places[kTrigram], -1.0F);
  };
  const auto add = [&](size_t pair, float times) {
    for_each_trigram(pair, [&](uint32_t place, float side) { direction[place] += side * times; });
  };
  const auto project = [&](size_t pair) {
    double sum = 0;
    for_each_trigram(
        pair, [&](uint32_t place, float side) { sum += double{side} * double{direction[place]}; });
    return sum;
  };
  for (size_t pair = 0; pair < pairs; ++pair) add(pair, sign[pair]);
  for (int round = 0; round < 20; ++round) {
    size_t changes = 0;
    for (size_t pair = 0; pair < pairs; ++pair) {
      add(pair, -sign[pair]);
      const float now = project(pair) < 0 ? -1.0F : 1.0F;
      if (now != sign[pair]) ++changes;
      sign[pair] = now;
      add(pair, now);
    }
    if (changes == 0) break;
  }
  for (size_t pair = 0; pair < pairs; ++pair) {
    lines[2 * pair].language = sign[pair] > 0 ? 0 : 1;
    lines[2 * pair + 1].language = sign[pair] > 0 ? 1 : 0;
  }
}

void SideLanguages::refine_sides(std::vector<Line>& lines) {
  std::vector<double> separations;
  for (int round = 0; round < kSideRounds; ++round) {
    separations.clear();
    for (size_t i = 0; i + 1 < lines.size(); i += 2) {
      auto& source = lines[i];
      auto& target = lines[i + 1];
      for (const auto* line : {&source, &target}) count(line->grams, line->language, -1);
      const auto s = scores_of(source.grams);
      const auto t = scores_of(target.grams);
      const double odds = s[0] + t[1] - s[1] - t[0];
      const size_t now = odds < 0 ? 1 : 0;
      const auto characters = static_cast<double>(source.grams.size() + target.grams.size());
      separations.push_back(std::abs(odds) / std::max(characters, 1.0));
      source.language = now;
      target.language = 1 - now;
      for (const auto* line : {&source, &target}) count(line->grams, line->language, 1);
    }
  }
  distinct_ = median(separations) > kMinLanguageSeparation;
}

/// The lines that are least likely by either side's model.
std::vector<size_t> SideLanguages::unlikely_lines(const std::vector<Line>& lines) {
  std::vector<std::pair<double, size_t>> likelihoods;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    if (line.grams.size() < kMinCharacters) continue;
    const auto scores = scores_without(line);
    likelihoods.emplace_back(std::max(scores[0] / usual(line, 0), scores[1] / usual(line, 1)), i);
  }
  std::sort(likelihoods.begin(), likelihoods.end());
  likelihoods.resize(static_cast<size_t>(kThirdSeeds * static_cast<double>(likelihoods.size())));
  std::vector<size_t> unlikely;
  for (const auto& [likelihood, i] : likelihoods) unlikely.push_back(i);
  return unlikely;
}

/// The smaller part of a side's lines, divided where their trigrams vary most: along the first
/// principal component of the trigrams' shares (by power iteration). Finds a language of many
/// lines, which the side's model has learned and finds likely.
std::vector<size_t> SideLanguages::smaller_part(const std::vector<Line>& lines, size_t side) {
  constexpr int kRounds = 15;
  std::vector<size_t> members;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].language == side && lines[i].grams.size() >= kMinCharacters) members.push_back(i);
  }
  std::vector<double> places(members.size());  // along the component; anywhere to begin with
  for (size_t k = 0; k < places.size(); ++k) places[k] = mix(static_cast<uint32_t>(k), U'a') % 1000;
  const auto center = [&] {
    const double mean = std::accumulate(places.begin(), places.end(), 0.0) /
                        static_cast<double>(std::max<size_t>(places.size(), 1));
    double farthest = 0.0;
    for (auto& place : places) {
      place -= mean;
      farthest = std::max(farthest, std::abs(place));
    }
    return farthest;
  };
  const auto share_of = [&](size_t k) {
    return 1.0 / static_cast<double>(lines[members[k]].grams.size());
  };
  std::vector<double> component;
  for (int round = 0; round < kRounds; ++round) {
    const double farthest = center();
    if (farthest == 0.0) return {};
    component.assign(kPlaces, 0.0);
    for (size_t k = 0; k < members.size(); ++k) {
      const double pull = places[k] / farthest * share_of(k);
      for (const auto& gram : lines[members[k]].grams) component[gram[kTrigram]] += pull;
    }
    for (size_t k = 0; k < members.size(); ++k) {
      double sum = 0.0;
      for (const auto& gram : lines[members[k]].grams) sum += component[gram[kTrigram]];
      places[k] = sum * share_of(k);
    }
  }
  center();
  std::array<std::vector<size_t>, 2> parts;
  for (size_t k = 0; k < members.size(); ++k) parts[places[k] > 0 ? 1 : 0].push_back(members[k]);
  return parts[0].size() < parts[1].size() ? parts[0] : parts[1];
}

/// A character of a syllabary costs more than one of an alphabet.
double SideLanguages::usual(const Line& line, size_t side) const {
  return -expected_[side] * static_cast<double>(line.grams.size());
}

/// A topic of its own has other words, but a language also other letters between them: its lines
/// are far more likely by its own model.
void SideLanguages::find_third(std::vector<Line>& lines) {
  measure(lines);
  if (grow_third(lines, unlikely_lines(lines), /*known=*/false)) return;
  for (size_t side = 0; side < 2; ++side) {  // the two parts may also be two topics
    if (grow_third(lines, smaller_part(lines, side), /*known=*/true)) return;
  }
}

/// Learns a third language from these lines (hard EM). Returns whether it is one; otherwise all
/// lines keep their languages. `known`: it must be one that CLD2 knows.
bool SideLanguages::grow_third(std::vector<Line>& lines, const std::vector<size_t>& seeds,
                               bool known) {
  if (seeds.empty()) return false;
  std::vector<size_t> home(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) home[i] = lines[i].language;
  for (const size_t i : seeds) move(lines[i], kThird);
  std::vector<double> separations;
  for (int round = 0; round < 2 * kSideRounds; ++round) {
    separations.clear();
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto scores = scores_without(lines[i]);
      const double odds = scores[kThird] - std::max(scores[0], scores[1]);
      // At first without a margin: the other two models were trained on the third language's lines
      // too.
      const size_t now = odds > (round < kSideRounds ? 0.0 : kThirdOdds) ? kThird : home[i];
      if (now != lines[i].language) move(lines[i], now);
      if (now == kThird) separations.push_back(odds / usual(lines[i], home[i]));
    }
  }
  third_is_known_ = false;
  for (size_t side = 0; side < 2; ++side) {
    size_t third = 0;
    size_t own = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (home[i] == side) ++(lines[i].language == kThird ? third : own);
    }
    if (third < kMinThird || !has_known_third(lines, home, side)) continue;
    third_is_known_ = true;
    if (third <= own) continue;
    for (size_t i = 0; i < lines.size(); ++i) {  // a side's language is that of most of its lines
      if (home[i] == side) move(lines[i], lines[i].language == kThird ? side : kThird);
    }
  }
  const bool found = median(separations) > kThirdSeparation && (third_is_known_ || !known) &&
                     separations.size() >= kMinThird;
  if (found) return true;
  third_is_known_ = false;
  for (size_t i = 0; i < lines.size(); ++i) move(lines[i], home[i]);
  return false;
}

/// Whether CLD2 finds that lines of this side in its own and in the third language are in two.
bool SideLanguages::has_known_third(const std::vector<Line>& lines, const std::vector<size_t>& home,
                                    size_t side) {
  constexpr size_t kEnough = 100000;  // bytes
  std::string own;
  std::string third;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (home[i] != side) continue;
    auto& text = lines[i].language == kThird ? third : own;
    if (text.size() < kEnough) text += *lines[i].text + "\n";
  }
  const auto own_language = detected_language(own);
  const auto third_language = detected_language(third);
  return !own_language.empty() && !third_language.empty() && own_language != third_language;
}

void SideLanguages::measure(std::vector<Line>& lines) {
  std::array<std::vector<double>, kLanguages> likelihoods;
  for (const auto& line : lines) {
    if (line.grams.empty()) continue;
    likelihoods[line.language].push_back(scores_without(line)[line.language] /
                                         static_cast<double>(line.grams.size()));
  }
  for (size_t language = 0; language < kLanguages; ++language) {
    expected_[language] = median(likelihoods[language]);
  }
}

SideLanguages::SideLanguages(const std::vector<SampledPair>& sample) : counts_(kPlaces) {
  if (sample.size() < kMinLanguagePairs) return;
  std::vector<Line> lines;
  for (const auto& pair : sample) {
    lines.push_back({grams_of(pair.source), &pair.source});
    lines.push_back({grams_of(pair.target), &pair.target});
  }
  guess_sides(lines);
  for (const auto& line : lines) count(line.grams, line.language, 1);
  refine_sides(lines);
  if (!distinct_) return;
  find_third(lines);
  measure(lines);
  for (size_t i = 0; i < sample.size(); ++i) {
    sampled_[sample[i].line] = {lines[2 * i].language, lines[2 * i + 1].language};
  }
}

void SideLanguages::exchange() { exchanged_ = !exchanged_; }

bool SideLanguages::is_foreign(const Grams& grams, const Scores& scores, size_t own) const {
  const double other = scores[1 - own] - kOtherSideOdds;
  const double third = totals_[kThird] > 0 ? scores[kThird] : other;
  const double expected = std::min(expected_[0], expected_[1]) * static_cast<double>(grams.size());
  const double neither = std::min(kNeither * (scores[0] + scores[1]) / 2, kTypical * expected);
  return std::max({other, third, neither - kUnseenOdds}) - scores[own] > kForeignOdds;
}

bool SideLanguages::is_third(const Scores& scores) const {
  return third_is_known_ && scores[kThird] - std::max(scores[0], scores[1]) > kCertainOdds;
}

LanguageVerdict SideLanguages::judge(int64_t line, std::string_view source,
                                     std::string_view target) {
  if (!distinct_) return {};
  const auto source_grams = grams_of(source);
  const auto target_grams = grams_of(target);
  const auto sampled = sampled_.find(line);
  const auto count_own = [&](float times) {
    if (sampled == sampled_.end()) return;
    count(source_grams, sampled->second[0], times);
    count(target_grams, sampled->second[1], times);
  };
  count_own(-1);
  const auto s = scores_of(source_grams);
  const auto t = scores_of(target_grams);
  count_own(1);
  size_t own = exchanged_ ? 1 : 0;
  const bool swapped = s[1 - own] + t[own] - s[own] - t[1 - own] > kSwappedOdds;
  if (swapped) own = 1 - own;
  return {swapped, is_foreign(source_grams, s, own) || is_foreign(target_grams, t, 1 - own),
          is_third(s) || is_third(t)};
}

}  // namespace nmt
