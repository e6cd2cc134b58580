// A phrase or window of words as a query has it, before its words are analysed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "query/phrases/window_shape.hpp"

namespace gannet::query {

struct WrittenWindow {
  enum class Kind : std::uint8_t {
    kPhrase,       ///< `"a b"`, `"a b"~3`
    kOrdered,      ///< `#od3(a b)`, `#3(a b)`
    kUnordered,    ///< `#uw3(a b)`
    kNear,         ///< `a NEAR/3 b`
    kOrderedNear,  ///< `a ONEAR/3 b`
  };
  Kind kind = Kind::kPhrase;
  /// N; 0 to kMaxWindowDistance of phrases, else 1 to that.
  std::uint32_t distance = 0;
  bool operator==(const WrittenWindow&) const = default;

  /// Whether its words stand side by side, as those of a phrase.
  bool is_exact() const {
    return kind == Kind::kPhrase ? distance == 0 : distance == 1 && is_ordered();
  }
  /// The window of words that stand at `places`, ascending from 0 and counted with those that the
  /// analyzer dropped between them; one or more.
  WindowShape shape(std::vector<std::uint32_t> places) const;

 private:
  bool is_ordered() const { return kind == Kind::kOrdered || kind == Kind::kOrderedNear; }
};

/// The number behind `~`, `NEAR/` and the like: digits alone; nothing if it is none, or greater
/// than kMaxWindowDistance.
std::optional<std::uint32_t> window_distance(std::string_view digits);

/// What `#od3`, `#uw3` or `#3` is, in front of a parenthesis; nothing if it is none of them.
std::optional<WrittenWindow> find_window_call(std::string_view word);
/// What `NEAR/3` or `ONEAR/3` is.
std::optional<WrittenWindow> find_near(std::string_view word);

}  // namespace gannet::query
