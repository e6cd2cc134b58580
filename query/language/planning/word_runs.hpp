// The words of a query that stand side by side.
#pragma once

#include <string_view>
#include <vector>

#include "query/language/parse.hpp"

namespace gannet::query {

/// The stretches of the query's text that are words with white space alone between them: clauses of
/// the outermost group without operator, sign, field, weight or parentheses. In their order. They
/// point into the text.
std::vector<std::string_view> word_runs(const Syntax& query);

}  // namespace gannet::query
