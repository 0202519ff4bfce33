#pragma once

namespace nmt {

/// Keeps freed memory for later allocations. By default glibc maps every large tensor anew, and the
/// kernel clears each of its pages: some percent of a training step. No effect with other C
/// libraries.
void keep_freed_memory();

/// Releases free memory to the system, which takes milliseconds: after something large, or from
/// time to time.
void release_freed_memory();

}  // namespace nmt
