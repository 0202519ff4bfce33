#pragma once

#include <string>

namespace nmt {

/// The address from which this machine reaches `host`, which may be a name and this machine's own,
/// as "10.0.0.2". With `for_others` no loopback address if there is a better one. Throws Error on
/// an unknown name.
std::string local_address_towards(const std::string& host, bool for_others);

}  // namespace nmt
