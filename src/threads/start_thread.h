#pragma once

#include <functional>
#include <thread>

namespace nmt {

/// A thread that runs `body`. Throws Error where the system has none left to give; who has started
/// others by then must stop and join them before the Error leaves.
std::thread start_thread(std::function<void()> body);

}  // namespace nmt
