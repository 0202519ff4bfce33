#include "pages/text_width.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("A text is at least as wide as in a usual font", "[report]") {
  CHECK(text_width("", 10) == 0.0);
  // In ems of DejaVu Sans, the widest: H .75, e .62, l .28 twice, o .61.
  CHECK(text_width("Hello", 10) >= 25.4);
  CHECK(text_width("WWW", 10) >= 29.6);
  CHECK(text_width("iii", 10) < text_width("www", 10));
  CHECK(text_width("가나다", 10) >= 30.0);
  CHECK(text_width("e\u0301", 10) == text_width("e", 10) + 10 * (0.8 - 0.64));
  CHECK(text_width(std::vector<std::string>{"a", "abc", "ab"}, 10) == text_width("abc", 10));
}

}  // namespace nmt
