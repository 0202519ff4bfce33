#pragma once

namespace nmt {

// NMT_CPU=avx2 in the environment limits kernels, oneDNN, LibTorch and OpenBLAS to AVX2,
// NMT_CPU=avx512 to AVX-512 without VNNI and bfloat16, and NMT_CPU=avx512vnni to AVX-512 without
// bfloat16, to test on a large processor what a smaller one computes. OpenBLAS chooses its kernels
// when it is loaded: nmt sets the limit before it starts nmt-torch, but a program that links
// LibTorch itself must be started with OPENBLAS_CORETYPE=Haswell (for avx2) as well.

/// Applies the limit; called before the first kernel is chosen, by vector_loop-inl.h.
bool limit_instruction_set();

/// Whether this processor has the 8-bit products of AVX-512 VNNI, and the limit allows them.
bool has_vnni();

/// Throws Error if NMT_CPU has an unknown value.
void check_instruction_set_limit();

}  // namespace nmt
