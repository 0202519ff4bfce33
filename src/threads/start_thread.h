#pragma once

#include <functional>
#include <thread>

namespace nmt {

/// A thread that runs `body`. Throws Error if the system cannot start one; a caller that has
/// already started others must stop and join them before passing the Error on.
std::thread start_thread(std::function<void()> body);

}  // namespace nmt
