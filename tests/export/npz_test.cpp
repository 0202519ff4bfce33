#include "export/npz.h"

#include <ATen/ATen.h>

#include <sstream>

#include "files/file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

std::string archive_of(const std::vector<NamedTensor>& tensors) {
  std::ostringstream stream;
  write_npz(stream, tensors);
  return stream.str();
}

}  // namespace

TEST_CASE("Arrays come back from an npz file as they were", "[export]") {
  const TemporaryFolder folder;
  const std::vector<NamedTensor> tensors = {{"a.weight", torch::randn({3, 5})},
                                            {"b", torch::randn({7})},
                                            {"empty", torch::empty({0, 4})}};
  const auto found = read_npz(folder.write("x.npz", archive_of(tensors)));
  REQUIRE(found.size() == tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    REQUIRE(found[i].name == tensors[i].name);
    REQUIRE(torch::equal(found[i].tensor, tensors[i].tensor));
  }
}

TEST_CASE("The same weights make the same npz file", "[export]") {
  const std::vector<NamedTensor> tensors = {{"a", torch::ones({2, 2})}};
  REQUIRE(archive_of(tensors) == archive_of(tensors));
}

TEST_CASE("A damaged npz file is an error, whatever byte is wrong and wherever it ends",
          "[export]") {
  const TemporaryFolder folder;
  const std::vector<NamedTensor> tensors = {{"a", torch::arange(6, torch::kFloat)}};
  const auto whole = archive_of(tensors);
  const auto path = folder / "x";
  // The local header and the array: the directory behind them repeats the header.
  const size_t end = 30 + 5 + 128 + 24 - 35;
  for (size_t length = 0; length < end; ++length) {
    folder.write("x", whole.substr(0, length));
    REQUIRE(contains(error_of([&] { read_npz(path); }), "not an npz file of nmt's"));
  }
  for (size_t at = 30 + 5; at < end; ++at) {
    auto damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    folder.write("x", damaged);
    REQUIRE(contains(error_of([&] { read_npz(path); }), "checksum"));
  }
}

}  // namespace nmt
