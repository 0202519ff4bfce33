#include "fused/transformer_layer.h"

#include "kernels/elementwise.h"

namespace nmt {

ConstMatrix FusedResidual::input_of(ConstMatrix x) {
  norm_.begin(x.rows);
  if (!pre_norm_) return x;
  const auto normalized = normalized_.take(x.rows, x.columns);
  norm_.forward(0, x, normalized);
  return normalized;
}

Matrix FusedResidual::add_output(Matrix output, Matrix x, const Dropout& dropout) {
  dropout.apply(site_.site, site_.index, 0, output);
  if (pre_norm_) {
    add(output, x);
    return x;
  }
  add(x, output);
  const auto normalized = normalized_.take(x.rows, x.columns);
  norm_.forward(0, output, normalized);
  return normalized;
}

void FusedResidual::output_gradient(Matrix gradient, const Dropout& dropout, Matrix of_output) {
  if (!pre_norm_) norm_.backward(0, gradient);
  copy_rows(gradient, of_output);
  dropout.apply(site_.site, site_.index, 0, of_output);
}

void FusedResidual::add_input_gradient(Matrix of_input, Matrix gradient,
                                       WeightGradients& gradients) {
  if (pre_norm_) norm_.backward(0, of_input);
  add(of_input, gradient);
  norm_.add_weight_gradients(gradients);
}

FusedFeedForward::FusedFeedForward(const ParameterTable& parameters, const std::string& prefix)
    : widen_(parameters.at(prefix + "widen.weight")),
      widen_bias_(parameters.at(prefix + "widen.bias")),
      narrow_(parameters.at(prefix + "narrow.weight")),
      narrow_bias_(parameters.at(prefix + "narrow.bias")) {}

void FusedFeedForward::forward(ConstMatrix x, Matrix y) {
  x_ = x;
  const auto widened = widened_.take(x.rows, widen_.value.rows);
  linear(x, widen_, widened, WriteMode::kOverwrite);
  relu_with_bias(widened, widen_bias_.value.data);
  linear(widened, narrow_, y, WriteMode::kOverwrite);
  add_bias(y, narrow_bias_.value.data);
}

void FusedFeedForward::backward(ConstMatrix dy, Buffer& of_widened, Matrix dx,
                                WeightGradients& gradients) {
  const auto& widened = widened_.matrix();
  const auto gradient = of_widened.take(widened.rows, widened.columns);
  linear_backward(dy, narrow_, gradient, WriteMode::kOverwrite);
  relu_backward(widened, gradient);
  gradients.add_product(narrow_.gradient, dy, widened);
  gradients.add_column_sums(narrow_bias_.gradient, dy);
  gradients.add_product(widen_.gradient, gradient, x_);
  gradients.add_column_sums(widen_bias_.gradient, gradient);
  linear_backward(gradient, widen_, dx, WriteMode::kOverwrite);
}

TransformerNetworkLayer::TransformerNetworkLayer(const ModelConfig& model,
                                                 const ParameterTable& parameters, DropoutSite site,
                                                 int64_t index, const std::string& prefix)
    : self_(parameters, prefix + "self_attn.", model.heads),
      around_self_(parameters, prefix + "around_self", model.pre_norm, {site, 3 * index}),
      feed_forward_(parameters, prefix),
      around_feed_forward_(parameters, prefix + "around_feed_forward", model.pre_norm,
                           {site, 3 * index + 2}) {
  if (site == DropoutSite::kEncoder) return;
  source_ = SourceAttention{
      MultiHeadLayer(parameters, prefix + "source_attn.", model.heads),
      FusedResidual(parameters, prefix + "around_source", model.pre_norm, {site, 3 * index + 1})};
}

Matrix TransformerNetworkLayer::forward(const SentenceRows& rows, Matrix x,
                                        const SourceStates& source, const Dropout& dropout,
                                        TransformerWorkspace& workspace) {
  const auto output = workspace.output.take(x.rows, x.columns);
  auto input = around_self_.input_of(x);
  const auto mask = source_ ? AttentionMask::kCausal : AttentionMask::kFull;
  self_.forward(rows, input, rows, input, mask, output);
  x = around_self_.add_output(output, x, dropout);
  if (source_) {
    input = source_->residual.input_of(x);
    source_->attention.forward(rows, input, *source.rows, source.states, AttentionMask::kFull,
                               output);
    x = source_->residual.add_output(output, x, dropout);
  }
  feed_forward_.forward(around_feed_forward_.input_of(x), output);
  return around_feed_forward_.add_output(output, x, dropout);
}

void TransformerNetworkLayer::backward(Matrix gradient, Matrix source_gradient,
                                       const Dropout& dropout, TransformerWorkspace& workspace,
                                       WeightGradients& gradients) {
  const auto take = [&](Buffer& buffer) { return buffer.take(gradient.rows, gradient.columns); };
  const auto of_input = take(workspace.input_gradient);
  const auto of_narrowed = take(workspace.feed_forward_gradient);
  around_feed_forward_.output_gradient(gradient, dropout, of_narrowed);
  feed_forward_.backward(of_narrowed, workspace.widened_gradient, of_input, gradients);
  around_feed_forward_.add_input_gradient(of_input, gradient, gradients);
  if (source_) {
    const auto of_output = take(workspace.source_output_gradient);
    source_->residual.output_gradient(gradient, dropout, of_output);
    source_->attention.backward(of_output, workspace.source, of_input, source_gradient, gradients);
    source_->residual.add_input_gradient(of_input, gradient, gradients);
  }
  const auto of_output = take(workspace.self_output_gradient);
  around_self_.output_gradient(gradient, dropout, of_output);
  self_.backward(of_output, workspace.self, of_input, of_input, gradients);
  around_self_.add_input_gradient(of_input, gradient, gradients);
}

}  // namespace nmt
