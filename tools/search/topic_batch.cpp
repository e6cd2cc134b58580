#include "tools/search/topic_batch.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "tools/output/answer_output.hpp"
#include "tools/output/column_output.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {
namespace {

/// Hits whose fields are read together, in one pass over the columns; so many values are in memory.
constexpr std::uint64_t kHitsPerPass = 65'536;

/// Calls f(hit) for the hits of a topic, in the order in which they are shown.
template <class F>
void for_each_hit(const TopicBatch& batch, std::size_t topic, const F& f) {
  for (const query::Hit hit : batch.results[topic].hits()) f(hit);
  if (batch.columns.empty() || !batch.columns[topic].grouping) return;
  for (const query::Group& group : batch.columns[topic].grouping->groups) {
    for (const query::Hit& hit : group.hits) f(hit);
  }
}

/// Makes the lines of topics [first, last), whose fields are read at once.
class AnswerLines {
 public:
  AnswerLines(const index::Index& index, const TopicBatch& batch, const ColumnRequest& request,
              std::size_t first, std::size_t last)
      : index_(index), batch_(batch), request_(request) {
    std::vector<std::uint32_t> docids;
    if (!request.numbers.empty()) {
      for (std::size_t i = first; i < last; ++i) {
        for_each_hit(batch, i, [&](const query::Hit& hit) { docids.push_back(hit.docid); });
      }
    }
    fields_.emplace(index, request.numbers, docids);
  }

  /// The next topic's.
  std::string line(std::size_t topic) {
    const corpora::Topic& of = batch_.topics[topic];
    const query::ColumnResults none{.scored = true};
    const query::ColumnResults& columns = batch_.columns.empty() ? none : batch_.columns[topic];
    Json json{{"version", kJsonVersion}, {"topic", of.id}};
    if (!of.text.empty()) json["query"] = of.text;
    const std::uint64_t hits = batch_.hits(topic);
    if (!batch_.columns.empty()) {
      json["total"] = columns.count;
    } else if (hits < request_.query.k) {
      json["total"] = hits;  // all that there are
    }
    if (columns.grouping) {
      json["grouping"] = json_of(*columns.grouping, [&](const query::Group& group) {
        return hits_json(group.hits, columns.scored);
      });
    } else {
      json["hits"] = hits_json(batch_.results[topic].hits(), columns.scored);
    }
    add_columns(index_, columns, json);
    return json_line(json);
  }

 private:
  template <class Hits>
  Json hits_json(const Hits& hits, bool scored) {
    Json json = Json::array();
    for (const query::Hit& hit : hits) {
      Json& row = json.emplace_back(hit_json(index_, hit, json.size() + 1, scored));
      if (!fields_->empty()) row["fields"] = fields_->json(shown_++);
    }
    return json;
  }

  const index::Index& index_;
  const TopicBatch& batch_;
  const ColumnRequest& request_;
  std::optional<HitFields> fields_;
  std::size_t shown_ = 0;  ///< hits
};

}  // namespace

std::uint64_t TopicBatch::hits(std::size_t topic) const {
  std::uint64_t hits = results.offsets[topic + 1] - results.offsets[topic];
  if (columns.empty() || !columns[topic].grouping) return hits;
  for (const query::Group& group : columns[topic].grouping->groups) hits += group.hits.size();
  return hits;
}

query::Results take_hits(std::vector<query::ColumnResults>& columns) {
  query::Results results;
  std::uint64_t hits = 0;
  bool scored = false;
  for (const query::ColumnResults& one : columns) {
    hits += one.hits.size();
    scored = scored || one.scored;
  }
  results.docids.reserve(hits);
  if (scored) results.scores.reserve(hits);
  for (query::ColumnResults& one : columns) {
    for (const query::Hit& hit : one.hits) {
      results.docids.push_back(hit.docid);
      if (scored) results.scores.push_back(hit.score);
    }
    results.counts.push_back(one.hits.size());
    results.offsets.push_back(results.docids.size());
    one.hits = {};
  }
  return results;
}

std::string answer_lines(const index::Index& index, const TopicBatch& batch,
                         const ColumnRequest& request, std::size_t first, std::size_t last,
                         const std::stop_token& stop) {
  std::string lines;
  while (first < last) {
    std::size_t end = first;
    for (std::uint64_t hits = 0; end < last && (end == first || hits < kHitsPerPass); ++end) {
      hits += batch.hits(end);
    }
    AnswerLines pass(index, batch, request, first, end);
    for (; first < end; ++first) {
      throw_if_stopped(stop);
      lines += pass.line(first);
      lines += '\n';
    }
  }
  return lines;
}

}  // namespace gannet::tools
