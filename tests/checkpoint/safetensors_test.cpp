#include "checkpoint/safetensors.h"

#include <ATen/ATen.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "files/file.h"
#include "support/expect_error.h"
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

TEST_CASE("Overwriting a file in place leaves its loaded tensors alone", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{}, {{"a", torch::ones({100'000})}}, ""});
  const auto tensor = read_safetensors(folder / "x").at("a");
  std::filesystem::resize_file(folder / "x", 100);
  REQUIRE(torch::equal(tensor, torch::ones({100'000})));
}

TEST_CASE("Any flipped bit of a file of ours is noticed", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{{"k", "v"}}, {{"a", torch::ones({4})}}, ""});
  const auto whole = read_file(folder / "x");
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    auto bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    INFO(bytes);
    if (contains(bytes, "\"format\":\"nmt\"") && contains(bytes, "\"sha256\":")) {
      refusal(bytes);
      continue;
    }
    // It no longer says that it is ours: what a model directory refuses.
    try {
      const auto file = read_safetensors(folder.write("y", bytes));
      REQUIRE(file.metadata.count("sha256") == 0);
    } catch (const Error&) {
    }
  }
}

TEST_CASE("A file of ours without its checksum is refused", "[checkpoint]") {
  REQUIRE(contains(refusal(file_of(R"({"__metadata__":{"format":"nmt"}})", "")), "is missing"));
  const TemporaryFolder folder;
  const auto foreign = folder.write("x", file_of(R"({"__metadata__":{"format":"pt"}})", ""));
  REQUIRE_NOTHROW(read_safetensors(foreign));
}

TEST_CASE("A file cut off anywhere is refused", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", {{}, {{"a", torch::ones({4})}, {"b", torch::ones({2})}}, ""});
  const auto bytes = read_file(folder / "x");
  for (size_t size = 0; size < bytes.size(); ++size) refusal(bytes.substr(0, size));
}

TEST_CASE("Hostile files are refused with what is wrong", "[checkpoint]") {
  const std::string four(16, '\0');
  REQUIRE(contains(refusal(std::string(8, '\xFF')), "header claims"));
  REQUIRE(contains(refusal(file_of("[]", "")), "not a JSON object"));
  REQUIRE(contains(refusal(file_of("{\"a\":", "")), "not JSON"));
  REQUIRE(contains(refusal(file_of("{\"\xFF\":{}}", "")), "not JSON"));
  REQUIRE(contains(refusal(file_of(std::string("{\"a\0\":{}}", 9), "")), "not JSON"));
  REQUIRE(contains(refusal(file_of(R"({"\ud800":{}})", "")), "not JSON"));
  REQUIRE(contains(refusal(file_of(R"({"a\u0000b":{}})", "")), R"("a\u0000b" lacks)"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[1e99]", "[0,16]"), four)), "no number"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[4]", "[0,-1]"), four)), "no number"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "4", "[0,16]"), four)), "lacks"));
  REQUIRE(contains(refusal(file_of(header_of("F32", "[4]", "[0,16,0]"), four)), "lacks"));
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
  const std::string backwards = R"({"dtype":"F32","shape":[1],"data_offsets":[8,4]})";
  REQUIRE(contains(refusal(file_of("{\"a\":" + tensor + ",\"b\":" + backwards + "}", four)),
                   "ends before it begins"));
}

TEST_CASE("A 0 among the sizes does not hide an absurd shape", "[checkpoint]") {
  for (const char* shape : {"[0,4611686018427387904,4611686018427387904]",
                            "[4611686018427387904,4611686018427387904,0]"}) {
    REQUIRE(contains(refusal(file_of(header_of("F32", shape, "[0,0]"), "")), "absurd shape"));
  }
}

TEST_CASE("A header that lists endless things is refused before they are stored", "[checkpoint]") {
  std::string sizes = "[0";
  for (int i = 0; i < 200'000; ++i) sizes += ",0";
  REQUIRE(contains(refusal(file_of(header_of("F32", sizes + "]", "[0,0]"), "")), "too many"));
  std::string objects = "{\"a\":{}";
  for (int i = 0; i < 200'000; ++i) objects += ",\"" + std::to_string(i) + "\":{}";
  REQUIRE(contains(refusal(file_of(objects + "}", "")), R"("a" lacks)"));
  REQUIRE(contains(refusal(file_of("{\"__metadata__\":" + objects + "}}", "")), "too many"));
  REQUIRE(contains(refusal(file_of(header_of("F32", sizes.substr(0, 200) + "]", "[0,0]"), "")),
                   "absurd shape"));
}

TEST_CASE("A file may hold many tensors", "[checkpoint]") {
  const TemporaryFolder folder;
  TensorFile file;
  for (int i = 0; i < 20'000; ++i) {
    file.tensors.push_back({"tensor " + std::to_string(i), torch::full({1}, i)});
  }
  write_safetensors(folder / "x", file);
  const auto read = read_safetensors(folder / "x");
  REQUIRE(read.tensors.size() == 20'000);
  for (int i = 0; i < 20'000; ++i) REQUIRE(read.at("tensor " + std::to_string(i)).item<int>() == i);
}

TEST_CASE("A hostile name cannot break or flood the message", "[checkpoint]") {
  const auto message = refusal(file_of(
      R"({"x\n\u001b[31m)" + std::string(9999, 'x') + R"(":{"dtype":"F32"}})", std::string()));
  REQUIRE(message.find_first_of("\n\x1b") == std::string::npos);
  REQUIRE(message.size() < 400);
  REQUIRE(contains(message, "lacks"));
}

TEST_CASE("What is no regular file is refused at once", "[checkpoint]") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  REQUIRE(contains(error_of([&] { read_safetensors(folder / "pipe"); }), "not a file"));
  REQUIRE(contains(error_of([&] { read_safetensors(folder.path()); }), "not a file"));
  REQUIRE(contains(error_of([&] { read_safetensors(folder / "absent"); }), "No such file"));
}

TEST_CASE("Data that is not aligned is read all the same", "[checkpoint]") {
  const TemporaryFolder folder;
  const float values[2] = {1.5F, -2.0F};
  auto header = header_of("F32", "[2]", "[0,8]");
  while (header.size() % 4 != 1) header += ' ';
  const std::string data(reinterpret_cast<const char*>(values), sizeof(values));
  const auto path = folder.write("x", file_of(header, data));
  REQUIRE(torch::equal(read_safetensors(path).at("a"), torch::tensor({1.5F, -2.0F})));
}

TEST_CASE("The header alone says what the tensors are", "[checkpoint]") {
  const TemporaryFolder folder;
  write_safetensors(
      folder / "x",
      {{{"k", "v"}}, {{"a", torch::ones({3, 5})}, {"b", torch::ones({7}, at::kLong)}}, ""});
  const auto header = read_safetensors_header(folder / "x");
  REQUIRE(header.metadata.at("k") == "v");
  REQUIRE(header.tensors.size() == 2);
  REQUIRE(header.tensors[0].shape == std::vector<int64_t>{3, 5});
  REQUIRE(header.tensors[1].dtype == "I64");
  REQUIRE(header.tensors[1].begin == 60);
  REQUIRE(header.tensors[1].end == 60 + 56);
}

TEST_CASE("A write that fails leaves the old file whole", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto path = folder / "x";
  const auto one = torch::ones({1});
  write_safetensors(path, {{}, {{"a", torch::ones({4})}}, ""});
  const auto refused = [&](const TensorFile& file) {
    const auto message = error_of([&] { write_safetensors(path, file); });
    REQUIRE(contains(message, path.string()));
    REQUIRE(torch::equal(read_safetensors(path).at("a"), torch::ones({4})));
    return message;
  };
  REQUIRE(contains(refused({{}, {{"c", torch::ones({1}, at::kComplexFloat)}}, ""}), "no dtype"));
  REQUIRE(contains(refused({{}, {{"b", one}, {"b", one}}, ""}), "taken"));
  REQUIRE(contains(refused({{}, {{"__metadata__", one}}, ""}), "taken"));
  REQUIRE(contains(refused({{{"k", "\xFF"}}, {{"b", one}}, ""}), "UTF-8"));
  REQUIRE_THROWS(write_file_atomically(path, [](std::ostream&) { throw Error("disk full"); }));
  REQUIRE(torch::equal(read_safetensors(path).at("a"), torch::ones({4})));
}

TEST_CASE("A header can be written before its data", "[checkpoint][safetensors]") {
  const std::vector<TensorEntry> entries = {{"a.0", "F32", {2, 1}}, {"b.0", "F32", {1}}};
  const auto header = make_safetensors_header({{"key", "\"text\""}}, entries);
  CHECK(header.size() % 8 == 0);
  const auto found = parse_safetensors_header(header + std::string(12, '\0'), "x");
  CHECK(found.metadata == std::map<std::string, std::string>{{"key", "\"text\""}});
  REQUIRE(found.tensors.size() == 2);
  CHECK(found.tensors[1].name == "b.0");
  CHECK(found.tensors[1].begin == 8);
  CHECK(found.data_begin == header.size());
  const auto refusal_of = [](const std::vector<TensorEntry>& wrong,
                             const std::map<std::string, std::string>& metadata) {
    return error_of([&] { make_safetensors_header(metadata, wrong); });
  };
  CHECK(contains(refusal_of({entries[0], entries[0]}, {}), "a.0 is taken"));
  CHECK(contains(refusal_of({}, {{"key", std::string(100'000'000, 'x')}}), "more than the"));
}

}  // namespace nmt
