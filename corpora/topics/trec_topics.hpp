// TREC topics in the layouts of all years.
#pragma once

#include <string_view>
#include <vector>

#include "corpora/markup/markup.hpp"
#include "corpora/topics/topics.hpp"

namespace gannet::corpora {

/// Finds the tags `<top>` and `<topic ...>` of a text; tags in comments are skipped. If each call
/// begins after the tag found before, all calls together take time linear in the text's size. The
/// text must outlive the object. Not thread-safe.
class TopicTags {
 public:
  explicit TopicTags(std::string_view text) : text_(text) {}

  /// The first tag, opening or closing, that begins at byte `from` or later; Tag::found() is false
  /// if there is none.
  Tag next(std::size_t from);
  /// The first such opening tag.
  Tag next_opening(std::size_t from);

 private:
  std::string_view text_;
  bool comments_end_ = true;  ///< false once a comment has no end: then no other is searched for
};

/// Reads `<top>` elements: fields with or without closing tags, with or without a label ("Number:",
/// "Topic:", "Description:", ...), and `<topic number="..."> <query>` of the Web tracks. A topic
/// ends at its closing tag or at the next topic. TopicOptions chooses the parts of the text. Throws
/// InputError with the line for a topic without number, and InputError for a text without topics.
/// `name` is the file name in messages. Ids may repeat here; parse_topics() refuses repeated ids.
/// Thread-safe.
std::vector<Topic> parse_trec_topics(std::string_view text, std::string_view name,
                                     const TopicOptions& options);

}  // namespace gannet::corpora
