#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <mutex>
#include <unordered_map>
#include <utility>

#include "text/sentencepiece.h"

// SentencePiece 0.2.2 announces that Decode will take spans alone. A vector converts to one.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace nmt {
namespace {

using Ids = std::vector<int32_t>;

class Model : public SentencePieceModel {
 public:
  bool load(std::string_view model) {
    return processor_.LoadFromSerializedProto({model.data(), model.size()}).ok();
  }

  int32_t vocabulary_size() const override { return processor_.GetPieceSize(); }
  std::string piece(int32_t id) const override { return processor_.IdToPiece(id); }
  std::array<int32_t, 4> special_ids() const override {
    return {processor_.pad_id(), processor_.unk_id(), processor_.bos_id(), processor_.eos_id()};
  }

  std::optional<Ids> encode(std::string_view text) const override {
    Ids ids;
    return processor_.Encode({text.data(), text.size()}, &ids).ok() ? std::optional(std::move(ids))
                                                                    : std::nullopt;
  }

  std::optional<std::vector<std::string>> encode_as_text(std::string_view text) const override {
    std::vector<std::string> pieces;
    const auto status = processor_.Encode({text.data(), text.size()}, &pieces);
    return status.ok() ? std::optional(std::move(pieces)) : std::nullopt;
  }

  std::optional<std::string> decode(const Ids& ids) const override {
    std::string text;
    return processor_.Decode(ids, &text).ok() ? std::optional(std::move(text)) : std::nullopt;
  }

 private:
  sentencepiece::SentencePieceProcessor processor_;
};

std::unique_ptr<SentencePieceModel> load(std::string_view bytes) {
  auto model = std::make_unique<Model>();
  if (!model->load(bytes)) return nullptr;
  return model;
}

// SentencePiece's own class before version 0.2.2, Abseil's since then.
using Status = decltype(std::declval<sentencepiece::SentencePieceProcessor>().status());

class Lines : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const std::function<const std::string*()>& next) : next_(next), line_(next()) {}
  bool done() const override { return line_ == nullptr; }
  const std::string& value() const override { return *line_; }
  Status status() const override { return {}; }
  void Next() override { line_ = next_(); }

 private:
  const std::function<const std::string*()>& next_;
  const std::string* line_;
};

SentencePieceResult train(const SentencePieceTraining& training) {
#ifdef __SANITIZE_THREAD__
  // SentencePiece is not built with the sanitizer, which therefore does not see the guards of its
  // static tables and would report data races.
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
#endif
  const std::unordered_map<std::string, std::string> options(training.options.begin(),
                                                             training.options.end());
  Lines lines(training.next_line);
  SentencePieceResult result;
  const auto status = sentencepiece::SentencePieceTrainer::Train(options, &lines, &result.model);
  if (status.ok()) return result;
  return {"", std::string(status.message())};
}

}  // namespace
}  // namespace nmt

__attribute__((visibility("default"))) const nmt::SentencePiece* nmt_sentencepiece() {
  static const nmt::SentencePiece interface = {nmt::load, nmt::train};
  return &interface;
}
