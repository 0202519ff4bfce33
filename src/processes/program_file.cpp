#include "processes/program_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "errors/error.h"

namespace nmt {

std::filesystem::path program_file() {
  std::error_code error;
  auto file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw Error("/proc/self/exe: cannot be read: " + error.message() + "; mount /proc");
  return file;
}

void replace_process(const std::filesystem::path& program, char* const* argv) {
  ::execv(program.c_str(), argv);
  throw Error(program.string() + ": cannot be started: " + std::strerror(errno));
}

}  // namespace nmt
