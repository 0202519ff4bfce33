#include "explain/segmentation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors/error.h"
#include "explain/word_vectors.h"
#include "text/byte_pieces.h"
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

WordSegmenter::WordSegmenter(std::string_view model, const std::string& name)
    : description_(describe_sentencepiece_model(model)), pieces_(model_pieces(model)) {
  if (!is_bpe() && description_.type != "unigram") {
    throw Error(name + ": its vocabulary is of type " + description_.type +
                ", which has one segmentation; use a model with a bpe or unigram vocabulary");
  }
  model_ = sentencepiece().load(model);
  for (const auto& piece : pieces_.by_id()) {
    if (piece.type != PieceType::kNormal) continue;
    lowest_ = std::min(lowest_, static_cast<float>(piece.score));
    highest_ = std::max(highest_, static_cast<float>(piece.score));
  }
}

bool WordSegmenter::is_user_defined(const std::string& text) const {
  const auto* piece = pieces_.find(text);
  return piece != nullptr && piece->type == PieceType::kUserDefined;
}

std::vector<std::string> WordSegmenter::characters_of(const std::string& text) const {
  std::vector<std::string> found;
  for (size_t begin = 0; begin < text.size();) {
    size_t length = character_length(text, begin);
    for (size_t size = text.size() - begin; is_bpe() && size > length; --size) {
      if (is_user_defined(text.substr(begin, size))) length = size;
    }
    found.push_back(text.substr(begin, length));
    begin += length;
  }
  return found;
}

std::vector<Merge> WordSegmenter::merges_of(std::vector<std::string> symbols) const {
  std::vector<Merge> done;
  for (;;) {
    const ModelPiece* best = nullptr;
    size_t place = 0;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      if (is_user_defined(symbols[i]) || is_user_defined(symbols[i + 1])) continue;
      const auto* piece = pieces_.find(symbols[i] + symbols[i + 1]);
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

std::vector<Segmentation> WordSegmenter::best_segmentations(
    const std::vector<std::string>& characters) const {
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
      const auto* piece = pieces_.find(text);
      if (piece == nullptr && end > begin + 1) continue;
      double score = static_cast<double>(lowest_ - kUnknownPenalty);
      if (piece != nullptr) {
        score = piece->type == PieceType::kUserDefined
                    ? static_cast<double>(static_cast<float>(text.size()) * highest_) - 0.1
                    : piece->score;
      }
      totals[end] = log_sum(totals[end], totals[begin] + score);
      for (size_t rank = 0; rank < paths[begin].size(); ++rank) {
        const double sum = score + static_cast<double>(paths[begin][rank].sum);
        auto& list = paths[end];
        const auto place = std::upper_bound(
            list.begin(), list.end(), sum,
            [](double value, const Path& other) { return value > static_cast<double>(other.sum); });
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

std::vector<std::string> WordSegmenter::as_returned(const std::vector<std::string>& symbols) const {
  std::vector<std::string> returned;
  bool after_unknown = false;
  for (const auto& symbol : symbols) {
    const bool unknown = pieces_.find(symbol) == nullptr;
    if (unknown && description_.byte_fallback) {
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

SegmentedWord WordSegmenter::segment(const std::string& word) const {
  const auto length = split_characters(replace_invalid_utf8(word)).size();
  if (length > kMaxCharacters) {
    throw Error(word_label(word) + ": has " + std::to_string(length) +
                " characters; use words of at most " + std::to_string(kMaxCharacters));
  }
  SegmentedWord result;
  result.word = word;
  const auto ids = model_->encode(word);
  const auto pieces = model_->encode_as_text(word);
  if (!ids || !pieces || ids->empty()) {
    throw Error(printable(word) + ": has no tokens; use another word");
  }
  result.ids = *ids;
  result.pieces = *pieces;
  for (size_t i = 0; i < pieces->size(); ++i) {
    const auto& type = pieces_.by_id().at(static_cast<size_t>((*ids)[i])).type;
    const auto byte = type == PieceType::kByte ? byte_of_piece((*pieces)[i]) : std::nullopt;
    result.normalized += byte ? std::string(1, *byte) : (*pieces)[i];
  }
  result.characters = characters_of(result.normalized);
  auto replayed = result.characters;
  if (is_bpe()) {
    result.merges = merges_of(result.characters);
    if (!result.merges.empty()) replayed = result.merges.back().symbols;
  } else {
    result.best = best_segmentations(result.characters);
    replayed = result.best.front().pieces;
  }
  if (as_returned(replayed) != result.pieces) {
    throw Error(printable(word) +
                ": SentencePiece segments it otherwise than its pieces explain; use another word");
  }
  return result;
}

}  // namespace nmt
