#include "corpora/markup/wiki/wiki_elements.hpp"

#include <algorithm>

#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// Behind the '>' of an end tag whose name ends at `at`; std::string_view::npos if it is none.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
  at = text.find_first_not_of(" \t\n", std::min(at, text.size()));
  return at == std::string_view::npos || text[at] != '>' ? std::string_view::npos : at + 1;
}

}  // namespace

std::optional<std::size_t> find_wiki_element(std::string_view name) {
  for (std::size_t i = 0; i < kWikiElements.size(); ++i) {
    if (same_name(kWikiElements[i].name, name)) return i;
  }
  return std::nullopt;
}

WikiEnds::End WikiEnds::of_element(std::size_t element, std::size_t from) {
  // Where elements are nested, one end is that of all.
  Known& known = known_[element];
  if (!known.any || known.next.begin < from) known = {true, search(element, from)};
  return known.next;
}

WikiEnds::End WikiEnds::search(std::size_t element, std::size_t from) const {
  const std::string_view name = kWikiElements[element].name;
  for (std::size_t at = text_.find("</", from); at != std::string_view::npos;
       at = text_.find("</", at + 2)) {
    if (!same_name(text_.substr(at + 2, name.size()), name)) continue;
    const std::size_t end = end_of_tag(text_, at + 2 + name.size());
    if (end != std::string_view::npos) return {at, end};
  }
  return {};
}

std::size_t WikiEnds::of_comment(std::size_t from) {
  if (no_more_comments_) return std::string_view::npos;
  const std::size_t at = text_.find("-->", from);
  no_more_comments_ = at == std::string_view::npos;
  return at;
}

}  // namespace gannet::corpora
