#pragma once

#include <cstddef>
#include <vector>

namespace nmt {

// The equations of attention on plain numbers, one function each, to read along with the papers.
// A row is a word: T queries (target positions), S keys (source positions); d, A and d_k are
// widths.

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

/// True for keys that are hidden from a query. [T, S]
using Mask = std::vector<std::vector<bool>>;

/// a b: [n, m], [m, p] -> [n, p]
Matrix product(const Matrix& a, const Matrix& b);

/// aᵀ: [n, m] -> [m, n]
Matrix transposed(const Matrix& a);

/// [a_1 ; a_2 ; …], concatenated row by row: [n, p] each -> [n, p · number of them]
Matrix side_by_side(const std::vector<Matrix>& parts);

/// score_ti = q_t · k_i (Luong et al. 2015, "dot"): [T, d], [S, d] -> [T, S]
Matrix dot_scores(const Matrix& queries, const Matrix& keys);

/// score_ti = h_tᵀ W h_i (Luong et al. 2015, "general"): [T, d], [d, d], [S, d] -> [T, S]
Matrix general_scores(const Matrix& states, const Matrix& weight, const Matrix& memory);

/// score_ti = vᵀ tanh(q_t + k_i), where q = W s and k = U h (Bahdanau et al. 2015):
/// [T, A], [S, A], [A] -> [T, S]
Matrix additive_scores(const Matrix& queries, const Matrix& keys, const Row& v);

/// score / divisor; √d_k in Vaswani et al. 2017: [T, S] -> [T, S]
Matrix scaled(const Matrix& scores, double divisor);

/// −∞ where the mask is true: [T, S] -> [T, S]
Matrix masked(const Matrix& scores, const Mask& mask);

/// a_ti = exp(score_ti) / Σ_j exp(score_tj): [T, S] -> [T, S]. Each row needs a finite score.
Matrix softmax(const Matrix& scores);

/// c_t = Σ_i a_ti v_i: [T, S], [S, d] -> [T, d]
Matrix weighted_sum(const Matrix& weights, const Matrix& values);

/// Without attention: weight 1 for the last of S states. [T, S]
Matrix last_alone(size_t queries, size_t keys);

/// A word attends to itself and to earlier words. [n, n]
Mask causal_mask(size_t words);

}  // namespace nmt
