#include "fused/language_inference_model.h"

namespace nmt {
namespace {

class LanguageSession : public InferenceSession {
 public:
  explicit LanguageSession(const PackedDecoderStack& stack) : stack_(stack) {}

  SourceMemories encode(const SourceSentences& sentences) override {
    SourceMemories memories;
    memories.reserve(sentences.size());
    for (const auto* sentence : sentences) {
      memories.push_back(std::make_unique<SourceMemory>(static_cast<int64_t>(sentence->size())));
    }
    return memories;
  }

  ConstMatrix advance(const std::vector<DecoderRow>& rows) override {
    stack_.begin(rows, [](const DecoderRow&) { return DecoderStackSession::FirstState(); });
    return stack_.advance(rows, {});
  }

  const float* attention(int64_t) const override { return nullptr; }

 private:
  DecoderStackSession stack_;
};

}  // namespace

std::unique_ptr<InferenceSession> LanguageInferenceModel::make_session() const {
  return std::make_unique<LanguageSession>(stack_);
}

}  // namespace nmt
