#pragma once

namespace nmt {

/// From now on the first SIGINT or SIGTERM only raises a flag, so that work can end in good order;
/// the second ends the program at once. Call it before other threads are made: they inherit that
/// these signals are not for them.
///
/// No handler is installed, a thread waits for the signals: a handler would run on the stack of
/// whatever thread it meets, and the kernels that oneDNN generates (2.6 at least) keep values below
/// the stack pointer, where the system puts the handler's frame.
void catch_interrupts();

/// True once a signal has come.
bool interrupted();

}  // namespace nmt
