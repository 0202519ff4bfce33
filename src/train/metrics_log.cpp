#include "train/metrics_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/json.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson position(const char* type, const TrainingProgress& progress) {
  return {{"type", type},
          {"update", progress.update},
          {"epoch", progress.epoch},
          {"seconds", progress.seconds}};
}

}  // namespace

void MetricsLog::resume(int64_t size) {
  std::error_code error;
  const auto there = static_cast<int64_t>(std::filesystem::file_size(path_, error));
  size_ = error ? 0 : std::min(size, there);
  if (size_ < size) log_warning("{}: lines of the run so far are missing", path_.string());
  if (size_ < there && !error) {
    std::filesystem::resize_file(path_, static_cast<uintmax_t>(size_), error);
    if (error) throw Error(path_.string() + ": cannot be written: " + error.message());
  }
}

void MetricsLog::write(const std::string& line) {
  pending_ += line + "\n";
  const auto problem = append();
  if (!problem.empty() && !failing_) {
    log_warning("{}: {}; will write its lines later", path_.string(), problem);
  }
  failing_ = !problem.empty();
}

/// Returns the problem, or "".
std::string MetricsLog::append() {
  if (pending_.empty()) return "";
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return std::strerror(errno);
  struct stat status {};  // the file may have been deleted or cut
  if (::fstat(descriptor, &status) == 0) size_ = std::min<int64_t>(size_, status.st_size);
  if (size_ == 0) limit_readers(path_, texts_);
  errno = 0;
  const auto written = ::pwrite(descriptor, pending_.data(), pending_.size(), size_);
  std::string problem;
  if (written == static_cast<ssize_t>(pending_.size())) {
    size_ += static_cast<int64_t>(pending_.size());
    pending_.clear();
  } else {
    problem = std::strerror(errno != 0 ? errno : ENOSPC);
    if (::ftruncate(descriptor, size_) != 0) problem += ", and its last line is incomplete";
  }
  ::close(descriptor);
  return problem;
}

int64_t MetricsLog::sync() {
  const auto problem = append();
  if (!problem.empty()) throw Error(path_.string() + ": cannot be written: " + problem);
  std::error_code ignored;
  if (size_ > 0 && std::filesystem::exists(path_, ignored)) sync_to_disk(path_);
  return size_;
}

void MetricsLog::train(const TrainingProgress& progress) {
  auto line = position("train", progress);
  line["loss"] = progress.loss;
  line["perplexity"] = std::exp(progress.loss);
  line["learning_rate"] = progress.learning_rate;
  line["gradient_norm"] = progress.gradient_norm;
  line["tokens_per_second"] = progress.tokens_per_second;
  if (progress.skipped_updates > 0) line["skipped_updates"] = progress.skipped_updates;
  write(dump_json(line));
}

void MetricsLog::validation(const TrainingProgress& progress, const ValidationResult& result,
                            const std::vector<Sample>& samples, bool best) {
  auto line = position("validation", progress);
  line["loss"] = result.loss;
  line["perplexity"] = result.perplexity;
  if (!std::isnan(result.bleu)) {
    line["bleu"] = result.bleu;
    line["chrf"] = result.chrf;
  }
  if (!std::isnan(result.script)) line["script"] = result.script;
  line["best"] = best;
  line["validation_seconds"] = result.seconds;
  for (const auto& sample : samples) {
    line["samples"].push_back({{"line", sample.line},
                               {"source", sample.source},
                               {"translation", sample.translation},
                               {"reference", sample.reference}});
  }
  // A vocabulary with byte fallback can spell invalid UTF-8.
  write(dump_json(line));
}

}  // namespace nmt
