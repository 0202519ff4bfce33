#pragma once

#include <string>

namespace nmt {

/// The local address, such as "10.0.0.2", from which this machine reaches `host`, a name or
/// address, possibly its own. With `for_others` avoids a loopback address if there is another.
/// Throws Error for an unknown name.
std::string local_address_towards(const std::string& host, bool for_others);

}  // namespace nmt
