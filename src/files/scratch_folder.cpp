#include "files/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "errors/error.h"

namespace nmt {

ScratchFolder::ScratchFolder() {
  auto name = (std::filesystem::temp_directory_path() / "nmt-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(name + ": cannot be created: " + std::strerror(errno) + "; check TMPDIR");
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace nmt
