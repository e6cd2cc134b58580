// Predicates on fields, as queries and filters spell them.
//
//     predicate = field ":" ( value | range | comparison | "(" value-or-range { "OR" ... } ")" )
//     value     = bare | '"' text '"', each with "*" behind it: a prefix; "*" alone: existence
//     range     = ( "[" | "{" ) end "TO" end ( "]" | "}" ), an end is a value or "*"
//     comparison = ( ">" | ">=" | "<" | "<=" ) value
#pragma once

#include <cstddef>
#include <optional>

#include "query/language/source_text.hpp"
#include "query/plan/filter.hpp"

namespace gannet::query {

inline constexpr const char* kNoPredicateWeight =
    "a predicate adds nothing to the score, so it can have no weight";

struct PredicateText {
  Filter filter;
  std::size_t end;  ///< behind it, in bytes
};

/// Reads the predicate that begins at byte `begin`; nothing if there is no name of one of the
/// schema's fields with a `:` behind it. Throws UsageError with the column for what is out of form
/// and for values that the field cannot have; CancelledError when the StopScope's token asks for
/// it.
std::optional<PredicateText> read_predicate(const SourceText& source, std::size_t begin,
                                            const index::Schema& schema);

/// The name and the `:` that stand at byte `begin`, whatever the schema has; empty if none do.
std::string_view field_name_at(const SourceText& source, std::size_t begin);

}  // namespace gannet::query
