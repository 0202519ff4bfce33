#include "explain/beam.h"

#include <memory>
#include <utility>

#include "errors/error.h"
#include "explain/word_vectors.h"
#include "translate/engine_choice.h"
#include "translate/fused_engine.h"
#include "translate/search_request.h"

namespace nmt {
namespace {

constexpr int64_t kMaxBeamSize = 10;  // more is too wide to read

std::unique_ptr<Engine> make_engine(const StoredModel& model) {
  const EngineModels models{{model}};
  if (uses_plain_engine({}, {model.options})) return make_plain_engine(models, "cpu", 1);
  return make_fused_engine(models, WeightType::kFloat32, 1, 1);
}

/// The node that ends the hypothesis of these tokens.
size_t end_of(const std::vector<int32_t>& tokens, const std::vector<int32_t>& node_tokens,
              const BeamTree& tree) {
  size_t node = 0;
  for (size_t length = 0; length <= tokens.size(); ++length) {
    const int32_t token = length < tokens.size() ? tokens[length] : kEosId;
    for (const size_t next : tree.step(length + 1)) {
      if (tree.nodes[next].parent == node && node_tokens[next] == token) {
        node = next;
        break;
      }
    }
  }
  return node;
}

}  // namespace

std::vector<size_t> BeamTree::step(size_t number) const {
  std::vector<size_t> found;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].step == number) found.push_back(i);
  }
  return found;
}

BeamTree grow_beam_tree(const std::filesystem::path& model_dir, const std::string& sentence,
                        int64_t beam_size, double length_penalty) {
  if (beam_size < 1 || beam_size > kMaxBeamSize) {
    throw UsageError("--beam-size: " + std::to_string(beam_size) + " is out of range; use 1 to " +
                     std::to_string(kMaxBeamSize));
  }
  TranslationOptions options;
  options.beam_size = options.n_best = beam_size;
  options.length_penalty = length_penalty;
  require_valid(options);
  const auto model = read_model(model_dir);
  require_translator(model.options, model_dir);
  const auto ids = tokens_to_explain(model.source, sentence, TargetLanguages(model.source));
  BeamTree tree{sentence, model.source.pieces(ids), beam_size, length_penalty, {{}}, {}};
  std::vector<int32_t> node_tokens = {kBosId};
  std::vector<size_t> open = {0};
  auto search = search_options(options);
  search.observe = [&](const std::vector<ConsideredCandidate>& step) {
    std::vector<size_t> next;
    const size_t length = tree.nodes.back().step + 1;
    for (const auto& candidate : step) {
      if (candidate.fate == Fate::kOpen) next.push_back(tree.nodes.size());
      node_tokens.push_back(candidate.token);
      tree.nodes.push_back({open[static_cast<size_t>(candidate.parent)], length,
                            model.target.piece(candidate.token), candidate.token_log_probability,
                            candidate.log_probability, candidate.score, candidate.fate});
    }
    open = std::move(next);
  };
  const auto found = make_engine(model)->search({ids}, 1, search, {}).front();
  for (const auto& hypothesis : found) {
    tree.ranking.push_back({model.target.decode(hypothesis.tokens),
                            end_of(hypothesis.tokens, node_tokens, tree),
                            hypothesis.log_probability, hypothesis.score});
  }
  return tree;
}

}  // namespace nmt
