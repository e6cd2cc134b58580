#include "corpora/topics/topics.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/sources/text_batch.hpp"
#include "corpora/markup/encoding/decoder.hpp"
#include "corpora/markup/encoding/encoding.hpp"
#include "corpora/markup/markup.hpp"
#include "corpora/topics/json_topics.hpp"
#include "corpora/topics/trec_topics.hpp"
#include "index/text/words/seeded_hash.hpp"

namespace gannet::corpora {
namespace {

// A log has the form `qid:text` if every line has its first colon before its first tab.
TopicFormat line_format(std::string_view text) {
  bool colons = true;
  bool any = false;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t) {
    const std::size_t first = line.find_first_of(":\t");
    colons = colons && first != std::string_view::npos && line[first] == ':';
    any = true;
  });
  return any && colons ? TopicFormat::kColon : TopicFormat::kTsv;
}

TopicFormat format_of(std::string_view text) {
  if (trim(text).starts_with('{') || trim(text).starts_with('[')) return TopicFormat::kJson;
  const Tag tag = next_tag(text, 0);
  const bool first = tag.found() && text.find_first_not_of(" \t\r\n") == tag.begin;
  const bool topics = TopicTags(text).next_opening(0).found();
  if (topics && (first || trim(text).starts_with('<'))) return TopicFormat::kTrec;
  return line_format(text);
}

std::string located(std::string_view name, std::uint64_t line) {
  return std::string(name) + ":" + std::to_string(line) + ": ";
}

std::vector<Topic> parse_lines(std::string_view text, std::string_view name, char separator) {
  std::vector<Topic> topics;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t number) {
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos) {
      throw InputError(located(name, number) + "no " + (separator == '\t' ? "tab" : "colon") +
                       " between the topic's id and its text");
    }
    Topic topic{
        std::string(trim(line.substr(0, at))), std::string(trim(line.substr(at + 1))), {}, number};
    if (topic.id.empty()) throw InputError(located(name, number) + "the topic has no id");
    if (separator == ':') std::replace(topic.text.begin(), topic.text.end(), '\t', ' ');
    topics.push_back(std::move(topic));
  });
  return topics;
}

std::vector<Topic> parse_as(TopicFormat format, std::string_view text, std::string_view name,
                            const TopicOptions& options) {
  if (format == TopicFormat::kTrec) return parse_trec_topics(text, name, options);
  if (format == TopicFormat::kJson) return parse_json_topics(text, name);
  return parse_lines(text, name, format == TopicFormat::kTsv ? '\t' : ':');
}

/// The same where nobody has said the format: what begins with a bracket may be none.
std::vector<Topic> parse_json_or_explain(std::string_view text, std::string_view name) {
  try {
    return parse_json_topics(text, name);
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) +
                     "; topics that begin with a bracket are read as JSON unless --topic-format "
                     "says otherwise");
  }
}

/// Nothing would be found for what is in another encoding.
void check_utf8(std::string_view text, std::string_view name) {
  const std::string wide = looks_like_utf16(text, true);
  if (!wide.empty()) throw InputError(std::string(name) + ": " + wide);
  if (is_utf8(text)) return;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t number) {
    const std::string problem = not_utf8(line);
    if (!problem.empty()) throw InputError(located(name, number) + problem);
  });
}

void check_distinct(const std::vector<Topic>& topics, std::string_view name) {
  std::unordered_set<std::string_view, index::SeededHash> seen;
  for (const Topic& topic : topics) {
    if (!seen.insert(topic.id).second) {
      throw InputError(std::string(name) + ": topic '" + topic.id + "' occurs twice");
    }
  }
}

bool is_empty(const Topic& topic) { return topic.text.empty() && topic.vector.empty(); }

/// A file in which nothing was understood would give a run without a word.
void check_understood(const std::vector<Topic>& topics, TopicFormat format, std::string_view name) {
  if (topics.empty()) throw InputError(std::string(name) + ": there is no topic in this file");
  if (!std::all_of(topics.begin(), topics.end(), is_empty)) return;
  std::string problem = std::string(name) + ": no topic has a text that was asked for, '" +
                        topics.front().id + "' being the first";
  if (format == TopicFormat::kTrec) {
    problem +=
        "; other parts of TREC topics are taken with --topic-fields title,description,narrative";
  }
  throw InputError(problem);
}

}  // namespace

std::string empty_topics_warning(const std::vector<Topic>& topics, std::string_view name) {
  const auto count = std::count_if(topics.begin(), topics.end(), is_empty);
  if (count == 0) return {};
  const auto first = std::find_if(topics.begin(), topics.end(), is_empty);
  return std::string(name) + ": " + std::to_string(count) + " of " + std::to_string(topics.size()) +
         (count == 1 ? " topics has" : " topics have") + " no text and " +
         (count == 1 ? "finds" : "find") + " nothing; the first is '" + first->id + "'";
}

std::vector<Topic> parse_topics(std::string_view text, std::string_view name,
                                const TopicOptions& options) {
  if (!options.title && !options.description && !options.narrative) {
    throw UsageError("no part of the topics is chosen: take the title, description or narrative");
  }
  check_utf8(text, name);
  const bool told = options.format == TopicFormat::kAuto;
  const TopicFormat format = told ? format_of(text) : options.format;
  std::vector<Topic> topics = told && format == TopicFormat::kJson
                                  ? parse_json_or_explain(text, name)
                                  : parse_as(format, text, name, options);
  check_distinct(topics, name);
  check_understood(topics, format, name);
  return topics;
}

std::vector<Topic> read_topics(const std::filesystem::path& path, const TopicOptions& options) {
  constexpr std::size_t kMax = std::size_t{1} << 32;
  const auto named = encoding_of(options.encoding);
  const std::string bytes = read_whole_bytes(path, kMax);
  const auto marked = encoding_marked(bytes);
  if (!marked && !named) return parse_topics(bytes, path.string(), options);
  if (marked == Encoding::kUtf8) {
    return parse_topics(std::string_view(bytes).substr(size_of_mark(*marked)), path.string(),
                        options);
  }
  std::string room;
  return parse_topics(decoded(bytes, marked ? *marked : *named, room), path.string(), options);
}

}  // namespace gannet::corpora
