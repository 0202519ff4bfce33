#pragma once

namespace nmt {

/// Keeps freed memory for later allocations. By default glibc maps every large tensor anew, and the
/// kernel clears each of its pages: some percent of a training step. No effect with other C
/// libraries.
void keep_freed_memory();

/// Returns free memory to the system. Takes milliseconds, so call it after freeing something large,
/// or periodically.
void release_freed_memory();

}  // namespace nmt
