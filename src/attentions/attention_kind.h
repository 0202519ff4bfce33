#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attentions/step.h"

namespace nmt {

class AttentionWalk;

/// A matrix [rows, size] that an attention learns, without a bias. Call those of the source states
/// "key" and "value": the estimate of training time counts them once per source token, and all
/// others once per target token.
struct LearnedMatrix {
  const char* name = "";
  int64_t rows = 0;  // 0: size

  /// The score is h_srcᵀ W h_t, without a scale factor. One step of Adam moves every element of W
  /// by about the learning rate, and therefore a score by a sum of size² such terms, while in other
  /// layers the sum has `size` terms.
  bool bilinear = false;
};

/// Factor of the initial values U(−1/√size, 1/√size) of a matrix, and of its learning rate with
/// every optimizer but sgd: 1/√size if the matrix is bilinear, else 1. Then √size · W learns like
/// any other matrix, and the 1/√size of scaled dot-product attention (Vaswani et al. 2017, section
/// 3.2.1) is part of the parameter instead of the equation.
double learning_scale(const LearnedMatrix& matrix, int64_t size);

/// Description of an attention of the recurrent model, without LibTorch. nn/attentions/NAME.cpp
/// holds it and the LibTorch module (nn/attention.h). Settings refer to a kind by its address.
struct AttentionKind {
  const char* name;     // in settings and files
  const char* summary;  // one line
  std::vector<LearnedMatrix> matrices;
  bool has_heads = false;  // model.heads of them, which must divide model.hidden_size

  /// TorchScript methods, where @HIDDEN, @HEADS, @WIDTH (of a head) and @TEMPERATURE are filled in;
  /// with model.coverage also @COVERAGE (one more parameter of forward), @COVER and @UNCOVER (lines
  /// before and after the scores), which are empty without it: see scored_torchscript. The memory
  /// of states [B, S, H] is the keys and values side by side, or the states alone if they serve as
  /// both.
  ///
  ///   prepare(states [B, S, H]) -> memory [B, S, M]
  ///   forward(queries [B, Q, H], memory, mask [B, 1, S]) -> context [B, Q, H], weights [B, Q, S]
  std::string torchscript;

  const char* equation;          // of the weights
  Text about;                    // one paragraph
  void (*walk)(AttentionWalk&);  // explains it step by step

  bool takes_coverage = false;  // model.coverage; the module is a ScoredAttention

  /// The mask of a query depends on its step t, counted from 1. The TorchScript then has one more
  /// method, which makes the mask from the padding and t:
  ///
  ///   window(mask [B, 1, S], steps [B, Q, 1]) -> mask [B, Q, S]
  bool uses_step = false;

  bool is_softmax = true;  // the weights of a query are a softmax of scores, and sum to 1
  Text weights_note = {};  // unless is_softmax: why the sum is not 1, a sentence for `nmt explain`
};

// Every attention. To add one, write nn/attentions/NAME.cpp, fused/attentions/NAME.cpp and its line
// here.
#define NMT_ATTENTIONS(ATTENTION) \
  ATTENTION(none)                 \
  ATTENTION(dot)                  \
  ATTENTION(general)              \
  ATTENTION(additive)             \
  ATTENTION(scaled_dot)           \
  ATTENTION(multi_head)           \
  ATTENTION(location)             \
  ATTENTION(local_m)              \
  ATTENTION(local_p)

// Defined in nn/attentions/NAME.cpp.
#define NMT_DECLARE_KIND(name) const AttentionKind& name##_attention();
NMT_ATTENTIONS(NMT_DECLARE_KIND)
#undef NMT_DECLARE_KIND

/// Rows of W_a of location attention: the number of leading source tokens that it can attend to.
constexpr int64_t kLocationPositions = 256;

/// D of local attention: a query sees the tokens at most D from its position p_t.
/// 10 in Luong, Pham and Manning 2015, section 4.1.
constexpr int kLocalHalfWidth = 10;

/// σ = D / 2 of the Gaussian around p_t (section 3.2).
constexpr double kLocalDeviation = kLocalHalfWidth / 2.0;

/// Guided alignment (nn/loss.h) has no gradient for attention weights a below this value: −A / a
/// might overflow.
constexpr float kMinGuidedAttention = 1e-12F;

/// All kinds: those of NMT_ATTENTIONS, in its order, then those registered.
const std::vector<const AttentionKind*>& attention_kinds();

/// Adds a kind from outside this project; `kind` must outlive all its users. Call before settings
/// are read and before any thread starts. Its module: register_attention_module().
void register_attention(const AttentionKind& kind);

/// AttentionKind::torchscript of a kind with one head: `memory` made from `states`, and `scores`
/// from `queries` and `keys`, are TorchScript expressions.
std::string scored_torchscript(const std::string& memory, const std::string& scores);

}  // namespace nmt
