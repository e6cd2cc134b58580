#include "index/text/words/normalizer.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "index/text/words/latin_letters.hpp"

namespace gannet::index {
namespace {

constexpr int kNfkc =
    UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE;  // of a token

constexpr std::string_view kDotlessSmall = "\u0131";
constexpr std::string_view kDottedCapital = "\u0130";
constexpr std::string_view kDotAbove = "\u0307";

bool is_accent(std::int32_t code_point) { return code_point >= 0x300 && code_point <= 0x36F; }

/// Whether a code point may be a letter of Latin, Greek or Cyrillic, by the blocks of these
/// scripts: signs (≠) and letters of other scripts are not read without what stands over them.
bool takes_accents(std::int32_t code_point) {
  struct Block {
    std::int32_t first, last;
  };
  constexpr std::array<Block, 10> kBlocks{{{'A', 'Z'},
                                           {'a', 'z'},
                                           {0x00C0, 0x052F},
                                           {0x1C80, 0x1C8F},
                                           {0x1D00, 0x1DBF},
                                           {0x1E00, 0x1FFF},
                                           {0x2C60, 0x2C7F},
                                           {0xA640, 0xA69F},
                                           {0xA720, 0xA7FF},
                                           {0xAB30, 0xAB6F}}};
  return std::ranges::any_of(kBlocks, [&](const Block& block) {
    return block.first <= code_point && code_point <= block.last;
  });
}

bool is_ascii_capital(char c) { return c >= 'A' && c <= 'Z'; }
char lower_ascii(char c) { return is_ascii_capital(c) ? static_cast<char>(c | 0x20) : c; }

}  // namespace

TokenNormalizer::TokenNormalizer(Folding folding) : folding_(folding) {}

std::string_view TokenNormalizer::normalize(std::string_view token) {
  if (folding_.turkic && folding_.fold_case) token = fold_turkic(token);
  return normalize_ascii(token);
}

std::string_view TokenNormalizer::normalize_ascii(std::string_view token) {
  ascii_.clear();
  for (const char c : token) {
    if (static_cast<unsigned char>(c) >= 0x80) return normalize_unicode(token);
    ascii_.push_back(folding_.fold_case ? lower_ascii(c) : c);
  }
  return ascii_;
}

std::string_view TokenNormalizer::fold_turkic(std::string_view token) {
  if (token.find('I') == std::string_view::npos &&
      token.find(kDottedCapital) == std::string_view::npos) {
    return token;
  }
  turkic_.clear();
  while (!token.empty()) {
    const bool decomposed = token[0] == 'I' && token.substr(1).starts_with(kDotAbove);
    const bool dotted = token.starts_with(kDottedCapital);
    if (dotted || decomposed) {
      turkic_ += 'i';
      token.remove_prefix(dotted ? kDottedCapital.size() : 1 + kDotAbove.size());
      continue;
    }
    if (token[0] == 'I') {
      turkic_ += kDotlessSmall;
    } else {
      turkic_ += token[0];
    }
    token.remove_prefix(1);
  }
  return turkic_;
}

std::size_t TokenNormalizer::drop_accents(std::size_t count) {
  folded_.clear();
  bool of_letter = false;  // the accents that come belong to a letter of these scripts
  for (std::size_t i = 0; i < count; ++i) {
    if (is_accent(code_points_[i]) && of_letter) continue;
    if (utf8proc_get_property(code_points_[i])->combining_class == 0) {
      of_letter = takes_accents(code_points_[i]);
    }
    const std::string_view letters = latin_letters(code_points_[i]);
    if (letters.empty()) folded_.push_back(code_points_[i]);
    for (const char c : letters) folded_.push_back(folding_.fold_case ? lower_ascii(c) : c);
  }
  // Composing needs one more.
  code_points_.resize(std::max(code_points_.size(), folded_.size() + 1));
  std::copy(folded_.begin(), folded_.end(), code_points_.begin());
  return folded_.size();
}

std::string_view TokenNormalizer::normalize_unicode(std::string_view token) {
  const auto options =
      static_cast<utf8proc_option_t>(kNfkc | (folding_.fold_case ? UTF8PROC_CASEFOLD : 0));
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(token.data());
  const auto size = static_cast<utf8proc_ssize_t>(token.size());
  utf8proc_ssize_t count = 0;
  for (;;) {  // once more if the room was too small; reencoding needs one more
    const auto room = static_cast<utf8proc_ssize_t>(code_points_.size()) - 1;
    count = utf8proc_decompose(bytes, size, code_points_.data(),
                               std::max<utf8proc_ssize_t>(room, 0), options);
    if (count <= room) break;
    code_points_.resize(static_cast<std::size_t>(count) + 1);
  }
  if (count < 0) return token;
  if (folding_.fold_accents) {
    count = static_cast<utf8proc_ssize_t>(drop_accents(static_cast<std::size_t>(count)));
  }
  const utf8proc_ssize_t length = utf8proc_reencode(code_points_.data(), count, options);
  if (length < 0) return token;
  return {reinterpret_cast<const char*>(code_points_.data()), static_cast<std::size_t>(length)};
}

}  // namespace gannet::index
