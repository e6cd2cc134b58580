// Splitting UTF-8 text into raw tokens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gannet::index {

/// Finds the tokens of a text. Immutable: safe to use from any number of threads.
///
/// "unicode": a token is a maximal run of letters and digits (general categories L and N), together
/// with the combining marks (M) that follow them: without these, words of Indic scripts and
/// decomposed accents would fall apart. "whitespace": a token is a maximal run of anything but
/// white space. With both, bytes that are not valid UTF-8 separate tokens.
class Tokenizer {
 public:
  /// Throws UsageError unless `name` is "unicode" or "whitespace".
  explicit Tokenizer(std::string_view name);

  /// Calls `on_token(std::string_view)` for each token, in order. The views point into `text`.
  template <class F>
  void split(std::string_view text, F&& on_token) const {
    const char* at = text.data();
    const char* const end = at + text.size();
    while ((at = find_start(at, end)) != end) {
      const char* const start = at;
      at = find_end(at, end);
      on_token(std::string_view(start, static_cast<std::size_t>(at - start)));
    }
  }

 private:
  /// What a byte, or a code point, is to the tokenizer.
  enum class Kind : std::uint8_t {
    kSeparator,
    kToken,
    kMark,       ///< goes on with a token, but does not start one
    kMultibyte,  ///< a byte outside ASCII: ask classify()
  };
  struct Character {
    Kind kind;
    std::uint8_t bytes;
  };

  Kind kind_of(char byte) const { return kinds_[static_cast<unsigned char>(byte)]; }
  /// The code point that starts at `at` (< end), outside ASCII; a separator of one byte if invalid.
  Character classify(const char* at, const char* end) const;

  const char* find_start(const char* at, const char* end) const {
    while (at != end) {
      const Kind kind = kind_of(*at);
      if (kind == Kind::kToken) return at;
      if (kind == Kind::kMultibyte) {
        const Character character = classify(at, end);
        if (character.kind == Kind::kToken) return at;
        at += character.bytes;
      } else {
        ++at;
      }
    }
    return end;
  }

  const char* find_end(const char* at, const char* end) const {
    while (at != end) {
      const Kind kind = kind_of(*at);
      if (kind == Kind::kToken) {
        ++at;
      } else if (kind == Kind::kMultibyte) {
        const Character character = classify(at, end);
        if (character.kind == Kind::kSeparator) return at;
        at += character.bytes;
      } else {
        return at;
      }
    }
    return end;
  }

  std::array<Kind, 256> kinds_{};
  bool whitespace_ = false;
};

}  // namespace gannet::index
