// TREC topics, in all the shapes they had over the years.
#pragma once

#include <string_view>
#include <vector>

#include "corpora/markup/markup.hpp"
#include "corpora/topics/topics.hpp"

namespace gannet::corpora {

/// The tags `<top>` and `<topic ...>` of a text, those in comments passed over. All calls together
/// take time in proportion to the text if each begins behind the tag before.
class TopicTags {
 public:
  explicit TopicTags(std::string_view text) : text_(text) {}

  /// The first one at or behind `from`, opening or closing.
  Tag next(std::size_t from);
  Tag next_opening(std::size_t from);

 private:
  std::string_view text_;
  bool comments_end_ = true;  ///< cleared once one does not, so that no other is searched for
};

/// Reads `<top>` elements: fields with or without closing tags, labelled ("Number:", "Topic:",
/// "Description:", ...) or not, and `<topic number="..."> <query>` of the Web tracks. A topic ends
/// at its closing tag or where the next begins. Throws InputError with the line.
std::vector<Topic> parse_trec_topics(std::string_view text, std::string_view name,
                                     const TopicOptions& options);

}  // namespace gannet::corpora
