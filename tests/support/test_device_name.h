#pragma once

#include <cstdlib>
#include <string>

namespace nmt {

/// The device that tests compute on, for settings and options that take a name: NMT_TEST_DEVICE, or
/// cpu.
inline std::string test_device_name() {
  const char* name = std::getenv("NMT_TEST_DEVICE");
  return name == nullptr ? "cpu" : name;
}

}  // namespace nmt
