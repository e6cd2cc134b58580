// Splitting UTF-8 text into raw tokens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gannet::index {

/// Finds the tokens of a text. Immutable: safe to use from any number of threads.
///
/// "unicode": a token is a maximal run of letters and digits (general categories L and N), together
/// with the combining marks (M) and the invisible characters (soft hyphen, joiners) that follow
/// them: without these, words of Indic scripts and decomposed accents would fall apart. Scripts
/// that do not put blanks between words are runs of their own:
///   * Chinese, Japanese and Korean characters give a token each, and one for each two neighbours:
///     "東京都" is 東, 東京, 京, 京都, 都. No dictionary, hence the same tokens in a document and a
///     query whatever stands around them; Korean words are found with any particle behind them.
///     The pairs decide the ranking (they are about as rare as words), the single characters find
///     words of one character; the price is an index of such text about twice as large.
///   * Thai, Lao, Khmer and Burmese words are found with ICU's dictionaries, in runs of at most
///     16 kB (a longer run is cut).
///
/// "whitespace" and "verbatim": a token is a maximal run of anything but white space; of "verbatim"
/// it is the term, as it is (AnalyzerConfig). With all of them, bytes that are
/// not valid UTF-8 separate tokens.
class Tokenizer {
 public:
  /// Throws UsageError unless `name` is "unicode", "whitespace" or "verbatim".
  explicit Tokenizer(std::string_view name);

  /// Calls `on_token(std::string_view)` for each token, in order of their ends. The views point
  /// into `text` and may overlap. Throws IoError if ICU's dictionaries are needed and missing.
  template <class F>
  void split(std::string_view text, F&& on_token) const {
    const char* at = text.data();
    const char* const end = at + text.size();
    while ((at = find_start(at, end)) != end) {
      const char* const start = at;
      // A start outside ASCII is looked at twice: that is rare, and the loop stays small.
      const Character first = character_at(at, end);
      if (first.kind == Kind::kToken) {
        at = find_end(at + first.bytes, end);
        on_token(view(start, at));
      } else if (first.kind == Kind::kCjk) {
        at = split_cjk(start, end, on_token);
      } else {
        at = split_unspaced(start, end, on_token);
      }
    }
  }

 private:
  /// What a byte, or a code point, is to the tokenizer.
  enum class Kind : std::uint8_t {
    kSeparator,
    kToken,
    kMark,       ///< goes on with a token, but does not start one
    kCjk,        ///< Chinese, Japanese, Korean
    kUnspaced,   ///< Thai, Lao, Khmer, Burmese
    kMultibyte,  ///< a byte outside ASCII: ask classify()
  };
  struct Character {
    Kind kind;
    std::uint8_t bytes;
  };

  static std::string_view view(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  Kind kind_of(char byte) const { return kinds_[static_cast<unsigned char>(byte)]; }
  /// The code point that starts at `at` (< end), outside ASCII; a separator of one byte if invalid.
  Character classify(const char* at, const char* end) const;
  Character character_at(const char* at, const char* end) const {
    const Kind kind = kind_of(*at);
    return kind == Kind::kMultibyte ? classify(at, end) : Character{kind, 1};
  }

  /// Where the next token starts, or `end`.
  const char* find_start(const char* at, const char* end) const {
    while (at != end) {
      const Kind kind = kind_of(*at);
      if (kind == Kind::kToken) return at;
      if (kind == Kind::kMultibyte) {
        const Character character = classify(at, end);
        if (character.kind != Kind::kSeparator && character.kind != Kind::kMark) return at;
        at += character.bytes;
      } else {
        ++at;
      }
    }
    return end;
  }

  /// Where a run of letters and digits ends that has been read up to `at`.
  const char* find_end(const char* at, const char* end) const {
    while (at != end) {
      const Kind kind = kind_of(*at);
      if (kind == Kind::kToken) {
        ++at;
      } else if (kind == Kind::kMultibyte) {
        const Character character = classify(at, end);
        if (character.kind != Kind::kToken && character.kind != Kind::kMark) return at;
        at += character.bytes;
      } else {
        return at;
      }
    }
    return end;
  }

  /// Where the run of `kind` and marks ends that starts at `at`.
  const char* end_of_run(const char* at, const char* end, Kind kind) const;
  /// The same for one character of it.
  const char* end_of_character(const char* at, const char* end) const;

  template <class F>
  const char* split_cjk(const char* at, const char* end, F&& on_token) const {
    end = end_of_run(at, end, Kind::kCjk);
    for (const char* before = nullptr; at != end;) {
      const char* const next = end_of_character(at, end);
      if (before != nullptr) on_token(view(before, next));
      on_token(view(at, next));
      before = at;
      at = next;
    }
    return end;
  }

  template <class F>
  const char* split_unspaced(const char* at, const char* end, F&& on_token) const {
    end = end_of_run(at, end, Kind::kUnspaced);
    while (at != end) {
      const char* word = at;
      for (const std::size_t size : dictionary_words(view(at, end))) {
        on_token(view(word, word + size));
        word += size;
      }
      at = word;
    }
    return end;
  }

  /// The sizes in bytes of the words at the front of `run`, at least one; not all of a long run.
  static std::vector<std::size_t> dictionary_words(std::string_view run);

  std::array<Kind, 256> kinds_{};
  bool whitespace_ = false;
};

}  // namespace gannet::index
