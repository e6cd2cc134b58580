// A bitmap index: for every bin of every attribute a WAH vector of the rows whose value is in it.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing", section 2.
//
// Queries are ORs over bins and ANDs over attributes (BitmapQuery). A query in terms of bins is
// exact; one in terms of values is exact where its ends are ends of bins, and bitmap_exact.hpp
// makes it exact elsewhere by looking at the columns. Queries on a GPU:
// device/bitmap_fused.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_bins.hpp"
#include "codecs/wah/wah_vectors.hpp"

namespace gannet::wah {

/// Rows that an index can have.
inline constexpr std::uint64_t kMaxBitmapRows = 0xffffff00u;

/// An AND of clauses; a clause is the OR of its vectors, given by number. A clause without vectors
/// is no row, a query without clauses every row.
struct BitmapQuery {
  std::vector<std::vector<std::uint32_t>> clauses = {};

  /// Vectors of all clauses.
  std::size_t vectors() const {
    std::size_t total = 0;
    for (const auto& clause : clauses) total += clause.size();
    return total;
  }
};

/// All vectors of an index, as plain arrays in host memory: what can be stored or copied to a GPU.
/// Vector v is atoms [first[v], first[v + 1]); attribute a has the vectors [attributes[a],
/// attributes[a + 1]).
template <class Word>
struct BitmapView {
  std::uint64_t rows = 0;
  std::span<const Word> atoms;
  std::span<const std::uint64_t> first;
  std::span<const std::uint32_t> attributes;

  std::uint32_t vectors() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const Word> vector(std::uint32_t v) const {
    return atoms.subspan(first[v], first[v + 1] - first[v]);
  }
};

/// Throws FormatError unless a view that someone else wrote is sound: offsets ascend, every vector
/// is a WAH vector of `rows` rows.
template <class Word>
void validate_bitmap(const BitmapView<Word>& view);

/// Throws UsageError unless every vector of the query is one of the view's.
template <class Word>
void check_query(const BitmapView<Word>& view, const BitmapQuery& query);

/// The rows that a query selects, as a compressed vector; works on the atoms, run by run.
/// Thread-safe. Throws UsageError for vectors that do not exist.
template <class Word>
std::vector<Word> evaluate(const BitmapView<Word>& view, const BitmapQuery& query);

/// How many rows a query selects; the clauses are ORed in plain groups, which is the faster way
/// where vectors do not compress. Thread-safe. Throws UsageError for vectors that do not exist.
template <class Word>
std::uint64_t count_rows(const BitmapView<Word>& view, const BitmapQuery& query);

/// The row ids, ascending, of a compressed vector.
template <class Word>
std::vector<std::uint32_t> row_ids(std::span<const Word> atoms);

/// Values of one attribute that a query wants: from `least` to `most`, both included.
struct ValueRange {
  std::uint32_t attribute = 0;
  BinKey least = {};
  BinKey most = {};
};

/// Owns the vectors and the bins. Reading is thread-safe. `Word` (std::uint32_t or std::uint64_t)
/// is the type of the atoms.
template <class Word>
class BitmapIndex {
 public:
  /// An index of `rows` rows (1 .. kMaxBitmapRows) without attributes. Throws UsageError.
  explicit BitmapIndex(std::uint64_t rows);

  /// Adds an attribute from its column, which is cut into `bins`; returns its number. Throws
  /// UsageError if the column has another number of rows.
  std::uint32_t add(const Bins& bins, std::span<const BinKey> keys);
  /// Adds an attribute that is encoded already (with the same number of rows and bins). Throws
  /// UsageError if the vectors do not fit the index.
  std::uint32_t add(Bins bins, codecs::WahVectors<Word> vectors);

  std::uint64_t rows() const { return rows_; }
  std::uint32_t attributes() const { return static_cast<std::uint32_t>(bins_.size()); }
  const Bins& bins(std::uint32_t attribute) const { return bins_[attribute]; }
  BitmapView<Word> view() const { return {rows_, atoms_, first_, attributes_}; }

  /// The vectors of bins [first, last) of an attribute: a clause. Throws UsageError for bins that
  /// do not exist.
  std::vector<std::uint32_t> clause(std::uint32_t attribute, std::uint32_t first,
                                    std::uint32_t last) const;

  /// The paper's semantics: the bins that a range touches stand for it.
  BitmapQuery touching(std::span<const ValueRange> ranges) const;
  /// The bins all of whose rows are inside the range.
  BitmapQuery inside(std::span<const ValueRange> ranges) const;

 private:
  std::uint64_t rows_;
  std::vector<Bins> bins_;
  std::vector<Word> atoms_;
  std::vector<std::uint64_t> first_{0};
  std::vector<std::uint32_t> attributes_{0};
};

}  // namespace gannet::wah
