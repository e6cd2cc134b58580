// Plans whose matches the host looked at for results by columns, although a GPU was there, and the
// reasons.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gannet::query {

/// Why the host looks at the columns of a plan's matches.
enum class ColumnReason : std::uint8_t {
  kFewDocuments,  ///< the index has fewer than CudaOptions::column_documents documents
  kScores,        ///< hits in an order that has the score in it, or groups by score
  kSeveralKeys,   ///< hits in an order of keys that take more than 64 bits with the docid
  kLaterPage,     ///< hits behind a given one
  kManyHits,      ///< more sorted hits than the GPU selects, or too many equal values among them
  kGroups,        ///< groups
  kWideCodes,     ///< a field whose codes have more than 32 bits
  kManyCodes,     ///< too many different values, of several segments or to be listed
  kManyBins,      ///< a histogram that may have too many bins
  kUnions,        ///< plans with a union of terms, such as a word with its synonyms, or a phrase
  kDeviceMemory,  ///< there was not enough GPU memory, or the column is damaged
};
inline constexpr std::size_t kColumnReasons = 11;
static_assert(static_cast<std::size_t>(ColumnReason::kDeviceMemory) + 1 == kColumnReasons);

/// The reason as an identifier: "few_documents", "scores", ...
std::string_view name_of(ColumnReason reason);
/// The reason as a phrase that follows "for".
std::string_view text_of(ColumnReason reason);

/// Some of the reasons.
class ColumnReasons {
 public:
  void add(ColumnReason reason) { bits_ |= 1u << static_cast<unsigned>(reason); }
  void add(ColumnReasons more) { bits_ |= more.bits_; }
  bool has(ColumnReason reason) const { return (bits_ >> static_cast<unsigned>(reason) & 1) != 0; }
  bool none() const { return bits_ == 0; }
  bool operator==(const ColumnReasons&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

/// A plan whose matches a back end leaves to the host, which then looks at their columns.
struct LeftPlan {
  std::size_t plan;
  ColumnReasons reasons = {};  ///< none: it is no back end of a GPU
  bool operator==(const LeftPlan&) const = default;
};

/// Numbers of plans whose matches the host looked at, by reason; a plan counts once for each of its
/// reasons. Not thread-safe.
class HostColumns {
 public:
  void add(ColumnReason reason, std::uint64_t plans = 1) { plans_[index_of(reason)] += plans; }
  void add(ColumnReasons reasons) {
    for (std::size_t i = 0; i < kColumnReasons; ++i) {
      plans_[i] += reasons.has(static_cast<ColumnReason>(i)) ? 1 : 0;
    }
  }
  void add(const HostColumns& more) {
    for (std::size_t i = 0; i < kColumnReasons; ++i) plans_[i] += more.plans_[i];
  }
  std::uint64_t operator[](ColumnReason reason) const { return plans_[index_of(reason)]; }
  bool none() const { return *this == HostColumns{}; }
  /// "columns were looked at by the CPU (for groups: 2 plans; ...)"; empty if there is none.
  std::string text() const;

  friend bool operator==(const HostColumns&, const HostColumns&) = default;

 private:
  static constexpr std::size_t index_of(ColumnReason reason) {
    return static_cast<std::size_t>(reason);
  }
  std::array<std::uint64_t, kColumnReasons> plans_{};
};

}  // namespace gannet::query
