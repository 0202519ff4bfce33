#include "train/inputs/word_vectors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>

#include "errors/error.h"
#include "errors/log.h"
#include "files/line_reader.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr char kBlanks[] = " \t";

using WordCounts = std::unordered_map<std::string, int64_t>;

std::string without_punctuation(const std::string& word) {
  auto codes = to_code_points(word);
  while (!codes.empty() && is_punctuation(codes.back())) codes.pop_back();
  const auto first = std::find_if_not(codes.begin(), codes.end(), is_punctuation);
  return to_utf8(std::u32string(first, codes.end()));
}

WordCounts count_words(const std::vector<std::string>& texts) {
  WordCounts written;
  for (const auto& text : texts) {
    LineReader reader(text);
    reader.require_text();
    for (std::string line; reader.next(line);) {
      for (size_t at = 0; at < line.size();) {
        const size_t begin = std::min(line.find_first_not_of(kBlanks, at), line.size());
        at = std::min(line.find_first_of(kBlanks, begin), line.size());
        if (at > begin) ++written[line.substr(begin, at - begin)];
      }
    }
  }
  WordCounts words;
  for (const auto& [word, count] : written) words[without_punctuation(word)] += count;
  return words;
}

/// Reads the lines of a file of word vectors. Skips the header of word2vec and fastText, the number
/// of words and the dimension.
class VectorReader {
 public:
  VectorReader(const std::filesystem::path& file, int64_t dimension)
      : file_(file), dimension_(dimension), reader_(file) {
    reader_.require_text();
    if (!next_line()) throw Error(file.string() + ": no vectors; check the format");
    const bool is_count = line_.find_first_not_of(" \t0123456789") == std::string::npos;
    if (is_count && numbers_after(word().size()).size() == 1) next_line();
    vector();  // checks the dimension of the first vector
  }

  std::string_view word() const {
    return std::string_view(line_).substr(0, line_.find_first_of(kBlanks));
  }

  /// Throws Error unless it has the dimension.
  std::vector<float> vector() const {
    auto numbers = numbers_after(word().size());
    if (static_cast<int64_t>(numbers.size()) == dimension_) return numbers;
    throw Error(where() + "a vector of " + std::to_string(numbers.size()) +
                " numbers, but model.embedding_size is " + std::to_string(dimension_) +
                "; use vectors of that size, or set it to theirs");
  }

  bool next_line() {
    if (!reader_.next(line_)) return false;
    line_.resize(line_.find_last_not_of(kBlanks) + 1);
    return true;
  }

 private:
  std::string where() const {
    return file_.string() + ": line " + std::to_string(reader_.line_number()) + ": ";
  }

  std::vector<float> numbers_after(size_t at) const {
    std::vector<float> numbers;
    const char* const end = line_.data() + line_.size();
    for (const char* next = line_.data() + at; next != end;) {
      while (next != end && (*next == ' ' || *next == '\t')) ++next;
      float number = 0.0F;
      const auto read = std::from_chars(next, end, number);
      const bool ends = read.ptr == end || *read.ptr == ' ' || *read.ptr == '\t';
      if (read.ec != std::errc() || !ends || !std::isfinite(number)) {
        throw Error(where() + "not a word and its numbers; use the text format of word2vec");
      }
      numbers.push_back(number);
      next = read.ptr;
    }
    return numbers;
  }

  std::filesystem::path file_;
  int64_t dimension_;
  LineReader reader_;
  std::string line_;
};

struct WeightedSum {
  std::vector<double> sum;
  double weight = 0.0;
};

void add_word(const std::vector<float>& vector, int64_t count, const std::vector<int32_t>& ids,
              std::map<int32_t, WeightedSum>& pieces) {
  const auto weight = static_cast<double>(count);
  for (const int32_t id : std::set<int32_t>(ids.begin(), ids.end())) {
    if (id == kUnknownId) continue;
    auto& piece = pieces[id];
    piece.sum.resize(vector.size());
    for (size_t i = 0; i < vector.size(); ++i) piece.sum[i] += weight * vector[i];
    piece.weight += weight;
  }
}

}  // namespace

PieceVectors read_piece_vectors(const std::filesystem::path& file, int64_t dimension,
                                const std::vector<std::string>& texts, const Tokenizer& tokenizer) {
  auto words = count_words(texts);
  std::map<int32_t, WeightedSum> pieces;
  size_t known = 0;
  VectorReader reader(file, dimension);
  do {
    const auto found = words.find(std::string(reader.word()));
    if (found == words.end()) continue;
    add_word(reader.vector(), found->second, tokenizer.encode(found->first), pieces);
    words.erase(found);  // the first vector of a word counts
    ++known;
  } while (reader.next_line());
  if (pieces.empty()) {
    throw Error(file.string() +
                ": no word of the training text has a vector; check language and format");
  }
  log_info("{}: vectors of {} words, {} of {} pieces occur in them", file.string(), known,
           pieces.size(), tokenizer.vocabulary_size());
  PieceVectors vectors;
  for (const auto& [id, piece] : pieces) {
    for (const double sum : piece.sum) {
      vectors[id].push_back(static_cast<float>(sum / piece.weight));
    }
  }
  return vectors;
}

void require_word_vectors(const std::filesystem::path& file, int64_t dimension) {
  VectorReader(file, dimension);
}

}  // namespace nmt
