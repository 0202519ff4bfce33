// The steps of operations.h as kernels. Numbers are read and written as T; arithmetic is float32.

#include <cstring>
#include <type_traits>

#include "nn/cuda/kernels.h"
#include "nn/cuda/launch.h"

namespace nmt {
namespace {

constexpr int kThreads = 256;

__device__ float to_float(float value) { return value; }
template <typename T>
__device__ T from_float(float value) {
  return value;
}

#ifdef __CUDACC__
__device__ float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ float to_float(__half value) { return __half2float(value); }
template <>
__device__ __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16(value);
}
template <>
__device__ __half from_float<__half>(float value) {
  return __float2half(value);
}
#endif

/// 16 bytes, which a thread reads at once.
template <typename T>
struct alignas(16) Vector {
  static constexpr int kSize = 16 / sizeof(T);
  T values[kSize];
};

template <typename T>
__device__ T* row_of(const DeviceRows& matrix, int64_t row) {
  return static_cast<T*>(matrix.data) + row * matrix.stride;
}

template <typename T>
__device__ float number_at(const DeviceRows& matrix, int64_t row, int64_t column) {
  return to_float(row_of<T>(matrix, row)[column]);
}

/// The number there, or `otherwise` without a matrix.
template <typename T>
__device__ float number_at(const DeviceRows& matrix, int64_t row, int64_t column, float otherwise) {
  return matrix.data == nullptr ? otherwise : number_at<T>(matrix, row, column);
}

template <typename T>
__device__ void write(const DeviceRows& matrix, int64_t row, int64_t column, float value) {
  if (matrix.data != nullptr) row_of<T>(matrix, row)[column] = from_float<T>(value);
}

__device__ float sigmoid(float x) { return 1.0F / (1.0F + expf(-x)); }

/// Calls visit(direction, row, column) for this thread's element of [directions, rows, columns].
template <typename Visit>
__device__ void at_element(int64_t directions, int64_t rows, int64_t columns, Visit&& visit) {
  const auto width = static_cast<uint32_t>(columns);
  const auto height = static_cast<uint32_t>(rows);
  const auto i = static_cast<uint32_t>(blockIdx.x) * static_cast<uint32_t>(blockDim.x) +
                 static_cast<uint32_t>(threadIdx.x);  // a division of 64 bits would take longer
  const uint32_t row = i / width;
  if (row < static_cast<uint32_t>(directions) * height)
    visit(row / height, row % height, i % width);
}

int64_t blocks_for(int64_t elements) {
  constexpr int64_t kEach = kOnGpu ? kThreads : 1;
  return (elements + kEach - 1) / kEach;
}

// The GRU as PyTorch and cuDNN define it:
//
//   r = σ(W_ir x + b_ir + W_hr h + b_hr)       z = σ(W_iz x + b_iz + W_hz h + b_hz)
//   n = tanh(W_in x + b_in + r (W_hn h + b_hn))          h_t = (1 − z) n + z h_{t−1}
template <typename T>
__global__ void gru_forward_kernel(GruStep<GruForward> step) {
  const int64_t size = step.hidden_size;
  at_element(step.directions, step.rows, size, [&](int64_t d, int64_t row, int64_t column) {
    const auto& direction = step.direction[d];
    const float h = number_at<T>(direction.previous, row, column);
    if (step.lengths != nullptr && step.lengths[row] <= direction.position) {
      write<T>(direction.next, row, column, h);
      write<T>(direction.output, row, column, 0.0F);
      return;
    }
    const auto bias = [&](const void* values, int64_t gate) {
      if (values == nullptr) return 0.0F;
      return to_float(static_cast<const T*>(values)[gate * size + column]);
    };
    const auto of_input = [&](int64_t gate) {
      const int64_t place = gate * size + column;
      return number_at<T>(direction.input, row, place) +
             number_at<T>(direction.fed, row, place, 0.0F) + bias(direction.input_bias, gate);
    };
    const auto of_hidden = [&](int64_t gate) {
      return number_at<T>(direction.hidden, row, gate * size + column) +
             bias(direction.hidden_bias, gate);
    };
    const float r = sigmoid(of_input(0) + of_hidden(0));
    const float z = sigmoid(of_input(1) + of_hidden(1));
    const float hidden_n = of_hidden(2);
    const float n = tanhf(of_input(2) + r * hidden_n);
    const float next = (1.0F - z) * n + z * h;
    write<T>(direction.next, row, column, next);
    write<T>(direction.output, row, column, next * number_at<T>(direction.mask, row, column, 1.0F));
    write<T>(direction.gates, row, column, r);
    write<T>(direction.gates, row, size + column, z);
    write<T>(direction.gates, row, 2 * size + column, n);
    write<T>(direction.gates, row, 3 * size + column, hidden_n);
  });
}

template <typename T>
__global__ void gru_backward_kernel(GruStep<GruBackward> step) {
  const int64_t size = step.hidden_size;
  at_element(step.directions, step.rows, size, [&](int64_t d, int64_t row, int64_t column) {
    const auto& direction = step.direction[d];
    float& direct = direction.direct[row * size + column];
    const float later = direct + number_at<T>(direction.carried, row, column, 0.0F);
    const auto write_gates = [&](const DeviceRows& gradient, float r, float z, float n) {
      write<T>(gradient, row, column, r);
      write<T>(gradient, row, size + column, z);
      write<T>(gradient, row, 2 * size + column, n);
    };
    if (step.lengths != nullptr && step.lengths[row] <= direction.position) {
      write_gates(direction.input_gradient, 0.0F, 0.0F, 0.0F);
      write_gates(direction.hidden_gradient, 0.0F, 0.0F, 0.0F);
      direct = later;
      return;
    }
    const float of_next = later + number_at<T>(direction.output_gradient, row, column) *
                                      number_at<T>(direction.mask, row, column, 1.0F);
    const float r = number_at<T>(direction.gates, row, column);
    const float z = number_at<T>(direction.gates, row, size + column);
    const float n = number_at<T>(direction.gates, row, 2 * size + column);
    const float hidden_n = number_at<T>(direction.gates, row, 3 * size + column);
    const float h = number_at<T>(direction.previous, row, column);
    const float of_n = of_next * (1.0F - z) * (1.0F - n * n);
    const float of_z = of_next * (h - n) * z * (1.0F - z);
    const float of_r = of_n * hidden_n * r * (1.0F - r);
    write_gates(direction.input_gradient, of_r, of_z, of_n);
    write_gates(direction.hidden_gradient, of_r, of_z, of_n * r);
    direct = of_next * z;
  });
}

__device__ float warp_sum(float value) {
  for (int lane = warpSize / 2; lane > 0; lane /= 2) value += __shfl_xor_sync(~0U, value, lane);
  return value;
}

__device__ float warp_maximum(float value) {
  for (int lane = warpSize / 2; lane > 0; lane /= 2) {
    value = fmaxf(value, __shfl_xor_sync(~0U, value, lane));
  }
  return value;
}

/// Adds or maximizes over a block; every thread gets the result. scratch: 32 floats, shared.
template <typename Reduce>
__device__ float block_reduce(float value, float* scratch, Reduce&& reduce, float neutral) {
  value = reduce(value);
  const int lane = threadIdx.x % warpSize;
  const int warps = blockDim.x / warpSize;
  __syncthreads();
  if (lane == 0) scratch[threadIdx.x / warpSize] = value;
  __syncthreads();
  return reduce(lane < warps ? scratch[lane] : neutral);
}

/// products[i] = left · rows[i] for `count` rows of `size` numbers; a warp takes a row. Left, of
/// float32, and products are in shared memory.
template <typename T>
__device__ void dot_rows(const float* left, const T* rows, int64_t count, int64_t size,
                         float* products) {
  constexpr int kVector = Vector<T>::kSize;
  const int lane = threadIdx.x % warpSize;
  const int warps = blockDim.x / warpSize;
  for (int64_t i = threadIdx.x / warpSize; i < count; i += warps) {
    const auto* row = reinterpret_cast<const Vector<T>*>(rows + i * size);
    float sum = 0.0F;
    for (int64_t v = lane; v < size / kVector; v += warpSize) {
      const auto right = row[v];
      for (int k = 0; k < kVector; ++k) sum += left[v * kVector + k] * to_float(right.values[k]);
    }
    sum = warp_sum(sum);
    if (lane == 0) products[i] = sum;
  }
}

/// Σ_i weights[i] rows[i], column by column: calls put(column, sum).
template <typename T, typename Put>
__device__ void mix_rows(const float* weights, const T* rows, int64_t count, int64_t size,
                         Put&& put) {
  for (int64_t column = threadIdx.x; column < size; column += blockDim.x) {
    float sum = 0.0F;
    for (int64_t i = 0; i < count; ++i) sum += weights[i] * to_float(rows[i * size + column]);
    put(column, sum);
  }
}

/// A block's part of shared memory: a vector [H], and a number for each source position [S].
struct AttendScratch {
  float* reduced;  // [32]
  float* vector;
  float* positions;
};

constexpr int64_t kReduced = 32;

__device__ AttendScratch attend_scratch(const AttendForward& step) {
  auto* floats = shared_memory<float>();
  return {floats, floats + kReduced, floats + kReduced + step.hidden_size};
}

int64_t attend_shared_bytes(const AttendForward& step) {
  return (kReduced + step.hidden_size + step.source_length) * static_cast<int64_t>(sizeof(float));
}

/// The words of a sentence [S, H] that this block's query may look at.
template <typename T>
struct AttendedSentence {
  int64_t length;
  const T* keys;
  const T* values;
};

template <typename T>
__device__ AttendedSentence<T> attended_sentence(const AttendForward& step, int64_t row) {
  const int64_t sentence = row / step.queries_each;
  const int64_t first = sentence * step.source_length * step.hidden_size;
  return {step.lengths[sentence], static_cast<const T*>(step.keys) + first,
          static_cast<const T*>(step.values) + first};
}

/// The block's row of a matrix, as float32 in shared memory.
template <typename T>
__device__ void read_row(const DeviceRows& matrix, int64_t row, int64_t size, float* vector) {
  for (int64_t i = threadIdx.x; i < size; i += blockDim.x) vector[i] = number_at<T>(matrix, row, i);
  __syncthreads();
}

// A block for each query.
template <typename T>
__global__ void attend_forward_kernel(AttendForward step) {
  const int64_t row = blockIdx.x;
  const auto scratch = attend_scratch(step);
  const auto source = attended_sentence<T>(step, row);
  float* scores = scratch.positions;
  read_row<T>(step.queries, row, step.hidden_size, scratch.vector);
  dot_rows(scratch.vector, source.keys, source.length, step.hidden_size, scores);
  __syncthreads();
  float largest = -INFINITY;
  for (int64_t i = threadIdx.x; i < source.length; i += blockDim.x) {
    largest = fmaxf(largest, step.scale * scores[i]);
  }
  largest = block_reduce(largest, scratch.reduced, warp_maximum, -INFINITY);
  float sum = 0.0F;
  for (int64_t i = threadIdx.x; i < source.length; i += blockDim.x) {
    scores[i] = expf(step.scale * scores[i] - largest);
    sum += scores[i];
  }
  sum = block_reduce(sum, scratch.reduced, warp_sum, 0.0F);
  for (int64_t i = threadIdx.x; i < step.source_length; i += blockDim.x) {
    const float weight = i < source.length ? scores[i] / sum : 0.0F;
    if (i < source.length) scores[i] = weight;
    write<float>(step.weights, row, i, weight);
  }
  __syncthreads();
  mix_rows(scores, source.values, source.length, step.hidden_size,
           [&](int64_t column, float mixed) { write<T>(step.context, row, column, mixed); });
}

// With a = softmax(s) and the gradient g of a, that of s_i is a_i (g_i − Σ_j a_j g_j).
template <typename T>
__global__ void attend_backward_kernel(AttendBackward step) {
  const int64_t row = blockIdx.x;
  const auto& forward = step.forward;
  const auto scratch = attend_scratch(forward);
  const auto source = attended_sentence<T>(forward, row);
  float* gradient = scratch.positions;
  read_row<T>(step.context_gradient, row, forward.hidden_size, scratch.vector);
  dot_rows(scratch.vector, source.values, source.length, forward.hidden_size, gradient);
  __syncthreads();
  float mean = 0.0F;
  for (int64_t i = threadIdx.x; i < source.length; i += blockDim.x) {
    gradient[i] += number_at<float>(step.weights_gradient, row, i, 0.0F);
    mean += number_at<float>(forward.weights, row, i) * gradient[i];
  }
  mean = block_reduce(mean, scratch.reduced, warp_sum, 0.0F);
  for (int64_t i = threadIdx.x; i < forward.source_length; i += blockDim.x) {
    float of_score = 0.0F;
    if (i < source.length) {
      of_score = forward.scale * number_at<float>(forward.weights, row, i) * (gradient[i] - mean);
      gradient[i] = of_score;
    }
    write<T>(step.score_gradient, row, i, of_score);
  }
  __syncthreads();
  mix_rows(gradient, source.keys, source.length, forward.hidden_size,
           [&](int64_t column, float mixed) {
             const float before =
                 step.accumulate ? number_at<T>(step.query_gradient, row, column) : 0.0F;
             write<T>(step.query_gradient, row, column, before + mixed);
           });
}

template <typename T>
__global__ void attentional_forward_kernel(AttentionalForward step) {
  at_element(1, step.rows, step.hidden_size, [&](int64_t, int64_t row, int64_t column) {
    const float bias = to_float(static_cast<const T*>(step.bias)[column]);
    const float tangent = tanhf(number_at<T>(step.projected, row, column) + bias);
    write<T>(step.tangent, row, column, tangent);
    write<T>(step.attentional, row, column, tangent * number_at<T>(step.mask, row, column, 1.0F));
  });
}

template <typename T>
__global__ void attentional_backward_kernel(AttentionalBackward step) {
  at_element(1, step.rows, step.hidden_size, [&](int64_t, int64_t row, int64_t column) {
    const float tangent = number_at<T>(step.tangent, row, column);
    const float gradient =
        (number_at<T>(step.gradient, row, column) + number_at<T>(step.fed, row, column, 0.0F)) *
        number_at<T>(step.mask, row, column, 1.0F);
    write<T>(step.projected_gradient, row, column, gradient * (1.0F - tangent * tangent));
  });
}

/// Calls visit(index, logit) for this thread's part of a block's row of logits, 16 bytes at a time
/// where the rows are aligned. What visit changes is written back, unless T is const.
template <typename T, typename Visit>
__device__ void for_each_logit(T* logits, int64_t size, Visit&& visit) {
  constexpr bool kReads = std::is_const_v<T>;
  using Numbers = Vector<std::remove_const_t<T>>;
  constexpr int kVector = Numbers::kSize;
  if (size % kVector != 0) {
    for (int64_t i = threadIdx.x; i < size; i += blockDim.x) visit(i, logits[i]);
    return;
  }
  auto* vectors = reinterpret_cast<std::conditional_t<kReads, const Numbers, Numbers>*>(logits);
  for (int64_t v = threadIdx.x; v < size / kVector; v += blockDim.x) {
    Numbers vector = vectors[v];
    for (int k = 0; k < kVector; ++k) visit(v * kVector + k, vector.values[k]);
    if constexpr (!kReads) vectors[v] = vector;
  }
}

/// log Σ exp of a block's row, to which each thread adds its part.
struct LogSum {
  float largest = -INFINITY;
  float exponentials = 0.0F;  // Σ exp(logit − largest)

  __device__ void add(float logit) {
    if (logit > largest) {
      exponentials *= expf(largest - logit);
      largest = logit;
    }
    if (logit != -INFINITY) exponentials += expf(logit - largest);  // ∞ − ∞ is undefined
  }

  /// scratch as in block_reduce().
  __device__ float of_block(float* scratch) const {
    const float maximum = block_reduce(largest, scratch, warp_maximum, -INFINITY);
    // Without a largest number they are 0, or NaN, which must not be lost.
    const float own = largest == -INFINITY ? exponentials : exponentials * expf(largest - maximum);
    return maximum + logf(block_reduce(own, scratch, warp_sum, 0.0F));
  }
};

// A block for each row.
template <typename T>
__global__ void loss_forward_kernel(LogitLoss loss) {
  const int64_t row = blockIdx.x;
  const int64_t size = loss.vocabulary_size;
  auto* scratch = shared_memory<float>();
  const T* logits = static_cast<const T*>(loss.logits) + row * size;
  LogSum sum;
  float total = 0.0F;  // Σ logit
  for_each_logit(logits, size, [&](int64_t, T number) {
    const float logit = to_float(number);
    sum.add(logit);
    total += logit;
  });
  const float log_sum = sum.of_block(scratch);
  total = block_reduce(total, scratch, warp_sum, 0.0F);
  if (threadIdx.x != 0) return;
  const float lost = log_sum - to_float(logits[loss.targets[row]]);
  const float uniform = log_sum - total / static_cast<float>(size);
  const float weight = loss.weights == nullptr ? 1.0F : loss.weights[row];
  loss.log_sums[row] = log_sum;
  loss.losses[row] = lost;
  // Without smoothing not 0 · uniform, which is undefined if a logit is −∞.
  const float smoothed = loss.label_smoothing > 0.0F ? loss.label_smoothing * uniform : 0.0F;
  loss.objectives[row] = weight * ((1.0F - loss.label_smoothing) * lost + smoothed);
}

template <typename T>
__global__ void loss_backward_kernel(LogitLoss loss) {
  const int64_t row = blockIdx.x;
  const int64_t size = loss.vocabulary_size;
  const float weight = *loss.gradient * (loss.weights == nullptr ? 1.0F : loss.weights[row]);
  const float log_sum = loss.log_sums[row];
  const float uniform = loss.label_smoothing / static_cast<float>(size);
  const int64_t target = loss.targets[row];
  for_each_logit(static_cast<T*>(loss.logits) + row * size, size, [&](int64_t i, T& logit) {
    const float wanted = i == target ? 1.0F - loss.label_smoothing + uniform : uniform;
    logit = from_float<T>(weight * (expf(to_float(logit) - log_sum) - wanted));
  });
}

/// A key that sorts tokens by logit, with ties in vocabulary order; 0 sorts last.
using TokenKey = unsigned long long;

__device__ TokenKey token_key(float logit, int64_t token) {
  logit += 0.0F;  // −0 becomes 0, which it equals
  uint32_t bits = 0;
  memcpy(&bits, &logit, sizeof(bits));
  const uint32_t ordered = (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
  return TokenKey{ordered} << 32U | ~static_cast<uint32_t>(token);
}

__device__ uint32_t token_of(TokenKey key) { return ~static_cast<uint32_t>(key); }

__device__ TokenKey larger_key(TokenKey a, TokenKey b) { return a > b ? a : b; }

__device__ TokenKey warp_maximum_key(TokenKey key) {
  for (int lane = warpSize / 2; lane > 0; lane /= 2) {
    key = larger_key(key, __shfl_xor_sync(~0U, key, lane));
  }
  return key;
}

// A block for each row. Each thread knows the best of its part of the logits. The best of all is
// taken `count` times, and each time the warp of its thread looks for that thread's next best.
template <typename T>
__global__ void best_tokens_kernel(BestTokens best) {
  const int64_t row = blockIdx.x;
  const int64_t size = best.vocabulary_size;
  const T* logits = static_cast<const T*>(best.logits) + row * size;
  auto* scratch = shared_memory<float>();
  auto* of_warps = reinterpret_cast<TokenKey*>(scratch + kReduced);  // the best of each warp
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  const int warps = blockDim.x / warpSize;
  LogSum sum;
  TokenKey own = 0;
  for_each_logit(logits, size, [&](int64_t token, T number) {
    const float logit = to_float(number);
    sum.add(logit);
    own = larger_key(own, token_key(logit, token));
  });
  const float log_sum = sum.of_block(scratch);
  auto* const tokens = best.tokens + row * best.stride;
  auto* const log_probabilities = best.log_probabilities + row * best.stride;
  const auto put = [&](int64_t place, int64_t token) {
    tokens[place] = static_cast<int32_t>(token);
    log_probabilities[place] = to_float(logits[token]) - log_sum;
  };
  // Different logits may have the same log-probability: of those, too, the vocabulary's order.
  const auto put_in_order = [&](int64_t place, int64_t token) {
    if (threadIdx.x != 0) return;
    const float number = to_float(logits[token]) - log_sum;
    for (; place > 0 && log_probabilities[place - 1] == number && tokens[place - 1] > token;
         --place) {
      tokens[place] = tokens[place - 1];
      log_probabilities[place] = number;
    }
    put(place, token);
  };
  const auto publish = [&] {
    const TokenKey of_warp = warp_maximum_key(own);
    if (lane == 0) of_warps[warp] = of_warp;
  };
  publish();
  constexpr uint32_t kVector = Vector<T>::kSize;
  const auto threads = static_cast<uint32_t>(blockDim.x);
  const uint32_t width = size % kVector == 0 ? kVector : 1;  // what a thread has read at once
  for (int64_t place = 0; place < best.count; ++place) {
    __syncthreads();
    TokenKey found = 0;
    for (int w = 0; w < warps; ++w) found = larger_key(found, of_warps[w]);
    __syncthreads();
    const uint32_t token = token_of(found);
    put_in_order(place, token);
    const uint32_t owner = token / width % threads;
    if (static_cast<int>(owner) / warpSize != warp) continue;
    TokenKey next = 0;
    for (auto i = static_cast<uint32_t>(lane);; i += static_cast<uint32_t>(warpSize)) {
      const uint32_t other = (owner + i / width * threads) * width + i % width;
      if (other >= size) break;
      const TokenKey key = token_key(to_float(logits[other]), other);
      if (key < found) next = larger_key(next, key);
    }
    next = warp_maximum_key(next);
    if (static_cast<int>(owner) % warpSize == lane) own = next;
    publish();
  }
  if (threadIdx.x == 0) put(best.count, best.other);
}

/// A hypothesis's likeliest continuation. If there is none, the row is the number of hypotheses.
struct Continuation {
  double total = -INFINITY;
  int row = 0;

  __device__ bool is_before(const Continuation& other) const {
    return total != other.total ? total > other.total : row < other.row;
  }
};

__device__ Continuation warp_best(Continuation best) {
  for (int lane = warpSize / 2; lane > 0; lane /= 2) {
    const Continuation other{__shfl_xor_sync(~0U, best.total, lane),
                             __shfl_xor_sync(~0U, best.row, lane)};
    if (other.is_before(best)) best = other;
  }
  return best;
}

int64_t extension_shared_bytes(const BeamExtension& beams) {
  return beams.width * static_cast<int64_t>(sizeof(double) + sizeof(int));
}

// A warp for each sentence, a thread for each of its hypotheses, whose best tokens are in order.
__global__ void extend_beams_kernel(BeamExtension beams) {
  const auto width = static_cast<int>(beams.width);
  const auto count = static_cast<int>(beams.count);
  const int64_t first = blockIdx.x * beams.width;
  auto* totals = shared_memory<double>();
  auto* places = reinterpret_cast<int*>(totals + width);  // of each row's next token
  const auto token_at = [&](int row, int place) {
    return beams.best_tokens[(first + row) * beams.stride + place];
  };
  const auto is_excluded = [&](int32_t token) {
    for (int64_t i = 0; i < beams.num_excluded; ++i) {
      if (beams.excluded[i] == token) return true;
    }
    return false;
  };
  const auto place_from = [&](int row, int place) {
    while (place < count && is_excluded(token_at(row, place))) ++place;
    return place;
  };
  for (int row = threadIdx.x; row < width; row += blockDim.x) {
    totals[row] = beams.totals[first + row];
    places[row] = place_from(row, 0);
  }
  __syncthreads();
  for (int k = 0; k < width; ++k) {
    Continuation best;
    best.row = width;
    for (int row = threadIdx.x; row < width; row += blockDim.x) {
      if (places[row] == count) continue;
      const float own = beams.log_probabilities[(first + row) * beams.stride + places[row]];
      const Continuation continuation{totals[row] + double{own}, row};
      if (continuation.is_before(best)) best = continuation;
    }
    best = warp_best(best);
    const bool is_found = best.row < width;  // NaN is never chosen
    const int row = is_found ? best.row : 0;
    if (threadIdx.x == 0) {
      beams.totals[first + k] = best.total;
      beams.rows[first + k] = first + row;
      beams.tokens[first + k] = token_at(row, is_found ? places[row] : 0);
    }
    __syncthreads();
    if (is_found && static_cast<int>(threadIdx.x) == row % static_cast<int>(blockDim.x)) {
      places[row] = place_from(row, places[row] + 1);
    }
    __syncthreads();
  }
}

}  // namespace

/// Launches the kernel for the pass's numbers.
#ifdef __CUDACC__
using Stream = cudaStream_t;
#define NMT_LAUNCH(kernel, blocks, shared_bytes, arguments)                           \
  const auto stream = static_cast<Stream>(stream_);                                   \
  if (number_ == StepDtype::kBfloat16) {                                              \
    launch(kernel<__nv_bfloat16>, blocks, kThreads, shared_bytes, stream, arguments); \
  } else if (number_ == StepDtype::kFloat16) {                                        \
    launch(kernel<__half>, blocks, kThreads, shared_bytes, stream, arguments);        \
  } else {                                                                            \
    launch(kernel<float>, blocks, kThreads, shared_bytes, stream, arguments);         \
  }
#else
using Stream = void*;
#define NMT_LAUNCH(kernel, blocks, shared_bytes, arguments)                        \
  if (number_ == StepDtype::kFloat16) {                                            \
    launch(kernel<c10::Half>, blocks, kThreads, shared_bytes, stream_, arguments); \
  } else {                                                                         \
    launch(kernel<float>, blocks, kThreads, shared_bytes, stream_, arguments);     \
  }
#endif

template <>
void StepKernels<kOnGpu>::gru_forward(const GruStep<GruForward>& step) {
  const int64_t blocks = blocks_for(step.directions * step.rows * step.hidden_size);
  NMT_LAUNCH(gru_forward_kernel, blocks, 0, step);
}

template <>
void StepKernels<kOnGpu>::gru_backward(const GruStep<GruBackward>& step) {
  const int64_t blocks = blocks_for(step.directions * step.rows * step.hidden_size);
  NMT_LAUNCH(gru_backward_kernel, blocks, 0, step);
}

template <>
void StepKernels<kOnGpu>::attend_forward(const AttendForward& step) {
  NMT_LAUNCH(attend_forward_kernel, step.rows, attend_shared_bytes(step), step);
}

template <>
void StepKernels<kOnGpu>::attend_backward(const AttendBackward& step) {
  NMT_LAUNCH(attend_backward_kernel, step.forward.rows, attend_shared_bytes(step.forward), step);
}

template <>
void StepKernels<kOnGpu>::attentional_forward(const AttentionalForward& step) {
  NMT_LAUNCH(attentional_forward_kernel, blocks_for(step.rows * step.hidden_size), 0, step);
}

template <>
void StepKernels<kOnGpu>::attentional_backward(const AttentionalBackward& step) {
  NMT_LAUNCH(attentional_backward_kernel, blocks_for(step.rows * step.hidden_size), 0, step);
}

template <>
void StepKernels<kOnGpu>::loss_forward(const LogitLoss& loss) {
  NMT_LAUNCH(loss_forward_kernel, loss.rows, kReduced * int64_t{sizeof(float)}, loss);
}

template <>
void StepKernels<kOnGpu>::loss_backward(const LogitLoss& loss) {
  NMT_LAUNCH(loss_backward_kernel, loss.rows, 0, loss);
}

template <>
void StepKernels<kOnGpu>::find_best_tokens(const BestTokens& best) {
  const int64_t shared_bytes = kReduced * int64_t{sizeof(float) + sizeof(TokenKey)};
  NMT_LAUNCH(best_tokens_kernel, best.rows, shared_bytes, best);
}

template <>
void StepKernels<kOnGpu>::extend_beams(const BeamExtension& beams) {
  constexpr int kWarp = 32;
  launch(extend_beams_kernel, beams.sentences, kWarp, extension_shared_bytes(beams),
         static_cast<Stream>(stream_), beams);
}

#undef NMT_LAUNCH

}  // namespace nmt
