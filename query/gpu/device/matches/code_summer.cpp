#include "query/gpu/device/matches/code_summer.hpp"

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;

constexpr std::size_t kRareWords = 2 * FloatSums::kExponents;

}  // namespace

bool CodeSummer::start(const DeviceField& field, const std::uint64_t* matches, FieldSums* sums) {
  floats_.reset();
  if (field.column().spec().traits().sums == index::Sums::kFloat) {
    return start_floats(field, matches, sums);
  }
  launch_code_totals({field.view(), matches}, sums, stream_);
  return true;
}

bool CodeSummer::start_floats(const DeviceField& field, const std::uint64_t* matches,
                              FieldSums* sums) {
  floats_ = float_sums_of(field.column());
  if (!floats_) return false;
  floats_->rare = at_least(rare_, kRareWords);
  check(cudaMemsetAsync(floats_->rare, 0, kRareWords * sizeof *floats_->rare, stream_),
        "cudaMemsetAsync");
  launch_float_totals({field.view(), matches}, *floats_, sums, stream_);
  return true;
}

const unsigned long long* CodeSummer::fetch_rare() {
  fetch(at_least(host_rare_, kRareWords), floats_->rare, kRareWords, stream_);
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  return host_rare_.data();
}

std::optional<CodeTotals> CodeSummer::take(const FieldSums& sums, std::uint64_t matches) {
  CodeTotals totals{.missing = matches - sums.documents,
                    .values = sums.values,
                    .sum = sums.codes,
                    .least = 0xffffffffu - sums.least_below,
                    .greatest = sums.greatest};
  if (!floats_) return totals;
  if (sums.unusual >= FloatSums::kBad) return std::nullopt;
  totals.floats = scaled_numbers(*floats_, sums, sums.unusual == 0 ? nullptr : fetch_rare());
  return totals;
}

}  // namespace gannet::query::cuda
