#pragma once

#include <cstddef>
#include <vector>

namespace nmt {

// The equations of attention on plain numbers, one function each, to read along with the papers.
// A row is a word: T queries (target positions), S keys (source positions); d, A and d_k are
// widths.

using Row = std::vector<double>;
using WorkedMatrix = std::vector<Row>;

/// True for keys that are hidden from a query. [T, S]
using Mask = std::vector<std::vector<bool>>;

/// a b: [n, m], [m, p] -> [n, p]
WorkedMatrix product(const WorkedMatrix& a, const WorkedMatrix& b);

/// aᵀ: [n, m] -> [m, n]
WorkedMatrix transposed(const WorkedMatrix& a);

/// [a_1 ; a_2 ; …], concatenated row by row: [n, p] each -> [n, p · number of them]
WorkedMatrix side_by_side(const std::vector<WorkedMatrix>& parts);

/// score_ti = q_t · k_i (Luong et al. 2015, "dot", and with q_t = h_tᵀ W "general", where W is the
/// transpose of the one in nn/attentions/general.cpp): [T, d], [S, d] -> [T, S]
WorkedMatrix dot_scores(const WorkedMatrix& queries, const WorkedMatrix& keys);

/// score_ti = vᵀ tanh(q_t + k_i), where q = W s and k = U h (Bahdanau et al. 2015):
/// [T, A], [S, A], [A] -> [T, S]
WorkedMatrix additive_scores(const WorkedMatrix& queries, const WorkedMatrix& keys, const Row& v);

/// score / divisor; √d_k in Vaswani et al. 2017: [T, S] -> [T, S]
WorkedMatrix scaled(const WorkedMatrix& scores, double divisor);

/// −∞ where the mask is true: [T, S] -> [T, S]
WorkedMatrix masked(const WorkedMatrix& scores, const Mask& mask);

/// a_ti = exp(score_ti) / Σ_j exp(score_tj): [T, S] -> [T, S]. Each row needs a finite score.
WorkedMatrix softmax(const WorkedMatrix& scores);

/// p_t = S sigmoid(vᵀ tanh(x_t)), where x = W_p h (Luong et al. 2015, "local-p"): a place among the
/// words 1 … S. [T, A], [A] -> [T, 1]
WorkedMatrix predicted_positions(const WorkedMatrix& x, const Row& v, size_t keys);

/// True for words i with |i − p_t| > D. [T, 1] -> [T, S]
Mask window_mask(const WorkedMatrix& positions, size_t keys, double half_width);

/// a_ti exp(−(i − p_t)² / 2σ²), where σ is the deviation: [T, S], [T, 1] -> [T, S]
WorkedMatrix gaussian_weights(const WorkedMatrix& weights, const WorkedMatrix& positions,
                              double deviation);

/// c_t = Σ_i a_ti v_i: [T, S], [S, d] -> [T, d]
WorkedMatrix weighted_sum(const WorkedMatrix& weights, const WorkedMatrix& values);

/// Without attention: weight 1 for the last of S states. [T, S]
WorkedMatrix last_alone(size_t queries, size_t keys);

}  // namespace nmt
