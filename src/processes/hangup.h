#pragma once

namespace nmt {

/// From now on SIGHUP no longer ends the program. Call it before other threads are created: they
/// inherit the mask that blocks the signal.
void catch_hangups();

/// True once after each SIGHUP since catch_hangups().
bool took_hangup();

}  // namespace nmt
