#include "explain/segmentation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "errors/error.h"
#include "explain/word_vectors.h"
#include "text/byte_pieces.h"
#include "text/model_description.h"
#include "text/piece_table.h"
#include "text/sentencepiece.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxCharacters = 64;
constexpr size_t kBest = 5;
constexpr float kUnknownPenalty = 10.0F;  // below the least likely piece, as in SentencePiece

double log_sum(double a, double b) {
  const double most = std::max(a, b);
  return most + std::log(std::exp(a - most) + std::exp(b - most));
}

}  // namespace

struct WordSegmenter::Impl {
  explicit Impl(std::string_view serialized)
      : description(describe_sentencepiece_model(serialized)), pieces(model_pieces(serialized)) {}

  std::unique_ptr<SentencePieceModel> model;
  ModelDescription description;
  PieceTable pieces;
  float lowest = std::numeric_limits<float>::max();
  float highest = std::numeric_limits<float>::lowest();

  const ModelPiece* find(const std::string& text) const { return pieces.find(text); }

  bool is_user_defined(const std::string& text) const {
    const auto* piece = find(text);
    return piece != nullptr && piece->type == PieceType::kUserDefined;
  }

  /// Code points; with bpe, the longest user-defined symbol at each place is kept whole.
  std::vector<std::string> characters(const std::string& text) const {
    std::vector<std::string> found;
    for (size_t begin = 0; begin < text.size();) {
      size_t length = character_length(text, begin);
      for (size_t size = text.size() - begin; description.type == "bpe" && size > length; --size) {
        if (is_user_defined(text.substr(begin, size))) length = size;
      }
      found.push_back(text.substr(begin, length));
      begin += length;
    }
    return found;
  }

  /// Merges the neighbors whose joint piece has the highest score, the leftmost among equals,
  /// until none have one.
  std::vector<Merge> merges(std::vector<std::string> symbols) const {
    std::vector<Merge> done;
    for (;;) {
      const ModelPiece* best = nullptr;
      size_t place = 0;
      for (size_t i = 0; i + 1 < symbols.size(); ++i) {
        if (is_user_defined(symbols[i]) || is_user_defined(symbols[i + 1])) continue;
        const auto* piece = find(symbols[i] + symbols[i + 1]);
        if (piece == nullptr || (best != nullptr && piece->score <= best->score)) continue;
        best = piece;
        place = i;
      }
      if (best == nullptr) return done;
      symbols[place] += symbols[place + 1];
      symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
      done.push_back({symbols, place, best->score});
    }
  }

  /// The k best paths through the lattice of pieces, and their shares of the sum over all paths.
  std::vector<Segmentation> best_segmentations(const std::vector<std::string>& characters) const {
    struct Path {
      float sum = 0.0F;  // float, as in SentencePiece, so that ties fall the same way
      size_t begin = 0;  // of the last piece
      size_t rank = 0;   // among the paths to there
      double score = 0.0;
    };
    const size_t count = characters.size();
    std::vector<std::vector<Path>> paths(count + 1);
    std::vector<double> totals(count + 1, -std::numeric_limits<double>::infinity());
    paths[0].emplace_back();
    totals[0] = 0.0;
    for (size_t begin = 0; begin < count; ++begin) {
      std::string text;
      for (size_t end = begin + 1; end <= count; ++end) {
        text += characters[end - 1];
        const auto* piece = find(text);
        if (piece == nullptr && end > begin + 1) continue;
        double score = static_cast<double>(lowest - kUnknownPenalty);
        if (piece != nullptr) {
          score = piece->type == PieceType::kUserDefined
                      ? static_cast<double>(static_cast<float>(text.size()) * highest) - 0.1
                      : piece->score;
        }
        totals[end] = log_sum(totals[end], totals[begin] + score);
        for (size_t rank = 0; rank < paths[begin].size(); ++rank) {
          const double sum = score + static_cast<double>(paths[begin][rank].sum);
          auto& list = paths[end];
          const auto place =
              std::upper_bound(list.begin(), list.end(), sum, [](double value, const Path& other) {
                return value > static_cast<double>(other.sum);
              });
          list.insert(place, {static_cast<float>(sum), begin, rank, score});
          if (list.size() > kBest) list.pop_back();
        }
      }
    }
    std::vector<Segmentation> found;
    for (const auto& last : paths[count]) {
      Segmentation segmentation;
      const Path* path = &last;
      for (size_t end = count; end > 0;) {
        std::string text;
        for (size_t i = path->begin; i < end; ++i) text += characters[i];
        segmentation.pieces.insert(segmentation.pieces.begin(), text);
        segmentation.log_probabilities.insert(segmentation.log_probabilities.begin(), path->score);
        segmentation.log_probability += path->score;
        end = path->begin;
        path = &paths[end][path->rank];
      }
      segmentation.share = std::exp(segmentation.log_probability - totals[count]);
      found.push_back(std::move(segmentation));
    }
    return found;
  }

  /// The pieces as SentencePiece returns them: unknown characters as bytes, or in one piece.
  std::vector<std::string> as_returned(const std::vector<std::string>& symbols) const {
    std::vector<std::string> returned;
    bool after_unknown = false;
    for (const auto& symbol : symbols) {
      const bool unknown = find(symbol) == nullptr;
      if (unknown && description.byte_fallback) {
        for (const char byte : symbol) {
          returned.push_back(byte_piece(static_cast<unsigned char>(byte)));
        }
      } else if (unknown && after_unknown) {
        returned.back() += symbol;
      } else {
        returned.push_back(symbol);
      }
      after_unknown = unknown;
    }
    return returned;
  }
};

WordSegmenter::WordSegmenter(std::string_view model, const std::string& name)
    : impl_(std::make_unique<Impl>(model)) {
  const auto& type = impl_->description.type;
  if (type != "bpe" && type != "unigram") {
    throw Error(name + ": its vocabulary is of type " + type +
                ", which has one segmentation; use a model with a bpe or unigram vocabulary");
  }
  impl_->model = sentencepiece().load(model);
  for (const auto& piece : impl_->pieces.by_id()) {
    if (piece.type != PieceType::kNormal) continue;
    impl_->lowest = std::min(impl_->lowest, static_cast<float>(piece.score));
    impl_->highest = std::max(impl_->highest, static_cast<float>(piece.score));
  }
}

WordSegmenter::~WordSegmenter() = default;

bool WordSegmenter::is_bpe() const { return impl_->description.type == "bpe"; }

SegmentedWord WordSegmenter::segment(const std::string& word) const {
  const auto length = split_characters(replace_invalid_utf8(word)).size();
  if (length > kMaxCharacters) {
    throw Error(word_label(word) + ": has " + std::to_string(length) +
                " characters; use words of at most " + std::to_string(kMaxCharacters));
  }
  SegmentedWord result;
  result.word = word;
  const auto ids = impl_->model->encode(word);
  const auto pieces = impl_->model->encode_as_text(word);
  if (!ids || !pieces || ids->empty()) {
    throw Error(printable(word) + ": has no tokens; use another word");
  }
  result.ids = *ids;
  result.pieces = *pieces;
  for (size_t i = 0; i < pieces->size(); ++i) {
    const auto& type = impl_->pieces.by_id().at(static_cast<size_t>((*ids)[i])).type;
    const auto byte = type == PieceType::kByte ? byte_of_piece((*pieces)[i]) : std::nullopt;
    result.normalized += byte ? std::string(1, *byte) : (*pieces)[i];
  }
  result.characters = impl_->characters(result.normalized);
  auto replayed = result.characters;
  if (is_bpe()) {
    result.merges = impl_->merges(result.characters);
    if (!result.merges.empty()) replayed = result.merges.back().symbols;
  } else {
    result.best = impl_->best_segmentations(result.characters);
    replayed = result.best.front().pieces;
  }
  if (impl_->as_returned(replayed) != result.pieces) {
    throw Error(printable(word) +
                ": SentencePiece segments it otherwise than its pieces explain; use another word");
  }
  return result;
}

}  // namespace nmt
