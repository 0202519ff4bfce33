// Preloaded into a program (LD_PRELOAD): some of its calls that change files fail with EIO, as on a
// broken disk. NMT_FAIL_FOLDER names the folder where, NMT_FAIL_CALL which call: 5 is the fifth
// alone, 5+ the fifth and all after it, 0 none. The number of calls is written to NMT_FAIL_COUNT at
// the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::atomic<long> calls{0};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_in_folder(const char* path) {
  // Read each time: a test sets it for its forks, which would inherit a value kept from before.
  const std::string folder = variable("NMT_FAIL_FOLDER") + "/";
  return folder.size() > 1 && std::strncmp(path, folder.c_str(), folder.size()) == 0;
}

bool is_in_folder(int descriptor) {
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  std::array<char, 4096> path{};
  return ::readlink(link.c_str(), path.data(), path.size() - 1) > 0 && is_in_folder(path.data());
}

/// Each call adds a byte: a program may end without running destructors.
void report_call() {
  static const int file =
      ::openat(AT_FDCWD, variable("NMT_FAIL_COUNT").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  [[maybe_unused]] const auto written = ::syscall(SYS_write, file, ".", 1);
}

/// Counts a call on a file in the folder. Returns true if it must fail.
template <typename File>
bool fails(File file) {
  if (!is_in_folder(file)) return false;
  static const std::string which = variable("NMT_FAIL_CALL");
  static const long first = std::atol(which.c_str());
  const long call = ++calls;
  report_call();
  if (first == 0 || call < first || (call > first && which.back() != '+')) return false;
  errno = EIO;
  return true;
}

template <typename Function>
Function* original(const char* name, Function*) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t count) {
  static auto* const real = original("write", ::write);
  return fails(file) ? -1 : real(file, bytes, count);
}

ssize_t writev(int file, const iovec* parts, int count) {
  static auto* const real = original("writev", ::writev);
  return fails(file) ? -1 : real(file, parts, count);
}

int fsync(int file) {
  static auto* const real = original("fsync", ::fsync);
  return fails(file) ? -1 : real(file);
}

int ftruncate(int file, off_t size) noexcept {
  static auto* const real = original("ftruncate", ::ftruncate);
  return fails(file) ? -1 : real(file, size);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = original("rename", ::rename);
  return fails(to) ? -1 : real(from, to);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const real = original("mkdir", ::mkdir);
  return fails(path) ? -1 : real(path, mode);
}

int open(const char* path, int flags, ...) {
  static auto* const real = original("open", ::open);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return (flags & O_ACCMODE) != O_RDONLY && fails(path) ? -1 : real(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  static auto* const real = original("open64", ::open64);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return (flags & O_ACCMODE) != O_RDONLY && fails(path) ? -1 : real(path, flags, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  static auto* const real = original("fopen64", ::fopen64);
  return std::strpbrk(mode, "wa+") != nullptr && fails(path) ? nullptr : real(path, mode);
}

}  // extern "C"
