#pragma once

#include <cstdint>

namespace nmt {

/// The numbers of a pass. Sums are always float32.
enum class StepDtype { kFloat32, kBfloat16, kFloat16 };

/// A row-major matrix in device memory, in the pass's number type. Null: none.
struct DeviceRows {
  void* data = nullptr;
  int64_t stride = 0;  // from row to row, in numbers
};

/// C = A B, or A Bᵀ, of `batch` matrices: C [rows, columns], A [rows, depth].
struct StepProduct {
  int64_t rows = 0, columns = 0, depth = 0;
  DeviceRows a, b, c;
  bool transpose_b = false;  // B is [columns, depth], else [depth, columns]
  bool accumulate = false;   // C += …
  int64_t batch = 1;
  int64_t batch_a = 0, batch_b = 0, batch_c = 0;  // from matrix to matrix, in numbers
};

/// One step of a GRU in one direction. Rows are sentences, [B, ·].
struct GruForward {
  DeviceRows input;   // [B, 3H]  W_ih x_t (+ b_ih)
  DeviceRows fed;     // [B, 3H]  the part of it that comes from h̃_{t−1}; may be null
  DeviceRows hidden;  // [B, 3H]  W_hh h_{t−1}
  const void* input_bias = nullptr;   // [3H]  b_ih; null: `input` has it
  const void* hidden_bias = nullptr;  // [3H]  b_hh
  DeviceRows previous;                // [B, H]   h_{t−1}
  DeviceRows next;                    // [B, H]   h_t
  DeviceRows output;     // [B, H]   h_t times the mask, 0 after the end of a sentence; may be null
  DeviceRows mask;       // [B, H]   of dropout, scaled; may be null
  DeviceRows gates;      // [B, 4H]  r, z, n, W_hn h_{t−1} + b_hn for GruBackward; may be null
  int64_t position = 0;  // a sentence that has ended here keeps its h
};

struct GruBackward {
  DeviceRows gates, previous, mask;  // as above
  DeviceRows output_gradient;        // [B, H]   of `output`
  DeviceRows carried;                // [B, H]   of h_t, through W_hh of the later step; may be null
  float* direct = nullptr;           // [B, H]   of h_t, from z of the later step; then of h_{t−1}
  DeviceRows input_gradient;         // [B, 3H]  of `input`
  DeviceRows hidden_gradient;        // [B, 3H]  of `hidden`
  int64_t position = 0;
};

/// One or two directions of a step, which run together.
template <typename Direction>
struct GruStep {
  int64_t rows = 0, hidden_size = 0, directions = 1;
  const int64_t* lengths = nullptr;  // [B]; null: no sentence ends
  Direction direction[2];
};

/// Attention of N = B·K queries, K of each sentence (nn/attention.h).
struct AttendForward {
  int64_t rows = 0, queries_each = 1, source_length = 0, hidden_size = 0;
  const int64_t* lengths = nullptr;  // [B]
  float scale = 1.0F;                // of a score
  DeviceRows queries;                // [N, H]
  const void* keys = nullptr;        // [B, S, H]
  const void* values = nullptr;      // [B, S, H]
  DeviceRows weights;                // [N, S]  written, in float32: 1e-8 is 0 in float16
  DeviceRows context;                // [N, H]  written
};

struct AttendBackward {
  AttendForward forward;        // with its weights; queries and context are not read
  DeviceRows context_gradient;  // [N, H]
  DeviceRows weights_gradient;  // [N, S]  that does not come through the context, in float32; may
                                // be null
  DeviceRows score_gradient;    // [N, S]  written: of q · k
  DeviceRows query_gradient;    // [N, H]  written
  bool accumulate = false;      // query_gradient += …
};

/// h̃_t = tanh(projected + bias) · mask
struct AttentionalForward {
  int64_t rows = 0, hidden_size = 0;
  DeviceRows projected;        // [N, H]  W_c [h_t ; c_t]
  const void* bias = nullptr;  // [H]
  DeviceRows mask;             // [N, H]  of dropout, scaled; may be null
  DeviceRows tangent;          // [N, H]  written: the tanh; may be null
  DeviceRows attentional;      // [N, H]  written
};

struct AttentionalBackward {
  int64_t rows = 0, hidden_size = 0;
  DeviceRows gradient;            // [N, H]  of h̃_t from the output layer
  DeviceRows fed;                 // [N, H]  likewise from the next step's input; may be null
  DeviceRows mask, tangent;       // as above
  DeviceRows projected_gradient;  // [N, H]  written
};

/// Cross-entropy of rows of logits with label smoothing (nn/loss.h).
struct LogitLoss {
  int64_t rows = 0, vocabulary_size = 0;
  void* logits = nullptr;            // [M, V]
  const int64_t* targets = nullptr;  // [M]
  const float* weights = nullptr;    // [M]  of the objective; null: 1
  float label_smoothing = 0.0F;
  float* log_sums = nullptr;        // [M]  log Σ exp
  float* objectives = nullptr;      // [M]  written by the forward pass
  float* losses = nullptr;          // [M]  likewise: −log p
  const float* gradient = nullptr;  // one number: of Σ objectives; the backward pass's
};

/// The best tokens of rows of logits, best first, equal ones in the vocabulary's order.
struct BestTokens {
  int64_t rows = 0, vocabulary_size = 0;
  int64_t count = 0;                   // of a row; at most its tokens
  const void* logits = nullptr;        // [N, V]
  int32_t other = 0;                   // a token that is wanted wherever it stands
  int64_t stride = 0;                  // from row to row of what is written
  int32_t* tokens = nullptr;           // [N, count + 1]  written: the best, then `other`
  float* log_probabilities = nullptr;  // [N, count + 1]  written: theirs
};

/// A step of beam search: the K likeliest continuations of a sentence's K hypotheses by their best
/// tokens, best first; ties go to the earlier hypothesis.
struct BeamExtension {
  int64_t sentences = 0, width = 0;          // B, K
  int64_t count = 0;                         // best tokens of a hypothesis
  int64_t stride = 0;                        // from row to row of what follows
  const int32_t* best_tokens = nullptr;      // [N, count]
  const float* log_probabilities = nullptr;  // [N, count]
  const int64_t* excluded = nullptr;         // tokens that continue no hypothesis
  int64_t num_excluded = 0;
  double* totals = nullptr;   // [N]  log-probabilities of the hypotheses; then of the next ones
  int64_t* rows = nullptr;    // [N]  written: the hypothesis that each next one continues
  int64_t* tokens = nullptr;  // [N]  written: its token
};

/// What a device does in a step of the recurrent model. All calls are queued, in order.
class StepOperations {
 public:
  virtual ~StepOperations() = default;
  virtual void multiply(const StepProduct& product) = 0;
  virtual void gru_forward(const GruStep<GruForward>& step) = 0;
  virtual void gru_backward(const GruStep<GruBackward>& step) = 0;
  virtual void attend_forward(const AttendForward& step) = 0;
  virtual void attend_backward(const AttendBackward& step) = 0;
  virtual void attentional_forward(const AttentionalForward& step) = 0;
  virtual void attentional_backward(const AttentionalBackward& step) = 0;
  virtual void loss_forward(const LogitLoss& loss) = 0;
  virtual void loss_backward(const LogitLoss& loss) = 0;  // the logits become their gradient
  virtual void find_best_tokens(const BestTokens& best) = 0;
  virtual void extend_beams(const BeamExtension& beams) = 0;
};

}  // namespace nmt
