// Encoding for codec `cascaded` on the host: one chunk, and the choice of a plan.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "codecs/cascaded/format.hpp"

namespace gannet::codecs {

/// Encodes chunks of values of T by one plan. Not thread-safe: it keeps its buffers.
template <class T>
class CascadedEncoder {
 public:
  explicit CascadedEncoder(const CascadedPlan& plan) : plan_(plan) {}

  /// Appends a chunk of 1 .. plan.chunk values.
  void encode(std::span<const T> values, std::vector<std::uint32_t>& words) {
    values_.assign(values.begin(), values.end());
    layers_.assign(std::max(plan_.rles, 1u), 0);
    firsts_.clear();
    streams_.clear();
    for (std::uint32_t round = 0; round < plan_.rounds(); ++round) {
      if (round < plan_.rles) layers_[round] = take_runs();
      if (round < plan_.deltas) take_deltas();
    }
    const auto [reference, width] = range_of_values();
    layers_[0] = CascadedLayer::with_value_width(layers_[0], width);
    firsts_.push_back(reference);
    words.insert(words.end(), layers_.begin(), layers_.end());
    for (const U first : firsts_) {
      words.push_back(static_cast<std::uint32_t>(first));
      if constexpr (sizeof(T) == 8) words.push_back(static_cast<std::uint32_t>(first >> 32));
    }
    words.insert(words.end(), streams_.begin(), streams_.end());
    pack_stream<U>(values_, reference, width, words);
  }

 private:
  using U = std::make_unsigned_t<T>;

  /// Replaces the values by those of their runs and packs the runs' lengths; returns the layer
  /// word.
  std::uint32_t take_runs() {
    if (values_.empty()) return 0;
    std::vector<std::uint32_t> lengths;
    std::size_t runs = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (i > 0 && values_[i] == values_[runs - 1]) {
        ++lengths.back();
      } else {
        values_[runs++] = values_[i];
        lengths.push_back(1);
      }
    }
    values_.resize(runs);
    std::uint32_t shortest = 1;
    std::uint32_t width = CascadedLayer::kPlainLengthWidth;
    if (plan_.bitpack != 0) {
      const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
      shortest = std::min(*least, CascadedLayer::kMaxShortest);
      width = bit_width(*most - shortest);
    }
    pack_stream<std::uint32_t>(lengths, shortest, width, streams_);
    return CascadedLayer::make(static_cast<std::uint32_t>(runs), width, shortest);
  }

  /// Replaces the values by the differences of neighbours and keeps the first of them.
  void take_deltas() {
    firsts_.push_back(values_.empty() ? U{0} : values_[0]);
    for (std::size_t i = 0; i + 1 < values_.size(); ++i) {
      values_[i] = static_cast<U>(values_[i + 1] - values_[i]);
    }
    if (!values_.empty()) values_.pop_back();
  }

  /// The values' reference and the width of their offsets from it.
  std::pair<U, std::uint32_t> range_of_values() const {
    if (values_.empty()) return {0, 0};
    if (plan_.bitpack == 0) return {0, 8 * sizeof(T)};
    // Adding `flip` turns the order of signed numbers into that of unsigned ones.
    const U flip = plan_.template signed_values<T>() ? U{1} << (8 * sizeof(T) - 1) : U{0};
    U least = static_cast<U>(values_[0] + flip);
    U most = least;
    for (const U value : values_) {
      least = std::min(least, static_cast<U>(value + flip));
      most = std::max(most, static_cast<U>(value + flip));
    }
    const std::uint64_t range = static_cast<U>(most - least);
    return {static_cast<U>(least - flip), static_cast<std::uint32_t>(std::bit_width(range))};
  }

  CascadedPlan plan_;
  std::vector<U> values_;
  std::vector<std::uint32_t> layers_;
  std::vector<U> firsts_;
  std::vector<std::uint32_t> streams_;
};

/// The plans that are worth a try, cheapest to decode first: (run-length layers, delta layers).
inline constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 8> kCascadedCandidates{
    {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 1}, {1, 2}, {2, 2}}};

/// The plan of kCascadedCandidates that takes the fewest words for up to 64 chunks of `chunk`
/// values, spread evenly over `values`; the first of those that are equal.
template <class T>
CascadedPlan choose_cascaded_plan(std::span<const T> values, std::uint32_t chunk) {
  constexpr std::size_t kSample = 64;
  const std::size_t chunks = (values.size() + chunk - 1) / chunk;
  const std::size_t sampled = std::min(chunks, kSample);
  CascadedPlan best{0, 0, 1, chunk};
  std::size_t fewest = ~std::size_t{0};
  std::vector<std::uint32_t> words;
  for (const auto& [rles, deltas] : kCascadedCandidates) {
    const CascadedPlan plan{rles, deltas, 1, chunk};
    CascadedEncoder<T> encoder(plan);
    words.clear();
    for (std::size_t i = 0; i < sampled; ++i) {
      const std::size_t first = i * chunks / sampled * chunk;
      encoder.encode(values.subspan(first, std::min<std::size_t>(chunk, values.size() - first)),
                     words);
    }
    if (words.size() < fewest) {
      fewest = words.size();
      best = plan;
    }
  }
  return best;
}

}  // namespace gannet::codecs
