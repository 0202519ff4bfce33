#pragma once

namespace nmt {

/// From now on this process holds a reserve of 64 MiB, mostly untouched, and frees it when `new`
/// fails, so that work in progress can end cleanly, including destructors that allocate. Call this
/// on the main thread before other threads start. Throws std::bad_alloc.
void keep_memory_reserve();

/// Whether the reserve is in place; reallocates it if memory is available again. While it is gone
/// `new` may throw, so start no new work. Call this on the main thread.
bool has_memory_reserve();

}  // namespace nmt
