#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace nmt {

// Protobuf messages: https://protobuf.dev/programming-guides/encoding. A message is the
// concatenation of its fields.

struct ProtobufField {
  uint64_t number = 0;
  uint64_t value = 0;      // if it is a varint
  std::string_view bytes;  // if it is a string or message
};

/// Calls `use` for each field of the message. Stops and returns false if the message is damaged or
/// has groups, which proto3 lacks.
bool for_each_field(std::string_view message, const std::function<void(const ProtobufField&)>& use);

// Serialize a field.
std::string number_field(uint64_t number, uint64_t value);
std::string float_field(uint64_t number, float value);
std::string bytes_field(uint64_t number, const std::string& bytes);

}  // namespace nmt
