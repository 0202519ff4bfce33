#pragma once

#include <string>

namespace nmt {

/// The address of this machine from which it reaches another, "10.0.0.2"; the other's may be a name
/// and this machine's own. With `for_others` never one that only this machine reaches, where there
/// is any better. Throws Error on a name that is not known.
std::string local_address_towards(const std::string& host, bool for_others);

}  // namespace nmt
