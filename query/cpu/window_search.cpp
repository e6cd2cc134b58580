#include "query/cpu/window_search.hpp"

#include <algorithm>
#include <optional>

#include "codecs/base/cancellation.hpp"
#include "query/bounds/score_run.hpp"
#include "query/cpu/word_scores.hpp"
#include "query/plan/making/expression.hpp"

namespace gannet::query {
namespace {

/// A term of the plan that the window search reads.
struct Source {
  PostingStream stream;
  bool scored;  ///< its scores are wanted
  const PlanTerm* term;
  const std::uint32_t* lengths;      ///< of its text, by document
  std::optional<std::uint32_t> row;  ///< where its bitmap goes, if the expression needs one
};

class WindowSearch {
 public:
  WindowSearch(const index::Segment& segment, const Plan& plan, std::span<const index::TermId> ids,
               const PlanBitmaps& bitmaps, Accumulators& window, Collector& collector)
      : plan_(plan),
        bitmaps_(bitmaps),
        window_(window),
        collector_(collector),
        words_(segment, plan, ids) {
    by_score_ = plan.disjunction();
    const std::vector<bool> decides = deciding_terms();
    row_of_.assign(ids.size(), kNoRow);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const PlanTerm& term = plan.terms()[i];
      const bool scored = plan.words().empty() && term.scored();
      if (ids[i] == kNoTerm || !(scored || decides[i])) continue;
      const std::optional<std::uint32_t> row = row_for(i, decides[i]);
      sources_.push_back({PostingStream(segment, ids[i]), scored, &term,
                          segment.text_lengths(term.field).data(), row});
    }
    window_.use_rows(rows_);
  }

  void run(DocidRange range, const std::stop_token& stop) {
    for (Source& source : sources_) source.stream.seek(range.begin);
    words_.seek(range.begin);
    for (std::uint64_t begin = next_window(range.begin, range.end); begin < range.end;
         begin = next_window(begin + kScoreWindow, range.end)) {
      throw_if_stopped(stop);
      begin_ = static_cast<index::Docid>(begin);
      end_ = static_cast<index::Docid>(std::min<std::uint64_t>(begin + kScoreWindow, range.end));
      for (Source& source : sources_) fill(source);
      words_.add(begin_, end_, window_);
      for (std::uint32_t block = 0; block * 64 < end_ - begin_; ++block) {
        collect(block);
        window_.clear_block(block);
      }
    }
    for (const Source& source : sources_) collector_.tiles_decoded += source.stream.tiles_decoded();
    collector_.tiles_decoded += words_.tiles_decoded();
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;

  std::vector<bool> deciding_terms() const {
    std::vector<bool> decides(plan_.terms().size(), false);
    for (const Node& node : plan_.expression()) {
      if (node.kind == Node::Kind::kTerm) decides[node.operand] = true;
    }
    return decides;
  }

  std::optional<std::uint32_t> row_for(std::size_t term, bool decides) {
    if (!decides || by_score_) return std::nullopt;
    row_of_[term] = rows_;
    return rows_++;
  }

  /// The first window, from `begin` on, that can hold a match and a document that passes the
  /// filter.
  std::uint64_t next_window(std::uint64_t begin, std::uint64_t end) {
    if (!bitmaps_.filters()) return next_window(begin);
    while ((begin = next_window(begin)) < end) {
      const std::uint64_t passing = bitmaps_.next(begin, end) / kScoreWindow * kScoreWindow;
      if (passing <= begin) break;
      begin = passing;
      skip_before(begin);
    }
    return begin;
  }

  /// Passes the postings of windows that are left out.
  void skip_before(std::uint64_t begin) {
    for (Source& source : sources_) source.stream.seek(static_cast<index::Docid>(begin));
    words_.seek(static_cast<index::Docid>(begin));
  }

  /// The first window, from `begin` on, that can hold a match.
  std::uint64_t next_window(std::uint64_t begin) {
    if (plan_.matches_absent()) return begin;
    std::uint64_t next = ~std::uint64_t{0};
    for (Source& source : sources_) {
      if (!source.stream.at_end()) next = std::min<std::uint64_t>(next, source.stream.docid());
    }
    return next == ~std::uint64_t{0} ? next : std::max(begin, next / kScoreWindow * kScoreWindow);
  }

  void fill(Source& source) {
    source.stream.take_until(
        end_, [&](const index::Docid* docids, std::uint32_t n, std::uint32_t posting) {
          if (source.scored) add_scores(docids, source.stream.frequencies(posting), n, source);
          if (source.row) add_bits(docids, n, window_.row(*source.row));
        });
  }

  void add_scores(const index::Docid* docids, const std::uint32_t* frequencies, std::uint32_t n,
                  const Source& source) {
    ScoreRun run;
    std::copy_n(frequencies, n, run.frequencies);
    for (std::uint32_t i = 0; i < n; ++i) run.lengths[i] = source.lengths[docids[i]];
    run.score(n, source.term->shared, source.term->constants);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t slot = docids[i] - begin_;
      window_.score(slot) = codecs::rounded_add(window_.score(slot), run.scores[i]);
      window_.touch(slot);
    }
  }

  void add_bits(const index::Docid* docids, std::uint32_t n, std::uint64_t* row) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t slot = docids[i] - begin_;
      row[slot / 64] |= std::uint64_t{1} << slot % 64;
      window_.touch(slot);
    }
  }

  void collect(std::uint32_t block) {
    if (!window_.touched(block) && !plan_.matches_absent()) return;
    const std::uint64_t passing = bitmaps_.word(begin_ / 64 + block);
    if (passing == 0) return;
    if (by_score_) {
      collect_scored(block, passing);
    } else {
      collect_matching(block, passing & matches(block));
    }
  }

  void collect_scored(std::uint32_t block, std::uint64_t passing) {
    const float* scores = window_.scores(block);
    // As integers: documents without a score are negative, the others are ordered as their scores
    // are.
    const auto floor = static_cast<std::int32_t>(collector_.top.floor_score());
    // Most blocks have no candidate: this loop is vectorised.
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < 64; ++i)
      any |= std::bit_cast<std::int32_t>(scores[i]) >= floor ? 1 : 0;
    if (any == 0) return;
    std::uint64_t candidates = 0;
    for (std::uint32_t i = 0; i < 64; ++i) {
      const bool candidate = std::bit_cast<std::int32_t>(scores[i]) >= floor;
      candidates |= std::uint64_t{candidate} << i;
    }
    for_each_bit(candidates & passing, [&](std::uint32_t i) {
      collector_.add_scored(begin_ + block * 64 + i, scores[i]);
    });
  }

  void collect_matching(std::uint32_t block, std::uint64_t matching) {
    const index::Docid first = begin_ + block * 64;
    const float* scores = window_.scores(block);
    for_each_bit(matching, [&](std::uint32_t i) {
      collector_.add_scored(first + i, codecs::rounded_add(scores[i], 0.0f));  // -0 becomes 0
    });
  }

  std::uint64_t matches(std::uint32_t block) {
    const std::uint32_t documents = std::min(64u, end_ - begin_ - block * 64);
    const std::uint64_t inside =
        documents == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << documents) - 1;
    if (!window_.touched(block) && plan_.predicates().empty()) return inside;
    return inside & evaluate(
                        plan_.expression().data(),
                        static_cast<std::uint32_t>(plan_.expression().size()),
                        WordStack<std::uint64_t>(),
                        [&](std::uint32_t term) {
                          return row_of_[term] == kNoRow ? 0 : window_.row(row_of_[term])[block];
                        },
                        [&](std::uint32_t number) {
                          return bitmaps_.predicate(number, begin_ / 64 + block);
                        });
  }

  const Plan& plan_;
  const PlanBitmaps& bitmaps_;
  Accumulators& window_;
  Collector& collector_;
  WordScores words_;
  std::vector<Source> sources_;
  std::vector<std::uint32_t> row_of_;  ///< by term of the plan
  std::uint32_t rows_ = 0;
  bool by_score_ = false;   ///< a document of a disjunction matches if it has a score at all
  index::Docid begin_ = 0;  ///< of the current window
  index::Docid end_ = 0;
};

}  // namespace

void search_windows(const index::Segment& segment, const Plan& plan,
                    std::span<const index::TermId> ids, const PlanBitmaps& bitmaps,
                    DocidRange range, const std::stop_token& stop, Accumulators& accumulators,
                    Collector& collector) {
  WindowSearch(segment, plan, ids, bitmaps, accumulators, collector).run(range, stop);
}

}  // namespace gannet::query
