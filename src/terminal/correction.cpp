#include "terminal/correction.h"

#include <string_view>
#include <utility>

#include "errors/error.h"
#include "files/file.h"
#include "processes/subprocess.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

/// The error of `nmt adapt` without its files, which the user did not name, and without advice to
/// use its options.
std::string error_of_correction(std::string error) {
  constexpr std::string_view kPlace = ": line 1: ";
  const auto place = error.find(kPlace);
  if (place != std::string::npos) error.erase(0, place + kPlace.size());
  const auto option = error.rfind(" --");
  if (option == std::string::npos) return error;
  return error.substr(0, error.find_last_of(",;", option));
}

}  // namespace

CorrectedModels::CorrectedModels(fs::path program, std::string device, int threads)
    : program_(program.empty() ? "/proc/self/exe" : std::move(program)),
      device_(std::move(device)),
      threads_(threads) {}

bool CorrectedModels::made(const fs::path& model) const {
  return folder_ && model.parent_path() == folder_->path();
}

fs::path CorrectedModels::learn(const Correction& correction,
                                const std::function<bool()>& stopped) {
  if (!folder_) folder_ = std::make_unique<ScratchFolder>();
  const auto& root = folder_->path();
  const auto number = std::to_string(++made_);
  const auto source = root / (number + ".source");
  const auto target = root / (number + ".target");
  const auto log = root / (number + ".log");
  write_file_atomically(source, correction.source + "\n");
  write_file_atomically(target, correction.target + "\n");
  auto folder = root / number;
  Subprocess adapt({program_.string(), "adapt", "--model-dir", correction.model.string(),
                    "--output", folder.string(), "--source", source.string(), "--target",
                    target.string(), "--device", device_, "--threads", std::to_string(threads_)},
                   {log});
  const auto status = adapt.wait([&] {
    if (stopped()) throw Error("stopped");
  });
  if (status.code() != 0) throw Error(error_of_correction(last_line(log)));
  return folder;
}

void CorrectedModels::save(const fs::path& model, const fs::path& place) {
  const auto target = fs::absolute(place / "").parent_path();  // without a trailing slash
  std::error_code ignored;  // creating it then fails, with the reason
  if (fs::exists(fs::symlink_status(target, ignored))) {
    throw Error(place.string() + ": already exists");
  }
  const ScratchFolder scratch(target);
  const auto copy = scratch.path() / "model";
  std::error_code problem;
  fs::copy(model, copy, fs::copy_options::recursive, problem);
  if (!problem) fs::rename(copy, target, problem);
  if (problem) throw Error(place.string() + ": cannot be written: " + problem.message());
}

}  // namespace nmt
