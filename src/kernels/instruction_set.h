#pragma once

namespace nmt {

// NMT_CPU=avx2 in the environment limits kernels, oneDNN, LibTorch and OpenBLAS to AVX2, so that
// what a smaller processor computes can be tested on a larger one. OpenBLAS chooses its kernels
// when it is loaded: nmt limits that of nmt-torch, but a program that links LibTorch itself also
// needs OPENBLAS_CORETYPE=Haswell.

/// Applies the limit; called before the first kernel is chosen, by vector_loop-inl.h.
bool limit_instruction_set();

/// Throws Error where NMT_CPU has a value without a meaning.
void check_instruction_set_limit();

}  // namespace nmt
