// The page-locked memory through which shards exchange scores.
#pragma once

#include "codecs/base/cuda/memory.hpp"
#include "query/backend/gather_options.hpp"
#include "query/gpu/plan/shared_scores.hpp"

namespace gannet::query::cuda {

/// The entries of one call at a time. It grows to the largest call, up to kMaxBytes; of larger
/// calls only the first plans have entries.
class SharedScoreMemory : public ShardExchange {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  /// `device`: one of the devices that will use it.
  SharedScoreMemory(int device, std::size_t shards);
  /// Throws DeviceMemoryError. By the first plan's k, which is mostly that of all.
  bool begin(std::span<const Plan> plans) override;
  /// The parameter for a shard's kernels.
  SharedScores of(std::size_t shard);

 private:
  const int device_;
  SharedScores all_;
  codecs::cuda::PinnedArray<std::uint32_t> states_;
  codecs::cuda::PinnedArray<float4> scales_;
  codecs::cuda::PinnedArray<std::uint16_t> counts_;
};

/// Closes the shard's entry of a plan unless it was given: other shards do not wait for it then.
void close(const SharedScores& scores, std::size_t plan);

/// A shard's part in a call of all shards. When it ends, it closes all entries of the shard.
class SharedPart {
 public:
  explicit SharedPart(const GatherOptions& options);
  ~SharedPart();
  SharedPart(const SharedPart&) = delete;
  SharedPart& operator=(const SharedPart&) = delete;

  /// Without shards if the call is not one of several.
  const SharedScores& scores() const { return scores_; }

 private:
  SharedScores scores_;
};

}  // namespace gannet::query::cuda
