// Writes a parallel corpus of made-up words, of any size, to measure what size costs:
//
//   build/dev/bin/made_up_corpus 20000000 text.src text.tgt [SEED]
//
// Sentences have 5 to 30 words of 50,000, drawn as in languages (the r-th likeliest word with a
// probability near 1/r); a target translates its source word for word, with two neighbors
// swapped now and then, so that a model can learn something.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr size_t kWords = 50000;
constexpr size_t kDraws = 1 << 20;
constexpr size_t kBufferBytes = 1 << 20;

uint64_t state = 1;

// SplitMix64 (Steele, Lea and Flood 2014).
uint64_t next() {
  uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// Likely words are short, as they are in languages.
std::vector<std::string> make_words(const std::vector<std::string>& syllables) {
  std::vector<std::string> words;
  for (size_t rank = 0; rank < kWords; ++rank) {
    const size_t length = 1 + (rank > 40 ? 1 : 0) + (rank > 1500 ? 1 : 0) + next() % 2;
    std::string word;
    for (size_t i = 0; i < length; ++i) word += syllables[next() % syllables.size()];
    words.push_back(word + ' ');
  }
  return words;
}

/// Ranks, each as often as its probability says.
std::vector<uint16_t> make_draws() {
  const double all = std::log(static_cast<double>(kWords));
  std::vector<uint16_t> draws(kDraws);
  for (auto& draw : draws) {
    const double uniform = static_cast<double>(next() >> 11) / 9007199254740992.0;
    draw = static_cast<uint16_t>(std::exp(uniform * all) - 1.0);
  }
  return draws;
}

void write_line(std::FILE* file, std::string& line) {
  line.back() = '\n';
  if (std::fwrite(line.data(), 1, line.size(), file) != line.size()) {
    std::perror("writing");
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s PAIRS SOURCE TARGET [SEED]\n", argv[0]);
    return 2;
  }
  const auto sources = make_words({"ba", "ke", "lo", "mi", "nu", "ra", "so", "ti", "ve", "zo",
                                   "an", "el", "is", "or", "un", "da", "fi", "ga", "ho", "pe"});
  const auto targets = make_words({"cha", "dor", "fel", "gim", "hut", "jas", "kol", "lem", "nir",
                                   "pus", "ä", "öl", "ü", "ren", "sta", "tel", "ver", "wi", "xo"});
  const auto draws = make_draws();
  if (argc > 4) state = std::strtoull(argv[4], nullptr, 10) << 32;
  std::FILE* source = std::fopen(argv[2], "wb");
  std::FILE* target = std::fopen(argv[3], "wb");
  if (source == nullptr || target == nullptr) {
    std::perror("opening");
    return 1;
  }
  std::setvbuf(source, nullptr, _IOFBF, kBufferBytes);
  std::setvbuf(target, nullptr, _IOFBF, kBufferBytes);
  std::string source_line;
  std::string target_line;
  std::array<uint16_t, 30> words{};
  for (uint64_t pair = std::strtoull(argv[1], nullptr, 10); pair > 0; --pair) {
    const size_t length = 5 + next() % 26;
    source_line.clear();
    target_line.clear();
    for (size_t i = 0; i < length; ++i) {
      words[i] = draws[next() % kDraws];
      source_line += sources[words[i]];
    }
    for (size_t i = 1; i < length; i += 2) {
      if (words[i] < words[i - 1]) std::swap(words[i], words[i - 1]);
    }
    for (size_t i = 0; i < length; ++i) target_line += targets[words[i]];
    write_line(source, source_line);
    write_line(target, target_line);
  }
  return std::fclose(source) == 0 && std::fclose(target) == 0 ? 0 : 1;
}
