#pragma once

#include <string>

namespace nmt {

/// An IP address in its usual spelling, an IPv4 address in IPv6 as IPv4; "" for anything else.
std::string normalized_address(const std::string& text);

/// `address` as normalized_address() returns it.
bool is_loopback(const std::string& address);

/// A host without its port: 192.0.2.1:50001, [2001:db8::1]:50001, localhost:8080.
std::string without_port(const std::string& text);

/// Whether a Host header names an IP address or a name that public DNS cannot have, such as
/// localhost. With any other name, the page that sent a request may have pointed its own name at
/// this machine (DNS rebinding), and to its browser the server is then part of its site.
bool is_private_host(const std::string& host);

/// What limits per address count as one client: an IPv4 address, or the /64 network of an IPv6
/// address, since a client may use any address of its network.
std::string address_group(const std::string& address);

}  // namespace nmt
