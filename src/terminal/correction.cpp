#include "terminal/correction.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "errors/error.h"
#include "files/file.h"

extern char** environ;

namespace nmt {
namespace {

namespace fs = std::filesystem;

/// Starts the program with its words going to `log`.
pid_t start(const std::vector<std::string>& command, const fs::path& log) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failure =
      ::posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw Error(command[0] + ": cannot be started: " + std::strerror(failure));
  return child;
}

/// Its exit status; ends it when `stopped` says so.
int wait_for(pid_t child, const std::function<bool()>& stopped) {
  constexpr auto kMoment = std::chrono::milliseconds(20);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (stopped()) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      throw Error("stopped");
    }
    std::this_thread::sleep_for(kMoment);
  }
  return status;
}

std::string last_line(const fs::path& log) {
  auto text = read_file(log);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto begin = text.rfind('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

}  // namespace

CorrectedModels::CorrectedModels(fs::path program)
    : program_(program.empty() ? "/proc/self/exe" : std::move(program)) {}

CorrectedModels::~CorrectedModels() {
  std::error_code ignored;
  if (!root_.empty()) fs::remove_all(root_, ignored);
}

fs::path CorrectedModels::learn(const Correction& correction,
                                const std::function<bool()>& stopped) {
  if (root_.empty()) {
    auto pattern = (fs::temp_directory_path() / "nmt-fix-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(pattern + ": cannot be made: " + std::strerror(errno));
    }
    root_ = pattern;
  }
  const auto number = std::to_string(++made_);
  const auto source = root_ / (number + ".source");
  const auto target = root_ / (number + ".target");
  const auto log = root_ / (number + ".log");
  write_file_atomically(source, correction.source + "\n");
  write_file_atomically(target, correction.target + "\n");
  auto folder = root_ / number;
  const pid_t child =
      start({program_.string(), "adapt", "--model-dir", correction.model.string(), "--output",
             folder.string(), "--source", source.string(), "--target", target.string()},
            log);
  const int status = wait_for(child, stopped);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error(last_line(log));
  return folder;
}

void CorrectedModels::save(const fs::path& model, const fs::path& place) {
  if (fs::exists(place)) throw Error(place.string() + ": is there already");
  const fs::path partial = place.string() + ".partial";
  std::error_code problem;
  fs::copy(model, partial, fs::copy_options::recursive, problem);
  if (!problem) fs::rename(partial, place, problem);
  if (!problem) return;
  std::error_code ignored;
  fs::remove_all(partial, ignored);
  throw Error(place.string() + ": cannot be written: " + problem.message());
}

}  // namespace nmt
