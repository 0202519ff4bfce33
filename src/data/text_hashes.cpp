#include "data/text_hashes.h"

#include <sys/stat.h>

#include <cstdint>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "files/file.h"
#include "files/sha256.h"

namespace nmt {
namespace {

constexpr char kHashesFile[] = "text-hashes";
constexpr int64_t kNanoseconds = 1000000000;
constexpr int64_t kSettled = 2 * kNanoseconds;

/// Of a file that does not change but for its content. The time is of the last change of content or
/// of anything else about the file: unlike that of the content alone, no tool sets it back.
struct FileIdentity {
  int64_t size = 0;
  int64_t inode = 0;
  int64_t changed = 0;  // nanoseconds

  bool operator==(const FileIdentity& other) const {
    return size == other.size && inode == other.inode && changed == other.changed;
  }
};

struct KnownHash {
  FileIdentity identity;
  std::string hash;
};

std::mutex hashes_mutex;  // guards what follows
std::map<std::string, KnownHash> known_hashes;

std::optional<FileIdentity> identify(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{static_cast<int64_t>(status.st_size), static_cast<int64_t>(status.st_ino),
                      status.st_ctim.tv_sec * kNanoseconds + status.st_ctim.tv_nsec};
}

/// The clock of files has ticks: one that changed just now may change again within the same.
bool is_settled(const FileIdentity& identity) {
  return static_cast<int64_t>(std::time(nullptr)) * kNanoseconds - identity.changed > kSettled;
}

std::map<std::string, KnownHash> read_hashes(const std::filesystem::path& folder) {
  std::map<std::string, KnownHash> hashes;
  std::ifstream stream(folder / kHashesFile);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    KnownHash known;
    std::string path;
    if (fields >> known.hash >> known.identity.size >> known.identity.inode >>
            known.identity.changed &&
        fields.get() == ' ' && std::getline(fields, path) && known.hash.size() == 64) {
      hashes[path] = known;
    }
  }
  return hashes;
}

std::string name_of(const std::filesystem::path& text) {
  std::error_code ignored;
  return std::filesystem::absolute(text, ignored).string();
}

}  // namespace

std::string text_hash(const std::filesystem::path& text, const std::filesystem::path& folder) {
  const auto name = name_of(text);
  const auto identity = identify(text);
  {
    const std::lock_guard<std::mutex> lock(hashes_mutex);
    if (!folder.empty()) known_hashes.merge(read_hashes(folder));
    const auto known = known_hashes.find(name);
    if (known != known_hashes.end() && identity && known->second.identity == *identity) {
      return known->second.hash;
    }
  }
  const bool settled = identity && is_settled(*identity);
  auto hash = sha256_of_file(text);
  if (settled && identify(text) == identity && name.find('\n') == std::string::npos) {
    const std::lock_guard<std::mutex> lock(hashes_mutex);
    known_hashes[name] = {*identity, hash};
  }
  return hash;
}

void keep_text_hashes(const std::filesystem::path& folder) {
  std::ostringstream lines;
  {
    const std::lock_guard<std::mutex> lock(hashes_mutex);
    if (known_hashes.empty()) return;
    for (const auto& [name, known] : known_hashes) {
      lines << known.hash << ' ' << known.identity.size << ' ' << known.identity.inode << ' '
            << known.identity.changed << ' ' << name << '\n';
    }
  }
  const auto file = folder / kHashesFile;
  // Writing it waits for the disk, and with it for whatever else is on the way there.
  if (std::filesystem::exists(file) && read_file(file) == lines.str()) return;
  write_file_atomically(file, lines.str());
}

}  // namespace nmt
