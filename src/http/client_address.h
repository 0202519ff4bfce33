#pragma once

#include <set>
#include <string>

#include "http/http_message.h"

namespace nmt {

/// An IP address in its usual spelling, an IPv4 address in IPv6 as IPv4; "" for anything else.
std::string normalized_address(const std::string& text);

/// `address` as normalized_address() returns it.
bool is_loopback(const std::string& address);

/// What a limit per address takes for one client: an IPv4 address, or the /64 network of an IPv6
/// address, since a client may use any address of its network.
std::string address_group(const std::string& address);

/// The address that a request comes from. X-Forwarded-For counts only as far as proxies that are
/// trusted have written it: a client can send anything there.
std::string client_address(const HttpRequest& request,
                           const std::set<std::string>& trusted_proxies);

}  // namespace nmt
