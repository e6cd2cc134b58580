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
///     16 kB (a longer run is cut), which are normalised before: decomposed vowels are cut as
///     composed ones. Numbers in the digits of these scripts are tokens of their own.
///
/// A character whose compatibility form (NFKC) has letters or digits is read as that form: "50㎏"
/// is 50kg, "20℃" is 20 and C, "⑴" is 1. The exceptions are raised signs (™, ℠), which say
/// something about the word before them and would grow onto it, and fractions (½), which stay one
/// token.
///
/// "whitespace" and "verbatim": a token is a maximal run of anything but white space; of "verbatim"
/// it is the term, as it is (AnalyzerConfig). With all of them, bytes that are
/// not valid UTF-8 separate tokens.
class Tokenizer {
 public:
  /// Throws UsageError unless `name` is "unicode", "whitespace" or "verbatim".
  explicit Tokenizer(std::string_view name);

  /// Calls `on_token(token)`, or `on_token(token, place)` if it takes both, for each token, in
  /// order of their ends: views of the token's bytes, valid during the call, and of where it stands
  /// in `text`. Mostly these are one; of a character that is read as its compatibility form, and of
  /// a normalised run, the bytes are others. Places may overlap. Throws IoError if ICU's
  /// dictionaries are needed and missing.
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
  /// What a byte, or a code point, is to the tokenizer.
  enum class Kind : std::uint8_t {
    kSeparator,
    kToken,
    kMark,       ///< goes on with a token, but does not start one
    kCjk,        ///< Chinese, Japanese, Korean
    kUnspaced,   ///< Thai, Lao, Khmer, Burmese
    kSymbol,     ///< read as its compatibility form
    kMultibyte,  ///< a byte outside ASCII: ask classify()
  };
  struct Character {
    Kind kind;
    std::uint8_t bytes;
  };

  /// Tokens that do not stand in the text as they are.
  struct Pieces {
    struct Piece {
      std::size_t bytes;       ///< of the token
      std::size_t begin, end;  ///< its place in what was given
    };
    std::string tokens;  ///< one after the other
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

  /// Whether a run that ends at `at` (< end) goes on in a symbol, and is no longer than a stretch.
  bool is_before_symbol(const char* start, const char* at, const char* end) const {
    return kind_of(*at) == Kind::kMultibyte && is_symbol_behind(start, at, end);
  }
  bool is_symbol_behind(const char* start, const char* at, const char* end) const;
  /// Where the characters end that start at `at` and have no separator between them; of many, some.
  const char* end_of_stretch(const char* at, const char* end) const;
  /// The tokens of a stretch whose symbols are replaced by their forms.
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

  /// As much of a run as is cut into words at a time.
  static std::string_view front_of_run(std::string_view run);
  /// The words of a run, in normal form.
  Pieces dictionary_words(std::string_view run) const;

  std::array<Kind, 256> kinds_{};
  bool whitespace_ = false;
};

}  // namespace gannet::index
