#include "corpora/topics/vector_topics.hpp"

#include <simdjson.h>

#include <limits>
#include <string>

#include "corpora/documents/fields.hpp"
#include "corpora/documents/json_values.hpp"
#include "corpora/documents/text_batch.hpp"

namespace gannet::corpora {
namespace {

namespace dom = simdjson::dom;

std::string read_id(dom::object object) {
  dom::element value;
  if (object.at_key("id").get(value) != simdjson::SUCCESS) return {};
  std::string_view text;
  std::uint64_t number = 0;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return value.get(number) == simdjson::SUCCESS ? std::to_string(number) : std::string();
}

}  // namespace

std::vector<Topic> parse_vector_topics(std::string_view text, std::string_view name) {
  std::vector<Topic> topics;
  dom::parser parser;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t number) {
    dom::object object;
    dom::object vector;
    if (const auto error = parser.parse(line.data(), line.size()).get(object)) {
      fail_line(name, number,
                std::string("not a valid JSON object: ") + simdjson::error_message(error));
    }
    if (const std::string twice = twice_in(object, {"id", "vector"}); !twice.empty()) {
      fail_line(name, number, twice);
    }
    Topic topic{read_id(object), {}, {}, number};
    if (topic.id.empty()) fail_line(name, number, "the topic has no id");
    if (object.at_key("vector").get(vector) != simdjson::SUCCESS) {
      fail_line(name, number, "the topic has no 'vector' of terms and weights");
    }
    for (const auto& [term, value] : vector) {
      double weight = 0;
      const bool fits = value.get(weight) == simdjson::SUCCESS && weight >= 0 &&
                        weight <= double{std::numeric_limits<float>::max()};
      if (!fits) {
        fail_line(name, number,
                  "the weight of '" + std::string(term) + "' is no number of 0 or more");
      }
      topic.vector.push_back({std::string(term), static_cast<float>(weight)});
    }
    topics.push_back(std::move(topic));
  });
  return topics;
}

}  // namespace gannet::corpora
