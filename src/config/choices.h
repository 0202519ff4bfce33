#pragma once

#include "config/choice.h"

namespace nmt {

// The enums that settings choose from, with the names used in files and on the command line.

/// What data.batch_size counts.
enum class BatchUnit { kSentences, kTokens };
template <>
inline constexpr const char* kChoiceNames<BatchUnit>[] = {"sentences", "tokens"};

/// What a line of a text is.
enum class LineUnit { kAuto, kSentences, kParagraphs };
template <>
inline constexpr const char* kChoiceNames<LineUnit>[] = {"auto", "sentences", "paragraphs"};

/// How the lines of a text begin.
enum class FirstLetter { kAuto, kCapital, kAny };
template <>
inline constexpr const char* kChoiceNames<FirstLetter>[] = {"auto", "capital", "any"};

enum class VocabularyType { kUnigram, kBpe };
template <>
inline constexpr const char* kChoiceNames<VocabularyType>[] = {"unigram", "bpe"};

/// SentencePiece's rules; Cf: case folding.
enum class UnicodeNormalization { kNmtNfkc, kNfkc, kNmtNfkcCf, kNfkcCf, kIdentity };
template <>
inline constexpr const char* kChoiceNames<UnicodeNormalization>[] = {
    "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"};

/// kSame: as vocab.normalization. The others name a rule as in UnicodeNormalization.
enum class TargetNormalization { kSame, kNmtNfkc, kNfkc, kNmtNfkcCf, kNfkcCf, kIdentity };
template <>
inline constexpr const char* kChoiceNames<TargetNormalization>[] = {
    "same", "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"};

enum class Architecture {
  kRecurrent,      // nn/recurrent_seq2seq.h
  kTransformer,    // nn/transformer.h
  kLanguageModel,  // nn/language_model.h: only the target side
};
template <>
inline constexpr const char* kChoiceNames<Architecture>[] = {"recurrent", "transformer",
                                                             "language_model"};

enum class Cell { kGru, kLstm };
template <>
inline constexpr const char* kChoiceNames<Cell>[] = {"gru", "lstm"};

enum class EncoderOutput { kConcatenated, kSummed };
template <>
inline constexpr const char* kChoiceNames<EncoderOutput>[] = {"concatenated", "summed"};

enum class DecoderInit { kFinal, kBridge, kMean, kZero };  // nn/first_state.h
template <>
inline constexpr const char* kChoiceNames<DecoderInit>[] = {"final", "bridge", "mean", "zero"};
/// Whether the decoder's initial state comes from a linear layer per decoder layer.
inline bool has_bridge(DecoderInit kind) {
  return kind == DecoderInit::kBridge || kind == DecoderInit::kMean;
}

enum class TiedEmbeddings {
  kNone,
  kTarget,  // target embedding and output layer are one matrix
  kAll,     // the source embedding too; needs one vocabulary for both languages
};
template <>
inline constexpr const char* kChoiceNames<TiedEmbeddings>[] = {"none", "target", "all"};

enum class OptimizerKind { kAdam, kAdamW, kSgd };
template <>
inline constexpr const char* kChoiceNames<OptimizerKind>[] = {"adam", "adamw", "sgd"};

enum class ScheduleKind { kConstant, kLinear, kInverseSqrt, kNoam, kStep, kPlateau };
template <>
inline constexpr const char* kChoiceNames<ScheduleKind>[] = {"constant", "linear", "inverse_sqrt",
                                                             "noam",     "step",   "plateau"};

enum class TrainingEngine {
  kAuto,   // fused where it supports the model, otherwise plain
  kPlain,  // LibTorch, on any device
  kFused,  // hand-written, CPU
};
template <>
inline constexpr const char* kChoiceNames<TrainingEngine>[] = {"auto", "plain", "fused"};

/// Precision of the operands of matrix products. Sums, weights and updates stay float32.
enum class TrainingPrecision { kFloat32, kBfloat16, kFloat16, kTf32 };
template <>
inline constexpr const char* kChoiceNames<TrainingPrecision>[] = {"float32", "bfloat16", "float16",
                                                                  "tf32"};

/// How gradients are sent between processes (distributed/bfloat16_all_reduce.h).
enum class GradientCompression { kNone, kBfloat16 };
template <>
inline constexpr const char* kChoiceNames<GradientCompression>[] = {"none", "bfloat16"};

enum class ValidationMetric { kLoss, kPerplexity, kBleu, kChrf, kScript };
template <>
inline constexpr const char* kChoiceNames<ValidationMetric>[] = {"loss", "perplexity", "bleu",
                                                                 "chrf", "script"};

inline bool lower_is_better(ValidationMetric metric) {
  return metric == ValidationMetric::kLoss || metric == ValidationMetric::kPerplexity;
}

}  // namespace nmt
