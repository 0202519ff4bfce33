#include "checkpoint/model_stamp.h"

#include <sys/stat.h>

#include "checkpoint/model_directory.h"

namespace nmt {

ModelStamp stamp_of(const std::filesystem::path& model) {
  std::error_code ignored;
  std::vector<std::filesystem::path> files = {model};
  if (std::filesystem::is_directory(model, ignored)) {
    const ModelDirectory directory{model};
    files = {directory.weights(),          directory.settings(),    directory.source_tokenizer(),
             directory.target_tokenizer(), directory.calibration(), directory.checksums()};
  }
  ModelStamp stamp;
  for (const auto& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) status = {};
    stamp.push_back({static_cast<int64_t>(status.st_dev), static_cast<int64_t>(status.st_ino),
                     status.st_size, status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec});
  }
  return stamp;
}

}  // namespace nmt
