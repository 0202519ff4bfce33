#include "nn/cuda/forced_decoder.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>
#include <tuple>

#include "nn/cuda/device_operations.h"
#include "nn/cuda/device_rows.h"

namespace nmt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The tensors of a ForcedDecoderInput in the order in which autograd sees them.
enum Place : size_t {
  kEmbedded,
  kFirst,
  kStates,
  kLengths,
  kRecurrent,
  kHiddenBias,
  kInput,
  kInputBias,
  kAttentionWeight,
  kConcatWeight,
  kConcatBias,
  kLayerMasks,
  kOutputMask,
  kPlaces
};

/// What the forward pass leaves for the backward pass.
struct Tape {
  torch::Tensor recurrent;  // [1+L, B, T+1, H]  h̃_0 … h̃_T; each layer's h_0 … h_T
  torch::Tensor gates;      // [L, B, T, 4H]     undefined without gradients
  torch::Tensor read;       // [L−1, B, T, H]    what layers above the first read
  torch::Tensor joined;     // [B, T, 2H]        [h_t ; c_t]
  torch::Tensor queries;    // [B, T, H]         W h_t; undefined without W
  torch::Tensor tangent;    // [B, T, H]         the tanh; undefined without dropout: h̃
  torch::Tensor attention;  // [B, T, S]         float32
};

/// The passes over a batch.
class DecoderPass {
 public:
  DecoderPass(const variable_list& tensors, double scale)
      : tensors_(tensors), operations_(make_step_operations(tensors[kEmbedded])) {
    layers_ = tensors[kFirst].size(0);
    batch_ = tensors[kEmbedded].size(0);
    steps_ = tensors[kEmbedded].size(1);
    hidden_ = tensors[kFirst].size(2);
    source_ = tensors[kStates].size(1);
    attend_.rows = batch_;
    attend_.source_length = source_;
    attend_.hidden_size = hidden_;
    attend_.lengths = tensors[kLengths].data_ptr<int64_t>();
    attend_.scale = static_cast<float>(scale);
    attend_.keys = attend_.values = tensors[kStates].data_ptr();
  }

  Tape forward(bool has_gradient) {
    Tape tape;
    tape.recurrent = empty({1 + layers_, batch_, steps_ + 1, hidden_});
    tape.recurrent[0].select(1, 0).zero_();
    tape.recurrent.narrow(0, 1, layers_).select(2, 0).copy_(tensors_[kFirst]);
    if (has_gradient) tape.gates = empty({layers_, batch_, steps_, 4 * hidden_});
    tape.read = empty({layers_ - 1, batch_, steps_, hidden_});
    tape.joined = empty({batch_, steps_, 2 * hidden_});
    if (tensors_[kAttentionWeight].defined()) tape.queries = empty({batch_, steps_, hidden_});
    if (tensors_[kOutputMask].defined()) tape.tangent = empty({batch_, steps_, hidden_});
    tape.attention = torch::empty({batch_, steps_, source_}, float_options());
    const auto products = empty({2, batch_, 3 * hidden_});  // of a layer's W_ih and W_hh
    const auto projected = empty({batch_, hidden_});
    for (int64_t t = 0; t < steps_; ++t) {
      for (int64_t l = 0; l < layers_; ++l) layer_forward(tape, products, l, t);
      attend_.queries = step_rows(tape.joined, t);
      if (tape.queries.defined()) {
        attend_.queries = step_rows(tape.queries, t);
        multiply(step_rows(tape.joined, t), tensors_[kAttentionWeight], 0, attend_.queries,
                 kTransposed);
      }
      attend_.weights = step_rows(tape.attention, t);
      attend_.context = step_rows(tape.joined, t, hidden_);
      operations_->attend_forward(attend_);
      multiply(step_rows(tape.joined, t), tensors_[kConcatWeight], 0, matrix_rows(projected),
               kTransposed);
      AttentionalForward attentional;
      attentional.rows = batch_;
      attentional.hidden_size = hidden_;
      attentional.projected = matrix_rows(projected);
      attentional.bias = tensors_[kConcatBias].data_ptr();
      attentional.mask = step_rows(tensors_[kOutputMask], t);
      attentional.tangent = step_rows(tape.tangent, t);
      attentional.attentional = part_rows(tape.recurrent, 0, t + 1);
      operations_->attentional_forward(attentional);
    }
    return tape;
  }

  /// The gradients of all tensors from that of h̃ [B, T, H], and of the attention [B, T, S] if it is
  /// defined.
  variable_list backward(const Tape& tape, const torch::Tensor& of_attentional,
                         const torch::Tensor& of_attention) {
    const bool has_query = tape.queries.defined();
    StepGradients of;
    of.projected = empty({batch_, steps_, hidden_});
    of.joined = empty({batch_, steps_, 2 * hidden_});
    of.scores = empty({batch_, steps_, source_});
    if (has_query) of.queries = empty({batch_, steps_, hidden_});
    of.recurrent = empty({1 + layers_, batch_, steps_, 3 * hidden_});
    of.input = empty({layers_ - 1, batch_, steps_, 3 * hidden_});
    of.read = empty({batch_, hidden_});
    of.handed = torch::zeros({1 + layers_, batch_, hidden_}, tensors_[kEmbedded].options());
    of.direct = torch::zeros({layers_, batch_, hidden_}, float_options());
    AttendBackward attend;
    attend.forward = attend_;
    attend.accumulate = !has_query;
    for (int64_t t = steps_; t-- > 0;) {
      AttentionalBackward attentional;
      attentional.rows = batch_;
      attentional.hidden_size = hidden_;
      attentional.gradient = step_rows(of_attentional, t);
      attentional.fed = matrix_rows(of.handed);
      attentional.mask = step_rows(tensors_[kOutputMask], t);
      attentional.tangent =
          tape.tangent.defined() ? step_rows(tape.tangent, t) : part_rows(tape.recurrent, 0, t + 1);
      attentional.projected_gradient = step_rows(of.projected, t);
      operations_->attentional_backward(attentional);
      multiply(step_rows(of.projected, t), tensors_[kConcatWeight], 0, step_rows(of.joined, t),
               kAsIs);
      attend.forward.weights = step_rows(tape.attention, t);
      attend.context_gradient = step_rows(of.joined, t, hidden_);
      attend.weights_gradient = step_rows(of_attention, t);
      attend.score_gradient = step_rows(of.scores, t);
      attend.query_gradient = step_rows(has_query ? of.queries : of.joined, t);
      operations_->attend_backward(attend);
      if (has_query) {
        multiply(step_rows(of.queries, t), tensors_[kAttentionWeight], 0, step_rows(of.joined, t),
                 kAdded);
      }
      for (int64_t l = layers_; l-- > 0;) layer_backward(tape, of, l, t);
    }
    return finish(tape, of);
  }

 private:
  /// How multiply() takes a weight: as Wᵀ, as W, or as W, adding to what is there.
  enum Use { kTransposed, kAsIs, kAdded };

  struct StepGradients {
    torch::Tensor projected;  // [B, T, H]         of W_c [h_t ; c_t] + b_c
    torch::Tensor joined;     // [B, T, 2H]        of [h_t ; c_t]
    torch::Tensor scores;     // [B, T, S]         of q_t · h_i
    torch::Tensor queries;    // [B, T, H]
    torch::Tensor recurrent;  // [1+L, B, T, 3H]   of W h̃_{t−1}; of each layer's W_hh h_{t−1}
    torch::Tensor input;      // [L−1, B, T, 3H]   of W_ih x of the layers above the first
    torch::Tensor read;       // [B, H]            of what the layer above reads
    torch::Tensor handed;     // [1+L, B, H]       of h̃ and each h, handed to the step before
    torch::Tensor direct;     // [L, B, H]         float32: of each h through z
  };

  torch::Tensor empty(at::IntArrayRef shape) const {
    return torch::empty(shape, tensors_[kEmbedded].options());
  }

  torch::TensorOptions float_options() const {
    return tensors_[kEmbedded].options().dtype(torch::kFloat);
  }

  void multiply(const DeviceRows& a, const torch::Tensor& weights, int64_t i, const DeviceRows& c,
                Use use) {
    auto product = weight_product(batch_, a, weights, i, c, use == kTransposed);
    product.accumulate = use == kAdded;
    operations_->multiply(product);
  }

  /// The products of h̃ and the first layer's h at once: the first two parts of each tensor.
  void multiply_both(const torch::Tensor& a, int64_t t, const torch::Tensor& c, Use use) {
    operations_->multiply(weight_products(2, a, t, tensors_[kRecurrent], c, use == kTransposed));
  }

  const void* bias(Place place, int64_t layer) const {
    return rows_at(tensors_[place], layer * 3 * hidden_, 0).data;
  }

  /// Of the output of a layer below the top.
  DeviceRows layer_mask(int64_t layer, int64_t t) const {
    return layer + 1 < layers_ ? part_rows(tensors_[kLayerMasks], layer, t) : DeviceRows();
  }

  void layer_forward(const Tape& tape, const torch::Tensor& products, int64_t layer, int64_t t) {
    GruStep<GruForward> gru;
    gru.rows = batch_;
    gru.hidden_size = hidden_;
    auto& cell = gru.direction[0];
    cell.hidden = matrix_rows(products, 1);
    if (layer == 0) {
      multiply_both(tape.recurrent, t, products, kTransposed);
      cell.input = step_rows(tensors_[kEmbedded], t);
      cell.fed = matrix_rows(products, 0);
    } else {
      cell.input = matrix_rows(products, 0);
      cell.input_bias = bias(kInputBias, layer - 1);
      multiply(part_rows(tape.read, layer - 1, t), tensors_[kInput], layer - 1, cell.input,
               kTransposed);
      multiply(part_rows(tape.recurrent, 1 + layer, t), tensors_[kRecurrent], 1 + layer,
               cell.hidden, kTransposed);
    }
    cell.hidden_bias = bias(kHiddenBias, layer);
    cell.previous = part_rows(tape.recurrent, 1 + layer, t);
    cell.next = part_rows(tape.recurrent, 1 + layer, t + 1);
    cell.output = layer + 1 == layers_ ? step_rows(tape.joined, t) : part_rows(tape.read, layer, t);
    cell.mask = layer_mask(layer, t);
    cell.gates = part_rows(tape.gates, layer, t);
    operations_->gru_forward(gru);
  }

  void layer_backward(const Tape& tape, const StepGradients& of, int64_t layer, int64_t t) {
    GruStep<GruBackward> gru;
    gru.rows = batch_;
    gru.hidden_size = hidden_;
    auto& cell = gru.direction[0];
    cell.gates = part_rows(tape.gates, layer, t);
    cell.previous = part_rows(tape.recurrent, 1 + layer, t);
    cell.mask = layer_mask(layer, t);
    cell.output_gradient = layer + 1 == layers_ ? step_rows(of.joined, t) : matrix_rows(of.read);
    cell.carried = matrix_rows(of.handed, 1 + layer);
    cell.direct = of.direct.data_ptr<float>() + layer * of.direct.stride(0);
    cell.input_gradient =
        layer == 0 ? part_rows(of.recurrent, 0, t) : part_rows(of.input, layer - 1, t);
    cell.hidden_gradient = part_rows(of.recurrent, 1 + layer, t);
    operations_->gru_backward(gru);
    if (layer == 0) return multiply_both(of.recurrent, t, of.handed, kAsIs);
    multiply(cell.hidden_gradient, tensors_[kRecurrent], 1 + layer, cell.carried, kAsIs);
    multiply(cell.input_gradient, tensors_[kInput], layer - 1, matrix_rows(of.read), kAsIs);
  }

  /// Sums over sentences and steps: yᵀ x for each part; y [N, B, T, Y], x [N, B, T, X] -> [N, Y,
  /// X].
  static torch::Tensor weight_gradients(const torch::Tensor& y, const torch::Tensor& x) {
    return torch::bmm(y.flatten(1, 2).transpose(1, 2), x.flatten(1, 2));
  }

  static torch::Tensor weight_gradient(const torch::Tensor& y, const torch::Tensor& x) {
    return torch::mm(y.flatten(0, 1).t(), x.flatten(0, 1));
  }

  variable_list finish(const Tape& tape, const StepGradients& of) const {
    constexpr auto kSentencesAndSteps = std::array<int64_t, 2>{-3, -2};
    const auto hidden_states = tape.joined.narrow(2, 0, hidden_);
    const auto queries = tape.queries.defined() ? tape.queries : hidden_states;
    const auto attention = tape.attention.to(of.joined.scalar_type()).transpose(1, 2);
    variable_list gradients(kPlaces);
    gradients[kEmbedded] = of.recurrent[0];
    gradients[kFirst] = of.direct.to(of.handed.scalar_type()) + of.handed.narrow(0, 1, layers_);
    gradients[kStates] =
        torch::baddbmm(torch::bmm(attention, of.joined.narrow(2, hidden_, hidden_)),
                       of.scores.transpose(1, 2), queries);
    gradients[kRecurrent] = weight_gradients(of.recurrent, tape.recurrent.narrow(2, 0, steps_));
    gradients[kHiddenBias] = of.recurrent.narrow(0, 1, layers_).sum(kSentencesAndSteps);
    if (layers_ > 1) {
      gradients[kInput] = weight_gradients(of.input, tape.read);
      gradients[kInputBias] = of.input.sum(kSentencesAndSteps);
    }
    if (of.queries.defined()) {
      gradients[kAttentionWeight] = weight_gradient(of.queries, hidden_states);
    }
    gradients[kConcatWeight] = weight_gradient(of.projected, tape.joined);
    gradients[kConcatBias] = of.projected.sum(kSentencesAndSteps);
    return gradients;
  }

  const variable_list& tensors_;
  std::unique_ptr<StepOperations> operations_;
  AttendForward attend_;
  int64_t layers_ = 0, batch_ = 0, steps_ = 0, hidden_ = 0, source_ = 0;
};

/// h̃ [B, T, H] of all steps.
torch::Tensor attentional_of(const Tape& tape) {
  return tape.recurrent[0].narrow(1, 1, tape.joined.size(1)).contiguous();
}

class ForcedDecoder : public torch::autograd::Function<ForcedDecoder> {
 public:
  template <typename... Tensors>
  static variable_list forward(AutogradContext* context, double scale,
                               const Tensors&... arguments) {
    const variable_list tensors = {or_undefined(arguments)...};
    const auto tape = DecoderPass(tensors, scale).forward(/*has_gradient=*/true);
    context->set_materialize_grads(false);
    context->saved_data["scale"] = scale;
    auto saved = tensors;
    saved.insert(saved.end(), {tape.recurrent, tape.gates, tape.read, tape.joined, tape.queries,
                               tape.tangent, tape.attention});
    context->save_for_backward(saved);
    return {attentional_of(tape), tape.attention};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const variable_list tensors(saved.begin(), saved.begin() + kPlaces);
    const Tape tape{saved[kPlaces],     saved[kPlaces + 1], saved[kPlaces + 2], saved[kPlaces + 3],
                    saved[kPlaces + 4], saved[kPlaces + 5], saved[kPlaces + 6]};
    const auto of_attentional =
        gradients[0].defined()
            ? gradients[0].contiguous()
            : torch::zeros_like(tape.recurrent[0].narrow(1, 1, tape.joined.size(1)));
    const auto of_attention = gradients[1].defined() ? gradients[1].contiguous() : torch::Tensor();
    auto results = DecoderPass(tensors, context->saved_data["scale"].toDouble())
                       .backward(tape, of_attentional, of_attention);
    results.insert(results.begin(), torch::Tensor());  // of the scale
    return results;
  }
};

}  // namespace

ForcedDecoderOutput forced_decoder(const ForcedDecoderInput& input) {
  const auto type = input.embedded.scalar_type();
  const auto cast = [&](const torch::Tensor& tensor) {
    return or_empty(tensor).to(type).contiguous();
  };
  const std::array<torch::Tensor, kPlaces> tensors = {cast(input.embedded),
                                                      cast(input.first),
                                                      cast(input.states),
                                                      input.lengths,
                                                      cast(input.recurrent),
                                                      cast(input.hidden_bias),
                                                      cast(input.input),
                                                      cast(input.input_bias),
                                                      cast(input.attention_weight),
                                                      cast(input.concat_weight),
                                                      cast(input.concat_bias),
                                                      cast(input.layer_masks),
                                                      cast(input.output_mask)};
  if (!at::GradMode::is_enabled()) {
    variable_list all;
    for (const auto& tensor : tensors) all.push_back(or_undefined(tensor));
    const auto tape = DecoderPass(all, input.attention_scale).forward(/*has_gradient=*/false);
    return {attentional_of(tape), tape.attention};
  }
  const auto results = std::apply(
      [&](const auto&... all) { return ForcedDecoder::apply(input.attention_scale, all...); },
      tensors);
  return {results[0], results[1]};
}

}  // namespace nmt
