// Random fields and filters, and what a filter says of a document, by brute force.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "query/plan/filter.hpp"
#include "tests/support/query/fields.hpp"

namespace gannet::test {

/// Fields of every type, with missing and several values, in blocks that are all alike or that go
/// up with the documents.
inline std::vector<FieldValues> random_fields(std::size_t documents, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const std::vector<std::string> tags{"a",   "ab",  "abc", "b b",      "B",        "OR", "TO",
                                      "x*y", "q\"", "\\",  "\xc3\xa9", "\xff\xff", "z",  ":"};
  std::vector<FieldValues> fields;
  const auto add = [&](const char* text, auto value) {
    FieldValues field{index::parse_field(text), {}};
    for (std::size_t d = 0; d < documents; ++d) {
      std::vector<std::string> own = value(d);
      std::ranges::sort(own);
      own.erase(std::unique(own.begin(), own.end()), own.end());
      field.values.push_back(std::move(own));
    }
    fields.push_back(std::move(field));
  };
  using Own = std::vector<std::string>;
  add("year:i32", [&](std::size_t) { return Own{std::to_string(1990 + below(30))}; });
  add("big:u64", [&](std::size_t) {
    return below(5) == 0 ? Own{} : Own{std::to_string(below(3) == 0 ? random() : below(9) << 40)};
  });
  add("price:decimal(2)", [&](std::size_t) {
    return below(3) == 0 ? Own{}
                         : Own{std::to_string(below(100)) + "." + std::to_string(below(10))};
  });
  add("ratio:f64",
      [&](std::size_t) { return Own{std::to_string(static_cast<double>(below(2000)) / 16 - 60)}; });
  add("day:date", [&](std::size_t d) {
    const std::uint64_t month = 1 + d * 12 / (documents + 1);
    return Own{"2024-" + std::string(month < 10 ? "0" : "") + std::to_string(month) + "-" +
               std::to_string(10 + below(19))};
  });
  add("flag:bool",
      [&](std::size_t) { return below(2) == 0 ? Own{} : Own{below(3) == 0 ? "true" : "false"}; });
  add("tag:keyword",
      [&](std::size_t) { return below(4) == 0 ? Own{} : Own{tags[below(tags.size())]}; });
  add("label:keyword:multi", [&](std::size_t) {
    Own own;
    for (std::uint64_t n = below(4); n > 0; --n) own.push_back(tags[below(tags.size())] + "1");
    return own;
  });
  add("number:i16:multi", [&](std::size_t d) {
    Own own;
    for (std::uint64_t n = d % 97 == 0 ? 40 : below(3); n > 0; --n) {
      own.push_back(std::to_string(static_cast<int>(below(600)) - 300));
    }
    return own;
  });
  add("nobody:i64", [&](std::size_t) { return Own{}; });
  return fields;
}

/// Whether a document passes a filter, by its values as they are spelled.
class FilterOracle {
 public:
  explicit FilterOracle(std::vector<FieldValues> fields) : fields_(std::move(fields)) {
    for (const FieldValues& field : fields_) {
      std::vector<std::vector<Value>> all;
      for (const auto& own : field.values) {
        std::vector<Value> values;
        for (const std::string& text : own) values.push_back(value_of(field.spec, text));
        all.push_back(std::move(values));
      }
      values_.push_back(std::move(all));
    }
  }

  bool passes(const query::Filter& filter, std::size_t document) const {
    using Kind = query::Filter::Kind;
    const auto holds = [&](const query::Filter& part) { return passes(part, document); };
    switch (filter.kind()) {
      case Kind::kAll:
        return true;
      case Kind::kNone:
        return false;
      case Kind::kAnd:
        return std::ranges::all_of(filter.parts(), holds);
      case Kind::kOr:
        return std::ranges::any_of(filter.parts(), holds);
      case Kind::kNot:
        return !holds(filter.parts().front());
      case Kind::kDocument:
        return filter.values().front() == std::to_string(document);
      default:
        return passes_predicate(filter, document);
    }
  }

 private:
  /// Compared as pairs: of numbers the first counts, of strings the second.
  using Value = std::pair<std::uint64_t, std::string>;

  static Value value_of(const index::FieldSpec& spec, const std::string& text) {
    if (spec.type == index::FieldType::kKeyword) return {0, text};
    return {index::key_of(spec, text).value(), ""};
  }

  bool passes_predicate(const query::Filter& filter, std::size_t document) const {
    std::size_t f = 0;
    while (fields_[f].spec.name != filter.field()) ++f;
    const index::FieldSpec& spec = fields_[f].spec;
    return std::ranges::any_of(values_[f][document], [&](const Value& value) {
      return passes_value(filter, spec, value);
    });
  }

  static bool passes_value(const query::Filter& filter, const index::FieldSpec& spec,
                           const Value& value) {
    using Kind = query::Filter::Kind;
    if (filter.kind() == Kind::kExists) return true;
    if (filter.kind() == Kind::kPrefix) return value.second.starts_with(filter.values().front());
    if (filter.kind() == Kind::kAnyOf) {
      return std::ranges::any_of(
          filter.values(), [&](const std::string& text) { return value_of(spec, text) == value; });
    }
    if (const auto& least = filter.least(); least.value) {
      const Value end = value_of(spec, *least.value);
      if (value < end || (!least.inclusive && value == end)) return false;
    }
    if (const auto& greatest = filter.greatest(); greatest.value) {
      const Value end = value_of(spec, *greatest.value);
      if (end < value || (!greatest.inclusive && value == end)) return false;
    }
    return true;
  }

  std::vector<FieldValues> fields_;
  std::vector<std::vector<std::vector<Value>>> values_;  ///< by field and document
};

/// Filters over the values that there are, and some that there are not.
class RandomFilters {
 public:
  /// With `documents` also filters for single ones of so many.
  RandomFilters(const std::vector<FieldValues>& fields, unsigned seed, std::uint64_t documents = 0)
      : fields_(fields), random_(seed), documents_(documents) {}

  query::Filter next(int depth = 3) {
    using query::Filter;
    const std::uint64_t shape = depth == 0 ? 9 : below(10);
    switch (shape) {
      case 0:
      case 1:
        return next(depth - 1) && next(depth - 1);
      case 2:
      case 3:
        return next(depth - 1) || next(depth - 1) || next(depth - 1);
      case 4:
      case 5:
        return !next(depth - 1);
      default:
        return predicate();
    }
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  query::Filter predicate() {
    using query::Filter;
    if (documents_ > 0 && below(8) == 0) {
      return Filter::document(static_cast<std::uint32_t>(below(documents_ + 2)));
    }
    const FieldValues& field = fields_[below(fields_.size())];
    const std::string& name = field.spec.name;
    const bool keyword = field.spec.type == index::FieldType::kKeyword;
    switch (below(6)) {
      case 0:
        return Filter::equal(name, value(field));
      case 1: {
        std::vector<std::string> values;
        for (std::uint64_t n = 1 + below(below(3) == 0 ? 40 : 4); n > 0; --n) {
          values.push_back(value(field));
        }
        return Filter::any_of(name, values);
      }
      case 2:
        return Filter::exists(name);
      case 3:
        if (keyword) return Filter::prefix(name, value(field).substr(0, 1 + below(2)));
        [[fallthrough]];
      default:
        return Filter::between(name, end(field), end(field));
    }
  }

  query::FilterBound end(const FieldValues& field) {
    if (below(5) == 0) return {};
    return {value(field), below(2) == 0};
  }

  /// A value that some document has, or just one of the type.
  std::string value(const FieldValues& field) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const auto& own = field.values[below(field.values.size())];
      if (!own.empty()) return own[below(own.size())];
    }
    switch (field.spec.type) {
      case index::FieldType::kDate:
        return "2024-02-29";
      case index::FieldType::kBoolean:
        return "true";
      default:
        return "17";
    }
  }

  const std::vector<FieldValues>& fields_;
  std::mt19937_64 random_;
  std::uint64_t documents_;
};

}  // namespace gannet::test
