#include "query/cpu/candidate_search.hpp"

#include <algorithm>
#include <array>

#include "codecs/base/cancellation.hpp"
#include "query/bounds/score_run.hpp"
#include "query/cpu/match_costs.hpp"
#include "query/plan/making/expression.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

/// Up to 128 candidates, the driver's postings of a tile, as a bitmap over their slots.
using TileSlots = std::array<std::uint64_t, codecs::kTile / 64>;

bool any(const TileSlots& slots) { return (slots[0] | slots[1]) != 0; }

template <class Visit>
void for_each_slot(const TileSlots& slots, Visit visit) {
  for (std::uint32_t word = 0; word < slots.size(); ++word) {
    for_each_bit(slots[word], [&](std::uint32_t bit) { visit(word * 64 + bit); });
  }
}

/// A term of the plan that an index has, and where its postings are for the current candidates.
struct Probe {
  Probe(const index::Segment& segment, const PlanTerm& plan_term, index::TermId id,
        const KeptLists& kept)
      : stream(segment, id),
        bits(kept.has(id, stream.count()) ? kept.find(id) : nullptr),
        term(&plan_term),
        lengths(segment.text_lengths(plan_term.field).data()) {}

  /// Finds out which of the candidates in `asked` have the term.
  void find(const index::Docid* candidates, const TileSlots& asked) {
    present = {};
    if (bits != nullptr) return look_up(candidates, asked);
    for_each_slot(asked, [&](std::uint32_t slot) {
      if (!stream.seek(candidates[slot]) || stream.docid() != candidates[slot]) return;
      present[slot / 64] |= std::uint64_t{1} << slot % 64;
      postings[slot] = stream.posting();
    });
  }

  /// As find(), in the list's bitmap.
  void look_up(const index::Docid* candidates, const TileSlots& asked) {
    for_each_slot(asked, [&](std::uint32_t slot) {
      const index::Docid docid = candidates[slot];
      present[slot / 64] |= (bits[docid / 64] >> docid % 64 & 1) << slot % 64;
    });
  }

  PostingStream stream;
  const std::uint64_t* bits;  ///< of the list's documents; null: there are none
  const PlanTerm* term;
  const std::uint32_t* lengths;  ///< of its text, by document
  TileSlots present{};
  std::array<std::uint32_t, codecs::kTile> postings;  ///< numbers, for the slots that are present
};

class CandidateSearch {
 public:
  CandidateSearch(const index::Segment& segment, const Plan& plan,
                  std::span<const index::TermId> ids, const KeptLists& kept,
                  const PlanBitmaps& bitmaps, Collector& collector)
      : plan_(plan),
        bitmaps_(bitmaps),
        collector_(collector),
        probe_of_(plan.terms().size(), nullptr) {
    probes_.reserve(ids.size());
    const std::vector<bool> decides = deciding_terms();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool asked = decides[i] || (plan.want() == Want::kTopK && plan.terms()[i].scored());
      if (ids[i] == kNoTerm || !asked) continue;
      probes_.emplace_back(segment, plan.terms()[i], ids[i], kept);
      probe_of_[i] = &probes_.back();
    }
    sort_probes(decides);
  }

  void run(DocidRange range, const std::stop_token& stop) {
    PostingStream& driver = required_.front()->stream;
    driver.seek(range.begin);
    driver.take_until(range.end,
                      [&](const index::Docid* docids, std::uint32_t n, std::uint32_t posting) {
                        throw_if_stopped(stop);
                        search(docids, n, posting);
                      });
    count_tiles();
  }

  /// The documents that pass the filter are the candidates.
  void run_filter(DocidRange range, const std::stop_token& stop) {
    std::array<index::Docid, codecs::kTile> candidates{};
    std::uint64_t next = bitmaps_.next(range.begin, range.end);
    while (next < range.end) {
      throw_if_stopped(stop);
      std::uint32_t n = 0;
      for (; n < candidates.size() && next < range.end; next = bitmaps_.next(next + 1, range.end)) {
        candidates[n++] = static_cast<index::Docid>(next);
      }
      narrow(candidates.data(), first_slots(n), 0);
    }
    ++collector_.filter.driven;
    count_tiles();
  }

 private:
  std::vector<bool> deciding_terms() const {
    std::vector<bool> decides(plan_.terms().size(), false);
    for (const Node& node : plan_.expression()) {
      if (node.kind == Node::Kind::kTerm) decides[node.operand] = true;
    }
    return decides;
  }

  /// Required terms narrow the candidates, the rarest first; then the rest of the expression
  /// decides; then come the terms that only add to the score.
  void sort_probes(const std::vector<bool>& decides) {
    const bool only_and = std::ranges::all_of(plan_.expression(), [](const Node& node) {
      return node.kind == Node::Kind::kTerm || node.kind == Node::Kind::kAnd;
    });
    for (std::size_t i = 0; i < plan_.terms().size(); ++i) {
      Probe* probe = probe_of_[i];
      if (probe == nullptr) continue;
      if (plan_.terms()[i].required) {
        required_.push_back(probe);
      } else if (decides[i]) {
        deciding_.push_back(probe);
      } else if (plan_.terms()[i].scored()) {
        optional_.push_back(probe);
      }
    }
    // A chain of AND holds if all its terms are there.
    needs_evaluation_ = !only_and || !deciding_.empty();
    const auto count = [](const Probe* probe) { return probe->stream.count(); };
    std::ranges::stable_sort(required_, {}, count);
  }

  void count_tiles() {
    for (const Probe& probe : probes_) collector_.tiles_decoded += probe.stream.tiles_decoded();
  }

  void search(const index::Docid* candidates, std::uint32_t n, std::uint32_t posting) {
    TileSlots passing = first_slots(n);
    if (bitmaps_.filters()) keep_passing(candidates, passing);
    if (!any(passing)) return;
    take_driver(passing, n, posting);
    narrow(candidates, passing, 1);
  }

  void keep_passing(const index::Docid* candidates, TileSlots& slots) const {
    for_each_slot(slots, [&](std::uint32_t slot) {
      if (!bitmaps_.passes(candidates[slot])) slots[slot / 64] ^= std::uint64_t{1} << slot % 64;
    });
  }

  /// Keeps the candidates that match: the first `known` required terms are known to be there.
  void narrow(const index::Docid* candidates, TileSlots matching, std::size_t known) {
    for (std::size_t i = known; i < required_.size() && any(matching); ++i) {
      required_[i]->find(candidates, matching);
      matching = required_[i]->present;
    }
    if (!any(matching)) return;
    if (needs_evaluation_) decide(candidates, matching);
    if (plan_.want() == Want::kTopK) {
      rank(candidates, matching);
    } else if (plan_.want() == Want::kCount) {
      for (const std::uint64_t word : matching) collector_.add_matches(0, word);
    } else {
      for_each_slot(matching,
                    [&](std::uint32_t slot) { collector_.add_matches(candidates[slot], 1); });
    }
  }

  static TileSlots first_slots(std::uint32_t n) {
    TileSlots slots{};
    for (std::uint32_t word = 0; word < slots.size(); ++word) {
      const std::uint32_t bits = std::clamp(n, word * 64, word * 64 + 64) - word * 64;
      slots[word] = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    }
    return slots;
  }

  void take_driver(const TileSlots& slots, std::uint32_t n, std::uint32_t posting) {
    Probe& driver = *required_.front();
    driver.present = slots;
    for (std::uint32_t slot = 0; slot < n; ++slot) driver.postings[slot] = posting + slot;
  }

  void decide(const index::Docid* candidates, TileSlots& matching) {
    for (Probe* probe : deciding_) probe->find(candidates, matching);
    for (std::uint32_t word = 0; word < matching.size(); ++word) {
      matching[word] &= evaluate(
          plan_.expression().data(), static_cast<std::uint32_t>(plan_.expression().size()),
          WordStack<std::uint64_t>(),
          [&](std::uint32_t term) {
            return probe_of_[term] == nullptr ? 0 : probe_of_[term]->present[word];
          },
          [&](std::uint32_t number) {
            return passing(number, candidates + std::size_t{word} * 64, matching[word]);
          });
    }
  }

  /// Which of 64 candidates, of those in `asked`, pass a predicate.
  std::uint64_t passing(std::uint32_t number, const index::Docid* candidates,
                        std::uint64_t asked) const {
    std::uint64_t found = 0;
    for_each_bit(asked, [&](std::uint32_t bit) {
      const index::Docid docid = candidates[bit];
      found |= (bitmaps_.predicate(number, docid / 64) >> docid % 64 & 1) << bit;
    });
    return found;
  }

  void rank(const index::Docid* candidates, const TileSlots& matching) {
    for (Probe* probe : optional_) probe->find(candidates, matching);
    std::array<float, codecs::kTile> scores{};
    // Probes are in the order of the plan's terms: the canonical order of the additions.
    for (Probe& probe : probes_) {
      if (probe.term->scored()) add_scores(probe, candidates, matching, scores);
    }
    for_each_slot(matching, [&](std::uint32_t slot) {
      collector_.add_scored(candidates[slot], scores[slot]);
    });
  }

  void add_scores(Probe& probe, const index::Docid* candidates, const TileSlots& matching,
                  std::array<float, codecs::kTile>& scores) const {
    const TileSlots both{matching[0] & probe.present[0], matching[1] & probe.present[1]};
    ScoreRun run;
    std::uint32_t n = 0;
    for_each_slot(both, [&](std::uint32_t slot) {
      run.frequencies[n] = probe.stream.frequency(probe.postings[slot]);
      run.lengths[n++] = probe.lengths[candidates[slot]];
    });
    run.score(n, probe.term->shared, probe.term->constants);
    n = 0;
    for_each_slot(both, [&](std::uint32_t slot) {
      scores[slot] = codecs::rounded_add(scores[slot], run.scores[n++]);
    });
  }

  const Plan& plan_;
  const PlanBitmaps& bitmaps_;
  Collector& collector_;
  std::vector<Probe> probes_;     ///< of the plan's terms that the index has
  std::vector<Probe*> probe_of_;  ///< by term of the plan; null for a term that the index has not
  std::vector<Probe*> required_;  ///< rarest first
  std::vector<Probe*> deciding_;  ///< the other terms of the expression
  std::vector<Probe*> optional_;  ///< terms that only add to the score
  bool needs_evaluation_ = false;
};

}  // namespace

void search_candidates(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, const KeptLists& kept,
                       const PlanBitmaps& bitmaps, DocidRange range, const std::stop_token& stop,
                       Collector& collector) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (plan.terms()[i].required && ids[i] == kNoTerm) return;
  }
  CandidateSearch search(segment, plan, ids, kept, bitmaps, collector);
  if (filter_drives(segment, plan, ids, kept, bitmaps)) {
    search.run_filter(range, stop);
  } else {
    search.run(range, stop);
  }
}

bool filter_drives(const index::Segment& segment, const Plan& plan,
                   std::span<const index::TermId> ids, const KeptLists& kept,
                   const PlanBitmaps& bitmaps) {
  if (!bitmaps.filters()) return false;
  if (plan.want() != Want::kTopK) {
    std::vector<std::uint32_t> counts(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != kNoTerm) counts[i] = segment.document_frequency(ids[i]);
    }
    const MatchCosts costs(segment, plan, ids, counts, kept, bitmaps.passing());
    return costs.filtered < std::min(costs.bitmaps, costs.driven);
  }
  std::uint64_t terms = 0;
  std::uint64_t postings = 0;
  std::uint64_t rarest = ~std::uint64_t{0};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == kNoTerm) continue;
    const std::uint64_t count = segment.document_frequency(ids[i]);
    ++terms;
    postings += count;
    if (plan.terms()[i].required) rarest = std::min(rarest, count);
  }
  // A required term drives as well, and is not looked up then.
  if (plan.has_required()) return bitmaps.passing() * 2 < rarest;
  return bitmaps.passing() * terms * kLookUpCost < postings + bitmaps.documents() / 64;
}

}  // namespace gannet::query
