// The eight methods of the CIKM 2019 paper under one interface: sizes, and decoding speed on one
// CPU thread or on the GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/frame/timing.hpp"
#include "bench/papers/cikm19/host_codecs.hpp"
#include "codecs/encoded_lists.hpp"
#include "codecs/registry.hpp"
#include "tools/measure/device/decode_timing.hpp"

namespace gannet::bench {

using Lists = std::vector<std::vector<std::uint32_t>>;

/// How fast lists were decoded; 0 where that was not measured.
struct Speeds {
  double launch = 0;  ///< million integers/s; on the GPU one launch for all lists
  double graph = 0;   ///< the same, replayed from a graph
};

/// A codec that takes part. Values are d-gaps (or frequencies - 1), decoded without prefix sums.
struct Method {
  std::string name;
  bool gpu;
  std::function<void(std::span<const std::uint32_t>, std::vector<std::uint32_t>&)> encode;
  std::function<Speeds(const Lists&)> measure;  ///< throws std::runtime_error for a wrong output
};

inline std::uint64_t total_values(const Lists& lists) {
  std::uint64_t total = 0;
  for (const auto& list : lists) total += list.size();
  return total;
}

/// Bits per integer of the lists, each encoded by itself, metadata included.
inline double bits_per_integer(const Method& method, const Lists& lists) {
  std::vector<std::uint32_t> words;
  std::uint64_t total = 0;
  for (const auto& list : lists) {
    words.clear();
    method.encode(list, words);
    total += words.size();
  }
  return 32.0 * static_cast<double>(total) / static_cast<double>(total_values(lists));
}

/// One CPU thread, lists one after the other.
template <class Codec>
Speeds measure_host(const Lists& lists, int repeats) {
  struct Encoded {
    std::vector<std::uint32_t> words;
    std::uint32_t count;
  };
  std::vector<Encoded> encoded;
  std::size_t longest = 0;
  for (const auto& list : lists) {
    encoded.push_back({{}, static_cast<std::uint32_t>(list.size())});
    Codec::encode(list, encoded.back().words);
    longest = std::max(longest, list.size());
  }
  std::vector<std::uint32_t> out(longest);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    Codec::decode(encoded[i].words, encoded[i].count, out.data());
    if (!std::equal(lists[i].begin(), lists[i].end(), out.begin())) {
      throw std::runtime_error(std::string(Codec::name) + " decoded something else");
    }
  }
  const double seconds = median_seconds(repeats, [&] {
    for (const Encoded& list : encoded) Codec::decode(list.words, list.count, out.data());
  });
  return {static_cast<double>(total_values(lists)) / seconds / 1e6, 0};
}

/// All lists in one launch.
inline Speeds measure_device(const codecs::ListCodec& codec, const Lists& lists, int repeats) {
  codecs::EncodedLists encoded(codec, codecs::Content::kValues);
  std::vector<std::uint32_t> expected;
  for (const auto& list : lists) {
    encoded.add(list);
    expected.insert(expected.end(), list.begin(), list.end());
  }
  const auto timing = measure::time_decode(encoded, expected.data(), repeats);
  if (!timing.verified)
    throw std::runtime_error(std::string(codec.name) + " decoded something else");
  const double millions = static_cast<double>(expected.size()) / 1e6;
  return {millions / timing.launch_seconds, millions / timing.graph_seconds};
}

template <class... Codec>
void add_host_methods(std::vector<Method>& methods, int repeats, std::tuple<Codec...>*) {
  (methods.push_back(
       {std::string(Codec::name), false, Codec::encode,
        [repeats](const Lists& lists) { return measure_host<Codec>(lists, repeats); }}),
   ...);
}

/// The host codecs, then the paper's GPU codecs and gpu-dfor.
inline std::vector<Method> all_methods(int repeats) {
  std::vector<Method> methods;
  add_host_methods(methods, repeats, static_cast<codecs::papers::HostCodecs*>(nullptr));
  for (const char* name : {"gpu-bp128", "gpu-bp256", "gpu-vbyte128", "gpu-vbyte1024"}) {
    const codecs::ListCodec& codec = codecs::list_codec_named(name);
    methods.push_back({name, true, codec.encode, [&codec, repeats](const Lists& lists) {
                         return measure_device(codec, lists, repeats);
                       }});
  }
  return methods;
}

}  // namespace gannet::bench
