// The fused engine against the plain one, which states what both compute.
#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "attentions/attention_kind.h"
#include "fused/attention_form.h"
#include "fused/gradient.h"
#include "kernels/bfloat16.h"
#include "support/torch_catch.h"
#include "text/special_tokens.h"
#include "train/objectives/objective.h"
#include "train/steps/flat_parameters.h"

namespace nmt {
namespace {

Batch ragged_batch() {
  return make_batch({{4, 5, 6, 7, 8}, {9}, {5, 5, 20}, {6, 7, 8, 30, 31, 32, 40}, {11, 4, 4, 4}},
                    {{4}, {5, 6, 7, 8, 9, 10}, {11, 45}, {}, {7, 7, 33}});
}

Seq2SeqOptions odd_options(Cell cell, int64_t layers) {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 47;
  options.target_vocabulary_size = 51;
  options.cell = cell;
  options.num_layers = layers;
  options.embedding_size = 21;
  options.hidden_size = 38;  // 19 a direction: whole vectors and a rest
  return options;
}

Seq2SeqOptions normalised_cells(Cell cell) {
  auto options = odd_options(cell, 2);
  options.cell_layer_norm = true;
  return options;
}

Seq2SeqOptions odd_transformer(bool pre_norm) {
  auto options = odd_options(Cell::kGru, 2);
  options.architecture = Architecture::kTransformer;
  options.embedding_size = options.hidden_size;
  options.heads = 2;
  options.feed_forward_size = 53;
  options.pre_norm = pre_norm;
  return options;
}

/// A model whose parameters are flat, with a gradient of its own for the fused engine.
struct Both {
  explicit Both(const Seq2SeqOptions& options, int threads = 1,
                ProductPrecision precision = ProductPrecision::kFloat32)
      : model(make(options)),
        parameters({model}),
        gradient(torch::zeros({parameters.size()})),
        team(threads) {
    fused = std::make_unique<FusedGradient>(FusedOptions{options, precision}, table(), team);
  }

  static Seq2Seq make(const Seq2SeqOptions& options) {
    torch::manual_seed(5);
    Seq2Seq model = make_seq2seq(options);
    // Biases that are zero, weights that are small would hide mistakes.
    for (auto& parameter : unique_parameters(*model)) {
      const at::NoGradGuard no_gradients;
      parameter.uniform_(-0.5, 0.5);
    }
    return model;
  }

  ParameterTable table() { return parameters.table(gradient.data_ptr<float>()); }

  double run_fused(const Batch& batch, double smoothing, double scale,
                   const Dropout& dropout = {}) {
    const auto count = static_cast<size_t>(team.size());
    std::vector<PackedBatch> shares;
    for (size_t share = 0; share < count; ++share) {
      shares.push_back(pack_batch(pairs_of_share(batch, share, count, scale, {smoothing})));
    }
    return fused->add(shares, std::vector<Dropout>(count, dropout));
  }

  torch::Tensor fused_gradient(const std::string& name) {
    const auto place = table().at(name).gradient;
    return torch::from_blob(place.data, {place.rows, place.columns}).clone();
  }

  /// `tolerance` is of the largest element of each gradient. Every gradient also carries rounding
  /// errors of the gradients that it is computed from, hence one float32 epsilon of the largest.
  void require_same_gradients(double tolerance = 1e-5) {
    double largest = 0;
    for (const auto& parameter : model->parameters()) {
      largest = std::max(largest, parameter.grad().abs().max().item<double>());
    }
    const double rounding = largest * std::numeric_limits<float>::epsilon();
    for (const auto& item : model->named_parameters()) {
      INFO(item.key());
      const auto expected = item.value().grad().reshape({-1, item.value().size(-1)});
      const double scale = expected.abs().max().item<double>();
      REQUIRE(scale > 0);
      const double difference = (fused_gradient(item.key()) - expected).abs().max().item<double>();
      REQUIRE(difference <= tolerance * scale + rounding);
    }
  }

  Seq2Seq model;
  FlatParameters parameters;
  torch::Tensor gradient;
  ThreadTeam team;
  std::unique_ptr<FusedGradient> fused;
};

void require_agreement(const Seq2SeqOptions& options, double smoothing,
                       const Batch& batch = ragged_batch()) {
  Both both(options);
  const double scale = 0.37;
  const auto loss = batch_loss(both.model, batch, {smoothing});
  (loss.objective * scale).backward();
  const double value = both.run_fused(batch, smoothing, scale);
  REQUIRE(value == Approx(loss.negative_log_likelihood.item<double>()).epsilon(1e-6));
  both.require_same_gradients();
}

}  // namespace

TEST_CASE("The fused engine has the plain engine's loss and gradients", "[train][fused]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const int64_t layers : {1, 2, 3}) {
      for (const bool input_feeding : {true, false}) {
        INFO("cell " << static_cast<int>(cell) << "  layers " << layers << "  feeding "
                     << input_feeding);
        auto options = odd_options(cell, layers);
        options.input_feeding = input_feeding;
        require_agreement(options, input_feeding ? 0.1 : 0.0);
      }
    }
  }
}

TEST_CASE("The fused engine has the plain engine's gradients with every attention",
          "[train][fused]") {
  for (const auto* kind : attention_kinds()) {
    for (const bool variant : {false, true}) {
      INFO(kind->name << (variant ? ", layer norm, summed directions, LSTM" : ""));
      auto options = odd_options(variant ? Cell::kLstm : Cell::kGru, variant ? 2 : 1);
      options.attention = kind;
      options.heads = 2;
      options.attention_temperature = variant ? 1.7 : 1.0;
      // Without attention nothing reads the normalized states of the source.
      options.layer_norm = variant && kind != &none_attention();
      if (variant) options.encoder_output = EncoderOutput::kSummed;
      options.input_feeding = !variant || kind->has_heads;
      require_agreement(options, 0.1);
    }
  }
}

TEST_CASE("The fused engine has the plain engine's gradients of windows that hide words",
          "[train][fused]") {
  std::vector<std::vector<int32_t>> sources = {{}, {}, {4}};
  for (int32_t i = 0; i < 43; ++i) {
    sources[0].push_back(4 + (11 * i) % 43);
    if (i < 15) sources[1].push_back(4 + (7 * i) % 43);
  }
  const auto batch = make_batch(sources, {{5, 6, 7, 8, 9, 10}, {4, 11, 45}, {7, 33}});
  for (const auto* kind : {&local_m_attention(), &local_p_attention()}) {
    for (const bool input_feeding : {true, false}) {
      INFO(kind->name << "  feeding " << input_feeding);
      auto options = odd_options(Cell::kGru, 1);
      options.attention = kind;
      options.input_feeding = input_feeding;
      require_agreement(options, 0.1, batch);
    }
  }
}

TEST_CASE("The fused engine has the plain engine's gradients with coverage", "[train][fused]") {
  for (const auto* kind : attention_kinds()) {
    if (!kind->takes_coverage) continue;
    for (const bool input_feeding : {true, false}) {
      INFO(kind->name << "  feeding " << input_feeding);
      auto options = odd_options(input_feeding ? Cell::kGru : Cell::kLstm, 1);
      options.attention = kind;
      options.coverage = true;
      options.input_feeding = input_feeding;
      options.layer_norm = !input_feeding;
      options.attention_temperature = input_feeding ? 1.0 : 1.7;
      require_agreement(options, 0.1);
    }
  }
}

TEST_CASE("The fused engine has the plain engine's gradients with copying", "[train][fused]") {
  auto batch = ragged_batch();
  batch.target_output[0][0] = batch.source[0][2];  // some targets are in their sources, one twice
  batch.target_output[4][1] = 4;
  for (const auto* kind : attention_kinds()) {
    if (kind == &none_attention() || !kind->is_softmax) continue;
    for (const bool variant : {false, true}) {
      INFO(kind->name << (variant ? ", coverage, layer norm, LSTM, tied" : ""));
      auto options = odd_options(variant ? Cell::kLstm : Cell::kGru, 1);
      options.source_vocabulary_size = options.target_vocabulary_size;
      options.copy = true;
      options.attention = kind;
      options.heads = 2;
      options.layer_norm = variant;
      options.coverage = variant && kind->takes_coverage;
      if (variant) {
        options.embedding_size = options.hidden_size;
        options.tied_embeddings = TiedEmbeddings::kAll;
      }
      require_agreement(options, variant ? 0.1 : 0.0, batch);
    }
  }
}

TEST_CASE("The fused engine has the plain engine's gradients beyond location attention's rows",
          "[train][fused]") {
  std::vector<std::vector<int32_t>> sources = {{}, {4, 5, 6}};
  for (int32_t i = 0; i < kLocationPositions + 3; ++i) sources[0].push_back(4 + (11 * i) % 43);
  auto options = odd_options(Cell::kGru, 1);
  options.attention = &location_attention();
  require_agreement(options, 0.1, make_batch(sources, {{5, 6}, {4, 11, 45}}));
}

TEST_CASE("The fused engine has the plain engine's gradients with every first state of the decoder",
          "[train][fused]") {
  for (const auto init :
       {DecoderInit::kFinal, DecoderInit::kBridge, DecoderInit::kMean, DecoderInit::kZero}) {
    for (const bool variant : {false, true}) {
      INFO(choice_name(init) << (variant ? ", layer norm, summed directions, LSTM" : ""));
      auto options = odd_options(variant ? Cell::kLstm : Cell::kGru, variant ? 2 : 1);
      options.decoder_init = init;
      if (variant) options.encoder_output = EncoderOutput::kSummed;
      options.layer_norm = variant;
      require_agreement(options, 0.1);
    }
    auto options = odd_options(Cell::kGru, 2);
    options.decoder_init = init;
    options.attention = &none_attention();
    if (init != DecoderInit::kZero) require_agreement(options, 0.0);
  }
}

TEST_CASE("The fused engine has the plain engine's gradients with residual connections",
          "[train][fused]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const auto output : {EncoderOutput::kConcatenated, EncoderOutput::kSummed}) {
      for (const bool variant : {false, true}) {
        INFO(choice_name(cell) << ", " << choice_name(output)
                               << (variant ? ", layer norm, not fed, mean of the states" : ""));
        auto options = odd_options(cell, variant ? 2 : 3);
        options.residual = true;
        options.encoder_output = output;
        options.layer_norm = variant;
        options.input_feeding = !variant;
        if (variant) options.decoder_init = DecoderInit::kMean;
        require_agreement(options, 0.1);
      }
    }
    auto options = odd_options(cell, 3);
    options.residual = true;
    options.attention = &none_attention();
    require_agreement(options, 0.0);
    options.architecture = Architecture::kLanguageModel;
    require_agreement(options, 0.0);
  }
}

TEST_CASE("The fused engine has the plain engine's gradients with normalized cells",
          "[train][fused]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const int64_t layers : {1, 2}) {
      for (const bool variant : {false, true}) {
        INFO(choice_name(cell) << ", " << layers << " layers"
                               << (variant ? ", summed directions, not fed, mean of the states"
                                           : ""));
        auto options = odd_options(cell, layers);
        options.cell_layer_norm = true;
        options.input_feeding = !variant;
        options.residual = layers == 2;
        if (variant) options.encoder_output = EncoderOutput::kSummed;
        if (variant) options.decoder_init = DecoderInit::kMean;
        require_agreement(options, 0.1);
        options.architecture = Architecture::kLanguageModel;
        require_agreement(options, 0.0);
      }
    }
  }
}

TEST_CASE("The fused engine has the plain engine's gradients with other layers in the decoder",
          "[train][fused]") {
  for (const auto& [encoder_layers, decoder_layers] :
       {std::pair<int64_t, int64_t>{1, 3}, {3, 1}, {2, 3}, {3, 2}}) {
    for (const auto cell : {Cell::kGru, Cell::kLstm}) {
      INFO(encoder_layers << " and " << decoder_layers << ", " << choice_name(cell));
      const bool lstm = cell == Cell::kLstm;
      auto options = odd_options(cell, encoder_layers);
      options.decoder_layers = decoder_layers;
      options.residual = lstm;
      options.encoder_output = lstm ? EncoderOutput::kSummed : EncoderOutput::kConcatenated;
      for (const auto init : {DecoderInit::kFinal, DecoderInit::kBridge, DecoderInit::kMean}) {
        INFO(choice_name(init));
        options.decoder_init = init;
        require_agreement(options, 0.1);
      }
      options.decoder_init = DecoderInit::kFinal;
      options.attention = &none_attention();
      require_agreement(options, 0.0);
    }
    auto transformer = odd_transformer(true);
    transformer.num_layers = encoder_layers;
    transformer.decoder_layers = decoder_layers;
    require_agreement(transformer, 0.1);
  }
}

TEST_CASE("The fused engine has the plain engine's loss and gradients of every Transformer",
          "[train][fused]") {
  for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kTarget, TiedEmbeddings::kAll}) {
    for (const bool pre_norm : {true, false}) {
      INFO("tied " << static_cast<int>(tied) << "  pre-norm " << pre_norm);
      auto options = odd_transformer(pre_norm);
      options.num_layers = tied == TiedEmbeddings::kNone ? 3 : 1;
      options.tied_embeddings = tied;
      options.source_vocabulary_size = options.target_vocabulary_size;
      require_agreement(options, 0.1);
    }
  }
}

TEST_CASE("The fused language model has the plain one's loss and gradients", "[train][fused]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const int64_t layers : {1, 3}) {
      for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kTarget}) {
        INFO("cell " << static_cast<int>(cell) << "  layers " << layers << "  tied "
                     << (tied != TiedEmbeddings::kNone));
        auto options = odd_options(cell, layers);
        options.architecture = Architecture::kLanguageModel;
        options.tied_embeddings = tied;
        if (tied != TiedEmbeddings::kNone) options.embedding_size = options.hidden_size;
        require_agreement(options, layers == 1 ? 0.1 : 0.0);
      }
    }
  }
}

TEST_CASE("The fused engine has the plain engine's gradients of weighted and aligned pairs",
          "[train][fused]") {
  auto batch = ragged_batch();
  const auto rows = batch.source.size(0), steps = batch.target_output.size(1);
  const auto length = batch.source.size(1);
  torch::manual_seed(3);
  // Of every target token but EOS, on its own sentence; the second pair has no alignment.
  const auto places = torch::arange(length).view({1, 1, length});
  const auto real = (places < batch.source_lengths.view({rows, 1, 1})) &
                    (batch.target_output > kEosId).unsqueeze(2);
  const auto drawn = torch::rand({rows, steps, length}) * real;
  batch.alignment = drawn / drawn.sum(2, /*keepdim=*/true).clamp_min(1e-6);
  batch.alignment[1].zero_();
  batch.weights = torch::tensor({1.0F, 0.5F, 2.0F, 0.0F, 3.0F});
  const LossOptions guided{0.1, 0.7};
  for (const auto* attention : attention_kinds()) {
    if (attention == &none_attention() || !has_attention_form(*attention)) continue;
    for (const int threads : {1, 2}) {
      INFO(attention->name << "  threads " << threads);
      auto options = odd_options(Cell::kGru, 1);
      options.attention = attention;
      options.heads = 2;
      options.coverage = attention->takes_coverage && threads == 2;
      Both both(options, threads);
      const auto loss = batch_loss(both.model, batch, guided);
      (loss.objective * 0.37).backward();
      const auto count = static_cast<size_t>(threads);
      std::vector<PackedBatch> shares;
      for (size_t share = 0; share < count; ++share) {
        shares.push_back(pack_batch(pairs_of_share(batch, share, count, 0.37, guided)));
      }
      REQUIRE(both.fused->add(shares, std::vector<Dropout>(count)) ==
              Approx(loss.negative_log_likelihood.item<double>()).epsilon(1e-6));
      both.require_same_gradients();
    }
  }
}

TEST_CASE("Threads that share a batch find its gradient together", "[train][fused]") {
  for (const auto& options :
       {odd_options(Cell::kGru, 2), normalised_cells(Cell::kLstm), odd_transformer(true)}) {
    for (const int threads : {2, 3, 5}) {
      INFO("threads " << threads);
      Both both(options, threads);
      batch_loss(both.model, ragged_batch(), {0.1}).objective.backward();
      both.run_fused(ragged_batch(), 0.1, 1.0);
      both.require_same_gradients();
    }
  }
}

TEST_CASE("Products in bfloat16 find nearly the same gradient", "[train][fused]") {
  if (!has_bfloat16_products()) SKIP("this processor has no bfloat16 products");
  for (const auto& options :
       {odd_options(Cell::kGru, 2), odd_options(Cell::kLstm, 2), normalised_cells(Cell::kGru),
        normalised_cells(Cell::kLstm), odd_transformer(true)}) {
    Both both(options, 2, ProductPrecision::kBfloat16);
    const auto loss = batch_loss(both.model, ragged_batch(), {0.1});
    loss.objective.backward();
    // A bfloat16 number has 8 significant bits: 0.4 % of it, summed over a few hundred terms.
    REQUIRE(both.run_fused(ragged_batch(), 0.1, 1.0) ==
            Approx(loss.negative_log_likelihood.item<double>()).epsilon(0.01));
    both.require_same_gradients(0.05);
  }
}

TEST_CASE("Tied parameters gather the gradients of all their uses", "[train][fused]") {
  for (const auto tied : {TiedEmbeddings::kTarget, TiedEmbeddings::kAll}) {
    auto options = odd_options(Cell::kGru, 2);
    options.tied_embeddings = tied;
    options.embedding_size = options.hidden_size;
    options.source_vocabulary_size = options.target_vocabulary_size;
    require_agreement(options, 0.1);
  }
}

TEST_CASE("Buffers that served a larger batch serve a smaller one", "[train][fused]") {
  for (const auto& options : {odd_options(Cell::kGru, 2), normalised_cells(Cell::kGru),
                              normalised_cells(Cell::kLstm), odd_transformer(false)}) {
    Both both(options);
    both.run_fused(ragged_batch(), 0.0, 1.0);
    both.gradient.zero_();
    const auto small = make_batch({{6, 7}, {4}}, {{8}, {9, 10}});
    const auto loss = batch_loss(both.model, small, {0.0});
    loss.objective.backward();
    REQUIRE(both.run_fused(small, 0.0, 1.0) ==
            Approx(loss.negative_log_likelihood.item<double>()).epsilon(1e-6));
    both.require_same_gradients();
  }
}

TEST_CASE("Gradients of two batches add up", "[train][fused]") {
  Both once(odd_options(Cell::kLstm, 1));
  once.run_fused(ragged_batch(), 0.1, 2.0);
  Both twice(odd_options(Cell::kLstm, 1));
  twice.run_fused(ragged_batch(), 0.1, 1.0);
  twice.run_fused(ragged_batch(), 0.1, 1.0);
  REQUIRE(torch::allclose(once.gradient, twice.gradient, 1e-4, 1e-6));
}

TEST_CASE("Predictions that are to agree have the gradients of R-Drop's equation",
          "[train][fused]") {
  // The same targets after different sources stand for the same source with different dropout.
  const auto tokens = [](const torch::Tensor& batch) {
    std::vector<std::vector<int32_t>> lines;
    for (int copy = 0; copy < 5; ++copy) {
      for (int64_t row = 0; row < batch.size(0); ++row) lines.push_back(tokens_of(batch, row));
    }
    return lines;
  };
  const auto targets = tokens(ragged_batch().target_output);
  auto sources = tokens(ragged_batch().source);
  const auto first = make_batch(sources, targets);
  std::reverse(sources.begin(), sources.end());
  const auto second = make_batch(sources, targets);
  for (const int64_t vocabulary : {51, 50001}) {  // one block of rows, several
    for (const int threads : {1, 2}) {
      INFO("vocabulary " << vocabulary << "  threads " << threads);
      auto options = odd_options(Cell::kGru, 1);
      options.target_vocabulary_size = vocabulary;
      Both both(options, threads);
      const auto p = predict_tokens(both.model, first), q = predict_tokens(both.model, second);
      const auto log_p = p.log_probabilities, log_q = q.log_probabilities;
      const auto loss_p = token_loss(log_p, p.targets, 0.1);
      const auto loss_q = token_loss(log_q, q.targets, 0.1);
      const auto divergence = ((log_p.exp() - log_q.exp()) * (log_p - log_q)).sum();
      (loss_p.objective + loss_q.objective + 0.7 * divergence).backward();

      std::vector<PackedBatch> shares;
      const auto count = static_cast<size_t>(threads);
      for (size_t share = 0; share < count; ++share) {
        const LossOptions smoothed{0.1};
        const auto one = pairs_of_share(first, share, count, 1.0, smoothed);
        const auto other = pairs_of_share(second, share, count, 1.0, smoothed);
        std::vector<TokenPairView> pairs;
        for (size_t i = 0; i < one.size(); ++i) pairs.insert(pairs.end(), {one[i], other[i]});
        shares.push_back(pack_batch(pairs));
      }
      both.fused->forward(shares, std::vector<Dropout>(count));
      const double value = both.fused->backward([](GradientPart) {}, 0.7);
      const auto expected = loss_p.negative_log_likelihood + loss_q.negative_log_likelihood;
      REQUIRE(value == Approx(expected.item<double>()).epsilon(1e-6));
      both.require_same_gradients(vocabulary > 1000 ? 1e-4 : 1e-5);  // float32 sums of 50,001
    }
  }
}

TEST_CASE("Weighted targets that share a source have the gradients of the weighted sum",
          "[train][fused]") {
  const auto single = ragged_batch();
  const auto source_of = [&](int64_t row) { return tokens_of(single.source, row); };
  const std::vector<double> weights = {0.5, -0.3, 0.0, 1.2, -2.0, 0.7};
  const std::vector<int64_t> sources = {0, 0, 0, 3, 4, 4};
  const auto batch = make_batch(
      {source_of(0), source_of(0), source_of(0), source_of(3), source_of(4), source_of(4)},
      {{4, 5}, {4, 5, 8, 9}, {}, {10}, {11, 12, 13, 14, 15}, {11, 12, 9}});
  auto additive = odd_options(Cell::kLstm, 2);
  additive.attention = &additive_attention();
  additive.layer_norm = true;
  auto local = odd_options(Cell::kGru, 1);
  local.attention = &local_p_attention();
  auto monotonic = local;
  monotonic.attention = &local_m_attention();
  auto covered = odd_options(Cell::kGru, 1);
  covered.coverage = true;
  auto not_fed = odd_options(Cell::kGru, 1);
  not_fed.input_feeding = false;
  auto residual = odd_options(Cell::kLstm, 3);
  residual.residual = true;
  for (const auto& options :
       {odd_options(Cell::kGru, 2), additive, local, monotonic, covered, not_fed, residual,
        normalised_cells(Cell::kGru), normalised_cells(Cell::kLstm), odd_transformer(true)}) {
    Both both(options);
    torch::Tensor objective = torch::zeros({});
    std::vector<double> log_probabilities;
    const auto predictions = predict_tokens(both.model, batch);
    auto pairs = pairs_of_share(batch, 0, 1);
    int64_t row = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto rows = torch::arange(row, row + pairs[i].target_length);
      row += pairs[i].target_length;
      const auto loss = token_loss(predictions.log_probabilities.index_select(0, rows),
                                   predictions.targets.index_select(0, rows), 0.2);
      objective = objective + weights[i] * loss.objective;
      log_probabilities.push_back(-loss.negative_log_likelihood.item<double>());
      pairs[i].shares_source = i > 0 && sources[i] == sources[i - 1];
    }
    objective.backward();
    std::vector<PackedBatch> shares = {pack_batch(pairs, both.fused->layout_of_shared_sources())};
    REQUIRE(shares[0].source.num_sequences() == 3);
    const bool is_recurrent = options.architecture == Architecture::kRecurrent;
    REQUIRE(shares[0].target.num_rows() == (is_recurrent ? 14 : 21));
    both.fused->forward(shares, {Dropout()});
    const auto found = both.fused->log_probabilities()[0];
    for (size_t i = 0; i < pairs.size(); ++i) {
      REQUIRE(found[i] == Approx(log_probabilities[i]).epsilon(1e-5));
      shares[0].weights[i] = smoothed_weights(weights[i], 0.2);
    }
    both.fused->backward();
    both.require_same_gradients();
  }
}

namespace {

/// [H]  what state dropout multiplies the columns of this W_hh by, for the source at `place`.
torch::Tensor state_mask(const std::string& name, int64_t width, const Dropout& dropout,
                         const PackedBatch& batch, int64_t place) {
  const bool of_encoder = name.rfind("encoder.", 0) == 0;
  const int64_t layer = std::stoll(name.substr(name.find("_l") + 2));
  const bool reverse = name.find("_reverse") != std::string::npos;
  const auto& places = of_encoder ? batch.places : batch.source_places;
  const auto row = std::find(places.begin(), places.end(), place) - places.begin();
  auto mask = torch::ones({width});
  dropout.of(batch).apply(of_encoder ? DropoutSite::kEncoderState : DropoutSite::kDecoderState,
                          of_encoder ? 2 * layer + (reverse ? 1 : 0) : layer, row,
                          {mask.data_ptr<float>(), 1, width});
  return mask;
}

}  // namespace

TEST_CASE("State dropout has the plain engine's gradients of W_hh with masked columns",
          "[train][fused]") {
  const std::vector<std::vector<int32_t>> sources = {{4, 5, 6, 7, 8}, {9}, {5, 5, 20, 7, 9, 9, 9}};
  const std::vector<std::vector<int32_t>> targets = {{4, 5}, {4, 5, 8, 9},         {},
                                                     {10},   {11, 12, 13, 14, 15}, {11, 12, 9}};
  const std::vector<size_t> source_of = {0, 0, 0, 1, 2, 2};
  auto not_fed = odd_options(Cell::kLstm, 2);
  not_fed.input_feeding = false;
  auto residual = odd_options(Cell::kGru, 3);
  residual.residual = true;
  residual.encoder_output = EncoderOutput::kSummed;
  auto language_model = odd_options(Cell::kLstm, 2);
  language_model.architecture = Architecture::kLanguageModel;
  auto residual_language_model = residual;
  residual_language_model.architecture = Architecture::kLanguageModel;
  for (const auto& options : {odd_options(Cell::kGru, 2), odd_options(Cell::kLstm, 1), not_fed,
                              residual, normalised_cells(Cell::kGru), normalised_cells(Cell::kLstm),
                              language_model, residual_language_model}) {
    Both both(options);
    const Dropout dropout{{0.0, 0.0, 0.0, 0.4}, 77};
    std::vector<Batch> single;  // of each pair
    std::vector<TokenPairView> pairs;
    for (size_t i = 0; i < targets.size(); ++i) {
      single.push_back(make_batch({sources[source_of[i]]}, {targets[i]}));
    }
    for (size_t i = 0; i < targets.size(); ++i) {
      pairs.push_back(pairs_of_share(single[i], 0, 1, 1.0, {0.1}).front());
      pairs.back().shares_source = i > 0 && source_of[i] == source_of[i - 1];
    }
    const std::vector<PackedBatch> shares = {
        pack_batch(pairs, both.fused->layout_of_shared_sources())};
    both.fused->forward(shares, {dropout});
    const auto found = both.fused->log_probabilities()[0];
    both.fused->backward();

    // In float32 the plain engine's own rounding errors exceed the tolerance on some processors.
    both.model->to(torch::kFloat64);
    const auto parameters = both.model->named_parameters();
    std::vector<torch::Tensor> sums;
    for (const auto& item : parameters) sums.push_back(torch::zeros_like(item.value()));
    for (size_t i = 0; i < targets.size(); ++i) {
      const auto& order = shares[0].source.order;
      const auto place =
          std::find(order.begin(), order.end(), static_cast<int64_t>(source_of[i])) - order.begin();
      const auto is_masked = [](const std::string& name) {
        return name.find("weight_hh") != std::string::npos;
      };
      const auto mask_of = [&](const auto& item) {
        return state_mask(item.key(), item.value().size(1), dropout, shares[0], place);
      };
      std::vector<torch::Tensor> whole;
      for (const auto& item : parameters) {
        const torch::NoGradGuard no_gradient;
        whole.push_back(item.value().clone());
        if (is_masked(item.key())) item.value().mul_(mask_of(item));
      }
      both.model->zero_grad();
      const auto loss = batch_loss(both.model, single[i], {0.1});
      loss.objective.backward();
      REQUIRE(found[i] == Approx(-loss.negative_log_likelihood.item<double>()).epsilon(1e-5));
      for (size_t p = 0; p < sums.size(); ++p) {
        const torch::NoGradGuard no_gradient;
        const auto& item = parameters[p];
        const auto& gradient = item.value().grad();
        if (gradient.defined()) {
          sums[p] += is_masked(item.key()) ? gradient * mask_of(item) : gradient;
        }
        item.value().copy_(whole[p]);
      }
    }
    for (size_t p = 0; p < sums.size(); ++p) parameters[p].value().mutable_grad() = sums[p];
    both.require_same_gradients();
  }
}

TEST_CASE("Minimum risk has the plain engine's gradient for the same samples", "[train][fused]") {
  const auto target = Tokenizer::from_file(NMT_SOURCE_DIR "/models/sample/target.spm");
  auto options = odd_options(Cell::kGru, 2);
  options.target_vocabulary_size = target.vocabulary_size();
  const auto batch = make_batch(
      {{4, 5, 6}, {7, 8}, {9, 10, 11, 12}},
      {target.encode("I read a book."), target.encode("We like the sea."), target.encode("Yes.")});
  TrainConfig config;
  config.objective = &minimum_risk_objective();
  config.label_smoothing = 0.1;
  auto& reward = std::get<NamedChoice>(config.objective_values.at("mrt_reward"));
  reward.index = 2;  // chrf, which tells samples without any right word apart
  const auto objective = make_objective(config, {target, target}, torch::kCPU);
  options.source_vocabulary_size = options.target_vocabulary_size;
  for (const int threads : {1, 2, 3}) {
    INFO("threads " << threads);
    options.copy = threads == 3;
    Both both(options, threads);
    torch::manual_seed(5);
    const auto loss = objective->loss(both.model, batch);
    (loss.objective * 0.7).backward();
    torch::manual_seed(5);
    const auto seed = static_cast<uint64_t>(torch::randint(INT32_MAX, {1}).item<int64_t>());
    const std::vector<Dropout> dropouts(static_cast<size_t>(threads), Dropout{{}, seed});
    const double value = objective->accumulate_gradient(
        {*both.fused, nullptr, dropouts, [](GradientPart) {}}, batch, 0.7);
    REQUIRE(value == Approx(loss.negative_log_likelihood.item<double>()).epsilon(1e-6));
    both.require_same_gradients(3e-5);  // samples of both signs: sums that cancel
  }
}

TEST_CASE("Chosen inputs are the model's own tokens, and the gradient is that of what was fed",
          "[train][fused]") {
  auto not_fed = odd_options(Cell::kLstm, 2);
  not_fed.input_feeding = false;
  for (const auto& options : {odd_options(Cell::kLstm, 2), not_fed, normalised_cells(Cell::kGru),
                              odd_transformer(true)}) {
    const bool is_recurrent = options.architecture == Architecture::kRecurrent;
    Both both(options);
    auto batch = ragged_batch();
    const auto share_of = [](const Batch& of) {
      return std::vector<PackedBatch>{pack_batch(pairs_of_share(of, 0, 1))};
    };
    auto shares = share_of(batch);
    const auto& target = shares[0].target;
    for (int64_t row = target.rows_at(0); row < target.num_rows(); row += 2) {
      shares[0].own_inputs.push_back(row);
    }
    both.fused->add(shares, {Dropout()});
    // The same tokens found by the plain engine, one after the other, and fed as if given.
    int replaced = 0;
    for (int64_t step = 1; step < target.num_steps(); ++step) {
      const auto input = is_recurrent ? batch.target_input : ragged_batch().target_input;
      const auto states = both.model(batch.source, batch.source_lengths, input);
      const auto likeliest = both.model->log_probabilities(states).argmax(2);  // [B, T]
      for (const int64_t row : shares[0].own_inputs) {
        if (row < target.first_row(step) || row >= target.first_row(step + 1)) continue;
        const int64_t sentence = target.order[static_cast<size_t>(row - target.first_row(step))];
        batch.target_input[sentence][step] = likeliest[sentence][step - 1];
        ++replaced;
      }
    }
    REQUIRE(replaced == static_cast<int>(shares[0].own_inputs.size()));
    REQUIRE_FALSE(torch::equal(batch.target_input, ragged_batch().target_input));
    batch_loss(both.model, batch, {0.0}).objective.backward();
    both.require_same_gradients();
  }
}

TEST_CASE("A chosen input has the dropout of its place", "[train][fused]") {
  // Fed as if given, the model's own tokens make the same loss and gradient, masks included.
  const auto transformer = GENERATE(false, true);
  Both both(transformer ? odd_transformer(true) : odd_options(Cell::kGru, 1));
  const auto batch = make_batch({{4, 5, 6}}, {{7, 8}});
  for (const uint64_t seed : {1, 2, 3}) {
    const Dropout dropout{{0.3, 0.3, 0.3}, seed};
    std::vector<PackedBatch> shares = {pack_batch(pairs_of_share(batch, 0, 1))};
    shares[0].own_inputs = {1};
    both.gradient.zero_();
    const double loss = both.fused->add(shares, {dropout});
    const auto gradient = both.gradient.clone();
    shares[0].own_inputs.clear();
    int found = 0;
    for (int64_t token = 0; token < 51; ++token) {
      both.gradient.zero_();
      shares[0].target_input[1] = token;
      const bool same_loss = both.fused->add(shares, {dropout}) == Approx(loss).epsilon(1e-6);
      found += same_loss && torch::allclose(both.gradient, gradient, 1e-4, 1e-6);
    }
    REQUIRE(found == 1);
  }
}

TEST_CASE("Dropout's gradient is that of the loss it drew", "[train][fused]") {
  // A seed fixes the masks, so the loss is a smooth function: finite differences tell its gradient.
  auto additive = odd_options(Cell::kLstm, 2);
  additive.attention = &additive_attention();
  auto local = odd_options(Cell::kGru, 1);
  local.attention = &local_p_attention();
  auto covered = odd_options(Cell::kGru, 1);
  covered.coverage = true;
  auto language_model = odd_options(Cell::kLstm, 2);
  language_model.architecture = Architecture::kLanguageModel;
  auto residual = odd_options(Cell::kGru, 3);
  residual.residual = true;
  auto residual_language_model = residual;
  residual_language_model.architecture = Architecture::kLanguageModel;
  auto variational = odd_options(Cell::kLstm, 2);
  variational.variational_dropout = true;
  auto variational_language_model = residual_language_model;
  variational_language_model.variational_dropout = true;
  auto states = variational;
  states.state_dropout = 0.3;
  for (const auto& options :
       {odd_options(Cell::kGru, 2), additive, local, covered, language_model, residual,
        residual_language_model, normalised_cells(Cell::kGru), normalised_cells(Cell::kLstm),
        variational, variational_language_model, states, odd_transformer(true),
        odd_transformer(false)}) {
    // The steps of finite differences cross kinks of max(0, ·).
    const double margin = options.architecture == Architecture::kTransformer ? 0.05 : 5e-3;
    Both both(options);
    const Dropout dropout{
        {0.3, 0.4, 0.5, options.state_dropout}, 77, 0.2, 0.3, options.variational_dropout};
    both.run_fused(ragged_batch(), 0.0, 1.0, dropout);
    const auto gradient = both.gradient.clone();
    const float* analytic = gradient.data_ptr<float>();
    for (const auto& [name, parameter] : both.table()) {
      INFO(name);
      auto* values = const_cast<float*>(parameter.value.data);
      auto* place = parameter.gradient.data - both.gradient.data_ptr<float>() + analytic;
      const int64_t count = parameter.value.rows * parameter.value.columns;
      for (const int64_t i : {count / 3, count / 2, count - 1}) {
        const auto slope = [&, value = values[i]](float step) {
          values[i] = value + step;
          const double above = both.run_fused(ragged_batch(), 0.0, 1.0, dropout);
          values[i] = value - step;
          const double below = both.run_fused(ragged_batch(), 0.0, 1.0, dropout);
          values[i] = value;
          return (above - below) / (2 * step);
        };
        // Without the error of the third derivative, which grows with the square of the step.
        const double numeric = (4 * slope(2.5e-3F) - slope(5e-3F)) / 3;
        REQUIRE(numeric == Approx(place[i]).epsilon(0.02).margin(margin));
      }
    }
  }
}

}  // namespace nmt
