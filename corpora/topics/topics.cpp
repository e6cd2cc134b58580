#include "corpora/topics/topics.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "codecs/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/text_batch.hpp"
#include "corpora/markup/markup.hpp"
#include "corpora/topics/trec_topics.hpp"
#include "corpora/topics/vector_topics.hpp"
#include "index/text/seeded_hash.hpp"

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
  if (trim(text).starts_with("{\"")) return TopicFormat::kJsonVectors;
  const Tag tag = next_tag(text, 0);
  const bool first = tag.found() && text.find_first_not_of(" \t\r\n") == tag.begin;
  const bool topics = find_topic(text, 0).found();
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
  if (format == TopicFormat::kJsonVectors) return parse_vector_topics(text, name);
  return parse_lines(text, name, format == TopicFormat::kTsv ? '\t' : ':');
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
  if (topics.empty() || !std::all_of(topics.begin(), topics.end(), is_empty)) return;
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
  const TopicFormat format =
      options.format == TopicFormat::kAuto ? format_of(text) : options.format;
  std::vector<Topic> topics = parse_as(format, text, name, options);
  check_distinct(topics, name);
  check_understood(topics, format, name);
  return topics;
}

std::vector<Topic> read_topics(const std::filesystem::path& path, const TopicOptions& options) {
  return parse_topics(read_whole_file(path), path.string(), options);
}

}  // namespace gannet::corpora
