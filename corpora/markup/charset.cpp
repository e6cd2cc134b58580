#include "corpora/markup/charset.hpp"

#include <simdjson.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "codecs/error.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kDeclared = 1024;                   // bytes where a declaration may stand
constexpr std::size_t kLongest = std::size_t{512} << 20;  // for 32-bit sizes of the result
constexpr std::string_view kUtf8 = "utf-8";
constexpr std::string_view kFallback = "windows-1252";

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};

/// What follows `key` and '=' in a tag, without quotes; empty if there is none.
std::string_view value_of(std::string_view tag, std::string_view key) {
  for (std::size_t at = 0; at + key.size() < tag.size(); ++at) {
    if (!same_name(tag.substr(at, key.size()), key)) continue;
    const std::size_t equals = tag.find_first_not_of(" \t\r\n", at + key.size());
    if (equals == std::string_view::npos || tag[equals] != '=') continue;
    const std::size_t begin = tag.find_first_not_of(" \t\r\n\"'", equals + 1);
    if (begin == std::string_view::npos) return {};
    return tag.substr(begin, tag.find_first_of(" \t\r\n\"';/>?", begin) - begin);
  }
  return {};
}

std::string_view declared_encoding(std::string_view page) {
  page = page.substr(0, kDeclared);
  if (page.starts_with("<?xml")) return value_of(page.substr(0, page.find('>')), "encoding");
  for (Tag tag = next_tag(page, 0); tag.found(); tag = next_tag(page, tag.end)) {
    if (tag.closing || !same_name(tag.name, "meta")) continue;
    if (const auto name = value_of(tag.attributes, "charset"); !name.empty()) return name;
  }
  return {};
}

/// What browsers take an encoding's name for: what calls itself Latin-1 or ASCII is the larger
/// Windows code page, so the HTML standard has it.
std::string_view meant_by(std::string_view name) {
  for (const std::string_view latin : {"iso-8859-1", "latin1", "us-ascii", "ascii"}) {
    if (same_name(name, latin)) return kFallback;
  }
  return name;
}

bool is_known(std::string_view name) {
  UErrorCode status = U_ZERO_ERROR;
  const std::string known(name);
  return !name.empty() &&
         (same_name(name, kUtf8) ||
          (ucnv_getStandardName(known.c_str(), "IANA", &status) != nullptr && U_SUCCESS(status)));
}

std::string_view mark_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) return kUtf8;
  if (text.starts_with("\xff\xfe")) return "utf-16le";
  if (text.starts_with("\xfe\xff")) return "utf-16be";
  return {};
}

std::string_view encoding_of(std::string_view page) {
  const std::string_view name = declared_encoding(page);
  // A declaration that could be read as bytes is no UTF-16.
  if (name.size() >= 6 && same_name(name.substr(0, 6), "utf-16")) return kUtf8;
  return meant_by(name);
}

std::unique_ptr<UConverter, CloseConverter> converter_of(std::string_view encoding) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<UConverter, CloseConverter> converter;
  if (!encoding.empty()) converter.reset(ucnv_open(std::string(encoding).c_str(), &status));
  if (converter && U_SUCCESS(status)) return converter;
  status = U_ZERO_ERROR;
  converter.reset(ucnv_open(std::string(kFallback).c_str(), &status));
  if (U_FAILURE(status)) {
    throw IoError(std::string("ICU cannot convert text: ") + u_errorName(status) +
                  "; is its data installed (package libicu)?");
  }
  return converter;
}

std::string_view as_utf8(std::string_view page, std::string_view encoding, std::string& room) {
  const bool may_be_utf8 = encoding.empty() || same_name(encoding, kUtf8) ||
                           same_name(encoding, "utf8") || same_name(encoding, "us-ascii");
  if (may_be_utf8 && simdjson::validate_utf8(page)) {
    return page.starts_with("\xef\xbb\xbf") ? page.substr(3) : page;
  }
  if (page.size() > kLongest) {
    throw InputError("a page of " + std::to_string(page.size()) +
                     " bytes is too large to be converted to UTF-8 (at most 512 MB)");
  }
  const auto converter = converter_of(encoding);
  const auto size = static_cast<std::int32_t>(page.size());
  room.resize(page.size() + page.size() / 2 + 16);
  for (;;) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length =
        ucnv_toAlgorithmic(UCNV_UTF8, converter.get(), room.data(),
                           static_cast<std::int32_t>(room.size()), page.data(), size, &status);
    if (status != U_BUFFER_OVERFLOW_ERROR) {
      room.resize(U_SUCCESS(status) ? static_cast<std::size_t>(length) : 0);
      break;
    }
    room.resize(static_cast<std::size_t>(length) + 1);
  }
  return room.starts_with("\xef\xbb\xbf") ? std::string_view(room).substr(3) : room;
}

}  // namespace

std::string_view html_as_utf8(std::string_view page, std::string& room,
                              std::string_view transport) {
  std::string_view encoding = mark_of(page);
  if (encoding.empty()) encoding = is_known(transport) ? meant_by(transport) : encoding_of(page);
  return as_utf8(page, encoding, room);
}

std::string_view text_as_utf8(std::string_view text, std::string& room,
                              std::string_view transport) {
  std::string_view encoding = mark_of(text);
  if (encoding.empty() && is_known(transport)) encoding = meant_by(transport);
  return as_utf8(text, encoding, room);
}

}  // namespace gannet::corpora
