// Results by columns from the values themselves, by looking at one document after the other: knows
// nothing of codes, blocks, segments or dictionaries.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "query/columns/column_query.hpp"
#include "tests/support/query/fake_fields.hpp"

namespace gannet::test {

/// A value that is ordered as its field's values are.
struct PlainValue {
  std::uint64_t key = 0;  ///< 0 for keywords
  std::string text = {};
  auto operator<=>(const PlainValue&) const = default;
};

class ColumnReference {
 public:
  /// `matches` and `scores` by docid.
  ColumnReference(const std::vector<FakeField>& fields, std::vector<bool> matches,
                  std::vector<float> scores)
      : fields_(fields), matches_(std::move(matches)), scores_(std::move(scores)) {}

  std::vector<query::Hit> sorted(const std::vector<query::SortKey>& keys, std::size_t k) const {
    std::vector<std::uint32_t> docids = matching();
    sort(docids, keys);
    if (docids.size() > k) docids.resize(k);
    return hits(docids);
  }

  query::Facet facet(const query::FacetRequest& request) const {
    query::Facet facet;
    facet.field = request.field;
    facet.missing = missing(field(request.field));
    std::vector<std::pair<PlainValue, std::uint64_t>> order;
    for (const auto& one : counts(field(request.field))) order.push_back(one);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [value, count] : order) {
      if (facet.values.size() < request.values) {
        facet.values.push_back({value.text, count});
      } else {
        facet.others += count;
      }
    }
    return facet;
  }

  query::Aggregate aggregate(const std::string& name) const {
    const FakeField& of = field(name);
    query::Aggregate made;
    made.field = name;
    made.missing = missing(of);
    made.documents = matching().size() - made.missing;
    std::set<PlainValue> distinct;
    for (const std::uint32_t d : matching()) {
      for (const PlainValue& value : values(of, d)) {
        ++made.values;
        distinct.insert(value);
      }
    }
    made.distinct = distinct.size();
    if (!distinct.empty()) {
      made.min = distinct.begin()->text;
      made.max = distinct.rbegin()->text;
    }
    return made;
  }

  /// The bins of a field of numbers, dates or times: `bin` says which one a key belongs into.
  template <class Bin>
  std::map<std::int64_t, std::uint64_t> bins(const std::string& name, const Bin& bin) const {
    std::map<std::int64_t, std::uint64_t> counts;
    for (const std::uint32_t d : matching()) {
      std::set<std::int64_t> of_document;
      for (const PlainValue& value : values(field(name), d)) of_document.insert(bin(value.key));
      for (const std::int64_t one : of_document) ++counts[one];
    }
    return counts;
  }

  query::Grouping grouping(const query::GroupRequest& request,
                           const std::vector<query::SortKey>& keys) const {
    const FakeField& of = field(request.field);
    std::map<std::string, std::vector<std::uint32_t>> members;
    std::vector<std::uint32_t> docids = matching();
    sort(docids, keys);
    std::map<std::uint32_t, std::size_t> ranks;
    for (const std::uint32_t d : docids) {
      ranks.emplace(d, ranks.size());
      std::set<std::string> texts;
      for (const PlainValue& value : values(of, d)) texts.insert(value.text);
      for (const std::string& text : texts) members[text].push_back(d);
    }
    std::vector<std::pair<std::size_t, std::string>> order;
    for (const auto& [text, list] : members) order.emplace_back(ranks.at(list.front()), text);
    std::sort(order.begin(), order.end());
    query::Grouping grouping{request.field, {}, missing(of)};
    for (const auto& [rank, text] : order) {
      if (grouping.groups.size() == request.groups) break;
      std::vector<std::uint32_t> list = members[text];
      const std::uint64_t count = list.size();
      if (list.size() > request.hits) list.resize(request.hits);
      grouping.groups.push_back({text, count, hits(list)});
    }
    return grouping;
  }

  std::vector<std::uint32_t> matching() const {
    std::vector<std::uint32_t> docids;
    for (std::uint32_t d = 0; d < matches_.size(); ++d) {
      if (matches_[d]) docids.push_back(d);
    }
    return docids;
  }

  const FakeField& field(const std::string& name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const FakeField& one) { return one.spec.name == name; });
    return *found;
  }

  /// Ascending.
  static std::vector<PlainValue> values(const FakeField& of, std::uint32_t document) {
    std::vector<PlainValue> found;
    if (of.is_keyword()) {
      for (const std::string& text : of.texts[document]) found.push_back({0, text});
    } else {
      for (const std::uint64_t key : of.keys[document]) {
        found.push_back({key, index::value_text(of.spec, key)});
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::uint64_t missing(const FakeField& of) const {
    std::uint64_t missing = 0;
    for (const std::uint32_t d : matching()) missing += values(of, d).empty() ? 1 : 0;
    return missing;
  }

 private:
  std::map<PlainValue, std::uint64_t> counts(const FakeField& of) const {
    std::map<PlainValue, std::uint64_t> counts;
    for (const std::uint32_t d : matching()) {
      const std::vector<PlainValue> all = values(of, d);
      for (const PlainValue& value : std::set<PlainValue>(all.begin(), all.end())) ++counts[value];
    }
    return counts;
  }

  /// What a document is sorted by; nothing: it lacks the field.
  std::optional<PlainValue> sort_value(const query::SortKey& key, std::uint32_t document) const {
    if (key.field.empty()) {
      return PlainValue{static_cast<std::uint64_t>(std::llround(double{scores_[document]} * 65536)),
                        {}};
    }
    const std::vector<PlainValue> all = values(field(key.field), document);
    if (all.empty()) return std::nullopt;
    // Texts of numbers are in no order of their own: equal keys have equal ones.
    return key.descending ? all.back() : all.front();
  }

  void sort(std::vector<std::uint32_t>& docids, const std::vector<query::SortKey>& keys) const {
    std::map<std::uint32_t, std::vector<std::optional<PlainValue>>> values;
    for (const std::uint32_t d : docids) {
      for (const query::SortKey& key : keys) values[d].push_back(sort_value(key, d));
    }
    std::stable_sort(docids.begin(), docids.end(), [&](std::uint32_t a, std::uint32_t b) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto& x = values[a][i];
        const auto& y = values[b][i];
        if (x == y) continue;
        if (!x || !y) return !x == keys[i].missing_first;
        return keys[i].descending ? *y < *x : *x < *y;
      }
      return false;
    });
  }

  std::vector<query::Hit> hits(const std::vector<std::uint32_t>& docids) const {
    std::vector<query::Hit> hits;
    for (const std::uint32_t d : docids) {
      hits.push_back({d, scores_.empty() ? 0.0f : scores_[d]});
    }
    return hits;
  }

  const std::vector<FakeField>& fields_;
  std::vector<bool> matches_;
  std::vector<float> scores_;
};

}  // namespace gannet::test
