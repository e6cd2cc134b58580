#include "index/text/normalizer.hpp"

#include <utf8proc.h>

#include <algorithm>

namespace gannet::index {
namespace {

constexpr int kNfkc =
    UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE;  // of a token

bool is_accent(std::int32_t code_point) { return code_point >= 0x300 && code_point <= 0x36F; }

}  // namespace

TokenNormalizer::TokenNormalizer(bool fold_case, bool fold_accents)
    : fold_case_(fold_case), fold_accents_(fold_accents) {}

std::string_view TokenNormalizer::normalize(std::string_view token) {
  ascii_.clear();
  for (const char c : token) {
    if (static_cast<unsigned char>(c) >= 0x80) return normalize_unicode(token);
    ascii_.push_back(fold_case_ && c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c);
  }
  return ascii_;
}

std::string_view TokenNormalizer::normalize_unicode(std::string_view token) {
  const auto options = static_cast<utf8proc_option_t>(kNfkc | (fold_case_ ? UTF8PROC_CASEFOLD : 0));
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
  if (fold_accents_) {
    const auto end = std::remove_if(code_points_.begin(), code_points_.begin() + count, is_accent);
    count = end - code_points_.begin();
  }
  const utf8proc_ssize_t length = utf8proc_reencode(code_points_.data(), count, options);
  if (length < 0) return token;
  return {reinterpret_cast<const char*>(code_points_.data()), static_cast<std::size_t>(length)};
}

}  // namespace gannet::index
