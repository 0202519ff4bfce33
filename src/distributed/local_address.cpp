#include "distributed/local_address.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "errors/error.h"

namespace nmt {
namespace {

constexpr char kAnyPort[] = "9";  // arbitrary: nothing is sent

std::string text_of(const sockaddr* address, socklen_t size) {
  std::array<char, NI_MAXHOST> text{};
  const int error =
      ::getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return error == 0 ? text.data() : "";
}

/// The system chooses the route when a socket is connected, which sends nothing for UDP.
std::string address_towards(const addrinfo& to) {
  const int socket = ::socket(to.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return "";
  sockaddr_storage here{};
  socklen_t size = sizeof(here);
  const bool known = ::connect(socket, to.ai_addr, to.ai_addrlen) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &size) == 0;
  ::close(socket);
  return known ? text_of(reinterpret_cast<sockaddr*>(&here), size) : "";
}

bool is_loopback(const std::string& address) {
  return address.rfind("127.", 0) == 0 || address == "::1";
}

/// The address of the first interface through which others may reach this machine, or "".
std::string outward_address() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return "";
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(first, ::freeifaddrs);
  for (const ifaddrs* at = first; at != nullptr; at = at->ifa_next) {
    const bool fits = at->ifa_addr != nullptr && at->ifa_addr->sa_family == AF_INET &&
                      (at->ifa_flags & IFF_UP) != 0 && (at->ifa_flags & IFF_LOOPBACK) == 0;
    if (fits) return text_of(at->ifa_addr, sizeof(sockaddr_in));
  }
  return "";
}

}  // namespace

std::string local_address_towards(const std::string& host, bool for_others) {
  addrinfo wish{};
  wish.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), kAnyPort, &wish, &found);
  if (error != 0) {
    throw Error(host + ": unknown address of process 0 (" + ::gai_strerror(error) +
                "); set MASTER_ADDR to a known one");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  std::string address;
  for (const addrinfo* to = found; to != nullptr && address.empty(); to = to->ai_next) {
    address = address_towards(*to);
  }
  if (address.empty())
    throw Error(host + ": no network of this machine reaches it; check MASTER_ADDR");
  // A machine's own name often resolves to a loopback address.
  if (!for_others || !is_loopback(address)) return address;
  const auto outward = outward_address();
  return outward.empty() ? address : outward;
}

}  // namespace nmt
