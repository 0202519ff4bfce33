#include "decode/fused_scoring.h"

#include <algorithm>
#include <memory>

#include "decode/length_order.h"
#include "kernels/matrix_product.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// The scores of one thread.
class ThreadScoring {
 public:
  ThreadScoring(const ModelEnsemble& models, const std::vector<std::vector<int32_t>>& sources,
                const std::vector<std::vector<int32_t>>& targets)
      : sources_(sources), targets_(targets), predictor_(make_token_predictor(models)) {}

  /// Scores the pairs `places[begin, end)`, longest target first, by teacher forcing.
  void run(const std::vector<size_t>& places, size_t begin, size_t end,
           std::vector<double>& scores) {
    std::vector<const std::vector<int32_t>*> sentences;
    for (size_t i = begin; i < end; ++i) sentences.push_back(&sources_[places[i]]);
    const auto memories = predictor_->encode(sentences);
    const auto target = [&](size_t row) -> const auto& { return targets_[places[begin + row]]; };
    size_t open = end - begin;  // the pairs that have a token at this step are the first ones
    for (size_t step = 0; open > 0; ++step) {
      std::vector<DecoderRow> rows(open);
      for (size_t row = 0; row < open; ++row) {
        const bool begins = step == 0;
        rows[row] = {memories[row].get(),
                     begins ? DecoderRow::kBeginning : static_cast<int64_t>(row),
                     begins ? kBosId : target(row)[step - 1]};
      }
      predictor_->step(rows, 1);
      for (size_t row = 0; row < open; ++row) {
        const int32_t token = step < target(row).size() ? target(row)[step] : kEosId;
        const auto at = static_cast<int64_t>(row);
        scores[places[begin + row]] +=
            double{predictor_->logit(at, token)} - double{predictor_->top(at).log_denominator()};
      }
      while (open > 0 && target(open - 1).size() <= step) --open;
    }
  }

 private:
  const std::vector<std::vector<int32_t>>& sources_;
  const std::vector<std::vector<int32_t>>& targets_;
  std::unique_ptr<TokenPredictor> predictor_;
};

}  // namespace

std::vector<double> fused_scores(const ModelEnsemble& models,
                                 const std::vector<std::vector<int32_t>>& sources,
                                 const std::vector<std::vector<int32_t>>& targets,
                                 int64_t batch_size, ThreadTeam& team) {
  std::vector<double> scores(targets.size());
  const auto shares = distribute_round_robin(longest_first(targets), team.size());
  team.run([&](int member) {
    const ProductsAlone products_alone;
    const auto& share = shares[static_cast<size_t>(member)];
    ThreadScoring scoring(models, sources, targets);
    for (size_t begin = 0; begin < share.size(); begin += static_cast<size_t>(batch_size)) {
      const size_t end = std::min(share.size(), begin + static_cast<size_t>(batch_size));
      scoring.run(share, begin, end, scores);
    }
  });
  return scores;
}

}  // namespace nmt
