#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "http/request_reader.h"

namespace {

constexpr size_t kMaxHeader = 2000;

/// How many requests are read before the bytes end or are refused, in pieces of that size.
size_t count_requests(std::string_view bytes, size_t piece) {
  nmt::RequestReader reader(kMaxHeader, 1000);
  size_t requests = 0;
  try {
    for (size_t i = 0; i < bytes.size(); i += piece) {
      reader.append(bytes.substr(i, piece));
      while (reader.read()) {
        ++requests;
        if (reader.take().body.size() > 1000) std::abort();
        if (reader.received() > bytes.size()) std::abort();
      }
      reader.takes_continue();
    }
  } catch (const nmt::HttpError&) {
    reader.take();
  }
  return requests;
}

}  // namespace

// The first byte sets the size of the pieces in which the rest arrives. It must not change the
// result, except for a header near the size limit: Beast allows a few more bytes when the header
// arrives whole.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto in_pieces = count_requests(bytes, size_t{data[0]} + 1);
  const auto whole = count_requests(bytes, bytes.size());
  if (in_pieces != whole && size < kMaxHeader) std::abort();
  return 0;
}
