#include "train/steps/batch_shares.h"

#include <ATen/ATen.h>

#include "data/batch_share.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

int64_t length_of(const int64_t* tokens, int64_t width) {
  int64_t length = width;
  while (length > 0 && tokens[length - 1] == kPadId) --length;
  return length;
}

}  // namespace

std::vector<TokenPairView> pairs_of_share(const Batch& batch, int64_t share, int64_t shares) {
  const int64_t source_width = batch.source.size(1);
  const int64_t target_width = batch.target_output.size(1);
  std::vector<TokenPairView> pairs;
  for (int64_t row = 0; row < batch.source.size(0); ++row) {
    if (share_of_row(row, shares) != share) continue;
    TokenPairView pair;
    pair.source = batch.source.data_ptr<int64_t>() + row * source_width;
    pair.source_length = batch.source_lengths.data_ptr<int64_t>()[row];
    pair.target_input = batch.target_input.data_ptr<int64_t>() + row * target_width;
    pair.target_output = batch.target_output.data_ptr<int64_t>() + row * target_width;
    pair.target_length = length_of(pair.target_output, target_width);
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace nmt
