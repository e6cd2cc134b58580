#include "index/repair/salvaged_segment.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/field_column.hpp"
#include "index/fields/text_terms.hpp"
#include "index/reading/text_lengths.hpp"
#include "index/repair/ascending_terms.hpp"
#include "index/segment/live_documents.hpp"

namespace gannet::index {
namespace {

/// Between two looks at the stop token.
constexpr std::uint64_t kStepsBetweenStops = 4096;

/// Whether a list can be read, and occurs as often as the list table says.
bool is_whole(const SegmentReader& segment, TermId id) {
  try {
    const PostingList list = segment.list(id);
    if (list.is_short()) return true;
    std::vector<std::uint32_t> freqs(list.count);
    list.decode_frequencies(freqs.data());
    const auto sum = std::accumulate(freqs.begin(), freqs.end(), std::uint64_t{0});
    return sum == segment.collection_frequency(id);
  } catch (const FormatError&) {
    return false;
  }
}

/// Whether a term is one of this text.
bool is_key(std::string_view term, std::uint32_t text, const Schema& schema) {
  if (!schema.has_text()) return !term.empty();
  const TextTerm key = split_text_key(term);
  return key.text == text && !key.term.empty();
}

/// Whether all of a column can be read, and its values are such as its field may have.
bool is_whole(const FieldColumn& column, const std::stop_token& stop) {
  if (column.spec().is_text() && !lengths_fit(column)) return false;
  read_column(column, stop);
  return true;
}

}  // namespace

void read_column(const FieldColumn& column, const std::stop_token& stop) {
  std::uint64_t steps = 0;
  const auto look_at_stop = [&] {
    if (steps++ % kStepsBetweenStops == 0) throw_if_stopped(stop);
  };
  std::vector<std::uint64_t> codes(kFieldBlock);
  for (std::size_t b = 0; column.texts() == nullptr && b < column.blocks().size(); ++b) {
    throw_if_stopped(stop);
    column.decode(b, codes.data());
  }
  for (std::uint32_t i = 0; column.dictionary() != nullptr && i < column.dictionary()->size();
       ++i) {
    look_at_stop();
    column.dictionary()->text(i);
  }
  for (std::uint32_t d = 0; column.texts() != nullptr && d < column.documents(); ++d) {
    look_at_stop();
    column.texts()->text(d);
  }
}

SalvagedSegment::SalvagedSegment(const SegmentReader& damaged, const Schema& schema,
                                 Lengths lengths, const std::stop_token& stop)
    : damaged_(damaged),
      statistics_(damaged.statistics()),
      named_(all_live(damaged.statistics().documents)) {
  read_names(stop);
  read_columns(schema, stop);  // before the lists, which are held to lengths of text fields
  read_terms(schema, stop);
  count_lists();
  if (damaged.lengths_are_damaged()) count_lengths(lengths, stop);
  has_positions_ = has_spans_of_fields(schema) && has_main_lengths(lengths);
}

/// Those that were counted are right if they add up to all tokens that there were: a list that is
/// lost leaves a sum too small.
bool SalvagedSegment::has_main_lengths(Lengths lengths) const {
  if (!damaged_.lengths_are_damaged()) return true;
  return lengths == Lengths::kSums &&
         std::accumulate(lengths_.begin(), lengths_.end(), std::uint64_t{0}) == statistics_.tokens;
}

/// Spans are stored as what they have beyond lengths.
bool SalvagedSegment::has_spans_of_fields(const Schema& schema) const {
  if (damaged_.positions() == nullptr) return false;
  for (std::size_t f = 0; f < schema.fields().size(); ++f) {
    if (schema.fields()[f].is_text() && lost_columns_[f] != nullptr) return false;
  }
  return true;
}

/// A text of several values has a longer span than what is stored of it, which is one value.
bool SalvagedSegment::has_spans_of(const Segment& rebuilt) const {
  if (rebuilt.positions() == nullptr) return false;
  try {
    return std::ranges::equal(rebuilt.text_spans(kMainText), text_spans(kMainText));
  } catch (const FormatError&) {
    return false;
  }
}

/// Lengths that were damaged are the sums of what the lists have of their documents.
void SalvagedSegment::count_lengths(Lengths lengths, const std::stop_token& stop) {
  const auto stored = damaged_.document_lengths();
  lengths_.assign(stored.begin(), stored.end());
  std::vector<char> lost(lengths_.size());
  for (Docid d = 0; d < lengths_.size(); ++d) {
    if (damaged_.documents().lengths_are_sound(d, d + 1)) continue;
    ++losses_.lengths;
    if (lengths == Lengths::kOther) continue;
    lost[d] = 1;
    lengths_[d] = 0;
  }
  std::vector<std::uint32_t> docids, freqs;
  for (const TermId id : terms_) {
    throw_if_stopped(stop);
    if (damaged_.text_of(id) != kMainText) continue;
    const PostingList list = damaged_.list(id);
    docids.resize(list.count);
    freqs.resize(list.count);
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    for (std::size_t i = 0; i < docids.size(); ++i) {
      if (lost[docids[i]] != 0) lengths_[docids[i]] += freqs[i];
    }
  }
}

void SalvagedSegment::read_names(const std::stop_token& stop) {
  if (!damaged_.has_ids()) return;
  for (Docid d = 0; d < statistics_.documents; ++d) {
    if (d % kStepsBetweenStops == 0) throw_if_stopped(stop);
    if (damaged_.documents().salvaged_id(d)) continue;
    named_[d / 64] &= ~(std::uint64_t{1} << d % 64);
    ++losses_.documents;
  }
}

void SalvagedSegment::read_terms(const Schema& schema, const std::stop_token& stop) {
  const std::uint64_t count = damaged_.statistics().terms;
  std::vector<char> whole(count);
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count, 16), [&](const auto& range) {
    throw_if_stopped(stop);
    for (std::uint64_t id = range.begin(); id < range.end(); ++id) {
      whole[id] = is_whole(damaged_, static_cast<TermId>(id));
    }
  });
  bool ascending = true;
  std::string previous;
  for (std::uint64_t id = 0; id < count; ++id) {
    if (id % kStepsBetweenStops == 0) throw_if_stopped(stop);
    try {
      std::string term = damaged_.term(static_cast<TermId>(id));
      if (whole[id] == 0 || !is_key(term, damaged_.text_of(static_cast<TermId>(id)), schema)) {
        continue;
      }
      ascending = ascending && previous < term;
      terms_.push_back(static_cast<TermId>(id));
      previous = std::move(term);
    } catch (const FormatError&) {
      // Nobody knows whose list it is.
    }
  }
  if (!ascending) {
    terms_ = longest_ascending(
        terms_, [&](TermId id) { return damaged_.term(id); }, stop);
  }
}

void SalvagedSegment::count_lists() {
  statistics_.terms = terms_.size() + (rebuilt_ == nullptr ? 0 : rebuilt_->statistics().terms);
  statistics_.postings = rebuilt_ == nullptr ? 0 : rebuilt_->statistics().postings;
  for (const TermId id : terms_) statistics_.postings += damaged_.document_frequency(id);
}

bool SalvagedSegment::has_lengths_of(const Segment& rebuilt, const SegmentRecord& written) const {
  const auto now = rebuilt.document_lengths(), before = damaged_.document_lengths();
  if (now.size() != before.size() || rebuilt.statistics().tokens != written.statistics.tokens) {
    return false;
  }
  for (Docid d = 0; d < now.size(); ++d) {
    if (now[d] != before[d] && damaged_.documents().lengths_are_sound(d, d + 1)) return false;
  }
  return true;
}

/// Of the main text: whether the list that can be read is there, too.
bool SalvagedSegment::has_list_of(const Segment& rebuilt, TermId id) const {
  const auto found = rebuilt.find(damaged_.term(id));
  if (!found) return false;
  const PostingList before = damaged_.list(id), now = rebuilt.list(*found);
  if (before.count != now.count) return false;
  std::vector<std::uint32_t> left(before.count), right(before.count);
  before.decode_docids(left.data());
  now.decode_docids(right.data());
  if (left != right) return false;
  before.decode_frequencies(left.data());
  now.decode_frequencies(right.data());
  return left == right;
}

bool SalvagedSegment::take_lists(std::shared_ptr<const Segment> rebuilt,
                                 const SegmentRecord& written, const Schema& schema,
                                 const std::stop_token& stop) {
  if (!has_lengths_of(*rebuilt, written)) return false;
  // Those of text fields are not rebuilt.
  std::vector<TermId> kept;
  std::copy_if(terms_.begin(), terms_.end(), std::back_inserter(kept),
               [&](TermId id) { return damaged_.text_of(id) != kMainText; });
  const std::uint64_t terms = rebuilt->statistics().terms + kept.size();
  const std::uint64_t postings = rebuilt->statistics().postings;
  if (terms > written.statistics.terms || postings > written.statistics.postings) return false;
  if (!schema.has_text() &&
      (terms != written.statistics.terms || postings != written.statistics.postings)) {
    return false;
  }
  std::atomic<bool> same{true};
  tbb::parallel_for(kept.size(), terms_.size(), [&](std::size_t i) {
    throw_if_stopped(stop);
    if (same && !has_list_of(*rebuilt, terms_[i])) same = false;
  });
  if (!same) return false;
  terms_ = std::move(kept);
  rebuilt_ = std::move(rebuilt);
  const auto lengths = rebuilt_->document_lengths();
  lengths_.assign(lengths.begin(), lengths.end());
  has_positions_ = has_spans_of_fields(schema) && has_spans_of(*rebuilt_);
  count_lists();
  return true;
}

void SalvagedSegment::read_columns(const Schema& schema, const std::stop_token& stop) {
  lost_columns_.resize(schema.fields().size());
  tbb::parallel_for(std::size_t{0}, lost_columns_.size(), [&](std::size_t f) {
    try {
      if (damaged_.fields() != nullptr && is_whole(damaged_.field(f), stop)) return;
    } catch (const FormatError&) {
      // Lost as one whose values are wrong.
    }
    lost_columns_[f] = std::make_unique<LostColumn>(
        schema.fields()[f], static_cast<std::uint32_t>(statistics_.documents));
  });
  for (const auto& lost : lost_columns_) losses_.columns += lost == nullptr ? 0 : 1;
}

std::optional<std::string> SalvagedSegment::stored_text(Docid docid) const {
  try {
    if (damaged_.text() != nullptr || !damaged_.has_texts()) return damaged_.stored_text(docid);
  } catch (const FormatError&) {
    // Lost as one of a file that is.
  }
  ++lost_texts_;
  return std::string();
}

const FieldColumn& SalvagedSegment::field(std::size_t number) const {
  const LostColumn* const lost = lost_columns_[number].get();
  return lost == nullptr ? damaged_.field(number) : *lost;
}

void SalvagedSegment::refuse() {
  throw UsageError("a salvaged segment is there to be written again, not to be searched");
}

}  // namespace gannet::index
