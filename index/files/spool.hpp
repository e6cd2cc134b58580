// Bytes set aside until their turn comes: in memory while they are few, else in an unnamed file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "index/files/format.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {

/// A section that grows while another one is being written. Holds at most about a megabyte in
/// memory, or as much as it is told. Not thread-safe.
class Spool {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

  /// `directory`: where the file is made, if one is needed; it has no name once it is open. Nobody
  /// else makes files there.
  explicit Spool(std::filesystem::path directory, std::size_t buffer_bytes = kBufferBytes)
      : directory_(std::move(directory)), buffer_bytes_(buffer_bytes) {}

  void append(std::span<const std::byte> bytes);
  template <class T>
  void append_values(std::span<const T> values) {
    append(bytes_of(values));
  }
  template <class T>
  void append_value(const T& value) {
    append(bytes_of(std::span<const T>(&value, 1)));
  }

  std::uint64_t size() const { return spilled_ + buffer_.size(); }

  /// Reads bytes.size() bytes at `offset`, all of which must be there.
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;

  /// Calls `take(std::span<const std::byte>)` for all bytes, in order.
  template <class F>
  void drain(F&& take) {
    std::vector<std::byte> chunk;
    for (std::uint64_t at = 0; at < spilled_; at += chunk.size()) {
      chunk.resize(static_cast<std::size_t>(
          spilled_ - at < kBufferBytes ? spilled_ - at : std::uint64_t{kBufferBytes}));
      file_.read_at(at, chunk);
      take(std::span<const std::byte>(chunk));
    }
    take(std::span<const std::byte>(buffer_));
  }

 private:
  void spill();

  std::filesystem::path directory_;
  std::size_t buffer_bytes_;
  File file_;
  std::uint64_t spilled_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace gannet::index
