#include "query/plan/filter.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/text/words/seeded_hash.hpp"

namespace gannet::query {

struct Filter::Node {
  Kind kind = Kind::kAll;
  std::string field = {};
  std::vector<std::string> values = {};
  FilterBound least = {};
  FilterBound greatest = {};
  std::vector<Filter> parts = {};
  // Derived:
  std::size_t hash = 0;
  std::uint32_t depth = 1;
  std::uint64_t size = 1;

  bool same(const Node& other) const {
    return hash == other.hash && kind == other.kind && field == other.field &&
           values == other.values && least == other.least && greatest == other.greatest &&
           parts == other.parts;
  }
  void add(Filter part) {
    const Node& node = *part.node_;
    mix(node.hash);
    depth = std::max(depth, node.depth + 1);
    size += node.size;
    parts.push_back(std::move(part));
  }
  void mix(std::size_t more) { hash = hash * 0x9e3779b97f4a7c15u + more + (hash >> 29); }
  void mix(const FilterBound& bound) {
    mix(bound.value ? index::seeded_hash(*bound.value) + (bound.inclusive ? 1 : 2) : 0);
  }
};

namespace {

/// Parts of a chain among which repetitions are looked for.
constexpr std::size_t kFewParts = 64;

}  // namespace

/// A filter of a node whose derived members are set.
Filter Filter::checked(Node node) {
  if (node.depth > kMaxDepth) {
    throw UsageError("filter: operators are nested more than " + std::to_string(kMaxDepth) +
                     " deep");
  }
  if (node.size > kMaxSize) {
    throw UsageError("filter: there are more than " + std::to_string(kMaxSize) +
                     " predicates and values");
  }
  Filter filter;
  filter.node_ = std::make_shared<Node>(std::move(node));
  return filter;
}

/// Derives what follows from a predicate or a NOT.
Filter Filter::made(Node node) {
  node.hash = static_cast<std::size_t>(node.kind);
  node.mix(index::seeded_hash(node.field));
  for (const std::string& value : node.values) node.mix(index::seeded_hash(value));
  node.size = 1 + node.values.size();
  node.mix(node.least);
  node.mix(node.greatest);
  for (Filter& part : std::exchange(node.parts, {})) node.add(std::move(part));
  return checked(std::move(node));
}

Filter Filter::none() { return made({.kind = Kind::kNone}); }

Filter Filter::equal(std::string field, std::string value) {
  return any_of(std::move(field), {std::move(value)});
}

Filter Filter::any_of(std::string field, std::vector<std::string> values) {
  if (values.empty()) return none();
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return made({.kind = Kind::kAnyOf, .field = std::move(field), .values = std::move(values)});
}

Filter Filter::range(std::string field, std::string least, std::string greatest) {
  return between(std::move(field), {std::move(least), true}, {std::move(greatest), true});
}

Filter Filter::between(std::string field, FilterBound least, FilterBound greatest) {
  if (!least.value && !greatest.value) return exists(std::move(field));
  if (!least.value) least.inclusive = true;
  if (!greatest.value) greatest.inclusive = true;
  return made({.kind = Kind::kInterval,
               .field = std::move(field),
               .least = std::move(least),
               .greatest = std::move(greatest)});
}

Filter Filter::prefix(std::string field, std::string text) {
  if (text.empty()) return exists(std::move(field));
  return made({.kind = Kind::kPrefix, .field = std::move(field), .values = {std::move(text)}});
}

Filter Filter::exists(std::string field) {
  return made({.kind = Kind::kExists, .field = std::move(field)});
}

/// Plans of an index with deleted documents all have it: so they share one node.
Filter Filter::live() {
  static const Filter& shared = *new Filter(made({.kind = Kind::kLive}));
  return shared;
}

Filter Filter::document(std::uint32_t docid) {
  return made({.kind = Kind::kDocument, .values = {std::to_string(docid)}});
}

Filter Filter::without_live() const {
  if (kind() == Kind::kLive) return all();
  if (kind() != Kind::kAnd) return *this;
  Filter left;
  for (const Filter& part : parts()) {
    if (part.kind() != Kind::kLive) left = std::move(left) && part;
  }
  return left;
}

/// Appends in place what nobody else has, so that a chain is built in linear time.
Filter Filter::chain(Kind kind, Filter a, Filter b) {
  const Kind absorbing = kind == Kind::kAnd ? Kind::kNone : Kind::kAll;
  const Kind neutral = kind == Kind::kAnd ? Kind::kAll : Kind::kNone;
  if (a.kind() == absorbing || b.kind() == neutral) return a;
  if (b.kind() == absorbing || a.kind() == neutral) return b;
  Node node;
  if (a.kind() == kind && a.node_.use_count() == 1) {
    node = std::move(const_cast<Node&>(*a.node_));  // made as a Node that is not const
  } else if (a.kind() == kind) {
    node = *a.node_;
  } else {
    node = {.kind = kind, .hash = static_cast<std::size_t>(kind), .size = 0};
    node.add(std::move(a));
  }
  const auto add = [&](const Filter& part) {
    const auto end =
        node.parts.begin() + static_cast<std::ptrdiff_t>(std::min(node.parts.size(), kFewParts));
    if (std::find(node.parts.begin(), end, part) == end) node.add(part);
  };
  if (b.kind() == kind) {
    for (const Filter& part : b.parts()) add(part);
  } else {
    add(b);
  }
  if (node.parts.size() == 1) return node.parts.front();
  return checked(std::move(node));
}

Filter operator&&(Filter a, Filter b) {
  return Filter::chain(Filter::Kind::kAnd, std::move(a), std::move(b));
}

Filter operator||(Filter a, Filter b) {
  return Filter::chain(Filter::Kind::kOr, std::move(a), std::move(b));
}

Filter operator!(const Filter& a) {
  switch (a.kind()) {
    case Filter::Kind::kAll:
      return Filter::none();
    case Filter::Kind::kNone:
      return Filter::all();
    case Filter::Kind::kNot:
      return a.parts().front();
    default:
      return Filter::made({.kind = Filter::Kind::kNot, .parts = {a}});
  }
}

bool Filter::operator==(const Filter& other) const {
  if (node_ == other.node_) return true;
  return node_ != nullptr && other.node_ != nullptr && node_->same(*other.node_);
}

namespace {
const std::string kNoText;
const std::vector<std::string> kNoValues;
const FilterBound kOpen;
const std::vector<Filter> kNoParts;
}  // namespace

std::size_t Filter::hash() const { return node_ == nullptr ? 0 : node_->hash; }
Filter::Kind Filter::kind() const { return node_ == nullptr ? Kind::kAll : node_->kind; }
const std::string& Filter::field() const { return node_ == nullptr ? kNoText : node_->field; }
const std::vector<std::string>& Filter::values() const {
  return node_ == nullptr ? kNoValues : node_->values;
}
const FilterBound& Filter::least() const { return node_ == nullptr ? kOpen : node_->least; }
const FilterBound& Filter::greatest() const { return node_ == nullptr ? kOpen : node_->greatest; }
const std::vector<Filter>& Filter::parts() const {
  return node_ == nullptr ? kNoParts : node_->parts;
}

}  // namespace gannet::query
