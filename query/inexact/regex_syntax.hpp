// From the text of a regular expression to its tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/inexact/code_points.hpp"
#include "query/inexact/term_pattern.hpp"

namespace gannet::query {

/// A node of the tree.
struct Regex {
  enum class Kind : std::uint8_t {
    kText,    ///< `text`, which may be empty; no parts
    kAny,     ///< any character; no parts
    kSet,     ///< a character of `set`; no parts
    kChain,   ///< its parts, one behind the other
    kChoice,  ///< one of its parts
    kRepeat,  ///< its one part, `least` to `most` times
  };
  static constexpr std::uint32_t kNoLimit = 0xffffffffu;

  Kind kind = Kind::kChain;
  std::string text = {};
  CodePointSet set = {};
  std::vector<Regex> parts = {};
  std::uint32_t least = 0;
  std::uint32_t most = kNoLimit;
};

/// Parses what TermPattern::regex() takes, and folds it. Throws PatternError.
Regex parse_regex(std::string_view pattern, const FoldText& fold);

}  // namespace gannet::query
