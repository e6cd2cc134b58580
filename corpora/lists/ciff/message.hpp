// Reading a protobuf message field by field, out of memory.
#pragma once

#include <google/protobuf/io/coded_stream.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gannet::corpora::ciff {

/// The bytes are no protobuf message.
struct MalformedMessage {};

/// One field of a message.
struct Field {
  std::uint32_t number = 0;
  std::uint64_t value = 0;                ///< of a varint, or the bits of a fixed number
  std::span<const std::byte> bytes = {};  ///< of a string or a message

  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

/// The fields of a message of less than 2^31 bytes, in their order. What a message may have several
/// times or not at all is up to who reads it.
class Message {
 public:
  explicit Message(std::span<const std::byte> bytes)
      : bytes_(bytes),
        stream_(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                static_cast<int>(bytes.size())) {}

  /// The next field, or nothing at the end. Throws MalformedMessage.
  std::optional<Field> next();

  /// The first field with a number, wherever it is; an empty one (as protobuf has it: 0, "") if
  /// there is none.
  static Field find(std::span<const std::byte> bytes, std::uint32_t number);

 private:
  std::span<const std::byte> take(std::uint32_t size);

  std::span<const std::byte> bytes_;
  google::protobuf::io::CodedInputStream stream_;
};

}  // namespace gannet::corpora::ciff
