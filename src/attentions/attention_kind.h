#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attentions/step.h"

namespace nmt {

class AttentionWalk;

/// A matrix [rows, size] that an attention learns, without a bias.
struct LearnedMatrix {
  const char* name = "";
  int64_t rows = 0;  // 0: size

  /// A score is the matrix between two states, h_srcᵀ W h_t, with no factor of its own. One step of
  /// Adam moves every element of W by about the learning rate, and so a score by a sum of size²
  /// such terms, where other layers sum over size.
  bool bilinear = false;
};

/// Factor of the initial values U(−1/√size, 1/√size) of a matrix, and of its learning rate with
/// every optimizer but sgd: 1/√size where it is bilinear. Then √size · W learns as any other matrix
/// does, and the 1/√size of scaled dot-product attention (Vaswani et al. 2017, section 3.2.1) is in
/// the parameter in place of the equation.
double learning_scale(const LearnedMatrix& matrix, int64_t size);

/// An attention of the recurrent model, without LibTorch. Its module is in the same file
/// (nn/attention.h). Settings refer to a kind by its address.
struct AttentionKind {
  const char* name;     // in settings and files
  const char* summary;  // one line
  std::vector<LearnedMatrix> matrices;
  bool has_heads = false;  // model.heads of them, which must divide model.hidden_size

  /// TorchScript methods, where @HIDDEN, @HEADS, @WIDTH (of a head) and @TEMPERATURE are filled in;
  /// with model.coverage also @COVERAGE (one more parameter of forward), @COVER and @UNCOVER (lines
  /// before and after the scores), which are empty without it: see scored_torchscript. The memory
  /// of states [B, S, H] is its keys and values side by side, or the states where they are both.
  ///
  ///   remember(states [B, S, H]) -> memory [B, S, M]
  ///   forward(queries [B, Q, H], memory, mask [B, 1, S]) -> context [B, Q, H], weights [B, Q, S]
  std::string torchscript;

  const char* equation;          // of the weights
  Text about;                    // one paragraph
  void (*walk)(AttentionWalk&);  // explains it step by step

  bool is_softmax = true;  // the weights of a query are a softmax of scores, and sum to 1

  /// What a query sees depends on its step t. The TorchScript then has a further method, which
  /// makes the mask from the padding and t, counted from 1:
  ///
  ///   window(mask [B, 1, S], steps [B, Q, 1]) -> mask [B, Q, S]
  bool uses_step = false;

  bool takes_coverage = false;  // model.coverage; the module is a ScoredAttention
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

/// All kinds, in that order, then those that the program has registered.
const std::vector<const AttentionKind*>& attention_kinds();

/// Adds a kind from outside this project; it must outlive its users. Call it before settings are
/// read and before any thread starts.
void register_attention(const AttentionKind& kind);

/// AttentionKind::torchscript of a kind with one head: `memory` made from `states`, and `scores`
/// from `queries` and `keys`, are TorchScript expressions.
std::string scored_torchscript(const std::string& memory, const std::string& scores);

}  // namespace nmt
