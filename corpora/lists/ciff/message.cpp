#include "corpora/lists/ciff/message.hpp"

namespace gannet::corpora::ciff {
namespace {

/// How a field's value is stored: the low three bits of its tag.
enum WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

}  // namespace

std::span<const std::byte> Message::take(std::uint32_t size) {
  const auto at = static_cast<std::size_t>(stream_.CurrentPosition());
  if (size > bytes_.size() - at) throw MalformedMessage();
  stream_.Skip(static_cast<int>(size));
  return bytes_.subspan(at, size);
}

std::optional<Field> Message::next() {
  if (static_cast<std::size_t>(stream_.CurrentPosition()) == bytes_.size()) return std::nullopt;
  const std::uint32_t tag = stream_.ReadTag();
  Field field;
  field.number = tag >> 3;
  if (field.number == 0) throw MalformedMessage();
  bool read = false;
  switch (tag & 7) {
    case kVarint:
      read = stream_.ReadVarint64(&field.value);
      break;
    case kFixed64:
      read = stream_.ReadLittleEndian64(&field.value);
      break;
    case kFixed32: {
      std::uint32_t value = 0;
      read = stream_.ReadLittleEndian32(&value);
      field.value = value;
      break;
    }
    case kBytes: {
      std::uint32_t size = 0;
      read = stream_.ReadVarint32(&size);
      if (read) field.bytes = take(size);
      break;
    }
    default:  // groups, which version 3 of protobuf does not have
      break;
  }
  if (!read) throw MalformedMessage();
  return field;
}

Field Message::find(std::span<const std::byte> bytes, std::uint32_t number) {
  Message message(bytes);
  while (const auto field = message.next()) {
    if (field->number == number) return *field;
  }
  return {};
}

}  // namespace gannet::corpora::ciff
