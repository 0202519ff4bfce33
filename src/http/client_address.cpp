#include "http/client_address.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

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

std::string address_group(const std::string& address) {
  boost::system::error_code error;
  const auto parsed = ip::make_address(address, error);
  if (error || !parsed.is_v6()) return address;
  return ip::network_v6(parsed.to_v6(), 64).canonical().to_string();
}

}  // namespace nmt
