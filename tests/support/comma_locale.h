#pragma once

#include <clocale>
#include <cstdlib>
#include <locale>
#include <string>

#include "support/temporary_folder.h"

namespace nmt {

/// While it lives, the locale of C and of C++ is German: 0,5 and 1.000. Check works() first.
class CommaLocale {
 public:
  CommaLocale() {
    const std::string make =
        "localedef -i de_DE -f UTF-8 '" + (folder_ / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
    if (std::system(make.c_str()) != 0) return;
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) return;
    std::locale::global(std::locale("de_DE.UTF-8"));
    works_ = true;
  }
  ~CommaLocale() {
    std::locale::global(std::locale::classic());
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
  }

  /// False where this machine cannot make the locale.
  bool works() const { return works_; }

 private:
  TemporaryFolder folder_;
  bool works_ = false;
};

}  // namespace nmt
