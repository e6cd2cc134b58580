// Plans that a GPU's back end leaves to the CPU, and why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::query {

class Plan;

/// Why a plan does not run on the GPU.
enum class HostReason : std::uint8_t {
  kTextFields,        ///< it searches fields of text, or words over several of them (BM25F)
  kPredicates,        ///< its expression has predicates of fields
  kFilteredMatches,   ///< it counts or lists what passes a filter
  kExhaustiveFilter,  ///< it has a filter, and nothing is to be pruned
  kUnprunedFilter,   ///< it has a filter, and the pruned search does not take it: too many hits are
                     ///< wanted, too many have equal scores, or its terms are too many
  kExpressionTerms,  ///< its expression, other than a plain AND or OR, has more than 32 terms
  kManyTerms,        ///< it has more terms than a warp's memory has cursors for
  kDeviceMemory,     ///< it found no room in the GPU's memory
};
inline constexpr std::size_t kHostReasons = 8;

/// For programs: "text_fields", "predicates", ...
std::string_view name_of(HostReason reason);
/// For people, after "for": "text fields", ...
std::string_view text_of(HostReason reason);

/// The reason that lies in the plan itself, but for its number of terms; nothing if there is none.
/// `pruned`: whether searches are pruned.
std::optional<HostReason> host_reason(const Plan& plan, bool pruned);

/// How many plans were left to the CPU, by reason.
class HostPlans {
 public:
  void add(HostReason reason, std::uint64_t plans = 1) { plans_[index_of(reason)] += plans; }
  void add(const HostPlans& more) {
    for (std::size_t i = 0; i < kHostReasons; ++i) plans_[i] += more.plans_[i];
  }
  std::uint64_t operator[](HostReason reason) const { return plans_[index_of(reason)]; }
  std::uint64_t& at(HostReason reason) { return plans_[index_of(reason)]; }
  std::uint64_t total() const;
  /// "3 plans ran on the CPU (2 for text fields, 1 for want of GPU memory)"; empty if there are
  /// none.
  std::string text() const;

  friend bool operator==(const HostPlans&, const HostPlans&) = default;

 private:
  static constexpr std::size_t index_of(HostReason reason) {
    return static_cast<std::size_t>(reason);
  }
  std::array<std::uint64_t, kHostReasons> plans_{};
};

}  // namespace gannet::query
