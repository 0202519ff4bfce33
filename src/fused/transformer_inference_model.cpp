#include "fused/transformer_inference_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "config/layers.h"
#include "fused/buffer.h"

namespace nmt {
namespace {

/// Packs the weights of a model by name.
class Packer {
 public:
  Packer(const ParameterTable& parameters, WeightType type)
      : parameters_(parameters), type_(type) {}

  ConstMatrix value(const std::string& name) const { return parameters_.at(name).value; }

  PackedWeight pack(const std::string& name) const { return {value(name), type_}; }

  /// One weight with the outputs of several.
  PackedWeight pack_joined(const std::string& prefix, const std::vector<std::string>& names) const {
    const auto shape = value(prefix + names.front() + ".weight");
    const auto count = static_cast<int64_t>(names.size());
    Buffer buffer;
    const auto joined = buffer.take(count * shape.rows, shape.columns);
    float* to = joined.data;
    for (const auto& name : names) {
      to = std::copy_n(value(prefix + name + ".weight").data, shape.rows * shape.columns, to);
    }
    return {joined, type_};
  }

  PackedTransformerLayer pack_layer(const std::string& prefix, bool has_cross_attention) const {
    std::optional<PackedSourceAttention> source;
    if (has_cross_attention) source = pack_source_attention(prefix);
    return {pack_joined(prefix + "self_attn.", {"query", "key", "value"}),
            pack(prefix + "self_attn.output.weight"),
            norm(prefix + "around_self.norm"),
            std::move(source),
            pack(prefix + "widen.weight"),
            pack(prefix + "narrow.weight"),
            value(prefix + "widen.bias").data,
            value(prefix + "narrow.bias").data,
            norm(prefix + "around_feed_forward.norm")};
  }

  InferenceLayerNorm norm(const std::string& name) const { return {parameters_, name}; }

 private:
  PackedSourceAttention pack_source_attention(const std::string& prefix) const {
    return {pack(prefix + "source_attn.query.weight"),
            pack_joined(prefix + "source_attn.", {"key", "value"}),
            pack(prefix + "source_attn.output.weight"), norm(prefix + "around_source.norm")};
  }

  const ParameterTable& parameters_;
  WeightType type_;
};

}  // namespace

TransformerInferenceModel::TransformerInferenceModel(const ModelConfig& model,
                                                     const ParameterTable& parameters,
                                                     WeightType type)
    : InferenceModel(parameters, type),
      config(model),
      source_embedding(parameters.at("emb_src.weight").value),
      target_embedding(parameters.at("emb_dec.weight").value) {
  const Packer packer(parameters, type);
  for (int64_t layer = 0; layer < model.num_layers; ++layer) {
    encoder.push_back(packer.pack_layer("encoder." + std::to_string(layer) + ".", false));
  }
  for (int64_t layer = 0; layer < num_decoder_layers(model); ++layer) {
    decoder.push_back(packer.pack_layer("decoder." + std::to_string(layer) + ".", true));
  }
  if (!model.pre_norm) return;
  source_norm = packer.norm("norm_src");
  target_norm = packer.norm("norm_dec");
}

}  // namespace nmt
