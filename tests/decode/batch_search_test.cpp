#include "decode/batch_search.h"

#include "decode/scripted_stepper.h"

namespace nmt {

TEST_CASE("Results come in the order of the sources, empty ones empty", "[decode]") {
  // A source translates to as many 4s as its first token says.
  const auto script = [](int64_t source, const std::vector<int64_t>& prefix) {
    const bool ends = static_cast<int64_t>(prefix.size()) > source - 4;
    return ends ? std::vector<double>{0, 0, 0, 1, 0, 0} : std::vector<double>{0, 0, 0, 0, 1, 0};
  };
  const std::vector<std::vector<int32_t>> sources = {{5}, {}, {7, 4, 4}, {4, 4}, {}, {6}};
  for (const int64_t beam_size : {1, 3}) {
    for (const int64_t batch_size : {1, 2, 64}) {
      ScriptedStepper stepper(script);
      SearchOptions options;
      options.beam_size = beam_size;
      const auto found = search_all(stepper, sources, batch_size, options);
      REQUIRE(found.size() == sources.size());
      for (size_t i = 0; i < sources.size(); ++i) {
        const size_t expected = sources[i].empty() ? 0 : static_cast<size_t>(sources[i][0] - 4);
        REQUIRE(found[i].front().tokens.size() == expected);
      }
    }
  }
}

TEST_CASE("Attention has a weight for each token of its own source, whatever the batch",
          "[decode]") {
  const auto script = [](int64_t, const std::vector<int64_t>& prefix) {
    return prefix.size() > 2 ? std::vector<double>{0, 0, 0, 1, 0, 0}
                             : std::vector<double>{0, 0, 0, 0, 1, 0};
  };
  const std::vector<std::vector<int32_t>> sources = {{5}, {4, 5, 4, 5}, {}, {4, 5}};
  for (const int64_t beam_size : {1, 3}) {
    ScriptedStepper stepper(script);
    SearchOptions options;
    options.beam_size = beam_size;
    options.attention = true;
    const auto found = search_all(stepper, sources, 64, options);
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto& hypothesis = found[i].front();
      REQUIRE(hypothesis.attention.size() == (sources[i].empty() ? 0 : 3));
      for (const auto& row : hypothesis.attention) REQUIRE(row.size() == sources[i].size());
    }
  }
}

}  // namespace nmt
