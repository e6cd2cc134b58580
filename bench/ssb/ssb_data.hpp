// Columns of the star schema's lineorder, encoded with the codecs that its figures compare.
#pragma once

#include <algorithm>
#include <cstdint>
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/ssb/ssb.hpp"
#include "codecs/columns.hpp"

namespace gannet::bench {

using Words = std::vector<std::uint32_t>;

/// A column's words for each codec, by the codec's name.
using Encodings = std::map<std::string, Words>;

/// The codecs of the figures that are registered, in the figures' order.
inline std::vector<std::string> ssb_codecs() {
  std::vector<std::string> names;
  for (const std::string_view wanted :
       {"none", "nsf", "nsv", "rle", "gpu-bp128", "cascaded", "gpu-for", "gpu-dfor", "gpu-rfor"}) {
    for (const codecs::Codec& codec : codecs::all_codecs()) {
      if (codec.name == wanted && codec.takes(codecs::ValueType::kU32)) names.emplace_back(wanted);
    }
  }
  return names;
}

/// The schemes that GPU-* chooses from.
inline bool is_gpu_star(std::string_view name) {
  return name == "gpu-for" || name == "gpu-dfor" || name == "gpu-rfor";
}

/// The schemes without bit packing, which the planner of Fang, He and Luo (VLDB 2010) chooses from.
inline bool is_planner(std::string_view name) {
  return name == "none" || name == "nsf" || name == "nsv" || name == "rle";
}

inline const codecs::Codec& ssb_codec(std::string_view name) {
  return codecs::codec_named(name, codecs::ValueType::kU32);
}

/// A column's words, validated.
inline Words encode_column(const Words& values, std::string_view codec) {
  constexpr auto kType = codecs::ValueType::kU32;
  Words words;
  ssb_codec(codec).encode(kType, std::as_bytes(std::span(values)), {}, words);
  ssb_codec(codec).validate(kType, words, static_cast<std::uint32_t>(values.size()));
  return words;
}

/// Encodes columns[i] with codec names[i], a thread each.
inline std::vector<Words> encode_each(const std::vector<const Words*>& columns,
                                      const std::vector<std::string>& names) {
  std::vector<std::future<Words>> futures;
  for (std::size_t i = 0; i < names.size(); ++i) {
    futures.push_back(
        std::async(std::launch::async, [&, i] { return encode_column(*columns[i], names[i]); }));
  }
  std::vector<Words> result;
  for (std::future<Words>& future : futures) result.push_back(future.get());
  return result;
}

/// Encodes a column with each of `names`, a thread each.
inline Encodings encode_all(const Words& values, const std::vector<std::string>& names) {
  std::vector<Words> words = encode_each(std::vector<const Words*>(names.size(), &values), names);
  Encodings result;
  for (std::size_t i = 0; i < names.size(); ++i) result[names[i]] = std::move(words[i]);
  return result;
}

/// The name with the fewest words among those that `among` accepts; "" if there is none.
template <class Among>
std::string smallest(const Encodings& encodings, Among among) {
  std::string best;
  for (const auto& [name, words] : encodings) {
    if (among(name) && (best.empty() || words.size() < encodings.at(best).size())) best = name;
  }
  return best;
}

}  // namespace gannet::bench
