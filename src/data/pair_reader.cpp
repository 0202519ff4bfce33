#include "data/pair_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "errors/error.h"
#include "files/file.h"
#include "files/paired_lines.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

constexpr double kGapCost = 12.0;  // the evidence of some 30 lines of real text
constexpr size_t kMaxShift = 16;

/// Logarithms of the lines' lengths in bytes; 4 bytes a line, and only for broken corpora.
std::vector<float> line_lengths(const fs::path& path) {
  std::vector<float> lengths;
  std::string line;
  for (LineReader reader(path); reader.next(line);) {
    lengths.push_back(std::log(1.0F + static_cast<float>(line.size())));
  }
  return lengths;
}

double mean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<size_t>(values.size(), 1));
}

/// A pairing of the lines so far that now takes line i of the shorter file for a translation of
/// line i + shift of the longer.
struct Pairing {
  size_t shift;
  double cost;       // how unlike the lengths of partners are, and what changes of shift cost
  size_t first_gap;  // line of the shorter file before which the shift first changed
};

/// The shifts to try: up to kMaxShift for lines that are missing one by one, and `surplus` for a
/// block that is missing at once.
std::vector<Pairing> first_pairings(size_t surplus, size_t num_lines) {
  std::vector<Pairing> pairings = {{0, 0.0, num_lines}};
  for (size_t shift = 1; shift <= std::min(surplus, kMaxShift); ++shift) {
    pairings.push_back({shift, kGapCost, 0});
  }
  if (surplus > kMaxShift) pairings.push_back({surplus, kGapCost, 0});
  return pairings;
}

bool cheaper(const Pairing& a, const Pairing& b) { return a.cost < b.cost; }

/// The line before which the shorter file first lacks one. Translations have similar lengths, so
/// the cheapest pairing (Viterbi algorithm over the shifts) follows the gaps.
size_t first_suspicious_line(const std::vector<float>& shorter, const std::vector<float>& longer) {
  const size_t surplus = longer.size() - shorter.size();
  const double usual = mean(shorter) - mean(longer);  // languages differ in bytes a sentence
  auto pairings = first_pairings(surplus, shorter.size());
  for (size_t i = 0; i < shorter.size(); ++i) {
    auto best = *std::min_element(pairings.begin(), pairings.end(), cheaper);
    best.cost += kGapCost;
    best.first_gap = std::min(best.first_gap, i);
    for (auto& pairing : pairings) {
      if (best.cost < pairing.cost) pairing = {pairing.shift, best.cost, best.first_gap};
      pairing.cost += std::abs(shorter[i] - longer[i + pairing.shift] - usual);
    }
  }
  for (auto& pairing : pairings) {
    if (pairing.shift != surplus) pairing.cost += kGapCost;  // the rest is missing at the end
  }
  return std::min_element(pairings.begin(), pairings.end(), cheaper)->first_gap + 1;
}

/// Throws the Error for two texts with different numbers of lines: the numbers, and near which line
/// one seems to be missing. Reads both again from the beginning.
[[noreturn]] void report_unequal(const fs::path& source, const fs::path& target) {
  if (is_readable_once(source) || is_readable_once(target)) {
    throw Error(corpus_name(source, target) +
                ": one has more lines than the other; the two must pair line by line");
  }
  const auto source_lengths = line_lengths(source);
  const auto target_lengths = line_lengths(target);
  const bool source_shorter = source_lengths.size() < target_lengths.size();
  const auto line = source_shorter ? first_suspicious_line(source_lengths, target_lengths)
                                   : first_suspicious_line(target_lengths, source_lengths);
  require_paired_lines(source.string(), source_lengths.size(), target.string(),
                       target_lengths.size(),
                       "they seem to diverge near line " + std::to_string(line));
  throw Error(source.string() + ": changed while it was read; run the command again");
}

}  // namespace

PairReader::PairReader(const std::filesystem::path& source, const std::filesystem::path& target,
                       const TextPlace& after)
    : source_path_(source), target_path_(target), source_(source), target_(target) {
  if (after.lines == 0) {  // a pipe can be read but not sought in
    source_.require_text();
    target_.require_text();
    return;
  }
  source_.go_on_after(after.lines, after.source_bytes);
  target_.go_on_after(after.lines, after.target_bytes);
}

bool PairReader::next(std::string& source, std::string& target) {
  const bool more_source = source_.next(source);
  const bool more_target = target_.next(target);
  if (more_source != more_target) report_unequal(source_path_, target_path_);
  return more_source;
}

TextPlace PairReader::place() const {
  return {source_.line_number(), source_.position(), target_.position(), 0, 0};
}

std::string corpus_name(const fs::path& source, const fs::path& target) {
  return source == target ? source.string() : source.string() + " and " + target.string();
}

void require_not_empty(const fs::path& source, const fs::path& target, int64_t lines) {
  if (lines == 0) throw Error(corpus_name(source, target) + ": the corpus is empty");
}

void for_each_pair(const std::filesystem::path& source, const std::filesystem::path& target,
                   const PairLines& visit) {
  PairReader reader(source, target);
  std::string source_line;
  std::string target_line;
  while (reader.next(source_line, target_line)) {
    visit(reader.place().lines, source_line, target_line);
  }
}

}  // namespace nmt
