#pragma once

#include "errors/error.h"

namespace nmt {

/// From now on the first SIGINT or SIGTERM only sets a flag, so that work can be saved. Another one
/// ends the program and its subprocesses (kill_process_groups) at once, unless it comes within a
/// second of the first. Call this before other threads are created: they inherit the signal mask.
///
/// A thread waits for the signals instead of a handler, which would run on the stack of whatever
/// thread it interrupts: the kernels that oneDNN generates (2.6 at least) keep values below
/// the stack pointer, where the system puts the handler's frame.
void catch_interrupts();

/// As catch_interrupts(). SIGHUP, which a closed terminal sends, sets the flag too, unless the
/// program ignores_hangups(); it never ends the program at once.
void catch_interrupts_and_hangups();

/// From now on this process gets SIGTERM when the thread that started it ends, by SIGKILL too; at
/// once if its `parent`, a process id, has already ended.
void stop_with_parent(int parent);

/// The number of the first signal that came; 0 while none has.
int interrupting_signal();

/// True once a signal has come.
inline bool interrupted() { return interrupting_signal() != 0; }

/// Thrown when a signal has ended work cleanly. `main` exits with 128 + the signal's number, as a
/// shell reports a killed program: 130 for Ctrl-C, 143 for SIGTERM.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// Throws Interrupted once a signal has come.
inline void stop_if_interrupted(const char* message) {
  if (interrupted()) throw Interrupted(message);
}

/// Whether SIGHUP is ignored, e.g. under nohup. Ignores it again if a library has installed a
/// handler meanwhile.
bool ignores_hangups();

/// Call before replace_process(): tells the new program that SIGHUP is ignored, since libraries of
/// LibTorch 2.6 install a handler before its main() could check.
void hand_over_ignored_hangups();

/// From now on SIGHUP no longer ends the program. Like catch_interrupts(), call this before other
/// threads are created.
void catch_hangups();

/// True once after each SIGHUP since catch_hangups().
bool took_hangup();

}  // namespace nmt
