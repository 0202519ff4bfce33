#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace nmt {

/// A field of a Protobuf message: https://protobuf.dev/programming-guides/encoding
struct ProtobufField {
  uint64_t number = 0;
  uint64_t value = 0;      // if it is a varint
  std::string_view bytes;  // if it is a string or message
};

/// Calls `use` for each field of the message. Stops and returns false if the message is damaged or
/// has groups, which proto3 lacks.
bool for_each_field(std::string_view message, const std::function<void(const ProtobufField&)>& use);

}  // namespace nmt
