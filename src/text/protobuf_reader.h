#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace nmt {

/// A field of a Protobuf message: https://protobuf.dev/programming-guides/encoding
struct ProtobufField {
  uint64_t number = 0;
  uint64_t value = 0;      // of a varint
  std::string_view bytes;  // of a string or a message
};

/// Calls `use` for each field of the message. False where the message is damaged, or has what
/// proto3 has not (groups); the fields before that are used.
bool for_each_field(std::string_view message, const std::function<void(const ProtobufField&)>& use);

}  // namespace nmt
