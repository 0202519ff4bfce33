#include "corpus_check/misalignment.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "support/catch.h"

namespace nmt {
namespace {

/// Lines whose targets are as long as their sources, but for a tenth.
std::vector<LineShape> shapes(size_t count) {
  std::mt19937 random(5);
  std::vector<LineShape> lines(count);
  for (auto& line : lines) {
    const double length = std::uniform_real_distribution<>(10, 150)(random);
    const double other = length * 2 * std::normal_distribution<>(1, 0.1)(random);
    line.source_length = static_cast<float>(std::log1p(length));
    line.target_length = static_cast<float>(std::log1p(other));
  }
  return lines;
}

/// Target `from` is lost: those behind move up, until `to` is there twice.
void slip(std::vector<LineShape>& lines, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) lines[i].target_length = lines[i + 1].target_length;
}

}  // namespace

TEST_CASE("An aligned corpus has no misaligned stretch", "[inspect]") {
  REQUIRE(find_misaligned(shapes(3000)).empty());
  REQUIRE(find_misaligned({}).empty());
  REQUIRE(find_misaligned(shapes(1)).empty());
}

TEST_CASE("A stretch that slipped is found where it begins and ends", "[inspect]") {
  auto lines = shapes(2000);
  slip(lines, 700, 1100);
  const auto stretches = find_misaligned(lines);
  REQUIRE(stretches.size() == 1);
  REQUIRE(stretches[0].shift == -1);  // the target of a source stands one line above
  REQUIRE(std::abs(stretches[0].first - 701) <= 3);
  REQUIRE(std::abs(stretches[0].last - 1100) <= 3);
}

TEST_CASE("Two stretches of different slips are told apart, to the very end", "[inspect]") {
  auto lines = shapes(3000);
  slip(lines, 500, 900);
  for (int twice = 0; twice < 2; ++twice) slip(lines, 2000, 2999);
  const auto stretches = find_misaligned(lines);
  REQUIRE(stretches.size() == 2);
  REQUIRE(stretches[0].shift == -1);
  REQUIRE(stretches[1].shift == -2);
  REQUIRE(std::abs(stretches[1].first - 2001) <= 3);
  REQUIRE(stretches[1].last >= 2990);
}

TEST_CASE("Lines of unknown lengths hide no slip and make none", "[inspect]") {
  for (const bool slipped : {false, true}) {
    auto lines = shapes(2000);
    if (slipped) slip(lines, 700, 1100);
    for (size_t i = 0; i < lines.size(); i += i % 3 + 1) {
      lines[i].source_length = std::numeric_limits<float>::quiet_NaN();
    }
    const auto stretches = find_misaligned(lines);
    REQUIRE(stretches.size() == (slipped ? size_t{1} : size_t{0}));
    if (slipped) CHECK(std::abs(stretches[0].first - 701) <= 30);
  }
}

TEST_CASE("A sample of a corpus shows whether most of it is misaligned", "[inspect]") {
  std::mt19937 random(5);
  std::vector<std::string> texts(50001);
  for (auto& text : texts) text.assign(10 + random() % 90, 'a');
  const auto share = [&](size_t pairs, size_t slips_at) {
    AlignmentSample sample;
    for (size_t i = 0; i < pairs; ++i) sample.add(texts[i], texts[i + (i < slips_at ? 0 : 1)]);
    return sample.misaligned_share();
  };
  for (const auto pairs : {size_t{1000}, size_t{10000}, size_t{10001}, size_t{50000}}) {
    INFO(pairs);
    CHECK(share(pairs, pairs) == 0);
    CHECK(share(pairs, 0) > 0.99);
    CHECK(std::abs(share(pairs, pairs / 2) - 0.5) < 0.1);
  }
  CHECK(share(299, 0) == 0);
  CHECK(share(0, 0) == 0);
}

TEST_CASE("Numbers tell of a slip where all lines are of one length", "[inspect]") {
  std::vector<LineShape> lines(200);
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto number = static_cast<uint32_t>(i + 1);
    const bool slipped = i >= 50 && i < 120;
    lines[i] = {3.0F, 3.0F, number, slipped ? number + 1 : number};
  }
  const auto stretches = find_misaligned(lines);
  REQUIRE(stretches.size() == 1);
  REQUIRE(stretches[0].first == 51);
  REQUIRE(stretches[0].last == 120);
}

}  // namespace nmt
