// Queries as data that a loop over all documents can answer, too.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "query/plan/query.hpp"

namespace gannet::soak {

struct Clause {
  unsigned word = 0;
  bool in_title = false;
  char sign = ' ';  ///< '+', '-' or ' '
  float weight = 1;
};

/// A group of clauses without nesting, of words that differ, and a filter.
struct Question {
  std::vector<Clause> clauses;
  query::Mode mode = query::Mode::kOr;
  query::Want want = query::Want::kTopK;
  std::uint32_t k = 10;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> numbers;  ///< both ends included
  std::optional<unsigned> tag;
};

/// Any question; one in two has main texts alone. `numbers` are below `most`.
Question random_question(std::mt19937& random, std::uint32_t most);

query::Query to_query(const Question& question);
/// For messages.
std::string to_string(const Question& question);

}  // namespace gannet::soak
