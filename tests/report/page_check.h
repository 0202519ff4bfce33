#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/catch.h"
#include "support/file.h"

namespace nmt {

/// What tests/report/SCRIPT says of a file; nothing where all is well, or there is no Python.
inline std::string python_on(const std::string& script, const std::filesystem::path& file) {
  if (!std::filesystem::exists("/usr/bin/python3")) {
    WARN("skipped: there is no /usr/bin/python3");
    return "";
  }
  const auto said = file.string() + ".said";
  const auto command = "/usr/bin/python3 -B '" NMT_SOURCE_DIR "/tests/report/" + script + "' '" +
                       file.string() + "' >'" + said + "' 2>&1";
  const int status = std::system(command.c_str());
  const auto text = read_file(said);
  return status == 0 ? text : "failed: " + text;
}

inline std::string problems_of_page(const std::filesystem::path& page) {
  return python_on("check_page.py", page);
}

}  // namespace nmt
