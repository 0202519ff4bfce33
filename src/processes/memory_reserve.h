#pragma once

namespace nmt {

/// From now on this process keeps 64 MiB back, most of it not touched, and gives it up when `new`
/// fails: what is in progress can then end in good order, destructors that allocate included. Call
/// it on the main thread, before others begin. Throws std::bad_alloc.
void keep_memory_reserve();

/// Whether the reserve is there; takes it back if there is memory again. Beyond it `new` throws, so
/// begin nothing while it is gone. Call it on the main thread.
bool has_memory_reserve();

}  // namespace nmt
