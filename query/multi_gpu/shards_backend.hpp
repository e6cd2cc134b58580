// Devices that each have some of an index's segments.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "query/backend/backend.hpp"
#include "query/backend/gather_options.hpp"

namespace gannet::query {

/// A device's back end for an index of its segments.
struct Shard {
  std::unique_ptr<Backend> backend;
  index::Docid docid_base;  ///< of its first document in the whole index
};

class ShardsBackend : public Backend {
 public:
  /// At least one, in the order of their documents.
  explicit ShardsBackend(std::vector<Shard> shards);
  ~ShardsBackend() override;

  std::string name() const override { return shards_.front().backend->name(); }
  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override;
  std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                        const Found& found,
                                        const SearchOptions& options) const override;

 private:
  Results run_limited(std::span<const Plan> plans, const SearchOptions& options,
                      Report& report) const;
  /// Keeps an exchange for the next call: its memory costs more than a call.
  struct GiveBack {
    const ShardsBackend* backend;
    void operator()(ShardExchange* exchange) const;
  };
  using ExchangeLease = std::unique_ptr<ShardExchange, GiveBack>;
  ExchangeLease exchange_for(std::span<const Plan> plans, const SearchOptions& options) const;
  ExchangeLease take_exchange() const;

  /// Calls at a time that have an exchange; others do without.
  static constexpr std::size_t kExchanges = 4;

  std::vector<Shard> shards_;
  mutable std::mutex mutex_;
  mutable std::size_t made_ = 0;                              ///< exchanges
  mutable std::vector<std::unique_ptr<ShardExchange>> idle_;  ///< those that no call uses
};

}  // namespace gannet::query
