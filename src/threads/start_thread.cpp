#include "threads/start_thread.h"

#include <string>
#include <system_error>
#include <utility>

#include "errors/error.h"

namespace nmt {

std::thread start_thread(std::function<void()> body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& error) {
    throw Error("threads: cannot start another (" + error.code().message() +
                "); use a smaller --threads or raise the limits that `ulimit -a` lists");
  }
}

}  // namespace nmt
