#pragma once

namespace nmt {

/// Keeps freed memory for the next allocation instead of giving it back. By default glibc asks the
/// system for every large tensor anew, and the system clears each of its pages: some percent of a
/// training step. Does nothing with other C libraries.
void keep_freed_memory();

/// Gives all that is free back to the system, once: after something large that will not come again.
void release_freed_memory();

}  // namespace nmt
