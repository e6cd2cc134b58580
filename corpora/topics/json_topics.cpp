#include "corpora/topics/json_topics.hpp"

#include <simdjson.h>

#include <limits>
#include <string>

#include "corpora/documents/sources/fields.hpp"
#include "corpora/documents/sources/json_values.hpp"
#include "corpora/documents/sources/text_batch.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

namespace dom = simdjson::dom;

/// One object. Messages begin with its place.
class JsonTopic {
 public:
  JsonTopic(dom::object object, std::string_view name, std::uint64_t line)
      : object_(object), name_(name), line_(line) {}

  Topic read() const {
    const std::string twice = twice_in(object_, {"id", "_id", "vector", "text", "query", "title"});
    if (!twice.empty()) fail(twice);
    Topic topic{id(), {}, {}, line_};
    if (topic.id.empty()) fail("the topic has no id: a string or number called 'id' or '_id'");
    if (dom::element vector; object_.at_key("vector").get(vector) == simdjson::SUCCESS) {
      topic.vector = terms(vector);
    } else {
      topic.text = text();
    }
    return topic;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_line(name_, line_, what); }

  std::string id() const {
    for (const char* const key : {"id", "_id"}) {
      dom::element value;
      if (object_.at_key(key).get(value) != simdjson::SUCCESS) continue;
      std::string_view text;
      std::int64_t number = 0;
      if (value.get(text) == simdjson::SUCCESS) return std::string(trim(text));
      if (value.get(number) == simdjson::SUCCESS) return std::to_string(number);
    }
    return {};
  }

  std::string text() const {
    for (const char* const key : {"text", "query", "title"}) {
      dom::element value;
      if (object_.at_key(key).get(value) != simdjson::SUCCESS) continue;
      std::string_view text;
      if (value.get(text) == simdjson::SUCCESS) return std::string(text);
      fail("'" + std::string(key) + "' is not a string");
    }
    fail(
        "the topic has neither a 'vector' of terms and weights nor a text, called 'text', 'query' "
        "or 'title'");
  }

  std::vector<TopicTerm> terms(dom::element value) const {
    dom::object vector;
    if (value.get(vector) != simdjson::SUCCESS) {
      fail("'vector' is not an object of terms and weights");
    }
    std::vector<TopicTerm> terms;
    for (const auto& [term, member] : vector) {
      double weight = 0;
      const bool fits = member.get(weight) == simdjson::SUCCESS && weight >= 0 &&
                        weight <= double{std::numeric_limits<float>::max()};
      if (!fits) fail("the weight of '" + std::string(term) + "' is no number of 0 or more");
      terms.push_back({std::string(term), static_cast<float>(weight)});
    }
    return terms;
  }

  dom::object object_;
  std::string_view name_;
  std::uint64_t line_;
};

}  // namespace

std::vector<Topic> parse_json_topics(std::string_view text, std::string_view name) {
  std::vector<Topic> topics;
  dom::parser parser;
  const auto add = [&](std::string_view json, std::uint64_t line) {
    dom::object object;
    if (const auto error = parser.parse(json.data(), json.size()).get(object)) {
      fail_line(name, line, not_json(json, simdjson::error_message(error)));
    }
    topics.push_back(JsonTopic(object, name, line).read());
  };
  JsonSplitter splitter;
  Piece piece;
  splitter.cut(text, true, piece);
  if (!piece.has_spans) {
    for_each_line(text, 1, add);
    return topics;
  }
  for (const RecordSpan& span : piece.spans) {
    if (!span.complete) fail_line(name, span.line, "the JSON value does not end");
    add(text.substr(span.begin, span.length), span.line);
  }
  return topics;
}

}  // namespace gannet::corpora
