#include "index/order/apply/ordered_codes.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <type_traits>

#include "codecs/base/cancellation.hpp"
#include "index/order/column_codes.hpp"

namespace gannet::index {
namespace {

/// What codes are decoded as.
template <class Code>
using Decoded = std::conditional_t<std::is_same_v<Code, char>, std::uint32_t, std::uint64_t>;

/// The document that has the code at a position.
std::uint32_t document_at(const FieldColumn& column, std::uint64_t position) {
  std::uint32_t low = 0;  // the first document that starts behind it lies in [low, high]
  for (std::uint32_t high = column.documents(); low < high;) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (codes_of_document(column, middle).first <= position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

}  // namespace

template <class Code>
OrderedCodes<Code>::OrderedCodes(const Index& index, std::size_t field,
                                 std::span<const Docid> places)
    : locate_(index), places_(places) {
  for (const auto& segment : index.segments()) columns_.push_back(&segment->field(field));
}

template <class Code>
std::uint64_t OrderedCodes<Code>::bytes(LocatedDocument document) const {
  const auto codes = codes_of_document(*columns_[document.segment], document.docid);
  return sizeof(std::uint64_t) + sizeof(Code) * codes.count;
}

template <class Code>
void OrderedCodes<Code>::read(Docid first, std::span<const Docid> order,
                              const std::stop_token& stop) {
  starts_.assign(1, 0);
  for (const Docid docid : order) {
    const LocatedDocument at = locate_(docid);
    starts_.push_back(starts_.back() + codes_of_document(*columns_[at.segment], at.docid).count);
  }
  codes_.resize(starts_.back());
  for (std::size_t s = 0; s < columns_.size(); ++s) {
    tbb::parallel_for(std::size_t{0}, columns_[s]->blocks().size(), [&](std::size_t block) {
      throw_if_stopped(stop);
      take(s, block, first);
    });
  }
}

template <class Code>
void OrderedCodes<Code>::take(std::size_t segment, std::size_t block, Docid first) {
  const FieldColumn& column = *columns_[segment];
  const FieldBlock& range = column.blocks()[block];
  const std::uint64_t end = range.first + range.count;
  std::vector<Decoded<Code>> codes;  // decoded when the run has one of them
  for (std::uint32_t d = document_at(column, range.first); d < column.documents(); ++d) {
    const CodePositions at = codes_of_document(column, d);
    if (at.first >= end) break;
    const Docid place = places_[locate_.base(segment) + d];
    if (at.count == 0 || place < first || place - first >= starts_.size() - 1) continue;
    if (codes.empty()) {
      codes.resize(range.count);
      column.decode(block, codes.data());
    }
    // A document's codes may begin in the block before, and end in a later one.
    const std::uint64_t begin = std::max(at.first, range.first);
    Code* const out = codes_.data() + starts_[place - first] + (begin - at.first);
    std::transform(codes.begin() + static_cast<std::ptrdiff_t>(begin - range.first),
                   codes.begin() + static_cast<std::ptrdiff_t>(std::min(at.first + at.count, end) -
                                                               range.first),
                   out, [](auto code) { return static_cast<Code>(code); });
  }
}

template class OrderedCodes<std::uint64_t>;
template class OrderedCodes<char>;

}  // namespace gannet::index
