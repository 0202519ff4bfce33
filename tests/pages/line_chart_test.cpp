#include "pages/line_chart.h"

#include <cmath>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

std::vector<ChartPoint> points(int count, double scale) {
  std::vector<ChartPoint> made;
  for (int i = 0; i < count; ++i) made.push_back({double(i), scale * i});
  return made;
}

}  // namespace

TEST_CASE("Ticks are round numbers within the range", "[report][chart]") {
  CHECK(round_ticks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(round_ticks(-1, 1.1, 5) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
  CHECK(round_ticks(3, 3, 5) == std::vector<double>{3});
  CHECK(round_ticks(3.5, std::nextafter(3.5, 4.0), 5) == std::vector<double>{3.5});
  for (const double scale : {1e-9, 0.3, 7.0, 1e12}) {
    const auto ticks = round_ticks(-scale, 2 * scale, 5);
    CHECK(ticks.size() >= 2);
    CHECK(ticks.size() <= 7);
    CHECK(ticks.front() >= -1.001 * scale);
    CHECK(ticks.back() <= 2.001 * scale);
  }
}

TEST_CASE("A chart without a point that can be drawn is empty", "[report][chart]") {
  CHECK(line_chart({}, {}).empty());
  CHECK(line_chart({{"loss", "first", false, {{1, NAN}, {2, INFINITY}}}}, {}).empty());
  CHECK(
      line_chart({{"loss", "first", false, {{1, 0}, {2, -1}}}}, {"loss", {}, true, false}).empty());
}

TEST_CASE("A chart draws one point, a constant and many points", "[report][chart]") {
  CHECK(contains(line_chart({{"loss", "first", true, {{5, 3}}}}, {"loss", {}, false, false}),
                 "circle"));
  CHECK(contains(line_chart({{"loss", "first", false, {{1, 3}, {2, 3}}}}, {"x", {}, true, true}),
                 "data-values=\"1,3 2,3 \""));
  const auto long_chart = line_chart({{"loss", "first", false, points(100000, 2)}}, {});
  CHECK(long_chart.size() < 20000);
  CHECK_FALSE(contains(long_chart, "nan"));
}

TEST_CASE("Lines are drawn from the lower left to the upper right", "[report][chart]") {
  const auto chart =
      line_chart({{"a", "first", false, points(3, 1)}}, {"a < b", {"steps", "걸음"}, false, false});
  CHECK(contains(chart, "points=\"29.0,178.0 177.5,94.0 326.0,10.0 \""));
  CHECK(contains(chart, "aria-label=\"a &lt; b\""));
  CHECK(contains(chart, "class=\"en\">steps</text>"));
  CHECK(contains(chart, "class=\"ko\">걸음</text>"));
}

TEST_CASE("Labels of the y axis have the room that they need", "[report][chart]") {
  const auto chart = line_chart({{"rate", "first", false, points(3, 1e-7)}}, {});
  // "1e-07" is at most 5 letters of 13 pixels wide and ends 6 pixels before the line.
  const auto at = chart.find("class=\"grid\" d=\"M");
  REQUIRE(at != std::string::npos);
  CHECK(std::stod(chart.substr(at + 17)) >= 5 * 0.5 * 13 + 6);
}

TEST_CASE("A single value is rounded and drawn as a dot", "[report][chart]") {
  const auto chart = line_chart({{"loss", "first", false, {{50, 4.529834}}}}, {});
  CHECK(contains(chart, ">4.53</text>"));
  CHECK(contains(chart, "<circle"));
}

TEST_CASE("A chart holds the values as well as their places", "[report][chart]") {
  const auto chart = line_chart({{"a", "first", false, {{4711, 0.123456}, {100000, 2}}}}, {});
  CHECK(contains(chart, "data-values=\"4711,0.1235 100000,2 \""));
}

}  // namespace nmt
