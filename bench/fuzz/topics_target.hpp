// What the target `topics` tries: text is refused as topics, or its ids are distinct and writing
// the topics as a table gives the same topics.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "corpora/topics/topics.hpp"

namespace gannet::fuzz {

/// Input: a byte for the format and the parts of a TREC topic, then the text.
inline void try_topics(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  using corpora::TopicFormat;
  constexpr TopicFormat kFormats[] = {TopicFormat::kAuto, TopicFormat::kTsv, TopicFormat::kColon,
                                      TopicFormat::kTrec};
  constexpr std::uint8_t kFirstOfJson = 4 * 7 * 8;  // the parts say nothing of it
  const std::uint8_t parts = input[0] / 4 % 7 + 1;  // at least one
  const corpora::TopicOptions options{
      input[0] >= kFirstOfJson ? TopicFormat::kJson : kFormats[input[0] % 4],
      (parts & 1) != 0,
      (parts & 2) != 0,
      (parts & 4) != 0,
      {}};
  std::vector<corpora::Topic> topics;
  try {
    topics = corpora::parse_topics(text_of(input.subspan(1)), "input", options);
  } catch (const InputError&) {
    return;
  }
  std::set<std::string> ids;
  std::string table;
  bool plain = true;
  constexpr std::string_view kNotPlain{"\t\r\n\0", 4};  // of 0 bytes a table may look like UTF-16
  for (const corpora::Topic& topic : topics) {
    need(!topic.id.empty(), "a topic has no id");
    need(ids.insert(topic.id).second, "two topics have the same id");
    plain = plain && topic.id.find_first_of(kNotPlain) == std::string::npos &&
            topic.text.find_first_of(kNotPlain) == std::string::npos;
    table += topic.id + "\t" + topic.text + "\n";
  }
  // A table is told by its tabs, and byte order marks and blanks at the ends are not kept.
  if (!plain || options.format != TopicFormat::kTsv) return;
  corpora::TopicOptions as_table = options;
  as_table.format = TopicFormat::kTsv;
  need(corpora::parse_topics(table, "table", as_table) == topics, "a table gives other topics");
}

}  // namespace gannet::fuzz
