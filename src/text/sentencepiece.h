#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

// SentencePiece, accessed through libnmt_sentencepiece.so (sentencepiece_library.cpp), the only
// library of this project that links it. Debian 12's libsentencepiece exports its own Protobuf and
// LibTorch loads another; a program that links both crashes, because each resolves to the other's
// functions.

/// A SentencePiece model. Safe for several threads at once.
class SentencePieceModel {
 public:
  virtual ~SentencePieceModel() = default;

  virtual int32_t vocabulary_size() const = 0;
  virtual std::string piece(int32_t id) const = 0;
  /// Ids of padding, the unknown piece, BOS and EOS.
  virtual std::array<int32_t, 4> special_ids() const = 0;

  // These return nullopt if SentencePiece fails.
  virtual std::optional<std::vector<int32_t>> encode(std::string_view text) const = 0;
  /// The pieces as text; unknown characters are returned as they are.
  virtual std::optional<std::vector<std::string>> encode_as_text(std::string_view text) const = 0;
  virtual std::optional<std::string> decode(const std::vector<int32_t>& ids) const = 0;
};

struct SentencePieceTraining {
  std::map<std::string, std::string> options;     // of spm_train
  std::function<const std::string*()> next_line;  // null at the end
};

struct SentencePieceResult {
  std::string model;  // serialised; empty on failure
  std::string error;  // SentencePiece's own message
};

/// The interface of libnmt_sentencepiece.so.
struct SentencePiece {
  /// Null when the bytes are not a SentencePiece model.
  std::unique_ptr<SentencePieceModel> (*load)(std::string_view model);
  SentencePieceResult (*train)(const SentencePieceTraining& training);
};

/// Loads the library on first use. Throws Error when that fails.
const SentencePiece& sentencepiece();

}  // namespace nmt

/// The one symbol of libnmt_sentencepiece.so.
extern "C" const nmt::SentencePiece* nmt_sentencepiece();
