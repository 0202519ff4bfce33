#include "text/sentencepiece_bridge.h"

#include <locale.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <exception>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

// Built as a library of its own: see the header.

// The generator of this thread, which SentencePiece exports but declares in no public header. Its
// public SetRandomGeneratorSeed only counts for threads that have not drawn a number yet. Weak: a
// version without it can do all but sample.
namespace sentencepiece::random {
__attribute__((weak)) std::mt19937* GetRandomGenerator();
}

namespace {

using sentencepiece::SentencePieceProcessor;

const SentencePieceProcessor& processor_of(const void* handle) {
  return *static_cast<const SentencePieceProcessor*>(handle);
}

// A thread that the host's C library started has no character tables in this namespace's (isspace
// would read through a null pointer) until it chooses a locale here.
void adopt_thread() { ::uselocale(LC_GLOBAL_LOCALE); }

void tell(NmtTextSink sink, void* context, const std::string& text) {
  sink(context, text.data(), text.size());
}

void* load(const char* model, size_t size, NmtTextSink error, void* context) try {
  adopt_thread();
  auto processor = std::make_unique<SentencePieceProcessor>();
  const auto status = processor->LoadFromSerializedProto({model, size});
  if (status.ok()) return processor.release();
  tell(error, context, status.message());
  return nullptr;
} catch (const std::exception& exception) {
  tell(error, context, exception.what());
  return nullptr;
}

void unload(void* handle) { delete static_cast<SentencePieceProcessor*>(handle); }

int vocabulary_size(const void* handle) { return processor_of(handle).GetPieceSize(); }

void piece(const void* handle, int id, NmtTextSink result, void* context) {
  tell(result, context, processor_of(handle).IdToPiece(id));
}

int encode(const void* handle, const char* text, size_t size, NmtIdSink result, void* context) try {
  adopt_thread();
  std::vector<int> ids;
  if (!processor_of(handle).Encode({text, size}, &ids).ok()) return 0;
  result(context, ids.data(), ids.size());
  return 1;
} catch (const std::exception&) {
  return 0;
}

int sample(const void* handle, const char* text, size_t size, float alpha, uint32_t seed,
           NmtIdSink result, void* context) try {
  if (sentencepiece::random::GetRandomGenerator == nullptr) return 0;
  adopt_thread();
  sentencepiece::random::GetRandomGenerator()->seed(seed);
  std::vector<int> ids;
  constexpr int kAllSegmentations = -1;
  if (!processor_of(handle).SampleEncode({text, size}, kAllSegmentations, alpha, &ids).ok()) {
    return 0;
  }
  result(context, ids.data(), ids.size());
  return 1;
} catch (const std::exception&) {
  return 0;
}

int decode(const void* handle, const int* ids, size_t count, NmtTextSink result,
           void* context) try {
  adopt_thread();
  std::string text;
  if (!processor_of(handle).Decode(std::vector<int>(ids, ids + count), &text).ok()) return 0;
  tell(result, context, text);
  return 1;
} catch (const std::exception&) {
  return 0;
}

void special_ids(const void* handle, int* pad, int* unknown, int* bos, int* eos) {
  const auto& processor = processor_of(handle);
  *pad = processor.pad_id();
  *unknown = processor.unk_id();
  *bos = processor.bos_id();
  *eos = processor.eos_id();
}

class Lines : public sentencepiece::SentenceIterator {
 public:
  Lines(NmtLineSource lines, void* source) : lines_(lines), source_(source) { Lines::Next(); }
  bool done() const override { return done_; }
  const std::string& value() const override { return value_; }
  sentencepiece::util::Status status() const override { return {}; }
  void Next() override {
    size_t size = 0;
    const char* line = lines_(source_, &size);
    done_ = line == nullptr;
    if (!done_) value_.assign(line, size);
  }

 private:
  NmtLineSource lines_;
  void* source_;
  std::string value_;
  bool done_ = false;
};

int train(const NmtTrainingOption* options, size_t count, NmtLineSource lines, void* source,
          NmtTextSink result, NmtTextSink error, void* context) try {
  adopt_thread();
  std::unordered_map<std::string, std::string> arguments;
  for (size_t i = 0; i < count; ++i) arguments[options[i].name] = options[i].value;
  Lines iterator(lines, source);
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(arguments, &iterator, &model);
  tell(status.ok() ? result : error, context, status.ok() ? model : status.message());
  return status.ok() ? 1 : 0;
} catch (const std::exception& exception) {
  tell(error, context, exception.what());
  return 0;
}

const NmtSentencePiece kInterface = {load,   unload, vocabulary_size, piece, encode,
                                     decode, sample, special_ids,     train};

}  // namespace

__attribute__((visibility("default"))) const NmtSentencePiece* nmt_sentencepiece() {
  return &kInterface;
}
