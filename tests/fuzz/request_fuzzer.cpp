#include <cstddef>
#include <cstdint>
#include <string>

#include "http/http_message.h"
#include "serve/api_request.h"

// The first byte chooses JSON, a form or a multipart form; the rest is a body or an HttpError.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const std::string kTypes[] = {"application/x-www-form-urlencoded",
                                       "multipart/form-data; boundary=b", "application/json"};
  const std::string body(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto request = nmt::ApiRequest::parse(kTypes[data[0] % 3], body);
    request.characters({"q", "text"});
    request.texts("q");
    request.flag("flag", false);
    request.integer("alternatives", 0, 0, 15);
    request.required_file("file");
    request.require_all_read();
  } catch (const nmt::HttpError&) {
    return 0;
  }
  return 0;
}
