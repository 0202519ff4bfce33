#include "decode/batch_search.h"

#include "decode/scripted_stepper.h"

namespace nmt {
namespace {

/// Has memory for at most 3 rows.
class SmallStepper : public ScriptedStepper {
 public:
  using ScriptedStepper::ScriptedStepper;

  StepperOutput advance(const torch::Tensor& tokens) override {
    TORCH_CHECK(tokens.size(0) <= 3, message);
    return ScriptedStepper::advance(tokens);
  }

  std::string message = "CUDA out of memory. Tried to allocate 2.00 GiB";
};

}  // namespace

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

TEST_CASE("A search whose memory runs out is repeated in smaller batches", "[decode]") {
  const std::vector<std::vector<int32_t>> sources = {{5}, {6, 4}, {}, {7, 4, 4}, {4}, {8, 4}, {9}};
  SearchOptions options;
  options.beam_size = GENERATE(1, 3);
  options.max_length = 6;
  ScriptedStepper large(pseudo_random_script);
  SmallStepper small(pseudo_random_script);
  const auto expected = search_all(large, sources, 64, options);
  SECTION("of LibTorch's allocator") {}
  SECTION("of cuBLAS") { small.message = "CUDA error: CUBLAS_STATUS_ALLOC_FAILED"; }
  SECTION("of the CPU") { small.message = "DefaultCPUAllocator: can't allocate memory"; }
  SECTION("other errors are not") {
    small.message = "device-side assert";
    CHECK_THROWS(search_all(small, sources, 64, options));
    return;
  }
  const auto found = search_all(small, sources, 64, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    CHECK(found[i].front().tokens == expected[i].front().tokens);
    CHECK(found[i].front().score == expected[i].front().score);
  }
  options.beam_size = 4;  // too much for one sentence
  CHECK_THROWS(search_all(small, sources, 64, options));
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
