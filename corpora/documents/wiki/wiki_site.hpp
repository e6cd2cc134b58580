// What a dump says of its wiki, before the first page.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpora/markup/wiki/wikitext.hpp"

namespace gannet::corpora {

struct WikiSite {
  std::string language = {};  ///< "en"; empty: unknown
  std::string base = {};      ///< of pages' URLs: "https://en.wikipedia.org/wiki/"; empty: unknown
  std::vector<std::pair<int, std::string>> namespaces = {};
  WikiNames names = {};

  /// The number of the namespace that a title's prefix names; 0 if it names none.
  int namespace_of(std::string_view title) const;
  /// The page's URL; empty if the dump does not say where the wiki is.
  std::string url_of(std::string_view title) const;
};

/// Reads what stands before the first `<page>`; returns what is wrong with it, or nothing.
std::string parse_site(std::string_view head, const std::stop_token& stop, WikiSite& site);

/// A title as it stands in a URL, before that is escaped: blanks are '_'.
std::string page_name(std::string_view title);

}  // namespace gannet::corpora
