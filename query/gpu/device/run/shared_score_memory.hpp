// The page-locked memory in which shards tell one another what scores they have found.
#pragma once

#include "codecs/base/cuda/memory.hpp"
#include "query/backend/gather_options.hpp"
#include "query/gpu/plan/pruned/shared_scores.hpp"

namespace gannet::query::cuda {

/// Of one call at a time, and as large as the largest. Of very large calls the first plans are told
/// of: those that take kMaxBytes.
class SharedScoreMemory : public ShardExchange {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  /// `device`: one of those that will use it.
  SharedScoreMemory(int device, std::size_t shards);
  /// Throws DeviceMemoryError. By the first plan's k, which is mostly that of all.
  bool begin(std::span<const Plan> plans) override;
  /// What a shard's kernels get.
  SharedScores of(std::size_t shard);

 private:
  const int device_;
  SharedScores all_;
  codecs::cuda::PinnedArray<std::uint32_t> states_;
  codecs::cuda::PinnedArray<float4> scales_;
  codecs::cuda::PinnedArray<std::uint16_t> counts_;
};

/// Says that a shard will not tell of a plan, if it has not yet; others need not wait then.
void close(const SharedScores& scores, std::size_t plan);

/// A shard in a call of all of them. When it ends, all is closed.
class SharedPart {
 public:
  explicit SharedPart(const GatherOptions& options);
  ~SharedPart();
  SharedPart(const SharedPart&) = delete;
  SharedPart& operator=(const SharedPart&) = delete;

  /// Of no shards if the call is not one of several.
  const SharedScores& scores() const { return scores_; }

 private:
  SharedScores scores_;
};

}  // namespace gannet::query::cuda
