#include "checkpoint/safetensors.h"

#include <ATen/ATen.h>

#include <cstring>
#include <limits>

#include "support/expect_error.h"
#include "support/file.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

/// A file by hand: header length, header, data.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return bytes + header + data;
}

std::string refusal(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = folder.write("x.safetensors", bytes);
  const auto message = error_of([&] { read_safetensors(path); });
  CHECK(contains(message, path.string()));
  return message;
}

std::string header_of(const std::string& dtype, const std::string& shape,
                      const std::string& offsets) {
  return R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

}  // namespace

TEST_CASE("Tensors of every type come back as they were written", "[checkpoint]") {
  const TemporaryFolder folder;
  TensorFile file;
  file.metadata = {{"who", "안녕 \"quoted\" \n"}};
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kLong, at::kInt,
                          at::kShort, at::kChar, at::kByte, at::kBool}) {
    file.tensors.push_back(
        {std::string("t") + c10::toString(type), torch::arange(7).to(type).narrow(0, 1, 5)});
  }
  file.tensors.push_back({"matrix", torch::randn({3, 5}).t()});
  file.tensors.push_back({"scalar", torch::tensor(2.5)});
  file.tensors.push_back({"empty", torch::empty({0, 4})});
  write_safetensors(folder / "x", file);
  const auto again = read_safetensors(folder / "x");
  REQUIRE(again.tensors.size() == file.tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    INFO(name);
    REQUIRE(again.at(name).scalar_type() == tensor.scalar_type());
    REQUIRE(torch::equal(again.at(name), tensor));
  }
  REQUIRE(again.metadata.at("who") == file.metadata.at("who"));
  REQUIRE(contains(error_of([&] { again.at("nothing"); }), "nothing is missing"));
}

TEST_CASE("A file is what the format's description says", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{}, {{"a", torch::tensor({1.0F, -2.0F})}}, ""});
  const auto bytes = read_file(folder / "x");
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  REQUIRE(header % 8 == 0);
  REQUIRE(bytes.size() == 8 + header + 8);
  float values[2];
  std::memcpy(values, bytes.data() + 8 + header, 8);
  REQUIRE(values[0] == 1.0F);
  REQUIRE(values[1] == -2.0F);
}

TEST_CASE("Writing to a loaded tensor leaves the file alone", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{}, {{"a", torch::ones({4})}}, ""});
  read_safetensors(folder / "x").at("a").clone().fill_(5);
  auto tensor = read_safetensors(folder / "x").at("a");
  tensor.fill_(7);
  REQUIRE(torch::equal(read_safetensors(folder / "x").at("a"), torch::ones({4})));
}

TEST_CASE("A flipped bit in the data is noticed", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{}, {{"a", torch::ones({4})}}, ""});
  auto bytes = read_file(folder / "x");
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
  REQUIRE(contains(refusal(bytes), "checksum"));
}

TEST_CASE("A file cut off anywhere is refused", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{}, {{"a", torch::ones({4})}, {"b", torch::ones({2})}}, ""});
  const auto bytes = read_file(folder / "x");
  for (size_t size = 0; size < bytes.size(); ++size) refusal(bytes.substr(0, size));
}

TEST_CASE("Hostile files are refused with what is wrong", "[checkpoint]") {
  const std::string four(16, '\0');
  REQUIRE(contains(refusal(std::string(8, '\xFF')), "header is said to have"));
  REQUIRE(contains(refusal(file_of("[]", "")), "not a JSON object"));
  REQUIRE(contains(refusal(file_of("{\"a\":", "")), "not JSON"));
  REQUIRE(
      contains(refusal(file_of(std::string(5000, '[') + std::string(5000, ']'), "")), "nested"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[4]", "[0,99]"), four)), "beyond the end"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[3]", "[0,16]"), four)), "other bytes"));
  REQUIRE(contains(refusal(file_of(header_of("F99", "[4]", "[0,16]"), four)), "unknown dtype"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[-4]", "[0,16]"), four)), "no number"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[4294967296,4294967296,4]", "[0,16]"), four)),
                   "absurd shape"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[18446744073709551615]", "[0,16]"), four)),
                   "absurd shape"));
  REQUIRE(
      contains(refusal(file_of(header_of("F32", "[4]", "[4,20]"), four + four)), "leaves a gap"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[4]", "[0,16]"), four + "x")),
                   "other bytes than its tensors"));
  REQUIRE(contains(refusal(file_of(R"({"a":{"dtype":"F32"}})", "")), "lacks"));
  const std::string tensor = R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  REQUIRE(
      contains(refusal(file_of("{\"a\":" + tensor + ",\"b\":" + tensor + "}", four)), "overlaps"));
  REQUIRE(contains(refusal(file_of("{\"a\":" + tensor + ",\"a\":" + tensor + "}", four)), "twice"));
  REQUIRE(contains(refusal(file_of(R"({"__metadata__":{"a":3}})", "")), "other than text"));
}

TEST_CASE("A write that fails leaves the old file whole", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{}, {{"a", torch::ones({4})}}, ""});
  REQUIRE_THROWS(
      write_file_atomically(folder / "x", [](std::ostream&) { throw Error("disk full"); }));
  REQUIRE(torch::equal(read_safetensors(folder / "x").at("a"), torch::ones({4})));
  REQUIRE_THROWS_AS(
      write_safetensors(folder / "no", {{}, {{"c", torch::ones({1}, at::kComplexFloat)}}, ""}),
      Error);
  REQUIRE_FALSE(std::filesystem::exists(folder / "no"));
}

}  // namespace nmt
