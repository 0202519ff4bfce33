#include "decode/step_tensors.h"

#include <ATen/ATen.h>

#include <limits>

#include "checkpoint/lexical_shortlist.h"
#include "decode/lexical_candidates.h"

namespace nmt {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

}  // namespace

AttentionRows::AttentionRows(const torch::Tensor& attention) {
  if (attention.defined()) attention_ = attention.to(torch::kCPU, torch::kFloat).contiguous();
}

std::vector<float> AttentionRows::row(int64_t index) const {
  if (!attention_.defined()) return {};
  const int64_t width = attention_.size(1);
  const auto* begin = attention_.data_ptr<float>() + index * width;
  return {begin, begin + width};
}

void start_search(Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
                  const SearchOptions& options, const ConstraintList& constraint_list) {
  stepper.start(source, lengths);
  if (options.shortlist == nullptr) return;
  const auto allowed =
      torch::zeros({source.size(0), options.shortlist->target_vocabulary_size}, torch::kBool);
  for (int64_t i = 0; i < source.size(0); ++i) {
    const auto ids =
        source[i].narrow(0, 0, lengths[i].item<int64_t>()).to(torch::kInt).contiguous();
    const std::vector<int32_t> tokens(ids.data_ptr<int32_t>(),
                                      ids.data_ptr<int32_t>() + ids.numel());
    for (const int32_t token : lexical_candidates(
             *options.shortlist, tokens, constraints_of(constraint_list, static_cast<size_t>(i)))) {
      allowed[i][token] = true;
    }
  }
  stepper.restrict_to(allowed);
}

torch::Tensor restrict_tokens(const torch::Tensor& log_probabilities, const SearchOptions& options,
                              const std::vector<Ending>& endings) {
  auto restricted = log_probabilities;
  for (const int64_t token : options.suppressed_tokens) {
    if (token < restricted.size(1)) restricted.select(1, token).fill_(kImpossible);
  }
  const int64_t rows_each = restricted.size(0) / static_cast<int64_t>(endings.size());
  for (size_t sentence = 0; sentence < endings.size(); ++sentence) {
    if (endings[sentence] == Ending::kAllowed) continue;
    const auto rows = restricted.narrow(0, static_cast<int64_t>(sentence) * rows_each, rows_each);
    const auto end = rows.select(1, kEosId).clone();
    if (endings[sentence] == Ending::kForced) rows.fill_(kImpossible);
    rows.select(1, kEosId).copy_(
        endings[sentence] == Ending::kForced ? end : torch::full_like(end, kImpossible));
  }
  return restricted;
}

}  // namespace nmt
