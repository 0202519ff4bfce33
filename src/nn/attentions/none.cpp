#include "nn/attention.h"

namespace nmt {
namespace {

/// None: the decoder has of the source what its first state holds (Sutskever, Vinyals and Le 2014).
class NoAttention : public AttentionImpl {
 public:
  using AttentionImpl::AttentionImpl;

  AttentionOutput forward(const torch::Tensor&, const AttentionMemory&) override { return {}; }
};

}  // namespace

std::shared_ptr<AttentionImpl> make_none_attention(const AttentionOptions& options) {
  return std::make_shared<NoAttention>(options);
}

}  // namespace nmt
