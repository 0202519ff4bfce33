#include "text/tokenizer.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "errors/error.h"
#include "files/file.h"
#include "text/line_parts.h"
#include "text/model_check.h"
#include "text/model_description.h"
#include "text/sentencepiece.h"
#include "text/subword_sampler.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

// SentencePiece's time is quadratic in the length of a run of unknown characters: 16 seconds for 1
// MB of one letter. So a longer text with unknown characters is encoded in parts; cutting at spaces
// does not change the result.
constexpr size_t kLongestPartBytes = 16384;

void require_special_ids(const SentencePieceModel& model, const std::string& name) {
  const auto ids = model.special_ids();
  if (ids == std::array{kPadId, kUnknownId, kBosId, kEosId}) return;
  throw Error(fmt::format(
      "{}: its special tokens have the ids pad {}, unknown {}, BOS {}, EOS {} but 0, 1, 2, 3 are "
      "needed; train it with nmt vocab, or with spm_train --pad_id=0 --unk_id=1 --bos_id=2 "
      "--eos_id=3",
      name, ids[0], ids[1], ids[2], ids[3]));
}

Error refused(std::string_view text) {
  return Error("the tokenizer refused a text of " + std::to_string(text.size()) + " bytes");
}

}  // namespace

struct Tokenizer::Impl {
  std::vector<int32_t> encode(std::string_view text) const {
    auto ids = sentencepiece->encode(text);
    if (!ids) throw refused(text);
    return *std::move(ids);
  }

  /// Created on first use; only training needs it.
  const SubwordSampler& sampler() const {
    std::call_once(sampler_made, [&] { made_sampler = std::make_unique<SubwordSampler>(model); });
    return *made_sampler;
  }

  std::unique_ptr<SentencePieceModel> sentencepiece;
  std::string model;
  std::vector<std::string> pieces;
  bool reads_tokens = false;
  mutable std::once_flag sampler_made;
  mutable std::unique_ptr<const SubwordSampler> made_sampler;
};

Tokenizer Tokenizer::from_file(const std::filesystem::path& path) {
  return from_bytes(read_file(path), path.string());
}

Tokenizer Tokenizer::from_bytes(std::string model, const std::string& name) {
  auto impl = std::make_shared<Impl>();
  // Protobuf accepts an empty message, but it is not a model.
  if (!model.empty() && has_sound_character_map(model)) {
    impl->sentencepiece = sentencepiece().load(model);
  }
  if (impl->sentencepiece == nullptr) {
    throw Error(name + ": not a SentencePiece model; use one made by nmt vocab or spm_train");
  }
  require_special_ids(*impl->sentencepiece, name);
  const int32_t size = impl->sentencepiece->vocabulary_size();
  for (int32_t id = 0; id < size; ++id) impl->pieces.push_back(impl->sentencepiece->piece(id));
  const auto description = describe_sentencepiece_model(model);
  impl->reads_tokens = description.type == "word" && description.normalization == "identity";
  impl->model = std::move(model);
  Tokenizer tokenizer;
  tokenizer.impl_ = std::move(impl);
  return tokenizer;
}

Tokenizer Tokenizer::in_known_case() const {
  constexpr size_t kStrays = 200;
  std::array<size_t, kNumScripts> lower{};
  std::array<size_t, kNumScripts> upper{};
  size_t letters = 0;
  auto tokenizer = as_written();
  for (const auto& piece : model_pieces(bytes())) {
    // OpenNMT's Tokenizer puts ｟…｠ around its case markers and other protected text.
    const bool is_users =
        piece.type == PieceType::kUserDefined || piece.text.find("\uFF5F") != std::string::npos;
    if (piece.type != PieceType::kNormal && !is_users) continue;
    for (const char32_t code : to_code_points(piece.text)) {
      const auto script = static_cast<size_t>(script_of(code));
      letters += is_letter(code) ? 1 : 0;
      lower[script] += is_lower(code) ? 1 : 0;
      upper[script] += is_upper(code) ? 1 : 0;
      if (is_users && is_upper(code)) return tokenizer;
    }
  }
  bool lower_cases = false;
  for (size_t script = 0; script < kNumScripts; ++script) {
    const size_t cased = lower[script] + upper[script];
    if (cased == 0 || cased * kStrays < letters) continue;
    if (upper[script] * kStrays >= lower[script]) return tokenizer;
    lower_cases = true;
  }
  tokenizer.lower_cases_ = lower_cases;
  return tokenizer;
}

Tokenizer Tokenizer::as_written() const {
  auto tokenizer = *this;
  tokenizer.lower_cases_ = false;
  return tokenizer;
}

std::string Tokenizer::as_read(std::string_view text) const {
  return lower_cases_ ? to_lower(text) : std::string(text);
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
  if (lower_cases_) return as_written().encode(as_read(text));
  if (text.size() <= kLongestPartBytes) return impl_->encode(text);
  std::vector<int32_t> ids;
  for (const auto part : split_line(text, kLongestPartBytes)) {
    const auto part_ids = impl_->encode(part);
    ids.insert(ids.end(), part_ids.begin(), part_ids.end());
  }
  const bool all_known = std::find(ids.begin(), ids.end(), kUnknownId) == ids.end();
  return all_known ? impl_->encode(text) : ids;
}

std::vector<int32_t> Tokenizer::sample(std::string_view text, double strength,
                                       uint64_t seed) const {
  if (lower_cases_) return as_written().sample(as_read(text), strength, seed);
  if (strength == 0 || text.size() > kLongestPartBytes) return encode(text);
  auto ids = impl_->sampler().sample(text, strength, seed);
  if (!ids) throw refused(text);
  return *std::move(ids);
}

std::string Tokenizer::decode(const std::vector<int32_t>& ids) const {
  std::vector<int32_t> known;
  for (const int32_t id : ids) {
    if (id < 0 || id >= vocabulary_size()) {
      throw Error("token id " + std::to_string(id) + " is not in the vocabulary of " +
                  std::to_string(vocabulary_size()) + " pieces");
    }
    if (id != kPadId && id != kBosId && id != kEosId) known.push_back(id);
  }
  auto text = impl_->sentencepiece->decode(known);
  if (!text) {
    throw Error("the tokenizer cannot turn " + std::to_string(ids.size()) + " ids into text");
  }
  return *std::move(text);
}

const std::string& Tokenizer::piece(int32_t id) const {
  return impl_->pieces.at(static_cast<size_t>(id));
}

std::vector<std::string> Tokenizer::pieces(const std::vector<int32_t>& ids) const {
  std::vector<std::string> texts;
  for (const int32_t id : ids) texts.push_back(piece(id));
  return texts;
}

int32_t Tokenizer::vocabulary_size() const { return static_cast<int32_t>(impl_->pieces.size()); }

bool Tokenizer::reads_tokens() const { return impl_->reads_tokens; }

const std::string& Tokenizer::bytes() const { return impl_->model; }

}  // namespace nmt
