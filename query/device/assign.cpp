#include "query/device/assign.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "query/device/warp_memory.hpp"

namespace gannet::query::cuda {
namespace {

constexpr std::uint32_t kPlainWindow = 2048;   // documents, with scores or marks alone
constexpr std::uint32_t kMarkedWindow = 1024;  // with both
constexpr std::uint32_t kMaxSlots = 4;
/// Queries of up to this many terms share a launch; the cursors of longer ones would take warps
/// from them.
constexpr std::uint32_t kUsualTerms = 32;
constexpr std::uint32_t kMaxExpressionTerms = 32;
constexpr std::uint32_t kMaxStack = 64;
/// Items are made no smaller than this many postings, and this many times as many as run at a time:
/// collections are clustered, so items that should cost the same do not.
constexpr double kSmallestItem = 1024;
constexpr double kItemsPerWarp = 40;
/// Most finalists of a query, all items together.
constexpr std::uint32_t kMostFinalists = 1u << 20;
/// Spare candidates: more make cutting down to k rarer, fewer raise the threshold earlier.
constexpr std::uint64_t kSpareCandidates = 256;

KernelClass kernel_of(const Plan& plan) {
  const bool scored = plan.want == Want::kTopK;
  return {scored, !scored || !plan.disjunction};
}

std::uint32_t window_of(KernelClass kernel) {
  return kernel.scored && kernel.marked ? kMarkedWindow : kPlainWindow;
}

std::uint32_t present_terms(const Plan& plan) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(plan.terms, [](const PlanTerm& term) { return term.id.has_value(); }));
}

/// Whether the postfix program fits the kernel's evaluation stack.
bool stack_fits(std::span<const Node> expression) {
  std::int64_t depth = 0;
  for (const Node& node : expression) {
    if (node.kind == Node::Kind::kTerm) ++depth;
    if (node.kind == Node::Kind::kAnd || node.kind == Node::Kind::kOr) {
      depth -= std::int64_t{node.operand} - 1;
    }
    if (depth >= kMaxStack || node.operand >= kMaxStack) return false;
  }
  return true;
}

/// How the items of one launch class and size of query are found together.
struct LaunchKey {
  KernelClass kernel;
  std::uint32_t terms;  ///< rounded up, so that few sizes remain
  auto rank() const { return std::tuple(kernel.scored, kernel.marked, terms); }
};

class Assigner {
 public:
  Assigner(const index::Segment& segment, std::span<const DeviceList> lists,
           const DeviceShape& shape)
      : segment_(segment),
        lists_(lists),
        shape_(shape),
        documents_(static_cast<std::uint32_t>(segment.statistics().documents)) {}

  Assignment run(std::span<const Plan* const> plans) {
    for (const Plan* plan : plans) add_query(*plan);
    cut_items();
    order_items();
    size_candidates();
    return std::move(result_);
  }

 private:
  void add_query(const Plan& plan) {
    const Statistics& statistics = segment_.statistics();
    Query query{};
    query.first_term = static_cast<std::uint32_t>(result_.terms.size());
    query.first_node = static_cast<std::uint32_t>(result_.nodes.size());
    query.match = plan.disjunction   ? Match::kAny
                  : plan.conjunction ? Match::kAll
                                     : Match::kExpression;
    query.visits_all = plan.matches_absent;
    query.norm = length_norm(plan.k1, plan.b, statistics.average_length());
    add_terms(plan, query);
    if (query.match == Match::kExpression) add_nodes(plan, query);
    query.k = largest_k(plan, query);
    result_.queries.push_back(query);
    costs_.push_back(cost_of(query));
    keys_.push_back({kernel_of(plan), std::bit_ceil(std::max(query.terms, kUsualTerms))});
  }

  using Statistics = index::Statistics;

  void add_terms(const Plan& plan, Query& query) {
    for (const PlanTerm& term : plan.terms) {
      if (!term.id) continue;
      segment_.list(*term.id);  // throws if the list is damaged, as the CPU back end does
      const DeviceList& list = lists_[*term.id];
      result_.terms.push_back({list.first_word, list.first_word + list.docid_words, list.first_tile,
                               list.count, term.scored ? term.weight : 0.0f, kNone,
                               term.required ? 1u : 0u});
    }
    query.terms = static_cast<std::uint32_t>(result_.terms.size()) - query.first_term;
    assign_slots(query);
  }

  std::span<Term> terms_of(const Query& query) {
    return std::span(result_.terms).subspan(query.first_term, query.terms);
  }

  /// The shortest lists get the cache slots: their tiles span the most windows. The driver is
  /// always cached.
  void assign_slots(Query& query) {
    const auto terms = terms_of(query);
    std::vector<std::uint32_t> by_length(terms.size());
    std::iota(by_length.begin(), by_length.end(), 0u);
    std::ranges::stable_sort(by_length, {}, [&](std::uint32_t t) { return terms[t].count; });
    query.driver = kNone;
    for (const std::uint32_t t : by_length) {
      if (terms[t].required && query.driver == kNone) query.driver = t;
    }
    std::uint32_t slot = 0;
    if (query.driver != kNone) terms[query.driver].slot = slot++;
    for (const std::uint32_t t : by_length) {
      if (slot < kMaxSlots && terms[t].slot == kNone) terms[t].slot = slot++;
    }
  }

  void add_nodes(const Plan& plan, Query& query) {
    std::vector<std::uint32_t> number(plan.terms.size(), kNone);
    std::uint32_t present = 0;
    for (std::size_t i = 0; i < plan.terms.size(); ++i) {
      if (plan.terms[i].id) number[i] = present++;
    }
    for (const Node& node : plan.expression) result_.nodes.push_back(translate(node, number));
    query.nodes = static_cast<std::uint32_t>(plan.expression.size());
  }

  static ExpressionNode translate(const Node& node, std::span<const std::uint32_t> number) {
    switch (node.kind) {
      case Node::Kind::kTerm:
        if (number[node.operand] == kNone) return {ExpressionNode::kAbsent, 0};
        return {ExpressionNode::kTerm, number[node.operand]};
      case Node::Kind::kAnd:
        return {ExpressionNode::kAnd, node.operand};
      case Node::Kind::kOr:
        return {ExpressionNode::kOr, node.operand};
      case Node::Kind::kNot:
        break;
    }
    return {ExpressionNode::kNot, 1};
  }

  std::uint64_t postings_of(const Query& query) {
    std::uint64_t postings = 0;
    for (const Term& term : terms_of(query)) postings += term.count;
    return postings;
  }

  /// No more hits than documents that can match.
  std::uint32_t largest_k(const Plan& plan, const Query& query) {
    if (plan.want != Want::kTopK) return 0;
    const std::uint64_t most = query.visits_all ? documents_ : postings_of(query);
    return static_cast<std::uint32_t>(
        std::min({std::uint64_t{plan.k}, std::uint64_t{documents_}, most}));
  }

  /// Roughly the postings that will be touched, windows counted in.
  double cost_of(const Query& query) {
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
    return std::max(4u, kMostFinalists / std::max(k, 1u));
  }

  void cut_items() {
    const double all = std::accumulate(costs_.begin(), costs_.end(), 0.0);
    const double target = std::max(kSmallestItem, all / (shape_.parallel_items * kItemsPerWarp));
    for (std::uint32_t q = 0; q < result_.queries.size(); ++q) {
      Query& query = result_.queries[q];
      const std::uint32_t smallest = 2 * window_of(keys_[q].kernel);
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

  /// Items of one launch side by side, by documents: queries that run at the same time then read
  /// the same stretch of document lengths, which stays in the cache.
  void order_items() {
    result_.order.resize(result_.items.size());
    std::iota(result_.order.begin(), result_.order.end(), 0u);
    const auto rank = [&](std::uint32_t item) {
      const std::uint32_t query = result_.items[item].query;
      return std::tuple(keys_[query].rank(), result_.items[item].begin);
    };
    std::ranges::stable_sort(result_.order, {}, rank);
    for (std::uint32_t i = 0; i < result_.order.size(); ++i) {
      const std::uint32_t q = result_.items[result_.order[i]].query;
      const bool starts = i == 0 || keys_[q].rank() != last_rank_;
      last_rank_ = keys_[q].rank();
      if (starts) {
        const KernelClass kernel = keys_[q].kernel;
        result_.launches.push_back({kernel, i, i, window_of(kernel), 1, 1});
      }
      Launch& launch = result_.launches.back();
      launch.end = i + 1;
      launch.max_terms = std::max(launch.max_terms, result_.queries[q].terms);
      launch.slots = std::max(launch.slots, std::min(result_.queries[q].terms, kMaxSlots));
    }
  }

  void size_candidates() {
    std::uint32_t window = 0;
    for (const Launch& launch : result_.launches) window = std::max(window, launch.window);
    for (Query& query : result_.queries) {
      result_.stride = std::max(result_.stride, query.k);
      query.first_finalist = result_.finalists;
      result_.finalists += std::uint64_t{std::min(query.k, longest_item_)} * query.items;
    }
    const std::uint64_t wanted =
        result_.stride + std::max<std::uint64_t>(result_.stride, kSpareCandidates);
    result_.capacity =
        static_cast<std::uint32_t>(std::min(wanted, std::uint64_t{longest_item_}) + window);
  }

  const index::Segment& segment_;
  std::span<const DeviceList> lists_;
  const DeviceShape& shape_;
  std::uint32_t documents_;
  Assignment result_;
  std::vector<double> costs_;    ///< of each query; after cutting, of each of its items
  std::vector<LaunchKey> keys_;  ///< of each query
  std::uint32_t longest_item_ = 0;
  decltype(LaunchKey{}.rank()) last_rank_{};
};

}  // namespace

bool runs_on_device(const Plan& plan, const DeviceShape& shape) {
  const KernelClass kernel = kernel_of(plan);
  const std::uint32_t terms = present_terms(plan);
  const std::uint64_t bytes =
      std::uint64_t{terms} * sizeof(ListCursor) +
      WarpMemory::bytes(kernel.scored, kernel.marked, window_of(kernel), 1, kMaxSlots);
  if (bytes > shape.max_warp_memory) return false;
  if (plan.disjunction || plan.conjunction) return true;
  return terms <= kMaxExpressionTerms && stack_fits(plan.expression);
}

bool matches_nothing(const Plan& plan) {
  if (plan.expression.empty()) return true;
  const auto absent = [](const PlanTerm& term) { return !term.id; };
  if (plan.conjunction) return std::ranges::any_of(plan.terms, absent);
  if (std::ranges::any_of(plan.terms, [&](const PlanTerm& t) { return t.required && absent(t); })) {
    return true;
  }
  return !plan.matches_absent && std::ranges::all_of(plan.terms, absent);
}

Assignment assign(const index::Segment& segment, std::span<const DeviceList> lists,
                  const DeviceShape& shape, std::span<const Plan* const> plans) {
  return Assigner(segment, lists, shape).run(plans);
}

}  // namespace gannet::query::cuda
