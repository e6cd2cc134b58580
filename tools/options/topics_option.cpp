#include "tools/options/topics_option.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "codecs/base/error.hpp"
#include "tools/terminal/input_path.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

using corpora::TopicFormat;

TopicFormat topic_format(const std::string& name) {
  if (name == "auto") return TopicFormat::kAuto;
  if (name == "tsv") return TopicFormat::kTsv;
  if (name == "colon") return TopicFormat::kColon;
  if (name == "trec") return TopicFormat::kTrec;
  if (name == "json") return TopicFormat::kJson;
  throw UsageError(
      fmt::format("--topic-format: '{}' is none of auto, tsv, colon, trec, json", name));
}

}  // namespace

void add_topics_options(OptionSet& options, std::uint64_t limit) {
  options.add("topics", text()->required(), "the topics file");
  options.add("topic-format", text("auto"), "auto, tsv, colon, trec or json");
  options.add("topic-fields", text("title"),
              "TREC topics: title, description, narrative, with commas between");
  options.add("encoding", text(),
              "what the topics are written in if not UTF-8: windows-1252, utf-16le, ...");
  options.add("limit", number<std::uint64_t>(limit), "only the first so many topics; 0: all");
}

void add_on_error_option(OptionSet& options, const std::string& what) {
  options.add("on-error", text("stop"), what + ": stop (at the first), or skip");
}

bool skips_errors(const OptionSet& options) {
  const auto& policy = options.get<std::string>("on-error");
  if (policy == "stop" || policy == "skip") return policy == "skip";
  throw UsageError(fmt::format("--on-error: '{}' is neither 'stop' nor 'skip'", policy));
}

void set_topic(query::Query& query, const corpora::Topic& topic) {
  query.text = topic.text;
  query.terms.clear();
  for (const auto& [term, weight] : topic.vector) query.terms.push_back({term, weight});
}

std::vector<corpora::Topic> read_topics_option(const OptionSet& options) {
  corpora::TopicOptions topic;
  topic.format = topic_format(options.get<std::string>("topic-format"));
  topic.title = false;
  for (const std::string& field : split_commas(options.get<std::string>("topic-fields"))) {
    if (field == "title") {
      topic.title = true;
    } else if (field == "description") {
      topic.description = true;
    } else if (field == "narrative") {
      topic.narrative = true;
    } else {
      throw UsageError(
          fmt::format("--topic-fields: '{}' is none of title, description, narrative", field));
    }
  }
  if (!topic.title && !topic.description && !topic.narrative) {
    throw UsageError("--topic-fields names no field");
  }
  if (options.has("encoding")) topic.encoding = options.get<std::string>("encoding");
  const std::string file = input_path(options.get<std::string>("topics"));
  std::vector<corpora::Topic> topics = corpora::read_topics(file, topic);
  const auto limit = options.get<std::uint64_t>("limit");
  if (limit > 0 && topics.size() > limit) topics.resize(limit);
  const std::string warning = corpora::empty_topics_warning(topics, file);
  if (!warning.empty()) print(stderr, "gannet: warning: {}\n", warning);
  return topics;
}

}  // namespace gannet::tools
