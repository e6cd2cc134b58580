// What the target `html` tries: any bytes are a page, and one of a wiki, whose text is appended and
// is the same every time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "corpora/markup/html/html_text.hpp"
#include "corpora/markup/wiki/wikitext.hpp"

namespace gannet::fuzz {

/// Any bytes are markup of a wiki, of which the text is no longer.
inline void try_wikitext(std::string_view page) {
  const corpora::WikiNames names{{"Datei"}, {"Kategorie"}};
  std::string alone;
  corpora::append_wikitext(page, names, alone);
  // One character reference in five bytes stands for six.
  need(alone.size() <= page.size() + page.size() / 5 + 1,
       "a wiki's text is longer than its markup");
  std::string appended = "before";
  corpora::append_wikitext(page, names, appended);
  need(appended == "before" + alone, "a wiki's text depends on what stands before it");
}

/// Input: the page.
inline void try_html(std::span<const std::uint8_t> input) {
  try_wikitext(text_of(input));
  std::string alone;
  corpora::append_html_text(text_of(input), alone);
  std::string appended = "before";
  corpora::append_html_text(text_of(input), appended);
  // Only a line end may come between, where the page begins with a block.
  const std::string rest = appended.substr(6);
  need(appended.starts_with("before") && rest.ends_with(alone) &&
           rest.find_first_not_of(" \n") >= rest.size() - alone.size(),
       "a page's text depends on what stands before it");
  // The longest entities stand for fewer bytes than they are written with.
  need(alone.size() <= 4 * input.size() + 16, "a page's text is larger than the page");
}

}  // namespace gannet::fuzz
