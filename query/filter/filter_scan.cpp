#include "query/filter/filter_scan.hpp"

#include <algorithm>

#include "index/fields/reading/bitmap_rows.hpp"
#include "index/segment/live_documents.hpp"

namespace gannet::query {
namespace {

using index::FieldBlock;
using index::FieldColumn;
using FilterKind = SegmentFilter::Kind;
using Words = std::span<std::uint64_t>;

/// Of documents [begin, end): all pass.
void fill(Words words, std::uint32_t documents) {
  std::ranges::fill(words, ~std::uint64_t{0});
  if (documents % 64 != 0) words.back() = (std::uint64_t{1} << documents % 64) - 1;
}

void clear(Words words) { std::ranges::fill(words, std::uint64_t{0}); }

bool any(Words words) {
  return std::ranges::any_of(words, [](std::uint64_t word) { return word != 0; });
}

}  // namespace

void FilterScan::run(const SegmentFilter& filter, std::uint32_t chunk, std::uint32_t documents,
                     Words words) {
  decoded_ = {};  // columns of the call before may be gone
  const std::uint32_t begin = chunk * kFilterChunk;
  const std::uint32_t end = begin + std::min(documents - begin, kFilterChunk);
  evaluate(filter, {begin, end}, words.first((end - begin + 63) / 64));
}

void FilterScan::evaluate(const SegmentFilter& filter, Place place, Words words) {
  switch (filter.kind) {
    case FilterKind::kAll:
      return fill(words, place.end - place.begin);
    case FilterKind::kNone:
      return clear(words);
    case FilterKind::kCodes:
      return filter.column->multi() ? scan_values(filter, place, words)
                                    : scan(filter, place, words);
    case FilterKind::kLive:
      std::ranges::copy(filter.live->words().subspan(place.begin / 64, words.size()),
                        words.begin());
      return;
    case FilterKind::kAnd:
    case FilterKind::kOr:
      return evaluate_chain(filter, place, words);
    case FilterKind::kNot:
      break;
  }
  evaluate(filter.parts.front(), place, words);
  std::vector<std::uint64_t> inside(words.size());
  fill(inside, place.end - place.begin);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = ~words[i] & inside[i];
}

/// An AND that nothing passes any more is decided, and needs no further column.
void FilterScan::evaluate_chain(const SegmentFilter& filter, Place place, Words words) {
  evaluate(filter.parts.front(), place, words);
  std::vector<std::uint64_t> more(words.size());
  for (std::size_t part = 1; part < filter.parts.size(); ++part) {
    if (filter.kind == FilterKind::kAnd && !any(words)) return;
    evaluate(filter.parts[part], place, more);
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = filter.kind == FilterKind::kAnd ? words[i] & more[i] : words[i] | more[i];
    }
  }
}

/// One value a document: the chunk is a block.
void FilterScan::scan(const SegmentFilter& filter, Place place, Words words) {
  const FieldColumn& column = *filter.column;
  if (column.texts() != nullptr) {
    fill(words, place.end - place.begin);  // filters know no more of texts than that they are there
  } else {
    if (!find_in_block(filter, place.begin / index::kFieldBlock)) return clear(words);
    std::copy_n(bits_.begin(), words.size(), words.begin());
  }
  if (column.present().empty()) return;
  const auto present = column.present().subspan(place.begin / 64, words.size());
  for (std::size_t i = 0; i < words.size(); ++i) words[i] &= present[i];
}

/// Several values per document: one that passes is enough. A chunk's values lie in a run of blocks.
void FilterScan::scan_values(const SegmentFilter& filter, Place place, Words words) {
  const auto starts = filter.column->starts();
  const auto blocks = filter.column->blocks();
  clear(words);
  std::uint32_t document = place.begin;
  const std::uint32_t end = starts[place.end];
  for (std::size_t b = starts[place.begin] / index::kFieldBlock; b < blocks.size(); ++b) {
    const std::uint64_t first = blocks[b].first;
    const std::uint64_t behind = first + blocks[b].count;
    if (first >= end) break;
    const bool some = find_in_block(filter, b);
    // A document whose values go on in the next block is looked at again there.
    for (; document < place.end && starts[document] < behind; ++document) {
      const std::uint64_t stop = std::min<std::uint64_t>(starts[document + 1], behind);
      bool found = false;
      for (std::uint64_t i = std::max<std::uint64_t>(starts[document], first); some && i < stop;
           ++i)
        found = found || (bits_[(i - first) / 64] >> (i - first) % 64 & 1) != 0;
      const std::uint32_t slot = document - place.begin;
      words[slot / 64] |= std::uint64_t{found} << slot % 64;
      if (starts[document + 1] > behind) break;
    }
  }
}

bool FilterScan::find_in_block(const SegmentFilter& filter, std::size_t block) {
  const FieldBlock& known = filter.column->blocks()[block];
  if (known.least > known.greatest || filter.codes.holds_none(known.least, known.greatest)) {
    return false;
  }
  const std::size_t words = (known.count + 63) / 64;
  bits_.resize(kFilterChunkWords);
  if (filter.codes.holds_all(known.least, known.greatest)) {
    fill(Words(bits_).first(words), known.count);
  } else if (filter.column->bitmaps() != nullptr) {
    find_rows(filter, block, words);
  } else if (filter.column->code_limit() <= std::uint64_t{1} << 32) {
    find_codes(filter, block, codes32_);
  } else {
    find_codes(filter, block, codes64_);
  }
  return true;
}

void FilterScan::find_rows(const SegmentFilter& filter, std::size_t block, std::size_t words) {
  const index::BitmapBlock bitmaps = filter.column->bitmaps()->block(block);
  clear(Words(bits_).first(words));
  for (std::uint32_t i = 0; i < bitmaps.size(); ++i) {
    const std::uint32_t code = bitmaps.code(i);
    if (filter.codes.holds_all(code, code)) index::add_rows(bitmaps.atoms(i), bits_);
  }
}

template <class Code>
void FilterScan::find_codes(const SegmentFilter& filter, std::size_t block,
                            std::vector<Code>& codes) {
  const FieldBlock& known = filter.column->blocks()[block];
  if (decoded_.column != filter.column || decoded_.block != block) {
    decoded_ = {};
    codes.resize(index::kFieldBlock);
    filter.column->decode(block, codes.data());
    decoded_ = {filter.column, block};
    ++blocks_decoded_;
  }
  filter.codes.find(codes.data(), known.count, known.least, known.greatest, bits_.data());
}

}  // namespace gannet::query
