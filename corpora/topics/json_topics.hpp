// Topics as objects of JSON: texts, or vectors of terms and weights.
#pragma once

#include <string_view>
#include <vector>

#include "corpora/topics/topics.hpp"

namespace gannet::corpora {

/// Reads `{"id": "q1", "text": "solar power"}` or `{"id": "q1", "vector": {"solar": 1.73}}`, placed
/// as JSONL's objects are. The id may be called `_id`, the text `query` or `title`. Throws
/// InputError with the line for what is no such object, and for weights below 0.
std::vector<Topic> parse_json_topics(std::string_view text, std::string_view name);

}  // namespace gannet::corpora
