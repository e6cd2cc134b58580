// Topics (queries with an id) in the formats of evaluation campaigns and query logs. The functions
// here are thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::corpora {

/// A term that is searched as it is, without analysis.
struct TopicTerm {
  std::string term = {};
  float weight = 1;  ///< >= 0
  bool operator==(const TopicTerm&) const = default;
};

struct Topic {
  std::string id = {};
  std::string text = {};
  std::vector<TopicTerm> vector = {};  ///< kJson: stands in place of a text
  std::uint64_t line = 0;  ///< line in the file where the topic begins, from 1; 0: unknown
  /// Compares all members but `line`.
  bool operator==(const Topic& other) const {
    return id == other.id && text == other.text && vector == other.vector;
  }
};

enum class TopicFormat {
  kAuto,   ///< found by the contents; a file that begins with '{' or '[' is JSON
  kTsv,    ///< `id<TAB>text`
  kColon,  ///< `id:text`; tabs in the text count as blanks (ds2i's query logs)
  kJson,   ///< `{"id": "q1", "text": "..."}` or `{"id": "q1", "vector": {"solar": 1.73}}`
  kTrec,   ///< `<top> <num> Number: 701 <title> ... </top>` and variants (trec_topics.hpp)
};

/// The format and, for kTrec, the parts of a topic that make up the query. At least one part must
/// be chosen. For a topic without a title or query, the summary stands for the title. Without a
/// summary, the text outside all known parts stands for it: `<topic number="1">text</topic>`, or
/// `<disease>` followed by `<gene>`.
struct TopicOptions {
  TopicFormat format = TopicFormat::kAuto;
  bool title = true;
  bool description = false;
  bool narrative = false;
  /// Encoding of a file without a byte order mark, as ReaderOptions::encoding; empty: UTF-8.
  /// parse_topics() ignores it.
  std::string encoding = {};
};

/// Reads topics from a file, plain or compressed by gzip, bzip2 or zstd, in the order of the file.
/// A topic may have an empty text and then finds nothing (empty_topics_warning()), but at least one
/// topic must have a text or a vector. Leading zeros of a TREC topic's number are dropped, as
/// judgements have them.
///
/// Throws IoError; UsageError for an unknown encoding or if no part is chosen; InputError for a
/// file of more than 2^32 bytes (decompressed), for a file without topics, if no topic has any
/// text, for an id that occurs twice, and for a file that looks like UTF-16 without a byte order
/// mark. Throws InputError with the line for a line without separator, an empty id, a topic without
/// number, a vector with a weight that is not a number >= 0, and text that is not UTF-8. The file
/// is held in memory.
std::vector<Topic> read_topics(const std::filesystem::path& path, const TopicOptions& options = {});

/// Reads topics from UTF-8 text in memory without a byte order mark, as read_topics() does. `name`
/// is the file name in messages.
std::vector<Topic> parse_topics(std::string_view text, std::string_view name,
                                const TopicOptions& options = {});

/// A message with the number of topics that have neither text nor vector, and the id of the first;
/// empty if there are none. `name` is the file name in the message.
std::string empty_topics_warning(const std::vector<Topic>& topics, std::string_view name);

}  // namespace gannet::corpora
