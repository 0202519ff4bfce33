#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "files/file.h"
#include "support/catch.h"

namespace nmt {

/// What tests/reports/SCRIPT says of a file; nothing where all is well.
inline std::string python_on(const std::string& script, const std::filesystem::path& file) {
  const auto said = file.string() + ".said";
  const auto command = "/usr/bin/python3 -B '" NMT_SOURCE_DIR "/tests/reports/" + script + "' '" +
                       file.string() + "' >'" + said + "' 2>&1";
  const int status = std::system(command.c_str());
  const auto text = read_file(said);
  return status == 0 ? text : "failed: " + text;
}

inline std::string problems_of_page(const std::filesystem::path& page) {
  return python_on("check_page.py", page);
}

/// The page as Chromium has it once its scripts have run; skips the test where there is none.
inline std::string page_in_browser(const std::filesystem::path& page, const std::string& anchor) {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0) {
    SKIP("there is no chromium");
  }
  const auto dump = page.string() + ".dump";
  const auto command =
      "timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir='" +
      page.string() + ".profile' --virtual-time-budget=2000 --dump-dom 'file://" + page.string() +
      anchor + "' >'" + dump + "' 2>/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return read_file(dump);
}

}  // namespace nmt
