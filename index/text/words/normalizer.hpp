// One form for all spellings of a token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::index {

/// What becomes of the characters of a token.
struct Folding {
  /// Full case folding (NFKC_Casefold): "STRASSE" and "Straße" are both "strasse".
  bool fold_case = true;
  /// Case folding as Turkish and Azerbaijani have it: I is the capital of ı, İ that of i.
  bool turkic = false;
  /// Drops the accents of Latin, Greek and Cyrillic letters (U+0300 .. U+036F after decomposition),
  /// and takes apart what is no ASCII letter with an accent: "café" is "cafe", "Łódź" "lodz".
  bool fold_accents = false;
};

/// Normalises tokens to NFKC, so that composed and decomposed accents, letters of full width,
/// ligatures and the like are the same, drops invisible characters (soft hyphens, joiners), and
/// folds what it is told to. Not thread-safe.
class TokenNormalizer {
 public:
  explicit TokenNormalizer(Folding folding);

  /// The normal form of `token`; may be empty. Bytes that are not UTF-8 stay as they are. The view
  /// is valid until the next call, or as long as `token`.
  std::string_view normalize(std::string_view token);

 private:
  std::string_view normalize_ascii(std::string_view token);
  std::string_view normalize_unicode(std::string_view token);
  /// `token` with the capitals that Turkic languages fold otherwise already folded.
  std::string_view fold_turkic(std::string_view token);
  /// Of `count` code points; how many there are then.
  std::size_t drop_accents(std::size_t count);

  Folding folding_;
  std::string ascii_;
  std::string turkic_;
  std::vector<std::int32_t> code_points_;
  std::vector<std::int32_t> folded_;
};

}  // namespace gannet::index
