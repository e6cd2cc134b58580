// TREC topics, in all the shapes they had over the years.
#pragma once

#include <string_view>
#include <vector>

#include "corpora/markup/markup.hpp"
#include "corpora/topics/topics.hpp"

namespace gannet::corpora {

/// The first opening `<top>` or `<topic ...>` at or behind `from`.
Tag find_topic(std::string_view text, std::size_t from);

/// Reads `<top>` elements: fields with or without closing tags, labelled ("Number:", "Topic:",
/// "Description:", ...) or not, and `<topic number="..."> <query>` of the Web tracks. A topic ends
/// at its closing tag or where the next begins. Throws InputError with the line.
std::vector<Topic> parse_trec_topics(std::string_view text, std::string_view name,
                                     const TopicOptions& options);

}  // namespace gannet::corpora
