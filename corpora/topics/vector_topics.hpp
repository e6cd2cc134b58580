// Topics as vectors of terms and weights.
#pragma once

#include <string_view>
#include <vector>

#include "corpora/topics/topics.hpp"

namespace gannet::corpora {

/// Reads `{"id": "q1", "vector": {"solar": 1.73}}`, one object a line. Throws InputError with the
/// line for what is no such object, and for weights below 0.
std::vector<Topic> parse_vector_topics(std::string_view text, std::string_view name);

}  // namespace gannet::corpora
