#include "http/client_address.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include "unicode/substrings.h"

namespace nmt {

namespace ip = boost::asio::ip;

std::string normalized_address(const std::string& text) {
  boost::system::error_code error;
  const auto address = ip::make_address(text, error);
  if (error) return "";
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return ip::make_address_v4(ip::v4_mapped, address.to_v6()).to_string();
  }
  return address.to_string();
}

bool is_loopback(const std::string& address) {
  boost::system::error_code error;
  return ip::make_address(address, error).is_loopback() && !error;
}

std::string without_port(const std::string& text) {
  if (text.rfind('[', 0) == 0) return text.substr(1, text.find(']') - 1);
  return std::count(text.begin(), text.end(), ':') == 1 ? text.substr(0, text.find(':')) : text;
}

bool is_private_host(const std::string& host) {
  auto name = to_ascii_lower(without_port(host));
  if (!normalized_address(name).empty()) return true;
  if (!name.empty() && name.back() == '.') name.pop_back();  // of an absolute name
  const auto dot = name.rfind('.');
  if (dot == std::string::npos) return true;
  const auto domain = name.substr(dot + 1);  // RFC 6761, 6762 and 8375, and ICANN for .internal
  return ends_with("." + name, ".home.arpa") || domain == "localhost" || domain == "local" ||
         domain == "test" || domain == "internal";
}

std::string address_group(const std::string& address) {
  boost::system::error_code error;
  const auto parsed = ip::make_address(address, error);
  if (error || !parsed.is_v6()) return address;
  return ip::network_v6(parsed.to_v6(), 64).canonical().to_string();
}

}  // namespace nmt
