#!/usr/bin/env bash
# Builds for an NVIDIA GPU in build/gpu and runs there the tests that compute with tensors.
# Arguments are passed to ctest: scripts/gpu_check.sh -R '^nn$'
# LibTorch: the one of CMAKE_PREFIX_PATH, or else of python3's PyTorch if it has CUDA, or else Debian's.
set -euo pipefail
cd "$(dirname "$0")/.."

stop() { echo "$0: $1" >&2; exit 1; }

if [ -z "${CMAKE_PREFIX_PATH:-}" ]; then
  CMAKE_PREFIX_PATH=$(python3 -c 'import torch; torch.version.cuda and print(torch.utils.cmake_prefix_path)' 2>/dev/null || true)
  export CMAKE_PREFIX_PATH
fi
cmake --fresh --preset gpu >/dev/null || stop "configuration failed; see above for what is missing"
grep -q '^C10_CUDA_LIBRARY:.*=/' build/gpu/CMakeCache.txt || stop "this LibTorch has no CUDA; see docs/gpu.md"
cmake --build --preset gpu || stop "build failed; see above"
ctest --preset gpu "$@"
