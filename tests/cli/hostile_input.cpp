#include "cli/hostile_input.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

constexpr int64_t kMaxMemoryKib = int64_t{2} << 20;

// A case that hangs fails with the exit code 124. Sanitizers slow the program down some ten times.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
constexpr char kTimeout[] = "timeout 400 sh -c ";
#else
constexpr bool kSanitized = false;
constexpr char kTimeout[] = "timeout 200 sh -c ";
#endif

struct Outcome {
  int exit_code = -1;
  std::string output;
  std::string errors;
  int64_t memory_kib = 0;
  std::vector<std::string> left;  // names in $out
};

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result + "'";
}

/// Exit code and peak memory of the shell that runs the command, and of all that it waits for.
void run_shell(const std::string& command, Outcome& outcome) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child) return;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.memory_kib = usage.ru_maxrss;
}

Outcome run_case(const std::filesystem::path& in, const HostileCase& hostile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  const auto variables = "cd " NMT_SOURCE_DIR " && nmt=" NMT_PROGRAM " && sample=" NMT_SOURCE_DIR
                         "/models/sample && in=" +
                         in.string() + " && out=" + (folder / "out").string() + " && { ";
  Outcome outcome;
  run_shell(kTimeout + quoted(variables + hostile.command + "\n}") + " > " +
                (folder / "stdout").string() + " 2> " + (folder / "stderr").string(),
            outcome);
  outcome.output = read_file(folder / "stdout");
  outcome.errors = read_file(folder / "stderr");
  for (const auto& entry : std::filesystem::directory_iterator(folder / "out")) {
    outcome.left.push_back(entry.path().filename().string());
  }
  return outcome;
}

std::vector<Outcome> run_cases(const std::filesystem::path& in,
                               const std::vector<HostileCase>& cases) {
  std::vector<Outcome> outcomes(cases.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < cases.size(); i = next++) outcomes[i] = run_case(in, cases[i]);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(work);
  }
  for (auto& thread : threads) thread.join();
  return outcomes;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// "12:34:56  …", as training logs.
bool is_log_line(const std::string& line) {
  const std::string pattern = "00:00:00  ";
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool digit = i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])) != 0;
    if (pattern[i] == '0' ? !digit : line.compare(i, 1, pattern, i, 1) != 0) return false;
  }
  return true;
}

void check_error(const Outcome& outcome, const HostileCase& hostile) {
  std::vector<std::string> said;
  for (const auto& line : lines_of(outcome.errors)) {
    if (!is_log_line(line)) said.push_back(line);
  }
  CHECK(said.size() == 1);
  if (said.empty()) return;
  CHECK(said.front().rfind("nmt: ", 0) == 0);
  CHECK(contains(said.front(), hostile.says));
  CHECK(outcome.left == std::vector<std::string>());
}

void check_success(const Outcome& outcome, const HostileCase& hostile) {
  CHECK(contains(outcome.output, hostile.says));
  for (const auto& name : outcome.left) {
    CHECK_FALSE((contains(name, ".partial") || contains(name, ".tmp")));
  }
}

void check_case(const Outcome& outcome, const HostileCase& hostile) {
  constexpr size_t kShown = 2000;
  INFO(hostile.what << "\n" << hostile.command);
  INFO("standard output: " << outcome.output.substr(0, kShown));
  INFO("standard error: " << outcome.errors.substr(0, kShown));
  CHECK(outcome.exit_code == hostile.exit_code);
  if (hostile.output_lines >= 0) {
    CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == hostile.output_lines);
  }
  if (!kSanitized) CHECK(outcome.memory_kib < kMaxMemoryKib);
  for (const char* crash : {"terminate called", "what():", "Exception raised from", "frame #",
                            "Sanitizer", "runtime error:"}) {
    CHECK_FALSE(contains(outcome.errors, crash));
  }
  if (hostile.exit_code == 0) {
    check_success(outcome, hostile);
  } else {
    check_error(outcome, hostile);
  }
}

}  // namespace

void check_cases(const std::filesystem::path& in, const std::vector<HostileCase>& cases) {
  const auto outcomes = run_cases(in, cases);
  for (size_t i = 0; i < cases.size(); ++i) check_case(outcomes[i], cases[i]);
}

}  // namespace nmt
