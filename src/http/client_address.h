#pragma once

#include <string>

namespace nmt {

/// An IP address in its usual spelling, an IPv4 address in IPv6 as IPv4; "" for anything else.
std::string normalized_address(const std::string& text);

/// `address` as normalized_address() returns it.
bool is_loopback(const std::string& address);

/// What a limit per address takes for one client: an IPv4 address, or the /64 network of an IPv6
/// address, since a client may use any address of its network.
std::string address_group(const std::string& address);

}  // namespace nmt
