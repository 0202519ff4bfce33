#include "files/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "errors/error.h"

namespace nmt {

namespace {

constexpr char kCheckFolder[] = "; check TMPDIR";

std::filesystem::path temporary_files() {
  const char* given = std::getenv("TMPDIR");
  if (given != nullptr && *given == '\0') return "/tmp";  // as for mktemp
  std::error_code error;
  auto folder = std::filesystem::temp_directory_path(error);
  if (error) throw Error("TMPDIR: " + error.message() + "; set it to a folder");
  return folder;
}

}  // namespace

ScratchFolder::ScratchFolder() : ScratchFolder(temporary_files() / "nmt", kCheckFolder) {}

ScratchFolder::ScratchFolder(const std::filesystem::path& place) : ScratchFolder(place, "") {}

ScratchFolder::ScratchFolder(const std::filesystem::path& prefix, const std::string& advice) {
  auto name = prefix.string() + "-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(name + ": cannot be created: " + std::strerror(errno) + advice);
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::FILE* open_scratch_file() {
  auto name = (temporary_files() / "nmt-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  std::FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
  if (file == nullptr) {
    throw Error(name + ": cannot be created: " + std::strerror(errno) + kCheckFolder);
  }
  ::unlink(name.c_str());
  return file;
}

}  // namespace nmt
