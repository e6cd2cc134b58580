#include "query/columns/counting/merged_counts.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/columns/access/field_access.hpp"

namespace gannet::query {
namespace {

/// Parts that each worker takes, one after the other: they are not all of one size.
constexpr std::size_t kValuePartsPerWorker = 8;
/// Counts that a part is worth.
constexpr std::size_t kCountsPerPart = 1024;
/// Values between two looks at the stop token.
constexpr std::uint32_t kValuesPerLook = 1024;

using CountSpan = std::span<const NumberCount>;

/// The counts of one segment with their values, in order.
class ValueStream {
 public:
  ValueStream(const index::FieldColumn& column, CountSpan counts)
      : column_(column),
        counts_(counts),
        strings_(column.dictionary() == nullptr ? nullptr : column.dictionary()->reader()) {
    load();
  }

  bool at_end() const { return at_ == counts_.size(); }
  void next() {
    ++at_;
    load();
  }
  std::uint64_t count() const { return counts_[at_].count; }
  std::uint64_t key() const { return key_; }
  /// Valid until next().
  std::string_view text() const { return text_; }

 private:
  void load() {
    if (at_end()) return;
    const std::uint64_t code = counts_[at_].number;
    if (strings_ == nullptr) {
      key_ = column_.keys().key(code);
      return;
    }
    if (code >= column_.dictionary()->size()) fail_code(column_);
    text_ = strings_->go_to(static_cast<std::uint32_t>(code));
  }

  const index::FieldColumn& column_;
  CountSpan counts_;
  std::unique_ptr<index::KeywordReader> strings_;  ///< null: no keywords
  std::size_t at_ = 0;
  std::uint64_t key_ = 0;  ///< of keywords 0
  std::string_view text_;
};

/// For heaps: whether `a`'s value comes after `b`'s.
bool comes_after(const ValueStream* a, const ValueStream* b) {
  return std::forward_as_tuple(a->key(), a->text()) > std::forward_as_tuple(b->key(), b->text());
}

bool comes_first(const ValueCount& a, const ValueCount& b) { return a.before(b); }

/// The n best of values that come in ascending order.
class BestValues {
 public:
  BestValues(std::size_t n, std::uint64_t least) : n_(n), least_(least) {}

  void add(std::uint64_t key, const std::string& text, std::uint64_t count) {
    if (count < least_) return;
    best_.push_back({text, key, count});
    std::ranges::push_heap(best_, comes_first);
    if (best_.size() <= n_) return;
    std::ranges::pop_heap(best_, comes_first);
    best_.pop_back();
    least_ = best_.front().count + 1;  // of values that occur alike the first are kept
  }
  std::vector<ValueCount> take() { return std::move(best_); }

 private:
  std::size_t n_;
  std::uint64_t least_;
  std::vector<ValueCount> best_;  ///< a heap, the last one in front
};

/// Goes through the values of some parts of segments' counts: visit(key, text, count).
template <class Visit>
void merge_values(std::vector<ValueStream> streams, const std::stop_token& stop,
                  const Visit& visit) {
  std::vector<ValueStream*> heap;
  for (ValueStream& stream : streams) {
    if (!stream.at_end()) heap.push_back(&stream);
  }
  std::ranges::make_heap(heap, comes_after);
  std::uint32_t steps = 0;
  std::string text;
  while (!heap.empty()) {
    if (++steps % kValuesPerLook == 0) throw_if_stopped(stop);
    const std::uint64_t key = heap.front()->key();
    text = heap.front()->text();
    std::uint64_t count = 0;
    while (!heap.empty() && heap.front()->key() == key && heap.front()->text() == text) {
      std::ranges::pop_heap(heap, comes_after);
      ValueStream& stream = *heap.back();
      count += stream.count();
      stream.next();
      if (stream.at_end()) {
        heap.pop_back();
      } else {
        std::ranges::push_heap(heap, comes_after);
      }
    }
    visit(key, text, count);
  }
}

/// Cuts all counts at the same values.
class ValueParts {
 public:
  ValueParts(const ColumnContext& context, std::size_t field,
             std::span<const std::vector<NumberCount>> counts)
      : context_(context), field_(field), counts_(counts) {
    std::size_t all = 0;
    for (std::size_t s = 0; s < counts.size(); ++s) {
      all += counts[s].size();
      if (counts[s].size() > counts[largest_].size()) largest_ = s;
    }
    size_ =
        std::clamp<std::size_t>(all / kCountsPerPart, 1, kValuePartsPerWorker * context.workers);
  }

  std::size_t size() const { return size_; }

  std::vector<ValueStream> streams(std::size_t part) const {
    std::vector<ValueStream> streams;
    for (std::size_t s = 0; s < counts_.size(); ++s) {
      const std::size_t first = begin_of(part, s);
      const CountSpan all(counts_[s]);
      streams.emplace_back(context_.column(s, field_),
                           all.subspan(first, begin_of(part + 1, s) - first));
    }
    return streams;
  }

 private:
  /// The first count of a segment that is in a part: the largest segment's are cut evenly, and
  /// others' where that part begins.
  std::size_t begin_of(std::size_t part, std::size_t segment) const {
    if (part == 0) return 0;
    if (part == size_) return counts_[segment].size();
    const std::vector<NumberCount>& largest = counts_[largest_];
    const std::size_t cut = largest.size() * part / size_;
    if (segment == largest_) return cut;
    const std::uint64_t code = first_code(segment, largest[cut].number);
    const auto at = std::ranges::lower_bound(counts_[segment], code, {}, &NumberCount::number);
    return static_cast<std::size_t>(at - counts_[segment].begin());
  }

  /// The first code of a segment whose value is not below that of a code of the largest one.
  std::uint64_t first_code(std::size_t segment, std::uint64_t code) const {
    const index::FieldColumn& from = context_.column(largest_, field_);
    const index::FieldColumn& to = context_.column(segment, field_);
    if (to.dictionary() != nullptr) return to.dictionary()->lower_bound(text_of(from, code));
    const std::uint64_t key = from.keys().key(code);
    const auto [base, unit] = to.keys();
    if (key <= base) return 0;
    return (key - base) / unit + ((key - base) % unit == 0 ? 0 : 1);
  }

  const ColumnContext& context_;
  std::size_t field_;
  std::span<const std::vector<NumberCount>> counts_;
  std::size_t largest_ = 0;
  std::size_t size_ = 1;
};

}  // namespace

bool ValueCount::before(const ValueCount& other) const {
  return std::tie(other.count, key, text) < std::tie(count, other.key, other.text);
}

std::vector<ValueCount> largest_sums(const ColumnContext& context, std::size_t field,
                                     std::span<const std::vector<NumberCount>> counts,
                                     std::size_t n, std::uint64_t least) {
  const ValueParts parts(context, field, counts);
  std::vector<std::vector<ValueCount>> found(parts.size());
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    BestValues best(n, least);
    merge_values(parts.streams(part), context.stop,
                 [&](std::uint64_t key, const std::string& text, std::uint64_t count) {
                   best.add(key, text, count);
                 });
    found[part] = best.take();
  });
  std::vector<ValueCount> all;
  for (std::vector<ValueCount>& some : found) {
    std::ranges::move(some, std::back_inserter(all));
  }
  std::ranges::sort(all, comes_first);
  if (all.size() > n) all.resize(n);
  const index::FieldColumn& column = context.column(0, field);
  if (column.dictionary() != nullptr) return all;
  for (ValueCount& value : all) value.text = index::value_text(column.spec(), value.key);
  return all;
}

std::uint64_t count_values(const ColumnContext& context, std::size_t field,
                           std::span<const std::vector<NumberCount>> counts) {
  const ValueParts parts(context, field, counts);
  std::atomic<std::uint64_t> values = 0;
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    std::uint64_t mine = 0;
    merge_values(parts.streams(part), context.stop,
                 [&](std::uint64_t, const std::string&, std::uint64_t) { ++mine; });
    values += mine;
  });
  return values;
}

}  // namespace gannet::query
