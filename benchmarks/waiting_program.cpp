#include "benchmarks/waiting_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "errors/error.h"

extern char** environ;

namespace nmt {
namespace {

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(std::string("no pipe can be made: ") + std::strerror(errno));
  }
  return ends;
}

}  // namespace

WaitingProgram::WaitingProgram(const std::vector<std::string>& command) : name_(command.front()) {
  std::signal(SIGPIPE, SIG_IGN);  // its end shows as an error of fputs
  const auto input = make_pipe();
  const auto output = make_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int error =
      ::posix_spawnp(&process_, name_.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  to_ = ::fdopen(input[1], "w");
  from_ = ::fdopen(output[0], "r");
  if (error != 0) throw Error(name_ + ": cannot be started: " + std::strerror(error));
}

WaitingProgram::~WaitingProgram() {
  if (to_ != nullptr) std::fclose(to_);  // the end of its input is the sign to stop
  if (from_ != nullptr) std::fclose(from_);
  if (process_ > 0) ::waitpid(process_, nullptr, 0);
}

std::string WaitingProgram::ask(const std::string& line) {
  std::array<char, 4096> answer{};
  if (std::fputs((line + "\n").c_str(), to_) < 0 || std::fflush(to_) != 0 ||
      std::fgets(answer.data(), static_cast<int>(answer.size()), from_) == nullptr) {
    throw Error(name_ + ": ended before it answered; its messages stand above");
  }
  std::string text = answer.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

double WaitingProgram::ask_seconds(const std::string& line) {
  const auto answer = ask(line);
  try {
    return std::stod(answer);
  } catch (const std::exception&) {
    throw Error("the Python program answered '" + answer + "'; expected seconds");
  }
}

}  // namespace nmt
