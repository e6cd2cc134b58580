// A bitmap index: for every bin of every attribute a WAH vector (codecs/wah/wah.hpp) of the rows
// whose value lies in the bin. Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index
// Query Processing", section 2.
//
// A query is an AND over attributes of ORs over bins (BitmapQuery). A query by bins is exact. A
// query by ranges of values is exact if no bin lies only partly inside a range; exact_rows()
// (bitmap_exact.hpp) reads the columns for the other bins. Queries on a GPU:
// device/bitmap_fused.hpp. All free functions are thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_bins.hpp"
#include "codecs/wah/wah_vectors.hpp"

namespace gannet::wah {

/// The largest number of rows of an index.
inline constexpr std::uint64_t kMaxBitmapRows = 0xffffff00u;

/// An AND of clauses. A clause is the OR of vectors, given by their numbers in the index. A clause
/// without vectors selects no row. A query without clauses selects every row.
struct BitmapQuery {
  std::vector<std::vector<std::uint32_t>> clauses = {};

  /// The number of vectors of all clauses.
  std::size_t vectors() const {
    std::size_t total = 0;
    for (const auto& clause : clauses) total += clause.size();
    return total;
  }
};

/// All vectors of an index as plain arrays in host memory, not owned, which can be stored or copied
/// to a GPU. Vector v is atoms [first[v], first[v + 1]). Attribute a has vectors [attributes[a],
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

/// Throws FormatError unless the view is valid: 1 to kMaxBitmapRows rows, ascending offsets, and
/// every vector a WAH vector of view.rows rows. For views from untrusted sources. Reads every atom.
template <class Word>
void validate_bitmap(const BitmapView<Word>& view);

/// Throws UsageError unless every vector of the query exists in the view.
template <class Word>
void check_query(const BitmapView<Word>& view, const BitmapQuery& query);

/// The rows that a query selects, as a compressed vector. Combines the atoms run by run, without
/// decompressing them. The view must be valid. Throws UsageError for vectors that do not exist.
template <class Word>
std::vector<Word> evaluate(const BitmapView<Word>& view, const BitmapQuery& query);

/// The number of rows that a query selects. Decompresses clauses: needs memory for view.rows bits,
/// or twice that for a query of several clauses. Faster than evaluate() where vectors compress
/// badly. The view must be valid. Throws UsageError for vectors that do not exist.
template <class Word>
std::uint64_t count_rows(const BitmapView<Word>& view, const BitmapQuery& query);

/// The numbers of the rows that a valid compressed vector selects, ascending.
template <class Word>
std::vector<std::uint32_t> row_ids(std::span<const Word> atoms);

/// A range of values of one attribute: the keys from `least` to `most`, both included. `least` must
/// not exceed `most`.
struct ValueRange {
  std::uint32_t attribute = 0;
  BinKey least = {};
  BinKey most = {};
};

/// A bitmap index, which owns its vectors and bins. `Word` (std::uint32_t or std::uint64_t) is the
/// type of the atoms. The const functions are thread-safe while no add() runs. add() makes views
/// invalid.
template <class Word>
class BitmapIndex {
 public:
  /// An index of `rows` rows (1 .. kMaxBitmapRows) without attributes. Throws UsageError for
  /// another number of rows.
  explicit BitmapIndex(std::uint64_t rows);

  /// Adds an attribute with column `keys`, which `bins` cut, and returns the attribute's number.
  /// The index widens the bins to the keys (Bins::widened()). Throws UsageError if the column has
  /// another number of rows than the index.
  std::uint32_t add(const Bins& bins, std::span<const BinKey> keys);
  /// Adds an attribute that is encoded already, by codecs::wah_encode_vectors(), and returns the
  /// attribute's number. Throws UsageError unless there is one vector for each bin and each is a
  /// WAH vector of rows() rows. Whether the bins hold for the rows is not checked.
  std::uint32_t add(Bins bins, codecs::WahVectors<Word> vectors);

  std::uint64_t rows() const { return rows_; }
  std::uint32_t attributes() const { return static_cast<std::uint32_t>(bins_.size()); }
  const Bins& bins(std::uint32_t attribute) const { return bins_[attribute]; }
  BitmapView<Word> view() const { return {rows_, atoms_, first_, attributes_}; }

  /// A clause: the numbers of the vectors of bins [first, last) of an attribute. Throws UsageError
  /// for an attribute or bins that do not exist.
  std::vector<std::uint32_t> clause(std::uint32_t attribute, std::uint32_t first,
                                    std::uint32_t last) const;

  /// A clause for each range, with the bins in which the range may have values: those where
  /// [Bin::smallest, Bin::largest] and the range overlap. The paper answers queries by these bins;
  /// they may have rows outside of the range. Takes time in proportion to the number of bins.
  /// Throws UsageError for an attribute that does not exist.
  BitmapQuery touching(std::span<const ValueRange> ranges) const;
  /// A clause for each range, with the bins whose rows all lie inside the range. Cost and errors as
  /// for touching().
  BitmapQuery inside(std::span<const ValueRange> ranges) const;

 private:
  std::uint64_t rows_;
  std::vector<Bins> bins_;
  std::vector<Word> atoms_;
  std::vector<std::uint64_t> first_{0};
  std::vector<std::uint32_t> attributes_{0};
};

}  // namespace gannet::wah
