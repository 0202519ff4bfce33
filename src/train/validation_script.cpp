#include "train/validation_script.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "errors/error.h"
#include "files/file.h"
#include "files/scratch_folder.h"
#include "numbers/parse.h"
#include "processes/interrupt.h"
#include "processes/subprocess.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string write_lines(const fs::path& file, const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  write_file_atomically(file, text);
  return file.string();
}

}  // namespace

void require_script(const std::string& script) {
  std::error_code ignored;
  if (!fs::exists(script, ignored)) throw Error("validation.script: " + script + ": no such file");
  if (fs::is_directory(script, ignored) || ::access(script.c_str(), X_OK) != 0) {
    throw Error("validation.script: " + script + ": cannot be run; use chmod +x on a program");
  }
}

double rate_by_script(const std::string& script, const RatedTexts& texts,
                      std::chrono::milliseconds limit) {
  const ScratchFolder folder;
  const auto output = folder.path() / "output";
  const auto errors = folder.path() / "errors";
  const std::vector<std::string> command = {
      fs::absolute(script).string(),
      write_lines(folder.path() / "translations", texts.translations),
      write_lines(folder.path() / "references", texts.references),
      write_lines(folder.path() / "sources", texts.sources)};
  Subprocess program(command, {output, {}, /*own_group=*/true, errors});
  const auto end = Clock::now() + limit;
  const auto status = program.wait([&] {
    stop_if_interrupted("interrupted while the validation script ran");
    if (Clock::now() < end) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
    throw Error(script + ": took longer than " + std::to_string(seconds) +
                " seconds; use a faster script or lower validation.max_sentences");
  });
  if (status.code() != 0) {
    const auto reason = last_line(errors);
    throw Error(script + ": failed with exit code " + std::to_string(status.code()) +
                (reason.empty() ? "" : ": " + reason));
  }
  const auto line = last_line(output);
  const auto rating = parse_number<double>(line);
  if (rating && std::isfinite(*rating)) return *rating;
  throw Error(script + ": '" + line.substr(0, 100) +
              "', the last line of its output, is not a number; print the rating alone");
}

}  // namespace nmt
