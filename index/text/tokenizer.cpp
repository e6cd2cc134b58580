#include "index/text/tokenizer.hpp"

#include <utf8proc.h>

#include <string>

#include "codecs/error.hpp"

namespace gannet::index {
namespace {

bool is_ascii_alphanumeric(unsigned char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z');
}

bool is_ascii_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

bool is_space(utf8proc_int32_t code_point, utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP || code_point == 0x85;
}

bool is_letter_or_digit(utf8proc_category_t category) {
  const bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
  const bool digit = category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
  return letter || digit;
}

bool is_mark(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

}  // namespace

Tokenizer::Tokenizer(std::string_view name) : whitespace_(name == "whitespace") {
  if (name != "unicode" && name != "whitespace") {
    throw UsageError("no tokenizer is called '" + std::string(name) +
                     "'; there are unicode, whitespace");
  }
  for (unsigned byte = 0; byte < 128; ++byte) {
    const auto character = static_cast<unsigned char>(byte);
    const bool token = whitespace_ ? !is_ascii_space(character) : is_ascii_alphanumeric(character);
    kinds_[byte] = token ? Kind::kToken : Kind::kSeparator;
  }
  for (unsigned byte = 128; byte < 256; ++byte) kinds_[byte] = Kind::kMultibyte;
}

Tokenizer::Character Tokenizer::classify(const char* at, const char* end) const {
  utf8proc_int32_t code_point = 0;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(at);
  const utf8proc_ssize_t length = utf8proc_iterate(bytes, end - at, &code_point);
  if (length <= 0) return {Kind::kSeparator, 1};
  const auto size = static_cast<std::uint8_t>(length);
  const utf8proc_category_t category = utf8proc_category(code_point);
  if (whitespace_) {
    return {is_space(code_point, category) ? Kind::kSeparator : Kind::kToken, size};
  }
  if (is_letter_or_digit(category)) return {Kind::kToken, size};
  return {is_mark(category) ? Kind::kMark : Kind::kSeparator, size};
}

}  // namespace gannet::index
