#pragma once

#include "errors/error.h"

namespace nmt {

/// From now on the first SIGINT or SIGTERM only sets a flag, so that work can be saved; another one
/// ends the program at once, and what it started (kill_process_groups), unless it comes within a
/// second of the first. Call it before other threads are created: they inherit the mask that blocks
/// these signals.
///
/// A thread waits for the signals instead of a handler, which would run on the stack of whatever
/// thread it interrupts: the kernels that oneDNN generates (2.6 at least) keep values below
/// the stack pointer, where the system puts the handler's frame.
void catch_interrupts();

/// As catch_interrupts(), and a SIGHUP, which a closed terminal sends, sets the flag too, unless
/// the program ignores_hangups(). It never ends the program at once.
void catch_interrupts_and_hangups();

/// The number of the first signal that came; 0 while none has.
int interrupting_signal();

/// True once a signal has come.
inline bool interrupted() { return interrupting_signal() != 0; }

/// Work that a signal ended in good order. `main` exits with 128 + the signal's number, as a shell
/// says of a program that a signal killed: 130 for Ctrl-C, 143 for SIGTERM.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// Throws Interrupted once a signal has come.
inline void stop_if_interrupted(const char* message) {
  if (interrupted()) throw Interrupted(message);
}

/// Whether SIGHUP is ignored, under nohup for example. Ignores it again where a library has changed
/// that meanwhile.
bool ignores_hangups();

/// For a program that this process becomes (replace_process): libraries of LibTorch 2.6 handle
/// SIGHUP before its main() could see that it is ignored.
void hand_over_ignored_hangups();

/// From now on SIGHUP no longer ends the program. Call it before other threads are created, as
/// catch_interrupts().
void catch_hangups();

/// True once after each SIGHUP since catch_hangups().
bool took_hangup();

}  // namespace nmt
