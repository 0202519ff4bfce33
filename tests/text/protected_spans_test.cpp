#include "text/protected_spans.h"

#include <string>

#include "support/catch.h"

namespace nmt {
namespace {

using Texts = std::vector<std::string>;

Texts spans_of(const std::string& text, SpanKind kind) {
  Texts found;
  for (const auto& span : find_protected_spans(text)) {
    if (span.kind == kind) found.push_back(text.substr(span.begin, span.end - span.begin));
  }
  return found;
}

}  // namespace

TEST_CASE("URLs end before the marks of their sentence", "[text]") {
  const auto urls = [](const std::string& text) { return spans_of(text, SpanKind::kUrl); };
  REQUIRE(urls("See https://example.org/a?b=1&c=2#d, (or www.example.org).") ==
          Texts{"https://example.org/a?b=1&c=2#d", "www.example.org"});
  REQUIRE(urls("https://example.org/a_(b)를 보세요") == Texts{"https://example.org/a_(b)"});
  REQUIRE(urls("<ftp://example.org>") == Texts{"ftp://example.org"});
  REQUIRE(urls("http:// and www. and a://").empty());
}

TEST_CASE("Addresses, emoji and numbers are found", "[text]") {
  REQUIRE(spans_of("Mail jo.doe+x@mail.example.org. Or @jo, a@b", SpanKind::kEmail) ==
          Texts{"jo.doe+x@mail.example.org"});
  REQUIRE(spans_of("좋아요👍🏽 👨‍👩‍👧❤️ 🇰🇷 © ™ ↑",
                   SpanKind::kEmoji) == Texts{"👍🏽", "👨‍👩‍👧❤️", "🇰🇷"});
  REQUIRE(spans_of("3,500.75 at 12:30 on 2024-05-01, 7. 3권, B12, 21st, a1", SpanKind::kNumber) ==
          Texts{"3,500.75", "12:30", "2024-05-01", "7", "3"});
  REQUIRE(find_protected_spans("저는 책을 읽어요. No more").empty());
}

}  // namespace nmt
