#include "query/gpu/plan/assign.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

#include "index/files/limits.hpp"
#include "query/gpu/plan/tuning.hpp"
#include "query/gpu/plan/warp_memory.hpp"

namespace gannet::query::cuda {
namespace {

using namespace tuning;

/// Marks of an expression's terms are the bits of a word.
constexpr std::uint32_t kMaxExpressionTerms = 32;
/// Buckets of documents that items are ordered by: items of a bucket read document lengths that lie
/// close together.
constexpr std::uint32_t kOrderBuckets = 4096;
/// Items that a query may have even with the largest k.
constexpr std::uint32_t kMinItems = 4;

// The end of an item, which may lie behind the last document, and the number of finalists of a
// query with the largest k fit 32 bits.
static_assert(index::kMaxDocuments * kMinItems <= ~std::uint32_t{0});
static_assert(kMarkedWindow <= index::kDocidHeadroom && kPlainWindow <= index::kDocidHeadroom);

KernelClass kernel_of(const Plan& plan) {
  return {!plan.disjunction(), is_usual(plan.scorer().id)};
}

std::uint32_t window_of(KernelClass kernel) { return kernel.marked ? kMarkedWindow : kPlainWindow; }

std::uint32_t present_terms(const SegmentPlan& plan) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(plan.ids, [](index::TermId id) { return id != kNoTerm; }));
}

/// Queries with the same key share a launch.
struct LaunchKey {
  KernelClass kernel;
  std::uint32_t terms;  ///< rounded up, so that few sizes remain
  bool operator==(const LaunchKey&) const = default;
};

class Assigner {
 public:
  Assigner(const index::Segment& segment, const SegmentPlaces& places, const DeviceShape& shape,
           index::Docid docid_base)
      : segment_(segment),
        places_(places),
        shape_(shape),
        docid_base_(docid_base),
        documents_(static_cast<std::uint32_t>(segment.statistics().documents)) {}

  Assignment run(std::span<const SegmentPlan> plans) {
    for (const SegmentPlan& plan : plans) add_query(plan);
    cut_items();
    order_items();
    size_candidates();
    return std::move(result_);
  }

 private:
  void add_query(const SegmentPlan& bound) {
    const Plan& plan = *bound.plan;
    BatchQuery query{};
    query.first_term = static_cast<std::uint32_t>(result_.terms.size());
    query.first_node = static_cast<std::uint32_t>(result_.nodes.size());
    query.match = plan.disjunction()   ? Match::kAny
                  : plan.conjunction() ? Match::kAll
                                       : Match::kExpression;
    query.visits_all = plan.matches_absent();
    query.below = bound_in_part(plan.page().below, docid_base_);
    add_terms(bound, query);
    if (query.match == Match::kExpression) {
      append_nodes(plan, list_numbers(bound.ids), result_.nodes);
      query.nodes = static_cast<std::uint32_t>(plan.expression().size());
    }
    query.k = largest_k(plan, documents_, query.visits_all ? documents_ : postings_of(query));
    result_.queries.push_back(query);
    costs_.push_back(cost_of(query));
    classes_.push_back(
        class_of({kernel_of(plan), std::bit_ceil(std::max(query.terms, kUsualTerms))}));
  }

  /// The number of a launch class; there are few.
  std::uint32_t class_of(const LaunchKey& key) {
    const auto known = std::ranges::find(keys_, key);
    if (known == keys_.end()) {
      keys_.push_back(key);
      return static_cast<std::uint32_t>(keys_.size() - 1);
    }
    return static_cast<std::uint32_t>(known - keys_.begin());
  }

  void add_terms(const SegmentPlan& bound, BatchQuery& query) {
    for (std::size_t i = 0; i < bound.ids.size(); ++i) {
      const index::TermId id = bound.ids[i];
      if (id == kNoTerm) continue;
      segment_.list(id);  // throws if the list is damaged, as the CPU back end does
      const PlanTerm& term = bound.plan->terms()[i];
      const DeviceList& list = places_.lists[id];
      result_.terms.push_back({list.first_word, list.first_word + list.docid_words, list.first_tile,
                               places_.lengths->of(term.field), list.count, term.shared,
                               term.constants, kNone, term.required ? 1u : 0u});
    }
    query.terms = static_cast<std::uint32_t>(result_.terms.size()) - query.first_term;
    assign_slots(query);
  }

  std::span<BatchTerm> terms_of(const BatchQuery& query) {
    return std::span(result_.terms).subspan(query.first_term, query.terms);
  }

  /// The shortest lists get the cache slots: their tiles span the most windows. The driver is
  /// always cached.
  void assign_slots(BatchQuery& query) {
    const auto terms = terms_of(query);
    by_length_.resize(terms.size());
    std::iota(by_length_.begin(), by_length_.end(), 0u);
    std::ranges::stable_sort(by_length_, {}, [&](std::uint32_t t) { return terms[t].count; });
    query.driver = kNone;
    for (const std::uint32_t t : by_length_) {
      if (terms[t].required && query.driver == kNone) query.driver = t;
    }
    std::uint32_t slot = 0;
    if (query.driver != kNone) terms[query.driver].slot = slot++;
    for (const std::uint32_t t : by_length_) {
      if (slot < kMaxSlots && terms[t].slot == kNone) terms[t].slot = slot++;
    }
  }

  std::uint64_t postings_of(const BatchQuery& query) {
    std::uint64_t postings = 0;
    for (const BatchTerm& term : terms_of(query)) postings += term.count;
    return postings;
  }

  /// An estimate of the work: the postings that will be read, and windows without postings.
  double cost_of(const BatchQuery& query) {
    const auto postings = static_cast<double>(postings_of(query));
    const double documents = documents_;
    if (query.visits_all) return postings + documents;
    if (query.driver == kNone) return postings + std::min(postings, documents / 16);
    const double driver = result_.terms[query.first_term + query.driver].count;
    return std::min(postings, driver * query.terms * 64);
  }

  /// An item has up to k finalists: with a large k there are fewer items, or they would not fit
  /// memory.
  static std::uint32_t most_items(std::uint32_t k) {
    return std::max(kMinItems, kMaxFinalists / std::max(k, 1u));
  }

  void cut_items() {
    const double all = std::accumulate(costs_.begin(), costs_.end(), 0.0);
    const double target = std::max(kMinItem, all / (shape_.parallel_items * kItemsPerWarp));
    for (std::uint32_t q = 0; q < result_.queries.size(); ++q) {
      BatchQuery& query = result_.queries[q];
      const std::uint32_t smallest = 2 * window_of(keys_[classes_[q]].kernel);
      const std::uint32_t most = std::max(1u, std::min(documents_ / smallest, most_items(query.k)));
      const auto wanted =
          static_cast<std::uint32_t>(std::min(costs_[q] / target + 1, static_cast<double>(most)));
      const std::uint32_t length =
          codecs::ceil_div(codecs::ceil_div(documents_, wanted), codecs::kTile) * codecs::kTile;
      query.first_item = static_cast<std::uint32_t>(result_.items.size());
      for (std::uint32_t begin = 0; begin < documents_;
           begin += std::min(length, documents_ - begin)) {
        result_.items.push_back({q, begin, begin + std::min(length, documents_ - begin)});
      }
      query.items = static_cast<std::uint32_t>(result_.items.size()) - query.first_item;
      costs_[q] /= query.items;
      longest_item_ = std::max(longest_item_, length);
    }
  }

  /// Orders the items of one launch by documents: queries that run at the same time then read
  /// document lengths that lie close together, which stay in the cache. A counting sort: a large
  /// batch has a hundred thousand items, and the device waits for it.
  void order_items() {
    const std::uint32_t width = codecs::ceil_div(std::max(documents_, 1u), kOrderBuckets);
    const auto bucket_of = [&](const Item& item) {
      return classes_[item.query] * kOrderBuckets + item.begin / width;
    };
    std::vector<std::uint32_t> next(keys_.size() * kOrderBuckets + 1, 0);
    for (const Item& item : result_.items) ++next[bucket_of(item) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::uint32_t c = 0; c < keys_.size(); ++c) add_launch(c, next);
    result_.schedule.order.resize(result_.items.size());
    for (std::uint32_t i = 0; i < result_.items.size(); ++i) {
      result_.schedule.order[next[bucket_of(result_.items[i])]++] = i;
    }
  }

  /// Adds the launch of a class; `next` says where its items' buckets begin.
  void add_launch(std::uint32_t number, std::span<const std::uint32_t> next) {
    const KernelClass kernel = keys_[number].kernel;
    Launch launch{kernel,
                  next[number * kOrderBuckets],
                  next[(number + 1) * kOrderBuckets],
                  window_of(kernel),
                  1,
                  1};
    for (std::size_t q = 0; q < result_.queries.size(); ++q) {
      if (classes_[q] != number) continue;
      launch.max_terms = std::max(launch.max_terms, result_.queries[q].terms);
      launch.slots = std::max(launch.slots, std::min(result_.queries[q].terms, kMaxSlots));
    }
    result_.schedule.launches.push_back(launch);
  }

  void size_candidates() {
    std::uint32_t window = 0;
    for (const Launch& launch : result_.schedule.launches) window = std::max(window, launch.window);
    for (BatchQuery& query : result_.queries) {
      result_.stride = std::max(result_.stride, query.k);
      query.first_finalist = result_.finalists;
      const std::uint32_t capacity = std::min(query.k, longest_item_) * query.items;
      result_.finalists += capacity;
      result_.selections.push_back({query.first_finalist, capacity, query.k});
    }
    const std::uint64_t wanted =
        result_.stride + std::max<std::uint64_t>(result_.stride, kSpareCandidates);
    result_.capacity =
        static_cast<std::uint32_t>(std::min(wanted, std::uint64_t{longest_item_}) + window);
  }

  const index::Segment& segment_;
  const SegmentPlaces places_;
  const DeviceShape& shape_;
  const index::Docid docid_base_;
  std::uint32_t documents_;
  Assignment result_;
  std::vector<double> costs_;           ///< of each query; after cutting, of each of its items
  std::vector<LaunchKey> keys_;         ///< of each launch class
  std::vector<std::uint32_t> classes_;  ///< of each query
  std::vector<std::uint32_t> by_length_;
  std::uint32_t longest_item_ = 0;
};

}  // namespace

bool runs_on_device(const SegmentPlan& bound, const DeviceShape& shape) {
  const Plan& plan = *bound.plan;
  const std::uint32_t terms = present_terms(bound);
  const KernelClass kernel = kernel_of(plan);
  const std::uint64_t bytes = std::uint64_t{terms} * sizeof(ListCursor) +
                              WarpMemory::bytes(kernel.marked, window_of(kernel), 1, kMaxSlots);
  if (bytes > shape.max_warp_memory) return false;
  return plan.disjunction() || plan.conjunction() || terms <= kMaxExpressionTerms;
}

bool matches_nothing(const SegmentPlan& bound) {
  const Plan& plan = *bound.plan;
  if (plan.expression().empty()) return true;
  for (std::size_t i = 0; i < bound.ids.size(); ++i) {
    if (bound.ids[i] == kNoTerm && plan.terms()[i].required) return true;
  }
  return !plan.matches_absent() && present_terms(bound) == 0;
}

ListNumbers list_numbers(std::span<const index::TermId> ids) {
  ListNumbers numbers;
  std::uint32_t next = 0;
  for (const index::TermId id : ids) numbers.push_back(id == kNoTerm ? kNone : next++);
  return numbers;
}

void append_nodes(const Plan& plan, const ListNumbers& numbers, std::vector<Node>& nodes) {
  for (Node node : plan.expression()) {
    if (node.kind == Node::Kind::kTerm) {
      const std::uint32_t number = numbers[node.operand];
      node = number == kNone ? Node{Node::Kind::kNever, 0} : Node{Node::Kind::kTerm, number};
    }
    nodes.push_back(node);
  }
}

std::uint32_t largest_k(const Plan& plan, std::uint64_t documents, std::uint64_t most) {
  if (plan.want() != Want::kTopK) return 0;
  return static_cast<std::uint32_t>(std::min({std::uint64_t{plan.k()}, documents, most}));
}

Assignment assign(const index::Segment& segment, const SegmentPlaces& places,
                  const DeviceShape& shape, std::span<const SegmentPlan> plans,
                  index::Docid docid_base) {
  return Assigner(segment, places, shape, docid_base).run(plans);
}

}  // namespace gannet::query::cuda
