// A back end that runs what the GPU is too slow for on the CPU: what BackendChoice::kAuto takes
// where there is a GPU.
#pragma once

#include <memory>

#include "query/backend/backend.hpp"
#include "query/backend/count_costs.hpp"

namespace gannet::query {

/// The back end of the GPU, except for batches of counts or docids that are expected to be done by
/// the CPU in kMargin of the time: these run there, and their report says so. Everything else,
/// exhaustive searches among it, is the GPU's. Results do not depend on the choice.
class ChoosingBackend final : public Backend {
 public:
  /// What the CPU must be expected to take of the GPU's time, at most: below 1, since estimates are
  /// rough, and since both processors keep bitmaps of lists.
  static constexpr double kMargin = .7;

  /// `documents`: of the index.
  ChoosingBackend(std::unique_ptr<Backend> gpu, std::unique_ptr<Backend> cpu,
                  std::uint64_t documents, const CountProcessors& processors);

  std::string name() const override { return gpu_->name(); }
  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override;
  void gather(std::span<const Plan> plans, const GatherOptions& options, Report& report,
              std::span<PartialResult> results) const override;
  std::unique_ptr<ShardExchange> make_exchange(std::size_t shards) const override;
  std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                        const Found& found,
                                        const SearchOptions& options) const override;
  std::optional<Results> run_to_bitmaps(std::span<const Plan> plans, std::span<Matches> matches,
                                        const SearchOptions& options,
                                        Report& report) const override;

 private:
  std::unique_ptr<Backend> gpu_, cpu_;
  std::uint64_t documents_;
  CountProcessors processors_;
};

}  // namespace gannet::query
