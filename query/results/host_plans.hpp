// Plans that the CUDA back end runs on the CPU, and the reasons.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::query {

class Plan;

/// Why a plan does not run on the GPU. Of plans that want counts or docids, none does for another
/// reason than kDeviceMemory.
enum class HostReason : std::uint8_t {
  kWords,             ///< scores words over several texts (BM25F) and cannot be searched by bounds:
                      ///< an exhaustive search, more than 32 lists, too large a k, too many equal
                      ///< scores, weights of texts below kMinWeight, or matches without a score
  kPredicates,        ///< wants hits and has predicates of fields inside its expression
  kExhaustiveFilter,  ///< has a filter, and the search is exhaustive
  kUnprunedFilter,    ///< has a filter, and the pruned search cannot run it: too large a k, too
                      ///< many equal scores, or too many terms
  kExpressionTerms,   ///< has an expression of more than 32 terms other than a plain AND or OR
  kManyTerms,         ///< is a plain AND or OR of more terms than a warp's memory holds
  kUnions,        ///< has a union of terms, such as a word with its synonyms, and the pruned search
                  ///< cannot run it: an exhaustive search, too large a k, too many
                  ///< equal scores, more than 32 terms, or statistics of other terms
  kDeviceMemory,  ///< there was not enough GPU memory
};
inline constexpr std::size_t kHostReasons = 8;

/// The reason as an identifier: "bm25f", "predicates", ...
std::string_view name_of(HostReason reason);
/// The reason as a phrase that follows "for": "BM25F", ...
std::string_view text_of(HostReason reason);

/// The reason that follows from the plan's fields, filter and Want; none if the plan may run on the
/// GPU. Numbers of terms and device memory are not considered. `pruned`: false for an exhaustive
/// search. Thread-safe.
std::optional<HostReason> host_reason(const Plan& plan, bool pruned);

/// Numbers of plans that ran on the CPU, by reason. Not thread-safe.
class HostPlans {
 public:
  void add(HostReason reason, std::uint64_t plans = 1) { plans_[index_of(reason)] += plans; }
  void add(const HostPlans& more) {
    for (std::size_t i = 0; i < kHostReasons; ++i) plans_[i] += more.plans_[i];
  }
  std::uint64_t operator[](HostReason reason) const { return plans_[index_of(reason)]; }
  std::uint64_t& at(HostReason reason) { return plans_[index_of(reason)]; }
  std::uint64_t total() const;
  /// "3 plans ran on the CPU (2 for text fields, 1 for want of GPU memory)"; empty if total() is 0.
  std::string text() const;

  friend bool operator==(const HostPlans&, const HostPlans&) = default;

 private:
  static constexpr std::size_t index_of(HostReason reason) {
    return static_cast<std::size_t>(reason);
  }
  std::array<std::uint64_t, kHostReasons> plans_{};
};

}  // namespace gannet::query
