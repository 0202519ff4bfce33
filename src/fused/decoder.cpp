#include "fused/decoder.h"

#include <algorithm>
#include <utility>

#include "config/layers.h"
#include "kernels/elementwise.h"
#include "kernels/matrix_product.h"

namespace nmt {

FusedDecoder::FusedDecoder(const ModelConfig& model, const ParameterTable& parameters)
    : cell_(model.cell),
      input_feeding_(model.input_feeding),
      residual_(model.residual),
      attention_(attention_form(model, parameters)),
      concat_weight_(parameters.at("concat.weight")),
      concat_bias_(parameters.at("concat.bias")) {
  if (model.layer_norm) norm_.emplace(parameters, "norm_dec");
  for (int64_t layer = 0; layer < num_decoder_layers(model); ++layer) {
    const auto found = find_recurrent_parameters(parameters, "decoder.rnn.", layer);
    layers_.push_back({RecurrentLayer(cell_, found), {}, {}, {}, {}, {}, {}, {}, {}});
  }
  first_state_.hidden.resize(layers_.size());
  if (has_cells()) first_state_.cell.resize(layers_.size());
}

StackState& FusedDecoder::first_state(int64_t num_sequences) {
  for (size_t l = 0; l < layers_.size(); ++l) {
    first_state_.hidden[l] = layers_[l].first_state.take(num_sequences, hidden_size());
    if (has_cells())
      first_state_.cell[l] = layers_[l].first_cell.take(num_sequences, hidden_size());
  }
  return first_state_;
}

Matrix FusedDecoder::rows_of_step(int64_t step, Matrix all) const {
  return all.row_range(batch_->target.first_row(step), batch_->target.rows_at(step));
}

/// Previous states of a step's rows: the rows of their parents in `all`; at step 0 those of
/// `first`, or zeros if it has no data.
Matrix FusedDecoder::gather_parents(int64_t step, ConstMatrix all, ConstMatrix first,
                                    const Buffer& gathered) const {
  const auto rows = rows_of_step(step, gathered.matrix());
  const int64_t begin = batch_->target.first_row(step);
  if (step == 0 && first.rows == 0) {
    std::fill_n(rows.data, rows.rows * rows.columns, 0.0F);
    return rows;
  }
  for (int64_t row = 0; row < rows.rows; ++row) {
    const float* parent =
        step == 0 ? first.row(row) : all.row(batch_->parents[static_cast<size_t>(begin + row)]);
    std::copy_n(parent, rows.columns, rows.row(row));
  }
  return rows;
}

/// The top layer writes its output next to the contexts, which makes [h_t ; c_t] without a copy,
/// unless attention reads something other than that output (normalized or residual).
bool FusedDecoder::is_next_to_contexts(size_t layer) const {
  return layer + 1 == layers_.size() && !norm_ && !residual_;
}

Matrix FusedDecoder::output_of(size_t layer) const {
  return is_next_to_contexts(layer) ? query_states() : layers_[layer].output.matrix();
}

ConstMatrix FusedDecoder::forward(const PackedBatch& batch, ConstMatrix embedded,
                                  ConstMatrix source_states, const Dropout& dropout,
                                  const ReplaceInputs& replace_inputs) {
  batch_ = &batch;
  dropout_ = dropout;
  embedded_ = embedded;
  begin(source_states);
  for (int64_t step = 0; step < batch.target.num_steps(); ++step) {
    if (step > 0) replace_input_products(replace_inputs(step, attentional_hidden_.matrix()));
    forward_layers(step);
    forward_attentional_hidden(step);
  }
  return attentional_hidden_.matrix();
}

/// W_e emb_t of inputs that were replaced.
void FusedDecoder::replace_input_products(const std::vector<int64_t>& rows) {
  if (rows.empty()) return;
  const auto count = static_cast<int64_t>(rows.size());
  const auto all = layers_.front().recurrent.input_products();
  const auto inputs = replaced_inputs_.take(count, embedded_.columns);
  const auto products = replaced_products_.take(count, all.columns);
  gather_rows(embedded_, rows, inputs);
  linear(inputs, embedded_weight(), products, WriteMode::kOverwrite);
  for (int64_t i = 0; i < count; ++i) {
    copy_rows(products.row_range(i, 1), all.row_range(rows[static_cast<size_t>(i)], 1));
  }
}

void FusedDecoder::begin(ConstMatrix source_states) {
  const int64_t rows = batch_->target.num_rows();
  const int64_t width = hidden_size();
  attention_.begin(*batch_, source_states);
  joined_.take(rows, width + context_size());
  projected_.take(rows, width);
  attentional_hidden_.take(rows, width);
  if (input_feeding_) previous_attentional_.take(rows, width);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    layer.recurrent.begin(rows, {dropout_, DropoutSite::kDecoderState, static_cast<int64_t>(l)});
    layer.previous.take(rows, width);
    if (has_cells()) layer.previous_cell.take(rows, width);
    if (!is_next_to_contexts(l)) layer.output.take(rows, width);
    if (l + 1 < layers_.size()) layer.dropped.take(rows, width);
  }
  if (norm_) norm_->begin(rows);
  linear(embedded_, embedded_weight(), layers_.front().recurrent.input_products(),
         WriteMode::kOverwrite);
}

/// W_e: the columns of the first layer's W_ih for emb_t.
Parameter FusedDecoder::embedded_weight() const {
  return layers_.front().recurrent.parameters().weight_ih.inputs(0, embedded_.columns);
}

/// W_fed: those for h̃_{t−1}.
Parameter FusedDecoder::fed_weight() const {
  return layers_.front().recurrent.parameters().weight_ih.inputs(embedded_.columns, hidden_size());
}

void FusedDecoder::forward_layers(int64_t step) {
  const int64_t first = batch_->target.first_row(step);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    const auto products = rows_of_step(step, layer.recurrent.input_products());
    if (l > 0) {
      const auto input = rows_of_step(step, layers_[l - 1].dropped.matrix());
      linear(input, layer.recurrent.parameters().weight_ih, products, WriteMode::kOverwrite);
    } else if (input_feeding_) {
      const auto fed =
          gather_parents(step, attentional_hidden_.matrix(), {}, previous_attentional_);
      if (step > 0) linear(fed, fed_weight(), products, WriteMode::kAccumulate);
    }
    const auto output = rows_of_step(step, output_of(l));
    const auto before =
        gather_parents(step, output_of(l), layer.first_state.matrix(), layer.previous);
    ConstMatrix cells_before;
    if (has_cells()) {
      cells_before = gather_parents(step, layer.recurrent.cells(), layer.first_cell.matrix(),
                                    layer.previous_cell);
    }
    layer.recurrent.forward(first, before, cells_before, output);
    const auto states = residual_ ? rows_of_step(step, query_states()) : output;
    if (residual_) add_layer(l, output, states);
    if (l + 1 == layers_.size()) continue;
    const auto dropped = rows_of_step(step, layer.dropped.matrix());
    copy_rows(states, dropped);
    dropout_.apply(DropoutSite::kDecoder, static_cast<int64_t>(l), first, dropped);
  }
}

void FusedDecoder::forward_attentional_hidden(int64_t step) {
  const int64_t first = batch_->target.first_row(step);
  const auto queries = rows_of_step(step, query_states());
  if (norm_) {
    const auto states = residual_ ? queries : rows_of_step(step, layers_.back().output.matrix());
    norm_->forward(first, states, queries);
  }
  if (attention_.attends()) {
    attention_.forward(first, queries, rows_of_step(step, contexts(joined_)));
  }
  const auto joined = rows_of_step(step, joined_.matrix());
  const auto projected = rows_of_step(step, projected_.matrix());
  linear(joined, concat_weight_, projected, WriteMode::kOverwrite);
  tanh_with_bias(projected, concat_bias_.value.data);
  const auto attentional_hidden = rows_of_step(step, attentional_hidden_.matrix());
  copy_rows(projected, attentional_hidden);
  dropout_.apply(DropoutSite::kAttentional, 0, first, attentional_hidden);
}

DecoderGradients FusedDecoder::backward(Matrix gradient, WeightGradients& gradients) {
  joined_gradient_.take(gradient.rows, joined_.matrix().columns);
  for (int64_t step = batch_->target.num_steps(); step-- > 0;) {
    backward_attentional_hidden(step, gradient);
    backward_layers(step);
  }
  DecoderGradients result;
  for (const auto& layer : layers_) {
    result.state.hidden.push_back(layer.carried.matrix());
    if (has_cells()) result.state.cell.push_back(layer.carried_cell.matrix());
  }
  add_weight_gradients(gradient, gradients);
  result.source_states = attention_.finish(query_states(), contexts(joined_gradient_), gradients);
  result.embedded = embedded_gradient_.take(embedded_.rows, embedded_.columns);
  layers_.front().recurrent.input_gradient(embedded_weight(), 0, WriteMode::kOverwrite,
                                           result.embedded);
  return result;
}

/// The step's rows of `gradient` in: of h̃_t; out: of W_c [h_t ; c_t] + b_c.
void FusedDecoder::backward_attentional_hidden(int64_t step, Matrix gradient) {
  const int64_t first = batch_->target.first_row(step);
  const auto rows = rows_of_step(step, gradient);
  if (input_feeding_) {
    const int64_t children = first + rows.rows;  // the rows of the next step
    for (int64_t i = 0; i < batch_->target.rows_at(step + 1); ++i) {
      add(fed_gradient_.matrix().row_range(i, 1),
          gradient.row_range(batch_->parents[static_cast<size_t>(children + i)], 1));
    }
  }
  dropout_.apply(DropoutSite::kAttentional, 0, first, rows);
  tanh_backward(rows_of_step(step, projected_.matrix()), rows);
  const auto joined = rows_of_step(step, joined_gradient_.matrix());
  linear_backward(rows, concat_weight_, joined, WriteMode::kOverwrite);
  const auto of_queries = joined.column_range(0, hidden_size());
  if (attention_.attends()) {
    attention_.backward(first, rows_of_step(step, query_states()),
                        rows_of_step(step, contexts(joined_gradient_)), of_queries);
  }
  if (norm_) norm_->backward(first, of_queries);
}

/// Replaces `carried`, the gradients that the next step gave the previous states of its rows, by
/// their sums over the children of each of this step's rows.
void FusedDecoder::sum_of_children(int64_t step, Buffer& carried) {
  const int64_t first = batch_->target.first_row(step);
  const int64_t rows = batch_->target.rows_at(step);
  std::swap(carried, of_children_);
  const auto sums = carried.take_zeros(rows, hidden_size());
  for (int64_t i = 0; i < batch_->target.rows_at(step + 1); ++i) {
    const int64_t parent = batch_->parents[static_cast<size_t>(first + rows + i)];
    add(of_children_.matrix().row_range(i, 1), sums.row_range(parent - first, 1));
  }
}

void FusedDecoder::backward_layers(int64_t step) {
  const int64_t first = batch_->target.first_row(step);
  const int64_t num_rows = batch_->target.rows_at(step);
  auto from_above =  // the gradient of y_t
      rows_of_step(step, joined_gradient_.matrix().column_range(0, hidden_size()));
  for (size_t l = layers_.size(); l-- > 0;) {
    auto& layer = layers_[l];
    sum_of_children(step, layer.carried);
    const auto carried = layer.carried.matrix();
    add(from_above, carried);
    ConstMatrix cells_before;
    if (has_cells()) {
      sum_of_children(step, layer.carried_cell);
      cells_before = rows_of_step(step, layer.previous_cell.matrix());
    }
    layer.recurrent.backward(first, rows_of_step(step, layer.previous.matrix()), cells_before,
                             carried, layer.carried_cell.matrix());
    if (l > 0) {
      const auto of_input = layer_gradient_.take(num_rows, hidden_size());
      layer.recurrent.input_gradient(layer.recurrent.parameters().weight_ih, first,
                                     WriteMode::kOverwrite, of_input);
      dropout_.apply(DropoutSite::kDecoder, static_cast<int64_t>(l) - 1, first, of_input);
      if (residual_) {
        add(of_input, from_above);
      } else {
        from_above = of_input;
      }
    } else if (input_feeding_ && step > 0) {
      layer.recurrent.input_gradient(fed_weight(), first, WriteMode::kOverwrite,
                                     fed_gradient_.take(num_rows, hidden_size()));
    }
  }
}

void FusedDecoder::add_weight_gradients(ConstMatrix projection_gradient,
                                        WeightGradients& gradients) {
  if (norm_) norm_->add_weight_gradients(gradients);
  gradients.add_product(concat_weight_.gradient, projection_gradient, joined_.matrix());
  gradients.add_column_sums(concat_bias_.gradient, projection_gradient);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    layer.recurrent.add_weight_gradients(layer.previous.matrix(), gradients);
    if (l == 0) {
      layer.recurrent.add_input_weight_gradient(embedded_weight(), embedded_, gradients);
    } else {
      layer.recurrent.add_input_weight_gradient(layer.recurrent.parameters().weight_ih,
                                                layers_[l - 1].dropped.matrix(), gradients);
    }
  }
  if (!input_feeding_) return;
  layers_.front().recurrent.add_input_weight_gradient(fed_weight(), previous_attentional_.matrix(),
                                                      gradients);
}

}  // namespace nmt
