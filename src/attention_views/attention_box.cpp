#include "attention_views/attention_box.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "files/json.h"
#include "pages/html.h"

namespace nmt {

int percent_of(float weight) {
  return static_cast<int>(std::lround(100.0F * std::clamp(weight, 0.0F, 1.0F)));
}

std::string percent_digits(const AttentionMatrix& matrix) {
  std::string digits;
  for (const auto& row : matrix.weights) {
    for (const float weight : row) digits += fmt::format("{:02x}", percent_of(weight));
  }
  return digits;
}

std::string attention_box(const AttentionMatrix& matrix) {
  const nlohmann::json data = {matrix.source, matrix.target, percent_digits(matrix)};
  return "<div class=\"attention\" data-matrix=\"" + escape_html(dump_json(data)) +
         "\"><noscript>" +
         bilingual("This drawing needs JavaScript.", "이 그림은 JavaScript가 필요합니다.") +
         "</noscript></div>";
}

}  // namespace nmt
