#pragma once

#include <array>
#include <string>
#include <vector>

#include "http/http_message.h"

namespace nmt {

/// The proxies whose X-Forwarded-For headers are trusted.
class TrustedProxies {
 public:
  /// Takes addresses (10.0.0.2) and networks (10.0.0.0/8, fd00::/8). Throws UsageError for anything
  /// else, and for a network with bits after its prefix, which may be meant as an address.
  explicit TrustedProxies(const std::vector<std::string>& proxies);

  /// Whether one of them has this address, as normalized_address() returns it.
  bool contain(const std::string& address) const;

  /// The address that a request comes from, or "" if a trusted proxy names none. X-Forwarded-For
  /// counts only as far as trusted proxies have written it: a client can send anything there.
  std::string client_of(const HttpRequest& request) const;

 private:
  using Bytes = std::array<unsigned char, 16>;  // an IPv4 address as one of IPv6

  struct Network {
    Bytes first;
    int prefix = 0;  // bits
  };

  static Network parse(const std::string& text);

  std::vector<Network> networks_;
};

}  // namespace nmt
