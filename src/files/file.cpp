#include "files/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>

#include "errors/error.h"
#include "errors/log.h"
#include "files/output_file.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  throw Error(path.string() + ": " + what + reason);
}

/// Opens the file, which messages call `path`, and calls `write`.
void write_stream(const std::filesystem::path& file, std::ios::openmode mode,
                  const std::filesystem::path& path,
                  const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream stream(file, std::ios::binary | mode);
  if (!stream) fail(path, "cannot be written");
  write(stream);
  stream.close();
  if (!stream) fail(path, "writing failed");
}

constexpr int kMaxLinks = 40;  // in a chain, the limit of Linux

std::filesystem::path unique_name(const std::filesystem::path& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  if (is_written_in_place(path)) return absolute.lexically_normal();
  const auto canonical = std::filesystem::weakly_canonical(link_target(absolute), error);
  return error ? absolute.lexically_normal() : canonical;
}

/// The temporary file of write_file_atomically. The process's number is not enough: in containers,
/// all programs may be process 1.
std::filesystem::path unfinished_name(const std::filesystem::path& path) {
  static const auto suffix =
      ".tmp" + std::to_string(::getpid()) + std::to_string(std::random_device{}() % 1'000'000);
  auto name = link_target(path);
  return name += suffix;
}

/// The permissions of a file that replaces `old`. Another group gets no more than all others have.
mode_t permissions_after(const struct stat& old, bool same_group) {
  const mode_t all = (old.st_mode & 0777U) | S_IRUSR | S_IWUSR;
  return same_group ? all : all & (~mode_t{S_IRWXG} | all << 3);
}

void keep_access(int descriptor, const struct stat& old) {
  const bool same_group = ::fchown(descriptor, old.st_uid, old.st_gid) == 0 ||
                          ::fchown(descriptor, ::geteuid(), old.st_gid) == 0;
  ::fchmod(descriptor, permissions_after(old, same_group));
}

/// Whether an unfinished file is this user's. Root gives its own to the owner of what they replace.
bool is_own(const struct stat& file, const struct stat* replaced) {
  return file.st_uid == ::geteuid() ||
         (::geteuid() == 0 && replaced != nullptr && file.st_uid == replaced->st_uid);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

void require_trusted(const std::filesystem::path& link) {
  constexpr mode_t kShared = S_ISVTX | S_IWOTH;
  struct stat around {};
  struct stat own {};
  if (::stat(folder_of(link).c_str(), &around) != 0 || ::lstat(link.c_str(), &own) != 0) return;
  if ((around.st_mode & kShared) != kShared) return;
  if (own.st_uid == ::geteuid() || own.st_uid == around.st_uid) return;
  throw Error(link.string() +
              ": a link of another user in a folder that all may write to; remove it");
}

/// Opens or creates a plain file of this user. Returns -1 if it is removed meanwhile. `replaced` is
/// the file that it will replace, or null.
int open_own_file(const std::filesystem::path& unfinished, const std::filesystem::path& path,
                  const struct stat* replaced) {
  constexpr int kFlags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const mode_t mode = replaced == nullptr ? 0666 : 0600;
  int descriptor = ::open(unfinished.c_str(), kFlags | O_CREAT | O_EXCL, mode);
  if (descriptor >= 0) return descriptor;
  const bool exists = errno == EEXIST;
  if (exists) descriptor = ::open(unfinished.c_str(), kFlags);
  if (exists && descriptor < 0 && errno == ENOENT) return -1;
  struct stat status {};
  const bool is_link = exists && errno == ELOOP;
  if (descriptor < 0 && !is_link) fail(path, "cannot be written");
  if (descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_nlink <= 1 && is_own(status, replaced)) {
    return descriptor;
  }
  if (descriptor >= 0) ::close(descriptor);
  throw Error(unfinished.string() + ": exists and is not a plain file of this user; remove it");
}

/// Gives an unfinished file the access of the file that it will replace; if it is not empty, only
/// withdraws access.
void adopt_access(int descriptor, const struct stat& replaced) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return;
  if (status.st_size == 0) return keep_access(descriptor, replaced);
  const bool same_group = status.st_gid == replaced.st_gid;
  ::fchmod(descriptor, status.st_mode & permissions_after(replaced, same_group));
}

bool has_name(int descriptor, const std::filesystem::path& name) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// See open_unfinished.
int open_as_own(const std::filesystem::path& unfinished, const std::filesystem::path& path,
                bool locked) {
  constexpr int kMaxTries = 10;  // file systems may number an open file differently
  for (int tries = 1;; ++tries) {
    struct stat old {};
    const bool replaces = ::stat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode);
    const int descriptor = open_own_file(unfinished, path, replaces ? &old : nullptr);
    if (locked && descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 &&
        (errno == EWOULDBLOCK || errno == EACCES)) {  // EACCES: on SMB
      ::close(descriptor);
      throw Error(unfinished.string() + ": in use by another nmt");
    }
    // Before it was locked, the program that wrote it may have renamed or removed it.
    const bool is_last = tries == kMaxTries;
    if (descriptor >= 0 && (is_last || has_name(descriptor, unfinished))) {
      if (replaces) adopt_access(descriptor, old);
      return descriptor;
    }
    if (is_last) fail(path, "cannot be written");
    if (descriptor >= 0) ::close(descriptor);
  }
}

}  // namespace

void require_no_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return;
  throw Error(path.string() + ": is a directory; use the name of a file");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot be created: " + error.message());
}

void require_absent(const std::filesystem::path& path, bool overwrite) {
  if (is_standard_output(path) && path != "/dev/null") {
    throw UsageError("--output " + path.string() +
                     ": only text is written to standard output; name a file");
  }
  if (!overwrite && std::filesystem::exists(std::filesystem::symlink_status(path))) {
    throw Error(path.string() + ": already exists; use --overwrite to replace it");
  }
  if (is_written_in_place(path)) return;
  const auto unfinished = unfinished_name(path);
  create_unfinished(unfinished, path);
  std::filesystem::remove(unfinished);
}

int open_unfinished(const std::filesystem::path& unfinished, const std::filesystem::path& path) {
  return open_as_own(unfinished, path, /*locked=*/true);
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

int flush_writes(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? -1 : ::close(copy);
}

void create_unfinished(const std::filesystem::path& unfinished, const std::filesystem::path& path) {
  const int descriptor = open_as_own(unfinished, path, /*locked=*/false);
  const int result = ::ftruncate(descriptor, 0);
  ::close(descriptor);
  if (result != 0) fail(path, "cannot be written");
}

void limit_readers(const std::filesystem::path& copy,
                   const std::vector<std::filesystem::path>& originals) {
  struct stat status {};
  if (::stat(copy.c_str(), &status) != 0) return;
  const mode_t before = status.st_mode & 07777U;
  mode_t after = before;
  for (const auto& original : originals) {
    struct stat text {};
    if (::stat(original.c_str(), &text) != 0) continue;
    const auto permitted = permissions_after(text, text.st_gid == status.st_gid);
    if ((permitted & S_IRGRP) == 0) after &= ~mode_t{S_IRWXG};
    if ((permitted & S_IROTH) == 0) after &= ~mode_t{S_IRWXO};
  }
  if (after == before || ::chmod(copy.c_str(), after) == 0) return;
  log_warning("{}: others may read it: {}", copy.string(), std::strerror(errno));
}

void sync_to_disk(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be opened to sync it");
  const int result = ::fsync(descriptor);
  ::close(descriptor);
  if (result != 0 && errno != EINVAL) fail(path, "cannot be synced to disk");
}

std::string read_file(const std::filesystem::path& path, size_t max_bytes) {
  errno = 0;
  if (std::filesystem::is_directory(path)) throw Error(path.string() + ": is a folder, not a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(path, "cannot be read");
  std::string content;
  std::vector<char> buffer(1 << 16);
  while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())),
         stream.gcount() > 0) {
    content.append(buffer.data(), static_cast<size_t>(stream.gcount()));
    if (content.size() > max_bytes) {
      throw Error(path.string() + ": has more than " + std::to_string(max_bytes) + " bytes");
    }
  }
  if (stream.bad()) fail(path, "reading failed");
  return content;
}

std::filesystem::path link_target(const std::filesystem::path& path) {
  std::error_code ignored;
  auto target = path;
  for (int links = 0; std::filesystem::is_symlink(target, ignored); ++links) {
    errno = ELOOP;
    if (links == kMaxLinks) fail(path, "cannot be followed");
    require_trusted(target);
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
  }
  return target;
}

bool is_gzip_name(const std::filesystem::path& path) {
  return to_lower(path.extension().string()) == ".gz";
}

std::filesystem::path uncompressed_name(const std::filesystem::path& path) {
  return is_gzip_name(path) ? path.parent_path() / path.stem() : path;
}

bool is_numbered(const std::string& name, const std::string& prefix) {
  return begins_with(name, prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

bool is_written_in_place(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) return false;
  const auto target = link_target(path);
  if (!std::filesystem::is_regular_file(status)) return true;
  if (target == path) return false;
  // /dev/stdout may lead to a file that has been unlinked. Another program may replace a file
  // between the two looks that a comparison takes, but hardly twice.
  return !std::filesystem::equivalent(path, target, ignored) &&
         !std::filesystem::equivalent(path, target, ignored);
}

std::string shown_name(const std::filesystem::path& path) {
  return path == "-" ? "standard input" : path.string();
}

bool is_readable_once(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return path == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_socket(status);
}

void require_rereadable(const std::vector<std::filesystem::path>& paths) {
  for (const auto& path : paths) {
    if (!is_readable_once(path)) continue;
    throw Error(shown_name(path) + ": cannot be read twice; use a regular file");
  }
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  return unique_name(a) == unique_name(b);
}

void require_two_outputs(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto named = [](const auto& path) { return path == "/dev/stdout" ? "-" : path; };
  if (b.empty() || a == "/dev/null") return;
  if (!is_same_file(a, b) && !is_same_file(named(a), named(b))) return;
  throw UsageError(a.string() + ": used for two outputs; use two files");
}

void require_not_input(const std::vector<std::filesystem::path>& outputs,
                       const std::vector<std::filesystem::path>& inputs) {
  const auto is_file = [](const auto& path) { return !path.empty() && path != "-"; };
  for (const auto& output : outputs) {
    if (!is_file(output) || is_written_in_place(output)) continue;
    for (const auto& input : inputs) {
      if (!is_file(input) || !is_same_file(output, input)) continue;
      throw UsageError(output.string() +
                       ": used as input and output; use another file or directory");
    }
  }
}

std::string last_line(const std::filesystem::path& path) {
  constexpr char kSpace[] = " \t\r\n";
  auto text = read_file(path);
  text.erase(text.find_last_not_of(kSpace) + 1);
  text.erase(0, text.find_last_of("\r\n") + 1);
  return text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
}

void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write,
                           const std::function<void(const std::filesystem::path&)>& check) {
  if (is_written_in_place(path)) {
    write_stream(path, std::ios::trunc, path, write);
    if (check && std::filesystem::is_regular_file(path)) check(path);
    return;
  }
  const auto target = link_target(path);
  const auto temporary = unfinished_name(path);
  try {
    create_unfinished(temporary, path);
    write_stream(temporary, std::ios::in, path, write);  // without O_CREAT
    // A rename is only safe once the bytes, and then the name, have reached the disk.
    sync_to_disk(temporary);
    if (check) check(temporary);
    std::error_code error;
    std::filesystem::rename(temporary, target, error);
    if (error) throw Error(path.string() + ": cannot be written: " + error.message());
    sync_to_disk(folder_of(target));
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

void write_file_atomically(const std::filesystem::path& path, const std::string& content) {
  write_file_atomically(path, [&](std::ostream& stream) {
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

void copy_file_atomically(const std::filesystem::path& from, const std::filesystem::path& to) {
  errno = 0;
  std::ifstream source(from, std::ios::binary);
  if (!source) fail(from, "cannot be read");
  write_file_atomically(to, [&](std::ostream& stream) { stream << source.rdbuf(); });
}

}  // namespace nmt
