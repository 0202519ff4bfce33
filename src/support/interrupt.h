#pragma once

namespace nmt {

/// From now on the first SIGINT or SIGTERM only raises a flag, so that work can end in good order;
/// the second ends the program at once.
void catch_interrupts();

/// True once a signal has come.
bool interrupted();

}  // namespace nmt
