#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "files/file.h"
#include "support/catch.h"
#include "support/start_command.h"
#include "support/temporary_folder.h"

namespace nmt {

struct ProgramResult {
  int exit_code = -1;
  std::string output;
  std::string errors;
};

/// Runs `nmt ARGUMENTS` as a shell would, from the project's folder.
inline ProgramResult run_program(const std::string& arguments, const std::string& before = "",
                                 const std::string& program = NMT_PROGRAM) {
  const TemporaryFolder folder;
  int status = -1;
  ::waitpid(
      start_command(before + " '" + program + "' " + arguments, folder / "out", folder / "err"),
      &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / "out"),
          read_file(folder / "err")};
}

inline void require_success(const ProgramResult& result) {
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
}

/// Only root may.
inline bool may_mount() {
  return std::system("unshare -m sh -c 'mount -t tmpfs -o size=1m none /mnt' 2>/dev/null") == 0;
}

/// The first lines of a file of the sample corpus.
inline std::string first_lines(const std::string& file, int64_t count) {
  const auto text = read_file(NMT_SOURCE_DIR "/data/sample/" + file);
  size_t end = 0;
  for (int64_t i = 0; i < count; ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

inline int64_t count_lines(const std::string& text) {
  return static_cast<int64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace nmt
