// Topics as JSON objects with a text, or with a vector of terms and weights.
#pragma once

#include <string_view>
#include <vector>

#include "corpora/topics/topics.hpp"

namespace gannet::corpora {

/// Reads objects with an id and either a text or a vector, as TopicFormat::kJson shows them: one
/// per line, one that spans lines, or an array of them. The id is a string or a 64-bit integer and
/// may be called `_id`. The text may be called `query` or `title`; an object with a vector needs no
/// text. Throws InputError with the line for anything else, and for a weight that is not a number
/// from 0 to the largest float. `name` is the file name in messages. Ids may repeat here;
/// parse_topics() refuses repeated ids. Time is linear in the text's size. Thread-safe.
std::vector<Topic> parse_json_topics(std::string_view text, std::string_view name);

}  // namespace gannet::corpora
