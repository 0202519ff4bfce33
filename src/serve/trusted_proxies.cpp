#include "serve/trusted_proxies.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include "errors/error.h"
#include "http/client_address.h"
#include "numbers/parse.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

namespace ip = boost::asio::ip;

constexpr size_t kMaxProxies = 16;  // in a chain; bounds the time for forged headers

/// An IPv4 address as one of IPv6. Throws boost::system::system_error for anything else.
ip::address_v6 as_v6(const std::string& text) {
  const auto address = ip::make_address(text);
  if (address.is_v6()) return address.to_v6();
  return ip::make_address_v6(ip::v4_mapped, address.to_v4());
}

std::array<unsigned char, 16> first_address(const ip::address_v6& address, int prefix) {
  return ip::network_v6(address, static_cast<uint16_t>(prefix)).network().to_bytes();
}

/// The prefix length in `text`, in bits; -1 if it is not one.
int prefix_of(const std::string& text, int bits) {
  const int prefix = parse_number<int>(text).value_or(-1);
  return prefix <= bits ? prefix : -1;
}

}  // namespace

TrustedProxies::TrustedProxies(const std::vector<std::string>& proxies) {
  for (const auto& proxy : proxies) networks_.push_back(parse(proxy));
}

TrustedProxies::Network TrustedProxies::parse(const std::string& text) {
  const size_t slash = text.find('/');
  const auto host = text.substr(0, slash);
  const int bits = host.find(':') == std::string::npos ? 32 : 128;
  const int prefix = slash == std::string::npos ? bits : prefix_of(text.substr(slash + 1), bits);
  // The interface of a link-local address (after %) is not compared, so none may be required.
  const auto address = host.find('%') == std::string::npos ? normalized_address(host) : "";
  if (address.empty() || prefix < 0) {
    throw UsageError("--trusted-proxy: " + text +
                     ": neither an IP address nor a network; use one such as 10.0.0.2 or "
                     "10.0.0.0/8");
  }
  const int v6_prefix = prefix + 128 - bits;
  const auto first = first_address(as_v6(address), v6_prefix);
  if (first == as_v6(address).to_bytes()) return {first, v6_prefix};
  throw UsageError("--trusted-proxy: " + text + ": the address has bits after the first " +
                   std::to_string(prefix) + "; use " + host + " or the network's first address");
}

bool TrustedProxies::contain(const std::string& address) const {
  if (normalized_address(address).empty()) return false;
  const auto read = as_v6(address);
  return std::any_of(networks_.begin(), networks_.end(), [&](const Network& network) {
    return first_address(read, network.prefix) == network.first;
  });
}

std::string TrustedProxies::client_of(const HttpRequest& request) const {
  auto address = request.peer_address;
  auto forwarded = request.header("x-forwarded-for");
  for (size_t i = 0; i < kMaxProxies && contain(address) && !forwarded.empty(); ++i) {
    const auto comma = forwarded.rfind(',');
    const auto last = comma == std::string::npos ? 0 : comma + 1;
    const auto written = trimmed(std::string_view(forwarded).substr(last), " \t");
    address = normalized_address(without_port(std::string(written)));  // some proxies write a port
    forwarded.resize(last == 0 ? 0 : comma);
  }
  return address;
}

}  // namespace nmt
