#include "attention_views/attention_svg.h"

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const std::string kLong = "Donaudampfschifffahrtsgesellschaft";

}  // namespace

TEST_CASE("A picture of attention has the room that its longest words need",
          "[report][attention]") {
  const auto narrow = attention_svg({{"a"}, {"b"}, {{1.0F}}}, "");
  const auto high = attention_svg({{kLong}, {"b"}, {{1.0F}}}, "");
  const auto wide = attention_svg({{"a"}, {kLong}, {{1.0F}}}, "");
  // 34 letters of 14 pixels, half an em each at least.
  CHECK(high.height >= 34 * 7);
  CHECK(high.width == narrow.width);
  CHECK(wide.width >= 34 * 7);
  CHECK(wide.height == narrow.height);
}

TEST_CASE("Source words stand upright in scripts written from top to bottom",
          "[report][attention]") {
  const auto picture = attention_svg({{"책을", "book"}, {"b"}, {{0.5F, 0.5F}}}, "").svg;
  CHECK(contains(picture, ">책</tspan>"));
  CHECK(contains(picture, ">을</tspan>"));
  CHECK(contains(picture, "rotate(-90)\">book</text>"));
}

TEST_CASE("Right-to-left words are isolated in pictures", "[report][attention]") {
  const auto picture = attention_svg({{"كتابًا."}, {"שלום!"}, {{1.0F}}}, "").svg;
  CHECK(contains(picture, "rotate(-90)\">\u2068كتابًا.\u2069</text>"));
  CHECK(contains(picture, ">\u2068שלום!\u2069</text>"));
  CHECK_FALSE(contains(attention_svg({{"a"}, {"b"}, {{1.0F}}}, "").svg, "\u2068"));
}

TEST_CASE("Weights are written in percent from 5 on, and the axes are named",
          "[report][attention]") {
  const auto picture = attention_svg({{"x", "y"}, {"b"}, {{0.956F, 0.044F}}}, "");
  CHECK(contains(picture.svg, ">96</text>"));
  CHECK_FALSE(contains(picture.svg, ">4</text>"));
  CHECK(contains(picture.svg, ">Source →</text>"));
  CHECK(contains(picture.svg, ">Translation ↓</text>"));
  CHECK(contains(attention_svg({{"x"}, {"b"}, {{1.0F}}}, "", 0, {"원문", "번역"}).svg, "원문 →"));
}

}  // namespace nmt
