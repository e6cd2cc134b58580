#include "query/gpu/plan/pruned/scale.hpp"

#include <algorithm>

#include "query/gpu/plan/assign.hpp"
#include "query/gpu/plan/list_location.hpp"
#include "query/gpu/plan/pruned/clause_marks.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// PrunedQuery::scale.
double scale_of(PrunedPath path, const PlanBounds& bounds) {
  if (path == PrunedPath::kWindows) return kMaxBound / bounds.sum;
  return choose_scale({bounds.terms.data(), bounds.terms.size()});
}

Match match_of(const Plan& plan) {
  if (plan.disjunction()) return Match::kAny;
  return plan.conjunction() ? Match::kAll : Match::kExpression;
}

PrunedTerm pruned_term(const PlanTerm& term, const ListStats& list, const ListLocation& location,
                       const std::uint32_t* lengths) {
  PrunedTerm made{};
  static_cast<ListLocation&>(made) = location;
  made.row = list.row();
  made.constants = term.constants;
  made.scoring = {1, term.shared.a, term.shared.b};
  made.lengths = lengths;
  return made;
}

/// A list of a plan in a segment.
struct PlanList {
  std::uint32_t term;
  const WordList* word;  ///< null: it only decides
};
using PlanLists = boost::container::small_vector<PlanList, 32>;

/// The lists of a plan of BM25F in a segment: those of words, word by word, and behind them those
/// that only decide.
PlanLists lists_of(const PartBinding& part, const WordLists& words) {
  PlanLists lists;
  boost::container::small_vector<bool, 64> scored(part.lists.size(), false);
  for (const WordList& word : words) {
    scored[word.term] = true;
    if (part.lists[word.term] != nullptr) lists.push_back({word.term, &word});
  }
  for (std::uint32_t t = 0; t < part.lists.size(); ++t) {
    if (!scored[t] && part.lists[t] != nullptr) lists.push_back({t, nullptr});
  }
  return lists;
}

/// Of each term of the plan, its first list.
ListNumbers numbers_of(const PlanLists& lists, std::size_t terms) {
  ListNumbers numbers(terms, kNone);
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    std::uint32_t& number = numbers[lists[i].term];
    number = std::min(number, i);
  }
  return numbers;
}

ListNumbers numbers_of(const PlanBinding& binding, const PartBinding& part,
                       const WordLists& words) {
  if (!scores_words(*binding.plan)) return list_numbers(part.ids);
  return numbers_of(lists_of(part, words), part.lists.size());
}

/// Scales the parts of one plan, one after the other, and counts what they take of a batch.
class PartScaler {
 public:
  PartScaler(PrunedPath path, const PlanBinding& binding, const WordLists& words, double scale,
             std::span<PrunedTerm> terms)
      : path_(path), binding_(binding), words_(words), scale_(scale), terms_(terms) {}

  ScaledPart scale(const PartBinding& part, const SegmentView& segment) {
    if (part.lists.empty() || !has_scored(part)) return {};
    const std::uint32_t before = sizes_.terms;
    const std::uint32_t shorts_before = sizes_.shorts;
    add_lists(part, segment.index);
    sizes_.chunk_pointers += (sizes_.shorts - shorts_before) * (segment.chunks + 1);
    sizes_.ranges += codecs::ceil_div(segment.index.documents, kRange);
    const std::uint32_t made = sizes_.terms - before;
    if (path_ == PrunedPath::kBounds) mark(part, terms_.subspan(before, made));
    sizes_.max_terms = std::max(sizes_.max_terms, made);
    return {part.filter, made, 0};
  }

  std::uint64_t postings() const { return postings_; }
  const PrunedSizes& sizes() const { return sizes_; }

 private:
  /// Only documents with a scored term match.
  bool has_scored(const PartBinding& part) const {
    if (scores_words(*binding_.plan)) {
      return std::ranges::any_of(
          words_, [&](const WordList& word) { return part.lists[word.term] != nullptr; });
    }
    const auto& terms = binding_.plan->terms();
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (part.lists[t] != nullptr && terms[t].scored()) return true;
    }
    return false;
  }

  void mark(const PartBinding& part, std::span<PrunedTerm> terms) const {
    const Plan& plan = *binding_.plan;
    if (plan.disjunction()) return;         // it has no marks
    const bool alike = plan.conjunction();  // whichever list is which
    mark_clauses(plan, alike ? ListNumbers() : numbers_of(binding_, part, words_), terms);
  }

  void add_lists(const PartBinding& part, const IndexView& index) {
    if (scores_words(*binding_.plan)) return add_words(part, index);
    for (std::size_t t = 0; t < part.lists.size(); ++t) {
      if (part.lists[t] == nullptr) continue;
      const double weight = binding_.plan->terms()[t].weight;
      weigh(add(part, index, t), weight == 0 ? 0 : max_contribution(weight, *part.lists[t]));
    }
  }

  void add_words(const PartBinding& part, const IndexView& index) {
    const PlanLists lists = lists_of(part, words_);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const WordList* const word = lists[i].word;
      PrunedTerm& made = add(part, index, lists[i].term);
      if (word == nullptr) {
        weigh(made, 0);
        continue;
      }
      made.constants = {word->factor, word->in_text.least, word->in_text.slope};
      made.scoring.weight = word->in_text.weight;
      const bool goes_on = i + 1 < lists.size() && same_word(word, lists[i + 1].word);
      if (!goes_on) made.clause = kEndsWord;
      weigh(made, max_contribution(*word, *part.lists[lists[i].term]));
    }
  }

  /// Whether no word ends between two lists.
  static bool same_word(const WordList* first, const WordList* second) {
    if (second == nullptr) return false;
    return std::none_of(first, second, [](const WordList& word) { return word.ends_word; });
  }

  PrunedTerm& add(const PartBinding& part, const IndexView& index, std::size_t number) {
    const PlanTerm& term = binding_.plan->terms()[number];
    PrunedTerm& made = terms_[sizes_.terms++];
    ListLocation location = list_location(index, part.location(number));
    if (part.union_of(number) != nullptr) location.on_host = 0;
    made = pruned_term(term, *part.lists[number], location,
                       index.lengths + part.texts->of(term.field));
    postings_ += made.count;
    return made;
  }

  /// `max`: no contribution of the list is larger; 0: it is not scored.
  void weigh(PrunedTerm& made, double max) {
    if (path_ == PrunedPath::kWindows) return;
    const bool has_codes = made.row.codes != nullptr;
    if (max > 0) made.weight = weight_of(max, has_codes, scale_);
    if (has_codes) {
      sizes_.rows += made.weight != 0 ? 1 : 0;
      return;
    }
    ++sizes_.shorts;
    sizes_.short_tiles += codecs::tile_count(made.count);
  }

  const PrunedPath path_;
  const PlanBinding& binding_;
  const WordLists& words_;
  const double scale_;
  const std::span<PrunedTerm> terms_;
  std::uint64_t postings_ = 0;
  PrunedSizes sizes_;
};

/// `sizes`, which has what the terms of a plan take, with what its results and postings take. Nodes
/// are not counted.
PrunedSizes with_results(PrunedPath path, const PlanBinding& binding, std::uint64_t documents,
                         std::uint64_t postings, PrunedSizes sizes) {
  sizes.queries = 1;
  sizes.stride = largest_k(*binding.plan, documents, postings);
  const bool from_zero = path == PrunedPath::kWindows || !binding.plan->page().first() ||
                         !std::ranges::all_of(binding.parts, &PartBinding::of_what_passes);
  const std::uint32_t least = from_zero ? tuning::kMinWindowFinalists : tuning::kMinFinalists;
  const std::uint64_t room =
      std::max<std::uint64_t>(least, std::uint64_t{sizes.stride} * tuning::kFinalistsPerHit);
  sizes.finalists = std::min(room, postings);
  if (path == PrunedPath::kBounds) {
    sizes.wave_size =
        tuning::first_wave_of(sizes.stride, binding.shards_tell && binding.plan->conjunction());
  }
  return sizes;
}

/// The plan's expression, for each part that has terms.
void add_nodes(const PlanBinding& binding, const WordLists& words, std::span<ScaledPart> parts,
               ScaledPlan& scaled) {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].terms == 0) continue;
    const std::size_t before = scaled.nodes.size();
    append_nodes(*binding.plan, numbers_of(binding, binding.parts[p], words), scaled.nodes);
    parts[p].nodes = static_cast<std::uint32_t>(scaled.nodes.size() - before);
  }
  scaled.sizes.nodes = static_cast<std::uint32_t>(scaled.nodes.size());
}

}  // namespace

ScaledPlan scale_plan(PrunedPath path, const PlanBinding& binding, const PlanBounds& bounds,
                      const SegmentViews& segments, const PlanRoom& room) {
  const double scale = scale_of(path, bounds);
  ScaledPlan scaled;
  scaled.usable = true;
  scaled.number = binding.number;
  scaled.rank = binding.plan->k();
  scaled.scale = static_cast<float>(scale);
  scaled.start = bounds.start;
  scaled.below = binding.plan->page().below;
  scaled.match = match_of(*binding.plan);
  PartScaler scaler(path, binding, bounds.words, scale, room.terms);
  for (std::size_t p = 0; p < binding.parts.size(); ++p) {
    room.parts[p] = scaler.scale(binding.parts[p], segments[p]);
  }
  scaled.parts = room.parts;
  scaled.terms = room.terms.first(scaler.sizes().terms);
  scaled.sizes =
      with_results(path, binding, segments.documents(), scaler.postings(), scaler.sizes());
  if (scaled.match == Match::kExpression) add_nodes(binding, bounds.words, room.parts, scaled);
  return scaled;
}

}  // namespace gannet::query::cuda
