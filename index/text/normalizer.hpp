// One form for all spellings of a token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::index {

/// Normalises tokens to NFKC, so that composed and decomposed accents, letters of full width,
/// ligatures and the like are the same, and drops invisible characters (soft hyphens, joiners).
/// `fold_case`: with full case folding (NFKC_Casefold): "STRASSE" and "Straße" are both "strasse".
/// `fold_accents`: without the accents of Latin, Greek and Cyrillic letters (U+0300 .. U+036F after
/// decomposition): "café" is "cafe". Letters with strokes (ø, ł) stay. Not thread-safe.
class TokenNormalizer {
 public:
  TokenNormalizer(bool fold_case, bool fold_accents);

  /// The normal form of `token`; may be empty. Bytes that are not UTF-8 stay as they are. The view
  /// is valid until the next call, or as long as `token`.
  std::string_view normalize(std::string_view token);

 private:
  std::string_view normalize_unicode(std::string_view token);

  bool fold_case_;
  bool fold_accents_;
  std::string ascii_;
  std::vector<std::int32_t> code_points_;
};

}  // namespace gannet::index
