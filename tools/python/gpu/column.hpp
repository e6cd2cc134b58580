// Encoded columns in device memory (codecs/described_column.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "codecs/columns.hpp"
#include "codecs/described_column.hpp"
#include "tools/python/gpu/memory.hpp"

namespace gannet::python {

class DeviceColumn {
 public:
  /// Encodes `count` values at `values`, device memory. Waits for nothing.
  static DeviceColumn encode(std::uint64_t values, std::uint64_t count, const std::string& type,
                             const std::string& codec, const std::string& parameters, Place place);

  /// Copies an encoded column from host memory. With `check` all of it is looked at, on the device,
  /// which is waited for; else only what it says of itself. Throws FormatError.
  static DeviceColumn upload(std::span<const std::byte> bytes, bool check, Place place);

  const codecs::Codec& codec() const { return *codec_; }
  codecs::ValueType type() const { return type_; }
  std::uint64_t count() const { return count_; }
  DeviceMemory& memory() const { return *memory_; }
  /// Whether its bytes are known to be right.
  bool is_whole() const { return is_whole_; }

  /// The bytes that it takes; waits for them if they are not known.
  std::uint64_t bytes();
  /// The column in as much memory as it takes. Waits as bytes().
  DeviceColumn compact();

 private:
  std::shared_ptr<DeviceMemory> memory_;
  const codecs::Codec* codec_ = nullptr;
  codecs::ValueType type_{};
  std::uint64_t count_ = 0;
  bool is_whole_ = false;
  std::optional<std::uint64_t> bytes_;
};

}  // namespace gannet::python
