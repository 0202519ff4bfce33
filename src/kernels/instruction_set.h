#pragma once

namespace nmt {

// NMT_CPU=avx2 in the environment limits kernels, oneDNN and LibTorch to AVX2, so that what a
// smaller processor computes can be tested on a larger one. OpenBLAS is loaded before the program
// can speak to it: set OPENBLAS_CORETYPE=Haswell as well.

/// Applies the limit; called before the first kernel is chosen, by vector_loop-inl.h.
bool limit_instruction_set();

/// Throws Error where NMT_CPU has a value without a meaning.
void check_instruction_set_limit();

}  // namespace nmt
