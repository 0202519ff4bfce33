#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nmt {

/// The environment of this build, as names and values: versions, the BLAS that is actually loaded,
/// threads, CPU features, devices.
std::vector<std::pair<std::string, std::string>> build_info();

/// A warning if the BLAS is the slow reference implementation; otherwise empty.
std::string blas_warning();

}  // namespace nmt
