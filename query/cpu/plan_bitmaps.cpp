#include "query/cpu/plan_bitmaps.hpp"

#include <algorithm>
#include <bit>

#include "query/filter/filter_estimates.hpp"

namespace gannet::query {

PlanBitmaps::PlanBitmaps(BatchFilters& filters, std::size_t number, const Plan& plan,
                         std::size_t segment, FilterUse use, bool begins,
                         const std::stop_token& stop) {
  if (!plan.filter().is_all()) {
    FilterBitmap& bitmap = filters.find(number, segment, plan.filter());
    if (!bitmap.all()) {
      bitmap_ = &bitmap;
      estimated_ = bitmap.estimated();
      documents_ = bitmap.documents();
      if (use != FilterUse::kBitmap) {
        probe_ = filters.probe(bitmap, use == FilterUse::kBounds, begins);
      }
      if (probe_) {
        passing_ = least_passing(bitmap.filter(), documents_);
      } else {
        complete(stop);
      }
    }
  }
  for (const Filter& predicate : plan.predicates()) {
    kept_.push_back(filters.of(segment, predicate));
    predicates_.push_back(kept_.back()->bitmap(stop).words.data());
  }
}

void PlanBitmaps::complete(const std::stop_token& stop) {
  if (bitmap_ == nullptr || filter_ != nullptr) return;
  filter_ = bitmap_->bitmap(stop).words.data();
  passing_ = bitmap_->passing();
  probe_.reset();
}

std::uint64_t PlanBitmaps::next(std::uint64_t begin, std::uint64_t end) const {
  if (filter_ == nullptr || begin >= end) return std::min(begin, end);
  std::uint64_t word = filter_[begin / 64] >> begin % 64 << begin % 64;
  for (std::uint64_t i = begin / 64;; word = filter_[i]) {
    if (word != 0) {
      const auto bit = static_cast<std::uint64_t>(std::countr_zero(word));
      return std::min(i * 64 + bit, end);
    }
    if (++i * 64 >= end) return end;
  }
}

}  // namespace gannet::query
