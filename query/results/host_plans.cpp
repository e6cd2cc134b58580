#include "query/results/host_plans.hpp"

#include <numeric>

namespace gannet::query {
namespace {

struct ReasonText {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<ReasonText, kHostReasons> kTexts{{
    {"device_memory", "want of GPU memory"},
}};

}  // namespace

std::string_view name_of(HostReason reason) {
  return kTexts[static_cast<std::size_t>(reason)].name;
}

std::string_view text_of(HostReason reason) {
  return kTexts[static_cast<std::size_t>(reason)].text;
}

std::uint64_t HostPlans::total() const {
  return std::accumulate(plans_.begin(), plans_.end(), std::uint64_t{0});
}

std::string HostPlans::text() const {
  const std::uint64_t all = total();
  if (all == 0) return {};
  std::string text = std::to_string(all) + (all == 1 ? " plan" : " plans") + " ran on the CPU";
  const char* before = " (";
  for (std::size_t i = 0; i < kHostReasons; ++i) {
    if (plans_[i] == 0) continue;
    text += before + std::to_string(plans_[i]) + " for " + std::string(kTexts[i].text);
    before = ", ";
  }
  return text + ")";
}

}  // namespace gannet::query
