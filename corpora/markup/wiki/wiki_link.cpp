#include "corpora/markup/wiki/wiki_link.hpp"

#include <algorithm>
#include <array>

#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// Names of namespaces are the same with '_' for blanks.
bool same_namespace(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == '_' ? ' ' : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char x = plain(a[i]);
    const char y = plain(b[i]);
    if (x != y && !same_name({&x, 1}, {&y, 1})) return false;
  }
  return true;
}

bool is_one_of(std::string_view name, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return same_namespace(name, known); });
}

/// Codes of languages have two or three small letters; prefixes of projects have other lengths.
bool is_language(std::string_view prefix) {
  return (prefix.size() == 2 || prefix.size() == 3) &&
         std::all_of(prefix.begin(), prefix.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

WikiLink kind_of_link(std::string_view target, const WikiNames& names) {
  const std::size_t colon = target.find(':');
  if (colon == std::string_view::npos || colon == 0) return WikiLink::kPage;
  const std::string_view prefix = trim(target.substr(0, colon));
  for (const char* file : {"file", "image", "media"}) {
    if (same_name(prefix, file)) return WikiLink::kFile;
  }
  if (is_one_of(prefix, names.files)) return WikiLink::kFile;
  if (same_name(prefix, "category") || is_one_of(prefix, names.categories)) {
    return WikiLink::kHidden;
  }
  return is_language(prefix) ? WikiLink::kLanguage : WikiLink::kPage;
}

bool is_file_option(std::string_view part) {
  static constexpr std::array<std::string_view, 22> kOptions{
      "thumb",  "thumbnail",   "frame",  "framed",   "frameless", "border",  "left", "right",
      "center", "centre",      "none",   "baseline", "sub",       "super",   "top",  "text-top",
      "middle", "text-bottom", "bottom", "upright",  "mini",      "miniatur"};
  part = trim(part);
  if (std::any_of(kOptions.begin(), kOptions.end(),
                  [&](std::string_view option) { return same_name(option, part); })) {
    return true;
  }
  for (const std::string_view name : {"alt=", "link=", "lang=", "page=", "class=", "upright="}) {
    if (part.starts_with(name)) return true;
  }
  return part.ends_with("px") && part.find_first_not_of("0123456789x") >= part.size() - 2;
}

}  // namespace gannet::corpora
