// How back ends that are made of others let them work together in a call.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "query/backend/backend.hpp"
#include "query/plan/plan_share.hpp"

namespace gannet::query {

/// A place where back ends of an index's shards tell one another what they find while they run the
/// same plans; what, is their business. Results do not depend on it.
class ShardExchange {
 public:
  virtual ~ShardExchange() = default;
  /// Before the shards begin with a call of these plans; one call at a time. False: they have
  /// nothing to tell of such, and begin without it.
  virtual bool begin(std::span<const Plan> plans) = 0;
};

/// Hears the numbers of plans of which nothing more will be found.
using FoundPlans = std::function<void(std::span<const std::size_t>)>;

/// How a back end runs its part of a call.
struct GatherOptions : SearchOptions {
  /// Of the call's plans, those that are this one's.
  PlanShare share = {};
  /// If others run the same plans on other shards: where they tell one another, or null.
  ShardExchange* exchange = nullptr;
  /// Number of the shard.
  std::size_t shard = 0;
  /// If set, called as soon as that is known, on the thread that the call is made on or in an arena
  /// of it; each plan once at most.
  FoundPlans found = {};
};

}  // namespace gannet::query
