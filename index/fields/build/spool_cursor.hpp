// Reading what was set aside, value by value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "index/files/spool.hpp"

namespace gannet::index {

/// Reads values of type T from a spool, which nobody appends to meanwhile.
template <class T>
class SpoolCursor {
 public:
  /// From byte `begin` on, with a buffer of about `buffer_bytes`.
  explicit SpoolCursor(const Spool& spool, std::uint64_t begin = 0,
                       std::size_t buffer_bytes = std::size_t{1} << 16)
      : spool_(&spool), at_(begin), most_(std::max<std::size_t>(buffer_bytes / sizeof(T), 1)) {}

  /// There must be one more.
  T next() {
    if (used_ == buffer_.size()) fill();
    return buffer_[used_++];
  }

 private:
  void fill() {
    buffer_.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(most_, (spool_->size() - at_) / sizeof(T))));
    spool_->read_at(at_, std::as_writable_bytes(std::span(buffer_)));
    at_ += buffer_.size() * sizeof(T);
    used_ = 0;
  }

  const Spool* spool_;
  std::uint64_t at_;
  std::size_t most_;
  std::vector<T> buffer_;
  std::size_t used_ = 0;
};

}  // namespace gannet::index
