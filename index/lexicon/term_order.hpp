// Sorting terms by their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gannet::index {

/// A term's number with its first eight bytes, which settle most comparisons.
struct TermSortKey {
  std::uint64_t prefix;
  std::uint32_t number;

  TermSortKey(std::string_view term, std::uint32_t term_number) : prefix(0), number(term_number) {
    for (std::size_t i = 0; i < 8; ++i) {
      prefix = prefix << 8 | (i < term.size() ? static_cast<unsigned char>(term[i]) : 0);
    }
  }
};

/// Sorts `keys` by the bytes of their terms, in parallel; `term_of(number)` gives a view of them
/// and is thread-safe. Throws CancelledError once `stop` asks for it; the order is any then.
void sort_by_term(std::vector<TermSortKey>& keys,
                  const std::function<std::string_view(std::uint32_t)>& term_of,
                  const std::stop_token& stop = {});

}  // namespace gannet::index
