#include "http/client_address.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace nmt {
namespace {

namespace ip = boost::asio::ip;

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

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

std::string client_address(const HttpRequest& request,
                           const std::set<std::string>& trusted_proxies) {
  auto address = request.peer_address;
  auto forwarded = request.header("x-forwarded-for");
  while (trusted_proxies.count(address) > 0 && !forwarded.empty()) {
    const auto comma = forwarded.rfind(',');
    const auto last = comma == std::string::npos ? 0 : comma + 1;
    const auto previous = normalized_address(trimmed(forwarded.substr(last)));
    if (previous.empty()) break;
    address = previous;
    forwarded.resize(last == 0 ? 0 : comma);
  }
  return address;
}

}  // namespace nmt
