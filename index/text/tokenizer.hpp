// Splitting UTF-8 text into raw tokens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gannet::index {

/// Splits text into tokens. Immutable and thread-safe.
///
/// "unicode": a token is a maximal run of letters and digits (general categories L and N), together
/// with the combining marks (M) and the invisible characters (soft hyphen, joiners) that follow
/// them: without these, words of Indic scripts and decomposed accents would be split. Scripts that
/// do not put blanks between words form separate runs:
///   * Each Chinese, Japanese or Korean character is a token, and so is each pair of neighbours:
///     "東京都" gives 東, 東京, 京, 京都, 都. The tokens of a word are therefore independent of its
///     context, which those of a dictionary are not, and Korean words are found with any particle
///     after them. Pairs decide the ranking, since they are about as rare as words; single
///     characters find words of one character. An index of such text is about twice as large.
///   * Runs of Thai, Lao, Khmer and Burmese are split into words by ICU's dictionaries, after
///     normalisation, so that decomposed vowels give the words of composed ones. A run of more than
///     16 KiB is cut first. Numbers in the digits of these scripts are separate tokens.
///
/// A character whose compatibility form (NFKC) has letters or digits is replaced by that form:
/// "50㎏" gives 50kg, "20℃" gives 20 and C, "⑴" gives 1. Two kinds are not replaced: raised signs
/// (™, ℠), which would be joined to the word before them, and fractions (½), which stay one token.
/// A run that has a replaced character and more than 16 KiB may be cut.
///
/// "whitespace" and "verbatim": a token is a maximal run of characters that are not white space.
/// The analyzer takes tokens of "verbatim" as terms without change (AnalyzerConfig).
///
/// With all three, bytes that are not valid UTF-8 separate tokens.
class Tokenizer {
 public:
  /// Throws UsageError unless `name` is "unicode", "whitespace" or "verbatim".
  explicit Tokenizer(std::string_view name);

  /// Calls `on_token(token, place)`, or `on_token(token)` if it takes one argument, for each token,
  /// in order of the tokens' ends. `token` is a view of the token's bytes, valid during the call.
  /// `place` is a view of the bytes of `text` from which the token was made. Mostly the two views
  /// are equal; they differ where a character was replaced by its compatibility form and where a
  /// run was normalised. The places of two tokens may overlap. Takes time linear in the size of
  /// `text`. Throws IoError if ICU's dictionaries are needed and missing, and what `on_token`
  /// throws.
  template <class F>
  void split(std::string_view text, F&& on_token) const {
    const char* at = text.data();
    const char* const end = at + text.size();
    while ((at = find_start(at, end)) != end) {
      const char* const start = at;
      // A start outside ASCII is classified twice: that is rare, and the loop stays small.
      const Character first = character_at(at, end);
      if (first.kind == Kind::kToken) {
        at = find_end(at + first.bytes, end);
      } else {
        at = end_of_run(at, end, first.kind);
      }
      if (first.kind == Kind::kSymbol || (at != end && is_before_symbol(start, at, end))) {
        at = end_of_stretch(start, end);
        give_pieces(expanded(view(start, at)), start, on_token);
      } else if (first.kind == Kind::kToken) {
        give(view(start, at), view(start, at), on_token);
      } else if (first.kind == Kind::kCjk) {
        split_cjk(start, at, on_token);
      } else {
        split_unspaced(start, at, on_token);
      }
    }
  }

 private:
  /// The class of a byte or a code point.
  enum class Kind : std::uint8_t {
    kSeparator,
    kToken,
    kMark,       ///< continues a token, but does not start one
    kCjk,        ///< Chinese, Japanese, Korean
    kUnspaced,   ///< Thai, Lao, Khmer, Burmese
    kSymbol,     ///< replaced by its compatibility form
    kMultibyte,  ///< a byte outside ASCII: classify() tells the class
  };
  struct Character {
    Kind kind;
    std::uint8_t bytes;
  };

  /// Tokens whose bytes differ from those of the text.
  struct Pieces {
    struct Piece {
      std::size_t bytes;       ///< size of the token
      std::size_t begin, end;  ///< its place, as offsets in the text that was split
    };
    std::string tokens;  ///< all tokens, concatenated
    std::vector<Piece> pieces;

    void add(std::string_view token, std::size_t begin, std::size_t end) {
      tokens += token;
      pieces.push_back({token.size(), begin, end});
    }
  };

  template <class F>
  static void give(std::string_view token, std::string_view place, F& on_token) {
    if constexpr (std::is_invocable_v<F&, std::string_view, std::string_view>) {
      on_token(token, place);
    } else {
      on_token(token);
    }
  }

  template <class F>
  static void give_pieces(const Pieces& all, const char* text, F& on_token) {
    const char* token = all.tokens.data();
    for (const auto& piece : all.pieces) {
      give({token, piece.bytes}, view(text + piece.begin, text + piece.end), on_token);
      token += piece.bytes;
    }
  }

  static std::string_view view(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  Kind kind_of(char byte) const { return kinds_[static_cast<unsigned char>(byte)]; }
  /// The code point outside ASCII that starts at `at` (< end); a separator of one byte if the bytes
  /// are not valid UTF-8.
  Character classify(const char* at, const char* end) const;
  Character character_at(const char* at, const char* end) const {
    const Kind kind = kind_of(*at);
    return kind == Kind::kMultibyte ? classify(at, end) : Character{kind, 1};
  }

  /// The start of the next token, or `end`.
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

  /// The end of a run of letters and digits that has been read up to `at`.
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

  /// The end of the run of `kind` and marks that starts at `at`.
  const char* end_of_run(const char* at, const char* end, Kind kind) const;
  /// The end of the character at `at` with the marks that follow it.
  const char* end_of_character(const char* at, const char* end) const;

  /// Whether a symbol follows the run [start, at), at < end, and the run has at most 16 KiB.
  bool is_before_symbol(const char* start, const char* at, const char* end) const {
    return kind_of(*at) == Kind::kMultibyte && is_symbol_behind(start, at, end);
  }
  bool is_symbol_behind(const char* start, const char* at, const char* end) const;
  /// The end of the stretch that starts at `at`: of the characters up to the next separator, but
  /// not much more than 16 KiB.
  const char* end_of_stretch(const char* at, const char* end) const;
  /// The tokens of a stretch, after its symbols are replaced by their compatibility forms.
  Pieces expanded(std::string_view stretch) const;

  template <class F>
  void split_cjk(const char* at, const char* end, F& on_token) const {
    for (const char* before = nullptr; at != end;) {
      const char* const next = end_of_character(at, end);
      if (before != nullptr) give(view(before, next), view(before, next), on_token);
      give(view(at, next), view(at, next), on_token);
      before = at;
      at = next;
    }
  }

  template <class F>
  void split_unspaced(const char* at, const char* end, F& on_token) const {
    while (at != end) {
      const std::string_view front = front_of_run(view(at, end));
      give_pieces(dictionary_words(front), at, on_token);
      at += front.size();
    }
  }

  /// The front of a run, at most 16 KiB, that is split into words in one step.
  static std::string_view front_of_run(std::string_view run);
  /// The words of a run, normalised.
  Pieces dictionary_words(std::string_view run) const;

  std::array<Kind, 256> kinds_{};
  bool whitespace_ = false;
};

}  // namespace gannet::index
