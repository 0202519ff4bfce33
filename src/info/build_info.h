#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nmt {

/// What this build runs on, as name and value: versions, the BLAS that is really loaded, threads,
/// CPU features, devices.
std::vector<std::pair<std::string, std::string>> build_info();

/// A warning when the BLAS is the slow reference one; empty otherwise.
std::string blas_warning();

}  // namespace nmt
