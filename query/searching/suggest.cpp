#include "query/suggest.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/lists/list_table.hpp"
#include "index/text/analyzer.hpp"
#include "query/searching/documents_with.hpp"

namespace gannet::query {
namespace {

/// Once this part of the terms was looked up in other segments, one pass over all terms costs less.
constexpr std::size_t kMergeShare = 32;

/// A key with the documents that have it in all segments.
struct Counted {
  std::uint64_t documents = 0;
  std::string key = {};
};

bool has_more_documents(const Counted& a, const Counted& b) {
  return a.documents != b.documents ? a.documents > b.documents : a.key < b.key;
}

/// The best keys of those that it got.
class Best {
 public:
  explicit Best(std::size_t most) : most_(most) {}

  /// Documents that a key must have at least to be taken, as far as it is known.
  std::uint64_t least() const { return kept_.size() < most_ ? 0 : kept_.front().documents; }
  void add(Counted key) {
    if (kept_.size() == most_) {
      if (!has_more_documents(key, kept_.front())) return;
      std::ranges::pop_heap(kept_, has_more_documents);
      kept_.pop_back();
    }
    kept_.push_back(std::move(key));
    std::ranges::push_heap(kept_, has_more_documents);
  }
  std::vector<Counted> take() {
    std::ranges::sort(kept_, has_more_documents);
    return std::move(kept_);
  }

 private:
  std::size_t most_;
  std::vector<Counted> kept_;  ///< a heap, the worst in front
};

/// The terms of a segment that begin with a prefix, the most frequent first.
class SegmentTerms {
 public:
  SegmentTerms(const index::Segment& segment, std::string_view prefix) : segment_(segment) {
    const index::TermRange range = segment.terms_with_prefix(prefix);
    left_.reserve(static_cast<std::size_t>(range.end - range.first));
    if (!range.empty()) read(range);
    std::ranges::make_heap(left_, worse);
  }

  std::size_t size() const { return left_.size(); }
  /// Of the next term; 0 at the end.
  std::uint64_t documents() const { return left_.empty() ? 0 : left_.front().documents; }
  std::string take_key() {
    std::ranges::pop_heap(left_, worse);
    const index::TermId id = left_.back().id;
    left_.pop_back();
    return segment_.term(id);
  }

 private:
  struct Entry {
    std::uint32_t documents;
    index::TermId id;
  };
  /// Goes through the rows of the list table, which costs less than to look each up.
  void read(const index::TermRange& range) {
    using Table = index::ListTable;
    Table::Cursor rows(segment_.list_table(), range.first / Table::kBlock);
    StopCheck check_stop;
    while (rows.next() && rows.number() < range.end) {
      check_stop();
      if (rows.number() < range.first) continue;
      left_.push_back({rows.row().count, static_cast<index::TermId>(rows.number())});
    }
  }
  static bool worse(const Entry& a, const Entry& b) {
    return a.documents != b.documents ? a.documents < b.documents : a.id > b.id;
  }

  const index::Segment& segment_;
  std::vector<Entry> left_;  ///< a heap
};

/// The threshold algorithm (Fagin, Lotem and Naor 2001): terms come in the order of their
/// frequencies in single segments, until no term that has not come can be better. Nothing if that
/// takes long.
std::optional<std::vector<Counted>> by_threshold(const index::Index& index,
                                                 std::vector<SegmentTerms> segments,
                                                 std::size_t most) {
  std::size_t terms = 0;
  for (const SegmentTerms& segment : segments) terms += segment.size();
  std::size_t patience = segments.size() == 1 ? terms : most + terms / kMergeShare;
  Best best(most);
  std::unordered_set<std::string> known;
  const auto next_of = [](const SegmentTerms& segment) { return segment.documents(); };
  StopCheck check_stop;
  while (true) {
    check_stop();
    std::uint64_t threshold = 0;
    for (const SegmentTerms& segment : segments) threshold += segment.documents();
    if (threshold == 0 || threshold < best.least()) return best.take();
    // In one segment terms come in the order of the completions.
    if (segments.size() == 1 && known.size() == most) return best.take();
    if (patience-- == 0) return std::nullopt;
    std::string key = std::ranges::max_element(segments, {}, next_of)->take_key();
    if (!known.insert(key).second) continue;
    const std::uint64_t documents = documents_with(index, key);
    best.add({documents, std::move(key)});
  }
}

/// All terms, merged in bytewise order.
std::vector<Counted> by_merging(const index::Index& index, const std::string& prefix,
                                std::size_t most) {
  struct Walk {
    const index::Segment* segment;
    std::unique_ptr<index::TermWalk> terms;
  };
  std::vector<Walk> walks;
  const auto has_term = [&](const Walk& walk) { return walk.terms->key().starts_with(prefix); };
  for (const auto& segment : index.segments()) {
    Walk walk{segment.get(), segment->walk_terms()};
    if (walk.terms->seek(prefix) && has_term(walk)) walks.push_back(std::move(walk));
  }
  Best best(most);
  StopCheck check_stop;
  while (!walks.empty()) {
    check_stop();
    const auto key_of = [](const Walk& walk) { return walk.terms->key(); };
    Counted least{0, std::string(key_of(*std::ranges::min_element(walks, {}, key_of)))};
    for (Walk& walk : walks) {
      if (walk.terms->key() != least.key) continue;
      least.documents +=
          walk.segment->document_frequency(static_cast<index::TermId>(walk.terms->id()));
      if (!walk.terms->next() || !has_term(walk)) walk.terms = nullptr;
    }
    std::erase_if(walks, [](const Walk& walk) { return walk.terms == nullptr; });
    best.add(std::move(least));
  }
  return best.take();
}

std::vector<Counted> best_keys(const index::Index& index, const std::string& prefix,
                               std::size_t most) {
  std::vector<SegmentTerms> segments;
  for (const auto& segment : index.segments()) segments.emplace_back(*segment, prefix);
  if (auto best = by_threshold(index, std::move(segments), most)) return std::move(*best);
  return by_merging(index, prefix, most);
}

void check_text(const index::Index& index, std::uint32_t text) {
  if (text == index::kMainText) return;
  const auto& fields = index.schema().fields();
  if (text >= fields.size() || !fields[text].is_text()) {
    throw UsageError("suggest: field " + std::to_string(text) + " of the index is no text");
  }
}

}  // namespace

std::vector<Completion> suggest(const index::Index& index, std::string_view typed,
                                const SuggestOptions& options) {
  check_text(index, options.text);
  const bool main = options.text == index::kMainText;
  const std::optional<index::Analyzer> own =
      main ? std::optional<index::Analyzer>(index.analyzer()) : std::nullopt;
  const index::Analyzer& analyzer = main ? *own : index.text_analyzer(options.text);
  std::string word;
  std::size_t begin = 0;
  analyzer.tokenize(typed, [&](std::string_view token, std::string_view place) {
    const auto at = static_cast<std::size_t>(place.data() - typed.data());
    const bool last = at + place.size() == typed.size();
    word = last ? analyzer.fold(token) : std::string();
    begin = at;
  });
  std::vector<Completion> completions;
  // In an index with text fields, keys of the main text do not begin with a byte 0.
  if (word.empty() || options.completions == 0) return completions;
  if (main && index.schema().has_text() && word.front() == '\0') return completions;
  const std::string before = main ? std::string() : index::text_key_prefix(options.text);
  for (Counted& best : best_keys(index, before + word, options.completions)) {
    std::string term = best.key.substr(before.size());
    std::string text = std::string(typed.substr(0, begin)) + term;
    completions.push_back({std::move(term), std::move(text), best.documents});
  }
  return completions;
}

}  // namespace gannet::query
