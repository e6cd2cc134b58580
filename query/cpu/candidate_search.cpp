#include "query/cpu/candidate_search.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "query/bounds/score_run.hpp"
#include "query/bounds/word_in_text.hpp"
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

  /// Finds out which of the candidates in `asked` have the term, unless it was asked for this batch
  /// of candidates before, about these and maybe others.
  void find(const index::Docid* candidates, const TileSlots& asked, std::uint64_t number) {
    if (batch == number) return;
    batch = number;
    present = {};
    if (bits != nullptr) return look_up(candidates, asked);
    for_each_slot(asked, [&](std::uint32_t slot) {
      if (!stream.seek(candidates[slot]) || stream.docid() != candidates[slot]) return;
      add(slot, stream.posting());
    });
  }

  /// As find(), in the list's bitmap.
  void look_up(const index::Docid* candidates, const TileSlots& asked) {
    for_each_slot(asked, [&](std::uint32_t slot) {
      const index::Docid docid = candidates[slot];
      present[slot / 64] |= (bits[docid / 64] >> docid % 64 & 1) << slot % 64;
    });
  }

  void add(std::uint32_t slot, std::uint32_t posting) {
    present[slot / 64] |= std::uint64_t{1} << slot % 64;
    postings[slot] = posting;
  }

  PostingStream stream;
  const std::uint64_t* bits;  ///< of the list's documents; null: there are none
  const PlanTerm* term;
  const std::uint32_t* lengths;  ///< of its text, by document
  std::uint64_t batch = 0;       ///< of candidates that it was asked about last
  TileSlots present{};
  std::array<std::uint32_t, codecs::kTile> postings;  ///< numbers, for the slots that are present
};

/// A word of BM25F in the texts that have it.
struct ScoredWord {
  float factor;
  std::vector<std::pair<Probe*, WordInText>> texts;
};

/// A clause's terms that the index has.
struct ClauseProbes {
  std::span<Probe* const> probes;
  std::uint64_t count = 0;  ///< postings
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
    const bool ranked = plan.want() == Want::kTopK;
    const std::vector<bool> decides = ranked ? std::vector<bool>() : deciding_terms();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] == kNoTerm || !(ranked || decides[i])) continue;
      probes_.emplace_back(segment, plan.terms()[i], ids[i], kept);
      probe_of_[i] = &probes_.back();
    }
    sort_probes();
    if (ranked) take_words();
  }

  void run(DocidRange range, const std::stop_token& stop) {
    const auto driver = clauses_.front().probes;
    for (Probe* probe : driver) probe->stream.seek(range.begin);
    if (driver.size() == 1) {
      driver.front()->stream.take_until(
          range.end, [&](const index::Docid* docids, std::uint32_t n, std::uint32_t posting) {
            throw_if_stopped(stop);
            ++batch_;
            take_driver(n, posting);
            search(docids, n);
          });
    } else {
      std::array<index::Docid, codecs::kTile> candidates;
      while (const std::uint32_t n = merge_driver(range.end, candidates)) {
        throw_if_stopped(stop);
        search(candidates.data(), n);
      }
    }
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
      ++batch_;
      narrow(candidates.data(), first_slots(n));
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

  /// Clauses narrow the candidates, the rarest first; then the rest of the expression decides; then
  /// come the terms that only add to the score.
  void sort_probes() {
    std::vector<bool> asked(plan_.terms().size(), false);
    std::size_t terms = 0;
    for (std::size_t c = 0; c < plan_.clauses().size(); ++c) terms += plan_.clauses()[c].size();
    clause_probes_.reserve(terms);  // spans of it stay
    clauses_.reserve(plan_.clauses().size());
    for (std::size_t c = 0; c < plan_.clauses().size(); ++c) {
      const std::size_t begin = clause_probes_.size();
      std::uint64_t count = 0;
      for (const std::uint32_t term : plan_.clauses()[c]) {
        asked[term] = true;
        if (probe_of_[term] == nullptr) continue;
        clause_probes_.push_back(probe_of_[term]);
        count += probe_of_[term]->stream.count();
      }
      clauses_.push_back({std::span(clause_probes_).subspan(begin), count});
    }
    std::ranges::stable_sort(clauses_, {}, &ClauseProbes::count);
    for (const Node& node : plan_.expression()) {
      if (plan_.clauses_decide()) break;
      if (node.kind != Node::Kind::kTerm || asked[node.operand]) continue;
      asked[node.operand] = true;
      if (Probe* const probe = probe_of_[node.operand]) deciding_.push_back(probe);
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (probe_of_[i] != nullptr && !asked[i] && plan_.terms()[i].scored()) {
        optional_.push_back(probe_of_[i]);
      }
    }
  }

  void take_words() {
    for (const QueryWord& word : plan_.words()) {
      ScoredWord& made = words_.emplace_back(ScoredWord{word_factor(plan_, word), {}});
      for (const WordTerm& term : word.terms) {
        Probe* const probe = probe_of_[term.term];
        if (probe != nullptr) made.texts.emplace_back(probe, word_in_text(plan_, term));
      }
    }
  }

  void count_tiles() {
    for (const Probe& probe : probes_) collector_.tiles_decoded += probe.stream.tiles_decoded();
  }

  /// The driver's list has all of a run of postings.
  void take_driver(std::uint32_t n, std::uint32_t posting) {
    Probe& driver = *clauses_.front().probes.front();
    driver.batch = batch_;
    driver.present = first_slots(n);
    for (std::uint32_t slot = 0; slot < n; ++slot) driver.postings[slot] = posting + slot;
  }

  /// The next documents, below `end`, of the driver's lists together; returns their number.
  std::uint32_t merge_driver(index::Docid end,
                             std::array<index::Docid, codecs::kTile>& candidates) {
    ++batch_;
    const auto driver = clauses_.front().probes;
    for (Probe* probe : driver) {
      probe->batch = batch_;
      probe->present = {};
    }
    std::uint32_t n = 0;
    for (; n < candidates.size(); ++n) {
      index::Docid next = end;
      for (Probe* probe : driver) {
        if (!probe->stream.at_end()) next = std::min(next, probe->stream.docid());
      }
      if (next == end) break;
      candidates[n] = next;
      for (Probe* probe : driver) {
        if (probe->stream.at_end() || probe->stream.docid() != next) continue;
        probe->add(n, probe->stream.posting());
        probe->stream.next();
      }
    }
    return n;
  }

  void search(const index::Docid* candidates, std::uint32_t n) {
    TileSlots passing = first_slots(n);
    if (bitmaps_.has_words()) keep_passing(candidates, passing);
    narrow(candidates, passing);
  }

  void keep_passing(const index::Docid* candidates, TileSlots& slots) const {
    for_each_slot(slots, [&](std::uint32_t slot) {
      if (!bitmaps_.passes(candidates[slot])) slots[slot / 64] ^= std::uint64_t{1} << slot % 64;
    });
  }

  /// Keeps the candidates that match.
  void narrow(const index::Docid* candidates, TileSlots matching) {
    for (const ClauseProbes& clause : clauses_) {
      if (!any(matching)) return;
      TileSlots found{};
      for (Probe* probe : clause.probes) {
        probe->find(candidates, matching, batch_);
        found = {found[0] | probe->present[0], found[1] | probe->present[1]};
      }
      matching = both(matching, found);
    }
    if (!any(matching)) return;
    if (!plan_.clauses_decide()) decide(candidates, matching);
    if (bitmaps_.on_candidates()) keep_passing(candidates, matching);  // looked up, so the last
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

  void decide(const index::Docid* candidates, TileSlots& matching) {
    for (Probe* probe : deciding_) probe->find(candidates, matching, batch_);
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

  using Scores = std::array<float, codecs::kTile>;

  void rank(const index::Docid* candidates, const TileSlots& matching) {
    for (Probe* probe : optional_) probe->find(candidates, matching, batch_);
    Scores scores{};
    if (plan_.words().empty()) {
      // Probes are in the order of the plan's terms: the canonical order of the additions.
      for (Probe& probe : probes_) {
        if (probe.term->scored()) add_scores(probe, candidates, matching, scores);
      }
    } else {
      for (const ScoredWord& word : words_) add_word(word, candidates, matching, scores);
    }
    for_each_slot(matching, [&](std::uint32_t slot) {
      collector_.add_scored(candidates[slot], scores[slot]);
    });
  }

  static TileSlots both(const TileSlots& one, const TileSlots& other) {
    return {one[0] & other[0], one[1] & other[1]};
  }

  void add_scores(Probe& probe, const index::Docid* candidates, const TileSlots& matching,
                  Scores& scores) const {
    const TileSlots having = both(matching, probe.present);
    ScoreRun run;
    std::uint32_t n = 0;
    for_each_slot(having, [&](std::uint32_t slot) {
      run.frequencies[n] = probe.stream.frequency(probe.postings[slot]);
      run.lengths[n++] = probe.lengths[candidates[slot]];
    });
    run.score(n, probe.term->shared, probe.term->constants);
    n = 0;
    for_each_slot(having, [&](std::uint32_t slot) {
      scores[slot] = codecs::rounded_add(scores[slot], run.scores[n++]);
    });
  }

  void add_word(const ScoredWord& word, const index::Docid* candidates, const TileSlots& matching,
                Scores& scores) const {
    std::array<WordSum, codecs::kTile> sums{};
    for (const auto& text : word.texts) {
      Probe& probe = *text.first;
      for_each_slot(both(matching, probe.present), [&](std::uint32_t slot) {
        sums[slot].add(text.second, word.factor, probe.stream.frequency(probe.postings[slot]),
                       probe.lengths[candidates[slot]]);
      });
    }
    for_each_slot(matching, [&](std::uint32_t slot) {
      if (sums[slot].texts == 0) return;
      const float score = sums[slot].score(word.factor, plan_.scorer().values[0]);
      scores[slot] = codecs::rounded_add(scores[slot], score);
    });
  }

  const Plan& plan_;
  const PlanBitmaps& bitmaps_;
  Collector& collector_;
  std::vector<Probe> probes_;     ///< of the plan's terms that the index has
  std::vector<Probe*> probe_of_;  ///< by term of the plan; null for a term that the index has not
  std::vector<Probe*> clause_probes_;  ///< clause after clause
  std::vector<ClauseProbes> clauses_;  ///< rarest first
  std::vector<Probe*> deciding_;       ///< other terms of an expression that clauses do not decide
  std::vector<Probe*> optional_;       ///< terms that only add to the score
  std::vector<ScoredWord> words_;
  std::uint64_t batch_ = 0;  ///< number of the current candidates
};

}  // namespace

void search_candidates(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, const KeptLists& kept,
                       const PlanBitmaps& bitmaps, Driver driver, DocidRange range,
                       const std::stop_token& stop, Collector& collector) {
  if (!plan.can_match(ids)) return;
  CandidateSearch search(segment, plan, ids, kept, bitmaps, collector);
  if (driver == Driver::kFilter) {
    search.run_filter(range, stop);
  } else {
    search.run(range, stop);
  }
}

}  // namespace gannet::query
