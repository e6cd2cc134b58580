// Where sentences, words and characters begin, by ICU.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace gannet::query {

/// What a text may be cut between.
enum class Unit {
  kCharacter,  ///< as users see them: grapheme clusters
  kWord,       ///< places where a line may be broken, so that punctuation stays with its word
  kSentence,
};

/// Finds boundaries in a part of a text, whose size is what they cost. Not thread-safe.
class Boundaries {
 public:
  /// Throws IoError if ICU's data cannot be loaded.
  Boundaries();
  ~Boundaries();
  Boundaries(const Boundaries&) = delete;
  Boundaries& operator=(const Boundaries&) = delete;

  /// Bytes [begin, end) of `text` (at most 1 GB) are looked at from now on; they must stay. Ends of
  /// the part are boundaries only if they are ends of the text.
  void look_at(std::string_view text, std::uint64_t begin, std::uint64_t end);

  /// The first and the last boundary in [low, high], bytes of the text within the part.
  std::optional<std::uint64_t> first(Unit unit, std::uint64_t low, std::uint64_t high);
  std::optional<std::uint64_t> last(Unit unit, std::uint64_t low, std::uint64_t high);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::query
