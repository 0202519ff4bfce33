#include "text/line_parts.h"

#include "unicode/utf8.h"

namespace nmt {
namespace {

size_t first_part(std::string_view line, size_t longest_bytes) {
  const size_t space = line.rfind(' ', longest_bytes);
  if (space != std::string_view::npos && space > 0) return space;
  size_t size = longest_bytes;
  while (size > 1 && continues_character(line[size])) --size;
  return size;
}

}  // namespace

std::vector<std::string_view> split_line(std::string_view line, size_t longest_bytes) {
  std::vector<std::string_view> parts;
  while (line.size() > longest_bytes) {
    const size_t size = first_part(line, longest_bytes);
    parts.push_back(line.substr(0, size));
    line.remove_prefix(line[size] == ' ' ? size + 1 : size);
  }
  parts.push_back(line);
  return parts;
}

}  // namespace nmt
