// Devices that each have the whole index.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "query/backend/backend.hpp"

namespace gannet::query {

class CopiesBackend : public Backend {
 public:
  /// At least one, of the same index.
  explicit CopiesBackend(std::vector<std::unique_ptr<Backend>> copies);

  std::string name() const override { return copies_.front()->name(); }
  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override;
  std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                        const Found& found,
                                        const SearchOptions& options) const override;

 private:
  const Backend& next() const;
  Results run_on(std::size_t devices, std::span<const Plan> plans, const SearchOptions& options,
                 Report& report) const;
  std::vector<LeftPlan> look_on(std::size_t devices, std::span<const Plan> plans,
                                const ColumnWork& work, const Found& found,
                                const SearchOptions& options) const;

  std::vector<std::unique_ptr<Backend>> copies_;
  mutable std::atomic<std::size_t> calls_{0};
};

}  // namespace gannet::query
