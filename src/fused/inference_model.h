#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fused/inference_layer.h"
#include "fused/int8_shortlist.h"
#include "fused/parameter.h"
#include "fused/seq2seq.h"
#include "fused/token_table.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// A trained model prepared for inference: its weights packed, in float32 or as 8-bit integers.
/// Shared by any number of threads.
class InferenceModel {
 public:
  /// The parameters' memory must outlive this; their gradients are unused.
  InferenceModel(const FusedSeq2SeqOptions& options, ParameterTable parameters, WeightType type);

  const FusedSeq2SeqOptions& options() const { return options_; }
  const ParameterTable& parameters() const { return parameters_; }
  int64_t hidden_size() const { return concat_state_.outputs(); }
  int64_t vocabulary_size() const { return value_of("generator.output.weight").rows; }

  /// By layer and direction. The first layer looks up W_ih emb in a TokenTable and has no W_ih.
  const RecurrentWeights& encoder(size_t layer, size_t direction) const {
    return encoder_[2 * layer + direction];
  }
  TokenTable& source_tokens(size_t direction) const { return *source_tokens_[direction]; }
  const PackedWeight& keys() const { return keys_; }
  const PackedWeight& contexts() const { return contexts_; }

  /// The first layer's W_ih holds the columns for h̃; none without input feeding.
  const std::vector<RecurrentWeights>& decoder() const { return decoder_; }
  TokenTable& target_tokens() const { return *target_tokens_; }
  const PackedWeight& concat_state() const { return concat_state_; }
  const float* concat_bias() const { return value_of("concat.bias").data; }

  /// The output layer in blocks of kBlockTokens tokens, so that the logits of a block are used
  /// while they are in cache.
  static constexpr int64_t kBlockTokens = 1024;
  const std::vector<PackedWeight>& generator() const { return generator_; }
  ConstMatrix generator_weight() const { return value_of("generator.output.weight"); }
  const float* generator_bias() const { return value_of("generator.output.bias").data; }

  /// The output layer for greedy search; null for int8 models, whose own products are as fast.
  /// Made on demand.
  const Int8Shortlist* shortlist() const;

 private:
  ConstMatrix value_of(const std::string& name) const { return parameters_.at(name).value; }
  std::unique_ptr<TokenTable> make_table(const char* embeddings, const std::string& weight,
                                         const std::string& bias) const;
  void pack_encoder(WeightType type);
  void pack_decoder(WeightType type);
  void pack_generator(WeightType type);

  FusedSeq2SeqOptions options_;
  ParameterTable parameters_;
  std::array<std::unique_ptr<TokenTable>, 2> source_tokens_;
  std::vector<RecurrentWeights> encoder_;
  PackedWeight keys_;      // Wᵀ [H, H]: keys = h_src W
  PackedWeight contexts_;  // W_cc [H, H]: columns of W_c for c_t
  std::unique_ptr<TokenTable> target_tokens_;
  std::vector<RecurrentWeights> decoder_;
  PackedWeight concat_state_;            // W_ch [H, H]: columns of W_c for h_t
  std::vector<PackedWeight> generator_;  // W_o [V, H]
  bool has_shortlist_;
  mutable std::once_flag shortlist_once_;
  mutable std::unique_ptr<Int8Shortlist> shortlist_;
};

}  // namespace nmt
