// Sorting documents by a text that each of them has.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/segment/segment.hpp"

namespace gannet::index {

/// Gathers a text of each document, then sorts. Not thread-safe.
class TextKeys {
 public:
  /// Throws UsageError here and in add() once the texts take more than `memory` bytes.
  TextKeys(std::uint64_t documents, std::uint64_t memory);

  /// The text of a document, which is copied; nothing if it has none. By ascending docids.
  void add(Docid docid, std::optional<std::string_view> text);
  /// Sorts by the texts' bytes, in parallel; equal ones by docid, documents without one last. Once.
  /// Throws CancelledError.
  std::vector<Docid> sort(const std::stop_token& stop);
  /// After sort(): the first document with this text.
  std::optional<Docid> find(std::string_view text) const;

 private:
  struct Key {
    std::uint64_t prefix;  ///< the first eight bytes, which settle most comparisons
    const char* text;
    std::uint32_t size;
    Docid docid;
    std::string_view view() const { return {text, size}; }
  };

  void check_memory() const;

  std::uint64_t documents_;
  std::uint64_t memory_;
  std::pmr::monotonic_buffer_resource texts_;
  std::uint64_t text_bytes_ = 0;
  std::vector<Key> keys_;
  std::vector<Docid> without_;
};

}  // namespace gannet::index
