// Topics (queries with an id), as evaluation campaigns and query logs have them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::corpora {

/// A term of a topic that needs no analysis.
struct TopicTerm {
  std::string term = {};
  float weight = 1;  ///< >= 0
  bool operator==(const TopicTerm&) const = default;
};

struct Topic {
  std::string id = {};
  std::string text = {};
  std::vector<TopicTerm> vector = {};  ///< kJson: instead of a text
  std::uint64_t line = 0;              ///< of the file, from 1, where it begins; 0: not known
  /// Wherever they stand.
  bool operator==(const Topic& other) const {
    return id == other.id && text == other.text && vector == other.vector;
  }
};

enum class TopicFormat {
  kAuto,   ///< told by the contents: what begins with a bracket is JSON
  kTsv,    ///< `id<TAB>text`
  kColon,  ///< `id:text`; tabs in the text count as blanks (ds2i's query logs)
  kJson,   ///< `{"id": "q1", "text": "..."}` or `{"id": "q1", "vector": {"solar": 1.73}}`
  kTrec,   ///< `<top> <num> Number: 701 <title> ... </top>` and its historical variants
};

/// Which parts of a TREC topic make the query. At least one must be chosen. A topic without a title
/// or query has its summary as title, or else all text that stands in no part of another name:
/// `<topic number="1">text</topic>`, or `<disease>` and `<gene>` one after the other.
struct TopicOptions {
  TopicFormat format = TopicFormat::kAuto;
  bool title = true;
  bool description = false;
  bool narrative = false;
  /// What a file is written in that has no byte order mark, as ReaderOptions::encoding has it;
  /// empty: UTF-8.
  std::string encoding = {};
};

/// Reads topics from a file (plain or compressed), in the order of the file.
///
/// A topic's text may be empty (it then finds nothing: empty_topics_warning()), but not those of
/// all topics; ids are never empty. Leading zeros of a TREC topic's number are dropped, as
/// judgements spell it. Throws IoError; UsageError for an encoding that nobody knows; InputError
/// with the line for a line without separator, an id that is empty or occurs twice, a topic without
/// number, a vector with a weight that is no number >= 0, or text that is not UTF-8; and InputError
/// if there is no topic, or none that has any text.
std::vector<Topic> read_topics(const std::filesystem::path& path, const TopicOptions& options = {});

/// Reads topics from UTF-8 in memory, as read_topics() does. `name` stands for the file in
/// messages.
std::vector<Topic> parse_topics(std::string_view text, std::string_view name,
                                const TopicOptions& options = {});

/// A sentence that says how many topics have no text, and which is the first; empty if all have.
std::string empty_topics_warning(const std::vector<Topic>& topics, std::string_view name);

}  // namespace gannet::corpora
