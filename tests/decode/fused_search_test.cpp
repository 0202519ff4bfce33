// The fast path of search against the plain one, which states what both find.
#include "decode/fused_search.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <numeric>
#include <random>
#include <set>

#include "attentions/attention_kind.h"
#include "checkpoint/lexical_shortlist.h"
#include "decode/batch_search.h"
#include "decode/forced_scoring.h"
#include "decode/fused_scoring.h"
#include "decode/model_stepper.h"
#include "decode/network_model.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

Seq2SeqOptions odd_options() {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 31;
  options.target_vocabulary_size = 29;
  options.embedding_size = 13;
  options.hidden_size = 22;
  options.heads = 2;
  return options;
}

Seq2Seq odd_model(const Seq2SeqOptions& options) {
  torch::manual_seed(17);
  Seq2Seq model = make_seq2seq(options);
  const at::NoGradGuard no_gradients;
  // Large weights: translations of many lengths, decided clearly.
  for (auto& parameter : unique_parameters(*model)) parameter.uniform_(-0.5, 0.5);
  model->eval();
  return model;
}

Seq2Seq odd_model(Cell cell, int64_t layers, bool input_feeding) {
  auto options = odd_options();
  options.cell = cell;
  options.num_layers = layers;
  options.input_feeding = input_feeding;
  return odd_model(options);
}

Seq2Seq odd_transformer(int64_t layers, bool pre_norm,
                        TiedEmbeddings tied = TiedEmbeddings::kNone) {
  auto options = odd_options();
  options.architecture = Architecture::kTransformer;
  options.target_vocabulary_size = tied == TiedEmbeddings::kAll ? 31 : 29;
  options.num_layers = layers;
  options.embedding_size = options.hidden_size;
  options.feed_forward_size = 37;
  options.pre_norm = pre_norm;
  options.tied_embeddings = tied;
  return odd_model(options);
}

std::vector<Seq2Seq> one_of_each_architecture() {
  return {odd_model(Cell::kGru, 1, true), odd_transformer(2, true)};
}

/// Every attention, with normalized states and summed directions or without.
template <typename Check>
void for_each_attention(Check&& check) {
  for (const auto* kind : attention_kinds()) {
    if (kind->takes_coverage) {
      INFO(kind->name << ", coverage");
      auto options = odd_options();
      options.attention = kind;
      options.coverage = true;
      check(odd_model(options));
    }
    if (kind != &none_attention() && kind->is_softmax) {
      INFO(kind->name << ", copying");
      auto options = odd_options();
      options.attention = kind;
      options.copy = true;
      options.target_vocabulary_size = options.source_vocabulary_size;
      check(odd_model(options));
    }
    for (const bool variant : {false, true}) {
      INFO(kind->name << (variant ? ", layer norm, summed directions, tied, LSTM" : ""));
      auto options = odd_options();
      options.attention = kind;
      if (variant) {
        options.attention_temperature = 1.3;
        options.layer_norm = true;
        options.encoder_output = EncoderOutput::kSummed;
        options.embedding_size = options.hidden_size;
        options.tied_embeddings = TiedEmbeddings::kTarget;
        options.cell = Cell::kLstm;
        options.num_layers = 2;
      }
      check(odd_model(options));
    }
  }
}

std::vector<std::vector<int32_t>> odd_sources() {
  std::mt19937 random(3);
  std::vector<std::vector<int32_t>> sources;
  for (const size_t length : {3, 1, 9, 0, 4, 17, 2, 2, 12, 5, 7, 1, 6}) {
    sources.emplace_back();
    for (size_t i = 0; i < length; ++i) {
      sources.back().push_back(static_cast<int32_t>(4 + random() % 27));
    }
  }
  return sources;
}

using Results = std::vector<std::vector<Hypothesis>>;

Results plain(const Seq2Seq& model, const SearchOptions& options,
              const ConstraintList& constraint_list = {}) {
  ModelStepper stepper(model);
  return search_all(stepper, odd_sources(), 5, options, constraint_list);
}

Results fused(const Seq2Seq& model, const SearchOptions& options, int threads,
              WeightType type = WeightType::kFloat32) {
  ThreadTeam team(threads);
  return fused_search(*inference_model_of(model, type), odd_sources(), 4, options, team);
}

void require_same(const std::vector<std::vector<float>>& found,
                  const std::vector<std::vector<float>>& expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t row = 0; row < found.size(); ++row) {
    for (size_t i = 0; i < found[row].size(); ++i) {
      REQUIRE(found[row][i] == Approx(expected[row][i]).margin(2e-4));
    }
  }
}

void require_same(const Results& found, const Results& expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    INFO("source " << i);
    REQUIRE(found[i].size() == expected[i].size());
    for (size_t rank = 0; rank < found[i].size(); ++rank) {
      REQUIRE(found[i][rank].tokens == expected[i][rank].tokens);
      REQUIRE(found[i][rank].score == Approx(expected[i][rank].score).margin(2e-4));
      REQUIRE(found[i][rank].log_probability ==
              Approx(expected[i][rank].log_probability).margin(2e-4));
      require_same({found[i][rank].token_log_probabilities},
                   {expected[i][rank].token_log_probabilities});
      require_same(found[i][rank].attention, expected[i][rank].attention);
    }
  }
}

}  // namespace

TEST_CASE("Fast search finds what plain search finds, of every kind of model", "[decode][fused]") {
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const int64_t layers : {1, 2}) {
      for (const bool input_feeding : {true, false}) {
        const auto model = odd_model(cell, layers, input_feeding);
        for (const int64_t beam_size : {1, 2, 5}) {
          INFO("cell " << static_cast<int>(cell) << "  layers " << layers << "  feeding "
                       << input_feeding << "  beam " << beam_size);
          SearchOptions options;
          options.beam_size = beam_size;
          options.n_best = (beam_size + 1) / 2;
          options.attention = true;
          require_same(fused(model, options, 1), plain(model, options));
        }
      }
    }
  }
}

TEST_CASE("Fast search finds what plain search finds, with every attention", "[decode][fused]") {
  for_each_attention([](const Seq2Seq& model) {
    for (const int64_t beam_size : {1, 4}) {
      SearchOptions options;
      options.beam_size = beam_size;
      options.n_best = beam_size;
      options.attention = true;
      require_same(fused(model, options, 2), plain(model, options));
    }
  });
}

TEST_CASE("Fast search finds what plain search finds, with every first state of the decoder",
          "[decode][fused]") {
  for (const auto init : {DecoderInit::kBridge, DecoderInit::kMean, DecoderInit::kZero}) {
    for (const auto cell : {Cell::kGru, Cell::kLstm}) {
      INFO(choice_name(init) << (cell == Cell::kLstm ? ", LSTM, summed directions" : ""));
      auto options = odd_options();
      options.decoder_init = init;
      options.cell = cell;
      options.num_layers = 2;
      if (cell == Cell::kLstm) options.encoder_output = EncoderOutput::kSummed;
      options.layer_norm = true;
      const auto model = odd_model(options);
      SearchOptions search;
      search.beam_size = search.n_best = 4;
      // Longer translations repeat one token but for another somewhere, and rounding decides where.
      search.max_length = 12;
      require_same(fused(model, search, 2), plain(model, search));
    }
  }
}

namespace {

/// Residual recurrent models of both cells and kinds of encoder output, and a language model.
std::vector<Seq2Seq> residual_models() {
  std::vector<Seq2Seq> models;
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const auto output : {EncoderOutput::kConcatenated, EncoderOutput::kSummed}) {
      auto options = odd_options();
      options.residual = true;
      options.cell = cell;
      options.num_layers = output == EncoderOutput::kSummed ? 2 : 3;
      options.encoder_output = output;
      options.layer_norm = output == EncoderOutput::kSummed;
      if (cell == Cell::kLstm) options.decoder_init = DecoderInit::kMean;
      models.push_back(odd_model(options));
    }
  }
  auto options = models.front()->options();
  options.architecture = Architecture::kLanguageModel;
  models.push_back(odd_model(options));
  return models;
}

}  // namespace

TEST_CASE("Fast search finds what plain search finds, with residual connections",
          "[decode][fused]") {
  for (const auto& model : residual_models()) {
    for (const int64_t beam_size : {1, 4}) {
      INFO(choice_name(model->options().architecture)
           << ", " << choice_name(model->options().cell) << ", "
           << choice_name(model->options().encoder_output) << ", beam " << beam_size);
      SearchOptions search;
      search.beam_size = search.n_best = beam_size;
      search.max_length = 40;
      require_same(fused(model, search, 2), plain(model, search));
    }
  }
}

namespace {

/// Translators and language models with normalized cells of both kinds.
std::vector<Seq2Seq> normalised_models() {
  std::vector<Seq2Seq> models;
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const bool input_feeding : {true, false}) {
      auto options = odd_options();
      options.cell_layer_norm = true;
      options.cell = cell;
      options.num_layers = input_feeding ? 2 : 1;
      options.input_feeding = input_feeding;
      if (input_feeding) options.encoder_output = EncoderOutput::kSummed;
      models.push_back(odd_model(options));
    }
    auto options = models.back()->options();
    options.num_layers = 2;
    options.architecture = Architecture::kLanguageModel;
    models.push_back(odd_model(options));
  }
  return models;
}

}  // namespace

TEST_CASE("Fast search finds what plain search finds, with normalized cells", "[decode][fused]") {
  for (const auto& model : normalised_models()) {
    for (const int64_t beam_size : {1, 4}) {
      INFO(choice_name(model->options().architecture)
           << ", " << choice_name(model->options().cell) << ", feeding "
           << model->options().input_feeding << ", beam " << beam_size);
      SearchOptions search;
      search.beam_size = search.n_best = beam_size;
      search.max_length = 40;
      search.attention = true;
      require_same(fused(model, search, 2), plain(model, search));
    }
  }
}

namespace {

/// Models whose decoder has fewer or more layers than the encoder.
std::vector<Seq2Seq> uneven_models() {
  std::vector<Seq2Seq> models;
  for (const auto& [encoder_layers, decoder_layers] :
       {std::pair<int64_t, int64_t>{1, 3}, {3, 1}, {2, 3}}) {
    for (const auto init : {DecoderInit::kFinal, DecoderInit::kBridge, DecoderInit::kMean}) {
      auto options = odd_options();
      options.cell = init == DecoderInit::kFinal ? Cell::kLstm : Cell::kGru;
      options.num_layers = encoder_layers;
      options.decoder_layers = decoder_layers;
      options.decoder_init = init;
      models.push_back(odd_model(options));
    }
    auto options = odd_options();
    options.architecture = Architecture::kTransformer;
    options.embedding_size = options.hidden_size;
    options.num_layers = encoder_layers;
    options.decoder_layers = decoder_layers;
    models.push_back(odd_model(options));
  }
  return models;
}

}  // namespace

TEST_CASE("Fast search finds what plain search finds, with other layers in the decoder",
          "[decode][fused]") {
  for (const auto& model : uneven_models()) {
    for (const int64_t beam_size : {1, 4}) {
      INFO(choice_name(model->options().architecture)
           << ", " << model->options().num_layers << " and " << model->options().decoder_layers
           << ", " << choice_name(model->options().decoder_init) << ", beam " << beam_size);
      SearchOptions search;
      search.beam_size = search.n_best = beam_size;
      search.max_length = 40;
      search.attention = true;
      require_same(fused(model, search, 2), plain(model, search));
    }
  }
}

TEST_CASE("Fast search finds what plain search finds, of every Transformer", "[decode][fused]") {
  for (const auto tied : {TiedEmbeddings::kNone, TiedEmbeddings::kTarget, TiedEmbeddings::kAll}) {
    for (const bool pre_norm : {true, false}) {
      const auto model = odd_transformer(pre_norm ? 3 : 1, pre_norm, tied);
      for (const int64_t beam_size : {1, 2, 5}) {
        INFO("tied " << static_cast<int>(tied) << "  pre-norm " << pre_norm << "  beam "
                     << beam_size);
        SearchOptions options;
        options.beam_size = beam_size;
        options.n_best = (beam_size + 1) / 2;
        options.attention = true;
        options.max_length = 40;
        const auto expected = plain(model, options);
        for (const int threads : {1, 3}) require_same(fused(model, options, threads), expected);
      }
    }
  }
}

TEST_CASE("Fused and plain scores agree of sources longer than location attention sees",
          "[decode][fused]") {
  auto options = odd_options();
  options.attention = &location_attention();
  auto model = odd_model(options);
  std::vector<std::vector<int32_t>> sources = {{}, {5, 6}};
  for (int32_t i = 0; i < kLocationPositions + 9; ++i) sources[0].push_back(4 + i % 27);
  const std::vector<std::vector<int32_t>> targets = {{5, 6, 7}, {8}};
  const auto expected = score_batch(model, make_batch(sources, targets));
  ThreadTeam alone(1);
  const auto found =
      fused_scores(*inference_model_of(model, WeightType::kFloat32), sources, targets, 4, alone);
  for (size_t i = 0; i < 2; ++i) REQUIRE(found[i] == Approx(expected[i]).epsilon(1e-5));
}

TEST_CASE("Fused and plain scores of given targets agree, of every kind of model",
          "[decode][fused]") {
  auto sources = odd_sources();
  sources[3] = {5};  // no empty one
  auto targets = odd_sources();
  std::rotate(targets.begin(), targets.begin() + 4, targets.end());
  for (auto& target : targets) {
    for (auto& token : target) token = 4 + token % 25;
  }
  const auto check = [&](Seq2Seq model) {
    const auto expected = score_batch(model, make_batch(sources, targets));
    const auto inference = inference_model_of(model, WeightType::kFloat32);
    ThreadTeam alone(1);
    const auto found = fused_scores(*inference, sources, targets, 64, alone);
    for (size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(found[i] == Approx(expected[i]).epsilon(1e-5).margin(1e-4));
    }
    ThreadTeam team(3);
    REQUIRE(fused_scores(*inference, sources, targets, 2, team) == found);
    const auto rounded =
        fused_scores(*inference_model_of(model, WeightType::kInt8), sources, targets, 4, team);
    REQUIRE(rounded != found);
    for (size_t i = 0; i < found.size(); ++i) {
      REQUIRE(rounded[i] == Approx(found[i]).epsilon(0.05).margin(0.1));
    }
  };
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const bool input_feeding : {true, false}) check(odd_model(cell, 2, input_feeding));
  }
  for (const bool pre_norm : {true, false}) check(odd_transformer(2, pre_norm));
  for_each_attention(check);
  for (const auto& model : residual_models()) check(model);
  for (const auto& model : normalised_models()) check(model);
  for (const auto& model : uneven_models()) check(model);
}

TEST_CASE("Fast search and scores leave the calling thread its OpenMP threads", "[decode][fused]") {
  const int before = at::get_num_threads();
  at::set_num_threads(3);
  const auto model = odd_model(Cell::kGru, 1, true);
  fused(model, SearchOptions(), 2);
  REQUIRE(at::get_num_threads() == 3);
  ThreadTeam team(2);
  fused_scores(*inference_model_of(model, WeightType::kFloat32), {{5, 6}}, {{7}}, 4, team);
  REQUIRE(at::get_num_threads() == 3);
  at::set_num_threads(before);
}

TEST_CASE("Fused and plain sampling draw the same, with any batch and number of threads",
          "[decode][fused]") {
  const auto model = odd_model(Cell::kLstm, 2, true);
  const auto inference = inference_model_of(model, WeightType::kFloat32);
  for (const SamplingOptions& sampling : {SamplingOptions{},
                                          {0.5, 0, 1.0, 7},
                                          {1.3, 4, 1.0, 1},
                                          {1.0, 0, 0.6, 2},
                                          {2.0, 9, 0.9, 3}}) {
    for (const int64_t samples : {1, 4}) {
      INFO("temperature " << sampling.temperature << ", " << samples << " samples");
      SearchOptions options;
      options.sampling = sampling;
      options.n_best = samples;
      options.attention = true;
      options.min_length = 2;
      options.max_length = 15;
      const auto expected = plain(model, options);
      for (const int threads : {1, 3}) {
        ThreadTeam team(threads);
        for (const int64_t batch_size : {1, 5}) {
          require_same(fused_search(*inference, odd_sources(), batch_size, options, team),
                       expected);
        }
      }
    }
  }
}

TEST_CASE("Samples of a sentence differ, and are others with another seed", "[decode][fused]") {
  const auto model = odd_model(Cell::kGru, 1, true);
  SearchOptions options;
  options.sampling.emplace();
  options.n_best = 20;
  options.max_length = 8;
  const auto tokens = [&] {
    std::set<std::vector<int32_t>> different;
    const auto found = fused(model, options, 1);
    for (const auto& sample : found[5]) different.insert(sample.tokens);
    return different;
  };
  const auto first = tokens();
  REQUIRE(first.size() > 15);
  options.sampling->seed = 2;
  REQUIRE(tokens() != first);
}

TEST_CASE("Greedy search without scores finds the same tokens", "[decode][fused]") {
  for (const auto type : {WeightType::kFloat32, WeightType::kInt8}) {
    for (const auto& [least, most] : {std::pair<int64_t, int64_t>{0, 512}, {4, 9}, {6, 6}}) {
      for (const auto& model : one_of_each_architecture()) {
        SearchOptions options;
        options.beam_size = 1;
        options.attention = true;
        options.min_length = least;
        options.max_length = most;
        options.suppressed_tokens.push_back(11);
        const auto expected = fused(model, options, 1, type);
        options.scores = false;
        for (const int threads : {1, 3}) {
          const auto found = fused(model, options, threads, type);
          for (size_t i = 0; i < found.size(); ++i) {
            REQUIRE(found[i].front().tokens == expected[i].front().tokens);
            require_same(found[i].front().attention, expected[i].front().attention);
            REQUIRE(found[i].front().score == 0.0);
          }
        }
      }
    }
  }
}

TEST_CASE("Fast search follows all options, with any number of threads", "[decode][fused]") {
  for (const auto& model : one_of_each_architecture()) {
    for (const bool mean : {false, true}) {
      for (const double penalty : {0.0, 0.7}) {
        SearchOptions options;
        options.beam_size = 4;
        options.n_best = 4;
        options.mean_normalization = mean;
        options.length_penalty = penalty;
        options.max_length = 6;
        options.min_length = 3;
        options.suppressed_tokens.push_back(11);
        const auto expected = plain(model, options);
        for (const int threads : {1, 2, 5, 20})
          require_same(fused(model, options, threads), expected);
      }
    }
  }
}

TEST_CASE("Translations keep to the least and the greatest length", "[decode][fused]") {
  for (const auto& model : one_of_each_architecture()) {
    for (const int64_t beam_size : {1, 4}) {
      SearchOptions options;
      options.beam_size = beam_size;
      options.min_length = 5;
      options.max_length = 5;
      const auto found = fused(model, options, 2);
      for (size_t i = 0; i < found.size(); ++i) {
        REQUIRE(found[i].front().tokens.size() == (odd_sources()[i].empty() ? 0 : 5));
      }
      require_same(found, plain(model, options));
    }
  }
}

TEST_CASE("Fast and plain search agree on everything that constraint_list a translation",
          "[decode][fused]") {
  TokenJoints joints;
  for (int token = 0; token < 29; ++token) {
    joints.continue_word.push_back(token > kEosId && token % 3 == 0);
    joints.end_in_word.push_back(token > kEosId && token % 2 == 0);
    joints.end_sentence.push_back(token > kEosId && token % 5 == 0);
  }
  for (const auto& model : one_of_each_architecture()) {
    ConstraintList constraint_list(odd_sources().size());
    for (size_t i = 0; i < constraint_list.size(); ++i) {
      const auto token = static_cast<int32_t>(4 + i);
      if (i % 3 != 0) constraint_list[i].prefix = {token, 20, token};
      if (i % 2 != 0) constraint_list[i].phrases = {{9, 10}, {token, 7, 8}};
      if (i % 8 < 4) constraint_list[i].joints = &joints;
      if (i % 4 != 3)
        constraint_list[i].partial_word.pieces = {{{6, 1}, {11, 2}, {12, 3}}, {{7, 3}}, {{13, 3}}};
    }
    for (const int64_t beam_size : {1, 6}) {
      for (const bool grouped : {false, true}) {
        SearchOptions options;
        options.beam_size = beam_size;
        options.n_best = beam_size;
        options.attention = true;
        options.max_length = 12;
        options.no_repeat_ngram = 2;
        options.coverage_penalty = 0.2;
        options.diverse_groups = grouped ? (beam_size + 1) / 2 : 1;
        const auto& asked = grouped ? ConstraintList() : constraint_list;
        const auto expected = plain(model, options, asked);
        for (const int threads : {1, 3}) {
          ThreadTeam team(threads);
          require_same(fused_search(*inference_model_of(model, WeightType::kFloat32), odd_sources(),
                                    4, options, team, asked),
                       expected);
        }
      }
    }
  }
}

TEST_CASE("Who watches is told the likeliest open hypothesis of every step", "[decode][fused]") {
  const auto model = odd_model(Cell::kGru, 1, true);
  for (const bool scores : {false, true}) {
    SearchOptions options;
    options.beam_size = 1;
    options.scores = scores;
    options.max_length = 9;
    std::vector<std::vector<int32_t>> told;
    options.watch = [&](const std::vector<int32_t>& so_far) { told.push_back(so_far); };
    ThreadTeam team(1);
    const auto found = fused_search(*inference_model_of(model, WeightType::kFloat32),
                                    {odd_sources().front()}, 4, options, team);
    const auto& tokens = found.front().front().tokens;
    REQUIRE_FALSE(tokens.empty());
    REQUIRE(told.size() == tokens.size());
    for (size_t i = 0; i < told.size(); ++i) {
      REQUIRE(told[i].size() == i + 1);
      REQUIRE(std::equal(told[i].begin(), told[i].end(), tokens.begin()));
    }
  }
}

TEST_CASE("A beam that has to begin as its best did finds the same again", "[decode][fused]") {
  for (const auto& model : one_of_each_architecture()) {
    SearchOptions options;
    options.max_length = 14;
    const auto free = fused(model, options, 1);
    ConstraintList constraint_list;
    for (const auto& hypotheses : free) {
      const auto& tokens = hypotheses.front().tokens;
      constraint_list.push_back(
          {{tokens.begin(), tokens.begin() + static_cast<int64_t>(tokens.size() / 2)}, {}});
    }
    ThreadTeam team(2);
    const auto found = fused_search(*inference_model_of(model, WeightType::kFloat32), odd_sources(),
                                    4, options, team, constraint_list);
    for (size_t i = 0; i < free.size(); ++i) {
      REQUIRE(found[i].front().score >= Approx(free[i].front().score));
      REQUIRE(std::equal(constraint_list[i].prefix.begin(), constraint_list[i].prefix.end(),
                         found[i].front().tokens.begin()));
    }
    require_same(found, plain(model, options, constraint_list));
  }
}

TEST_CASE("A beam wider than the vocabulary is no trouble", "[decode][fused]") {
  const auto model = odd_model(Cell::kGru, 1, true);
  SearchOptions options;
  options.beam_size = 40;
  options.n_best = 3;
  options.max_length = 3;
  require_same(fused(model, options, 2), plain(model, options));
}

TEST_CASE("8-bit weights find mostly the same", "[decode][fused]") {
  const auto model = odd_model(Cell::kGru, 1, true);
  SearchOptions options;
  options.beam_size = 3;
  const auto expected = plain(model, options);
  const auto found = fused(model, options, 2, WeightType::kInt8);
  size_t same = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].front().tokens == expected[i].front().tokens) ++same;
  }
  REQUIRE(same >= 9);  // of 13
}

namespace {

Seq2Seq odd_language_model(Cell cell, int64_t layers, int64_t vocabulary_size = 29) {
  auto options = odd_options();
  options.architecture = Architecture::kLanguageModel;
  options.cell = cell;
  options.num_layers = layers;
  options.target_vocabulary_size = vocabulary_size;
  return odd_model(options);
}

/// Networks, weights and a language model for both engines.
struct Mixture {
  std::vector<Seq2Seq> networks;
  std::vector<double> weights;
  Seq2Seq language_model{nullptr};
  double language_model_weight = 0.0;

  Results plain(const SearchOptions& options, const ConstraintList& constraint_list = {}) const {
    std::vector<std::unique_ptr<Stepper>> members;
    for (const auto& network : networks) members.push_back(std::make_unique<ModelStepper>(network));
    if (language_model) members.push_back(std::make_unique<ModelStepper>(language_model));
    EnsembleStepper stepper(std::move(members), weights, language_model_weight);
    return search_all(stepper, odd_sources(), 5, options, constraint_list);
  }

  Results fused(const SearchOptions& options, int threads,
                const ConstraintList& constraint_list = {},
                WeightType type = WeightType::kFloat32) const {
    const FusedMixture mixture(*this, type);
    ThreadTeam team(threads);
    return fused_search(mixture.ensemble, odd_sources(), 4, options, team, constraint_list);
  }

  /// Owns what the ensemble points to.
  struct FusedMixture {
    FusedMixture(const Mixture& mixture, WeightType type) {
      ensemble.members.clear();
      ensemble.weights = mixture.weights;
      ensemble.language_model_weight = mixture.language_model_weight;
      for (const auto& network : mixture.networks) {
        models.push_back(inference_model_of(network, type));
        ensemble.members.push_back(models.back().get());
      }
      if (mixture.language_model.is_empty()) return;
      models.push_back(inference_model_of(mixture.language_model, type));
      ensemble.language_model = models.back().get();
    }

    std::vector<std::unique_ptr<InferenceModel>> models;
    ModelEnsemble ensemble;
  };
};

/// Two blocks of tokens.
Mixture wide_mixture() {
  auto options = odd_options();
  options.target_vocabulary_size = 1100;
  auto first = odd_model(options);
  options.cell = Cell::kLstm;
  options.attention = &none_attention();
  return {{first, odd_model(options)}, {0.3, 0.7}, odd_language_model(Cell::kGru, 1, 1100), 0.4};
}

}  // namespace

TEST_CASE("Fused and plain ensembles and shallow fusion find the same", "[decode][fused]") {
  const auto recurrent = odd_model(Cell::kGru, 2, true);
  const auto transformer = odd_transformer(1, true);
  const auto language_model = odd_language_model(Cell::kLstm, 2);
  auto copying = odd_options();
  copying.copy = true;
  copying.source_vocabulary_size = copying.target_vocabulary_size = 31;
  const auto first_copies = odd_model(copying);
  copying.cell = Cell::kLstm;
  const auto second_copies = odd_model(copying);
  for (const auto& mixture : {Mixture{{recurrent, transformer}, {0.5, 0.5}},
                              {{first_copies, second_copies}, {0.4, 0.6}},
                              {{first_copies}, {1.0}, odd_language_model(Cell::kGru, 1, 31), 0.3},
                              {{recurrent, transformer}, {0.9, 0.1}},
                              {{recurrent}, {1.0}, language_model, 0.3},
                              {{transformer, recurrent}, {0.25, 0.75}, language_model, 1.5},
                              wide_mixture()}) {
    for (const int64_t beam_size : {1, 4}) {
      SearchOptions options;
      options.beam_size = beam_size;
      options.n_best = beam_size;
      options.attention = true;
      options.max_length = 20;
      const auto expected = mixture.plain(options);
      require_same(mixture.fused(options, 1), expected);
      require_same(mixture.fused(options, 3), expected);
    }
    SearchOptions greedy;
    greedy.beam_size = 1;
    greedy.max_length = 20;
    const auto scored = mixture.fused(greedy, 1);
    greedy.scores = false;
    const auto found = mixture.fused(greedy, 1);
    for (size_t i = 0; i < found.size(); ++i) {
      REQUIRE(found[i].front().tokens == scored[i].front().tokens);
    }
    SearchOptions samples;
    samples.sampling = {1.2, 0, 0.95, 5};
    samples.n_best = 3;
    samples.max_length = 12;
    require_same(mixture.fused(samples, 2), mixture.plain(samples));
  }
}

TEST_CASE("Fused and plain ensembles give translations the same probability", "[decode][fused]") {
  Mixture mixture{
      {odd_model(Cell::kGru, 2, true), odd_transformer(1, true), odd_model(Cell::kLstm, 1, true)},
      {0.2, 0.5, 0.3}};
  auto sources = odd_sources();
  sources[3] = {5};  // no empty one
  auto targets = sources;
  std::rotate(targets.begin(), targets.begin() + 4, targets.end());
  for (auto& target : targets) {
    for (auto& token : target) token = 4 + token % 25;
  }
  const auto expected =
      score_batch(mixture.networks, mixture.weights, make_batch(sources, targets));
  const Mixture::FusedMixture fused(mixture, WeightType::kFloat32);
  ThreadTeam team(2);
  const auto found = fused_scores(fused.ensemble, sources, targets, 4, team);
  for (size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(found[i] == Approx(expected[i]).epsilon(1e-5).margin(1e-4));
  }
}

TEST_CASE("Fused and plain ensembles keep to the same constraints", "[decode][fused]") {
  const auto mixture = wide_mixture();
  ConstraintList constraint_list(odd_sources().size());
  for (size_t i = 0; i < constraint_list.size(); ++i) {
    const auto token = static_cast<int32_t>(1020 + i);
    if (i % 3 != 0) constraint_list[i].prefix = {token, 20, token};
    if (i % 2 != 0) constraint_list[i].phrases = {{9, 1050}, {token, 7}};
  }
  SearchOptions options;
  options.beam_size = 5;
  options.n_best = 2;
  options.max_length = 12;
  options.no_repeat_ngram = 2;
  options.coverage_penalty = 0.2;
  require_same(mixture.fused(options, 2, constraint_list), mixture.plain(options, constraint_list));
}

TEST_CASE("An ensemble with 8-bit weights finds mostly the same", "[decode][fused]") {
  const Mixture mixture{{odd_model(Cell::kGru, 1, true), odd_model(Cell::kLstm, 1, true)},
                        {0.6, 0.4},
                        odd_language_model(Cell::kGru, 1),
                        0.3};
  SearchOptions options;
  options.beam_size = 3;
  const auto expected = mixture.plain(options);
  const auto found = mixture.fused(options, 2, {}, WeightType::kInt8);
  size_t same = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].front().tokens == expected[i].front().tokens) ++same;
  }
  REQUIRE(same >= 9);  // of 13
}

TEST_CASE("Fused and plain language models give texts the same probability", "[decode][fused]") {
  auto texts = odd_sources();
  for (auto& text : texts) {
    for (auto& token : text) token = 4 + token % 25;
  }
  const std::vector<std::vector<int32_t>> sources(texts.size(), {kEosId});
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const int64_t layers : {1, 3}) {
      auto model = odd_language_model(cell, layers);
      const auto expected = score_batch(model, make_batch(sources, texts));
      ThreadTeam team(2);
      const auto found =
          fused_scores(*inference_model_of(model, WeightType::kFloat32), sources, texts, 4, team);
      for (size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(found[i] == Approx(expected[i]).epsilon(1e-5).margin(1e-5));
      }
    }
  }
}

TEST_CASE("A search that stops early finds what a search to the length limit finds",
          "[decode][fused]") {
  // Without n-best lists that are certain, a beam is heard until as many hypotheses have ended.
  for (const bool mean : {false, true}) {
    for (const double penalty : {0.0, 1.0}) {
      const auto model = odd_model(Cell::kGru, 1, true);
      SearchOptions options;
      options.beam_size = 6;
      options.max_length = 25;
      options.mean_normalization = mean;
      options.length_penalty = penalty;
      options.coverage_penalty = 0.1;
      const auto early = fused(model, options, 1);
      options.n_best = options.beam_size;  // all of them have to end
      const auto late = fused(model, options, 1);
      for (size_t i = 0; i < early.size(); ++i) {
        REQUIRE(early[i].front().tokens == late[i].front().tokens);
        REQUIRE(early[i].front().score == late[i].front().score);
      }
    }
  }
}

namespace {

/// Three translations for each source token, of a target vocabulary of 29, or all tokens.
LexicalShortlist odd_shortlist(bool all = false, int32_t vocabulary_size = 29) {
  LexicalShortlist shortlist;
  shortlist.target_vocabulary_size = vocabulary_size;
  for (int32_t source = 0; source < 31; ++source) {
    for (const int32_t step : {1, 7, 12}) {
      shortlist.tokens.push_back(4 + (source * step * 41 + step) % (vocabulary_size - 4));
    }
    shortlist.ends.push_back(3 * (source + 1));
  }
  shortlist.frequent = {9, 11, vocabulary_size - 1};
  if (all) {
    shortlist.frequent.resize(static_cast<size_t>(vocabulary_size));
    std::iota(shortlist.frequent.begin(), shortlist.frequent.end(), 0);
  }
  return shortlist;
}

std::vector<SearchOptions> searches_of_every_kind(const LexicalShortlist& shortlist) {
  std::vector<SearchOptions> all(4);
  all[0].beam_size = 1;
  all[1].n_best = 3;
  all[1].no_repeat_ngram = 2;
  all[2].beam_size = 8;
  all[2].n_best = 4;
  all[3].sampling = {1.2, 0, 0.95, 5};
  all[3].n_best = 6;
  for (auto& options : all) {
    options.max_length = 15;
    options.attention = true;
    options.shortlist = &shortlist;
  }
  return all;
}

}  // namespace

TEST_CASE("Fused and plain search with a shortlist find the same, of its candidates alone",
          "[decode][fused]") {
  for (const int32_t vocabulary_size : {29, 1100}) {
    auto mixture = wide_mixture();
    if (vocabulary_size == 29) {
      mixture = {{odd_model(Cell::kGru, 2, true), odd_transformer(2, true)},
                 {0.3, 0.7},
                 odd_language_model(Cell::kLstm, 1),
                 0.5};
    }
    const auto shortlist = odd_shortlist(/*all=*/false, vocabulary_size);
    for (const auto& options : searches_of_every_kind(shortlist)) {
      for (const auto& network : mixture.networks) {
        const auto expected = plain(network, options);
        const auto found = fused(network, options, 1);
        require_same(found, expected);
        require_same(fused(network, options, 3), expected);
        for (size_t i = 0; i < found.size(); ++i) {
          const auto candidates = shortlist.candidates(odd_sources()[i], {});
          for (const int32_t token : found[i].front().tokens) {
            REQUIRE(std::binary_search(candidates.begin(), candidates.end(), token));
          }
        }
      }
      require_same(mixture.fused(options, 2), mixture.plain(options));
    }
  }
}

TEST_CASE("A shortlist leaves what constraints ask for", "[decode][fused]") {
  const auto shortlist = odd_shortlist();
  ConstraintList constraint_list(odd_sources().size());
  for (size_t i = 0; i < constraint_list.size(); ++i) {
    const auto token = static_cast<int32_t>(4 + i);
    if (i % 3 != 0) constraint_list[i].prefix = {token, 20, token};
    if (i % 2 != 0) constraint_list[i].phrases = {{9, 10}, {token, 7, 8}};
    if (i % 4 != 3)
      constraint_list[i].partial_word.pieces = {{{6, 1}, {12, 3}}, {{7, 3}}, {{13, 3}}};
  }
  SearchOptions options;
  options.max_length = 14;
  options.shortlist = &shortlist;
  const auto model = odd_model(Cell::kGru, 1, true);
  ThreadTeam team(2);
  const auto found = fused_search(*inference_model_of(model, WeightType::kFloat32), odd_sources(),
                                  4, options, team, constraint_list);
  require_same(found, plain(model, options, constraint_list));
}

TEST_CASE("A shortlist of all tokens changes nothing, whatever the weights and the batch",
          "[decode][fused]") {
  const auto shortlist = odd_shortlist(/*all=*/true);
  for (const auto type : {WeightType::kFloat32, WeightType::kInt8}) {
    for (const auto& model : one_of_each_architecture()) {
      const auto inference = inference_model_of(model, type);
      for (auto options : searches_of_every_kind(shortlist)) {
        for (const bool scores : {true, false}) {
          options.scores = scores;
          ThreadTeam team(2);
          const auto short_found = fused_search(*inference, odd_sources(), 1, options, team);
          options.shortlist = nullptr;
          require_same(fused_search(*inference, odd_sources(), 5, options, team), short_found);
          options.shortlist = &shortlist;
          REQUIRE(fused_search(*inference, odd_sources(), 7, options, team)[5].front().tokens ==
                  short_found[5].front().tokens);
        }
      }
    }
  }
}

}  // namespace nmt
