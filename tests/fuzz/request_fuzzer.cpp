#include <cstddef>
#include <cstdint>
#include <string>

#include "http/http_message.h"
#include "serve/api_request.h"

// The first line is a content type, such as that of JSON, a form or a multipart form; the rest is a
// body of that type or an HttpError.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto line_end = text.find('\n');
  if (line_end == std::string::npos) return 0;
  try {
    const auto request =
        nmt::ApiRequest::parse(text.substr(0, line_end), text.substr(line_end + 1));
    request.characters({"q", "text"});
    request.texts("q");
    request.flag("flag", false);
    request.integer("alternatives", 0, 0, 15);
    request.required_file("file");
    request.require_all_read();
  } catch (const nmt::HttpError&) {
  }
  return 0;
}
