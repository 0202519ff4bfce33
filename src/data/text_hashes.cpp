#include "data/text_hashes.h"

#include <sys/stat.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "files/sha256.h"

namespace nmt {
namespace {

constexpr int64_t kNanoseconds = 1000000000;
constexpr int64_t kSettled = 2 * kNanoseconds;

/// Device, inode, size, and ctime in nanoseconds: unlike mtime, no tool can set it back.
using FileIdentity = std::tuple<uint64_t, uint64_t, int64_t, int64_t>;

/// Nothing unless it is a regular file that has not changed for two seconds: another change within
/// the same tick of the file system's clock would not show.
std::optional<FileIdentity> identify(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const int64_t changed = status.st_ctim.tv_sec * kNanoseconds + status.st_ctim.tv_nsec;
  if (std::time(nullptr) * kNanoseconds - changed <= kSettled) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, status.st_size, changed};
}

}  // namespace

std::string text_hash(const std::filesystem::path& text) {
  static std::mutex mutex;  // guards what follows
  static std::map<FileIdentity, std::string> known_hashes;
  const auto identity = identify(text);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = identity ? known_hashes.find(*identity) : known_hashes.end();
    if (known != known_hashes.end()) return known->second;
  }
  auto hash = sha256_of_file(text);
  if (identity && identify(text) == identity) {
    const std::lock_guard<std::mutex> lock(mutex);
    known_hashes[*identity] = hash;
  }
  return hash;
}

}  // namespace nmt
