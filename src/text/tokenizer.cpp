#include "text/tokenizer.h"

#include <algorithm>
#include <utility>

#include "errors/error.h"
#include "files/file.h"
#include "text/bridge_loader.h"
#include "text/line_parts.h"
#include "text/model_check.h"

namespace nmt {
namespace {

// SentencePiece's time grows with the square of a run of unknown characters: 16 seconds for 1 MB of
// one letter. So a longer text is encoded in parts, which at a space are cut without a trace,
// unless all of it is known.
constexpr size_t kLongestPartBytes = 16384;

void store_ids(void* ids, const int* data, size_t count) {
  static_cast<std::vector<int32_t>*>(ids)->assign(data, data + count);
}

void require_special_ids(const void* processor, const std::string& name) {
  int pad = 0;
  int unknown = 0;
  int bos = 0;
  int eos = 0;
  sentencepiece().special_ids(processor, &pad, &unknown, &bos, &eos);
  if (pad == kPadId && unknown == kUnknownId && bos == kBosId && eos == kEosId) return;
  const auto id = [](int value) { return std::to_string(value); };
  throw Error(name + ": its special tokens have the ids pad " + id(pad) + ", unknown " +
              id(unknown) + ", BOS " + id(bos) + ", EOS " + id(eos) +
              " but 0, 1, 2, 3 are needed; train it with nmt vocab, or with spm_train --pad_id=0 " +
              "--unk_id=1 --bos_id=2 --eos_id=3");
}

}  // namespace

struct Tokenizer::Impl {
  explicit Impl(void* processor_of_model) : processor(processor_of_model) {}
  ~Impl() { sentencepiece().unload(processor); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::vector<int32_t> encode(std::string_view text) const {
    std::vector<int32_t> ids;
    if (sentencepiece().encode(processor, text.data(), text.size(), store_ids, &ids) == 0) {
      throw Error("the tokenizer refused a text of " + std::to_string(text.size()) + " bytes");
    }
    return ids;
  }

  void* const processor;
  std::string model;
  std::vector<std::string> pieces;
};

Tokenizer Tokenizer::from_file(const std::filesystem::path& path) {
  return from_bytes(read_file(path), path.string());
}

Tokenizer Tokenizer::from_bytes(std::string model, const std::string& name) {
  const auto& library = sentencepiece();
  std::string reason;
  // An empty message is a valid one for Protobuf, but no model.
  const bool plausible = !model.empty() && has_sound_character_map(model);
  void* processor =
      plausible ? library.load(model.data(), model.size(), append_text, &reason) : nullptr;
  if (processor == nullptr) {
    throw Error(name + ": not a SentencePiece model; give one made by nmt vocab or spm_train");
  }
  auto impl = std::make_shared<Impl>(processor);
  require_special_ids(processor, name);
  const int size = library.vocabulary_size(impl->processor);
  impl->pieces.resize(static_cast<size_t>(size));
  for (int id = 0; id < size; ++id) {
    library.piece(impl->processor, id, append_text, &impl->pieces[static_cast<size_t>(id)]);
  }
  impl->model = std::move(model);
  Tokenizer tokenizer;
  tokenizer.impl_ = std::move(impl);
  return tokenizer;
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
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
  if (strength == 0 || text.size() > kLongestPartBytes) return encode(text);
  std::vector<int32_t> ids;
  if (sentencepiece().sample(impl_->processor, text.data(), text.size(),
                             static_cast<float>(strength), static_cast<uint32_t>(seed), store_ids,
                             &ids) == 0) {
    throw Error("this vocabulary, or this SentencePiece, samples no segmentations");
  }
  return ids;
}

std::string Tokenizer::decode(const std::vector<int32_t>& ids) const {
  std::vector<int> known;
  for (const int32_t id : ids) {
    if (id < 0 || id >= vocabulary_size()) {
      throw Error("token id " + std::to_string(id) + " is not in the vocabulary of " +
                  std::to_string(vocabulary_size()) + " pieces");
    }
    if (id != kPadId && id != kBosId && id != kEosId) known.push_back(id);
  }
  std::string text;
  if (sentencepiece().decode(impl_->processor, known.data(), known.size(), append_text, &text) ==
      0) {
    throw Error("the tokenizer cannot turn " + std::to_string(ids.size()) + " ids into text");
  }
  return text;
}

const std::string& Tokenizer::piece(int32_t id) const {
  return impl_->pieces.at(static_cast<size_t>(id));
}

int32_t Tokenizer::vocabulary_size() const { return static_cast<int32_t>(impl_->pieces.size()); }

const std::string& Tokenizer::bytes() const { return impl_->model; }

}  // namespace nmt
