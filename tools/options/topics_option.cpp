#include "tools/options/topics_option.hpp"

#include <algorithm>

#include "tools/terminal/input_path.hpp"
#include "tools/terminal/notes.hpp"

namespace gannet::tools {

void set_topic(query::Query& query, const corpora::Topic& topic) {
  query.text = topic.text;
  query.terms.clear();
  for (const auto& [term, weight] : topic.vector) query.terms.push_back({term, weight});
}

std::vector<corpora::Topic> read_topics_option(const OptionSet& options) {
  corpora::TopicOptions topic;
  topic.format = options.choice<corpora::TopicFormat>("topic-format");
  const Names fields = split_commas(options.get<std::string>("topic-fields"));
  const auto named = [&](const char* field) { return std::ranges::count(fields, field) != 0; };
  topic.title = named("title");
  topic.description = named("description");
  topic.narrative = named("narrative");
  topic.encoding = options.get<std::string>("encoding");
  const std::string file = input_path(options.get<std::string>("topics"));
  std::vector<corpora::Topic> topics = corpora::read_topics(file, topic);
  const auto limit = options.get<std::uint64_t>("limit");
  if (limit > 0 && topics.size() > limit) topics.resize(limit);
  const std::string warning = corpora::empty_topics_warning(topics, file);
  if (!warning.empty()) print_warning(warning);
  return topics;
}

}  // namespace gannet::tools
