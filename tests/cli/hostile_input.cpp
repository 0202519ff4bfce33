#include "cli/hostile_input.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <sstream>
#include <thread>
#include <utility>

#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/start_command.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr int64_t kMaxMemoryKib = int64_t{2} << 20;

// A case that hangs is killed. Sanitizers slow the program down some ten times.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
constexpr unsigned kMaxSeconds = 400;
#else
constexpr bool kSanitized = false;
constexpr unsigned kMaxSeconds = 200;
#endif

struct Outcome {
  int exit_code = -1;
  std::string output;
  std::string errors;
  int64_t memory_kib = 0;
  std::vector<std::string> left;  // names in $out
};

/// The command with what its variables stand for.
std::string filled_in(std::string command, const std::filesystem::path& in,
                      const std::filesystem::path& out) {
  const std::pair<std::string, std::string> variables[] = {
      {"$nmt", NMT_PROGRAM},
      {"$sample", NMT_SOURCE_DIR "/models/sample"},
      {"$in", in.string()},
      {"$out", out.string()}};
  for (const auto& [name, value] : variables) replace_all(command, name, value);
  return command;
}

/// A case that is under way.
class RunningCase {
 public:
  RunningCase(const HostileCase& hostile, const std::filesystem::path& in) {
    std::filesystem::create_directory(folder_ / "out");
    process_ = start_command(filled_in(hostile.command, in, folder_ / "out"), folder_ / "stdout",
                             folder_ / "stderr", kMaxSeconds);
  }

  pid_t process() const { return process_; }

  /// What came of it, when it has ended.
  Outcome outcome(int status, const rusage& usage) const {
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.memory_kib = usage.ru_maxrss;  // of the shell or the program and all they waited for
    outcome.output = read_file(folder_ / "stdout");
    outcome.errors = read_file(folder_ / "stderr");
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out")) {
      outcome.left.push_back(entry.path().filename().string());
    }
    return outcome;
  }

 private:
  TemporaryFolder folder_;
  pid_t process_ = -1;
};

/// Runs the cases, as many at a time as there are cores.
std::vector<Outcome> run_cases(const std::filesystem::path& in,
                               const std::vector<HostileCase>& cases) {
  const size_t at_a_time = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Outcome> outcomes(cases.size());
  std::vector<std::unique_ptr<RunningCase>> running(cases.size());
  size_t begun = 0;
  for (size_t ended = 0; ended < cases.size(); ++ended) {
    for (; begun < cases.size() && begun < ended + at_a_time; ++begun) {
      running[begun] = std::make_unique<RunningCase>(cases[begun], in);
    }
    int status = 0;
    rusage usage{};
    const pid_t process = ::wait4(-1, &status, 0, &usage);
    for (size_t i = 0; i < begun; ++i) {
      if (running[i] == nullptr || running[i]->process() != process) continue;
      outcomes[i] = running[i]->outcome(status, usage);
      running[i] = nullptr;
    }
  }
  return outcomes;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool begins_like(const std::string& line, const std::string& pattern) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool digit = i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])) != 0;
    if (pattern[i] == '0' ? !digit : line.compare(i, 1, pattern, i, 1) != 0) return false;
  }
  return true;
}

/// "12:34:56  …", as training logs; a server adds the date.
bool is_log_line(const std::string& line) {
  return begins_like(line, "00:00:00  ") || begins_like(line, "0000-00-00 00:00:00  ");
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
