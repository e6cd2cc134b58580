#include "bench/papers/wah/staged_plan.hpp"

#include <array>

namespace gannet::wah::papers {
namespace {

constexpr std::array kMetadata{WahMetadata::kNone, WahMetadata::kStage2As32,
                               WahMetadata::kStage2As64, WahMetadata::kStage4As32,
                               WahMetadata::kDecompressed};

std::string name_of(WahMetadata metadata) {
  switch (metadata) {
    case WahMetadata::kNone:
      return "reuse";
    case WahMetadata::kStage2As32:
      return "stage 2 (32 bits)";
    case WahMetadata::kStage2As64:
      return "stage 2 (64 bits)";
    case WahMetadata::kStage4As32:
      return "stage 4 (32 bits)";
    case WahMetadata::kDecompressed:
      return "decompressed";
  }
  return "?";
}

}  // namespace

bool is_valid(const WahPlan& plan) {
  return plan.reuse || (plan.metadata == WahMetadata::kNone && !plan.pool);
}

std::string name_of(const WahPlan& plan) {
  const bool only_pool = plan.pool && plan.metadata == WahMetadata::kNone;
  std::string name = !plan.reuse ? "baseline" : only_pool ? "pool" : name_of(plan.metadata);
  if (plan.pool && !only_pool) name += " + pool";
  if (plan.reduction == WahReduction::kColumns) name += ", by column";
  if (plan.reduction == WahReduction::kRows) name += ", by row";
  if (plan.together) name += ", together";
  return name;
}

std::vector<WahPlan> paper_plans(bool together) {
  std::vector<WahPlan> plans{{.together = together}};
  for (const bool pool : {false, true}) {
    for (const WahMetadata metadata : kMetadata) {
      plans.push_back({.reuse = true, .metadata = metadata, .pool = pool, .together = together});
    }
  }
  return plans;
}

std::uint32_t memory_calls(const WahPlan& plan) {
  if (!plan.reuse) return 10;
  if (plan.pool || plan.metadata == WahMetadata::kDecompressed) return 0;
  return plan.metadata == WahMetadata::kNone ? 4 : 2;
}

}  // namespace gannet::wah::papers
