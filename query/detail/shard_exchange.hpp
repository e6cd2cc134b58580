// What back ends of an index's shards tell one another while they run the same plans.
#pragma once

#include <cstddef>

#include "query/backend.hpp"

namespace gannet::query {

/// A place for that; what is told there is the back ends' business. Results do not depend on it.
class ShardExchange {
 public:
  virtual ~ShardExchange() = default;
  /// Before the shards begin with a call of so many plans. One call at a time.
  virtual void begin(std::size_t plans) = 0;
};

/// How a back end runs its part of a call.
struct GatherOptions : SearchOptions {
  /// If other back ends run the same plans on other shards: where they tell one another, or null.
  ShardExchange* exchange = nullptr;
  /// Number of the shard.
  std::size_t shard = 0;
};

}  // namespace gannet::query
