// Which texts a query's words are searched in.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "query/plan/query.hpp"

namespace gannet::query {

/// A text that words are searched in.
struct SearchedText {
  std::uint32_t text = index::kMainText;  ///< or the number of a text field in the schema
  float weight = 1;                       ///< of its scores; 0: it only decides what matches
};

/// Those that `fields` names; if it names none, the main text and all text fields with a weight.
/// Throws UsageError for a name that is none, or there twice, and for weights out of range.
std::vector<SearchedText> searched_texts(std::span<const SearchField> fields,
                                         const index::Schema& schema);

/// `contents,title^2`, as `--search-fields` has it. Throws UsageError for weights out of range.
std::vector<SearchField> parse_search_fields(std::string_view text);

/// The name of a text: kContentsField for the main one.
std::string_view text_name(const index::Schema& schema, std::uint32_t text);
/// The text with a name; nothing if there is none. The main one has a name only where there are
/// text fields.
std::optional<std::uint32_t> find_text(const index::Schema& schema, std::string_view name);

}  // namespace gannet::query
