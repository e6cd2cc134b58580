#include "codecs/choose.hpp"

#include <algorithm>
#include <limits>

#include "codecs/base/cancellation.hpp"

namespace gannet::codecs {
namespace {

/// The sample: stretches that keep runs and order, long enough for the blocks of any codec.
constexpr std::size_t kStretches = 16;
constexpr std::size_t kStretchValues = 8192;
static_assert(kStretches * kStretchValues <= kAutoExact);

std::vector<std::byte> sample_of(ValueType type, std::span<const std::byte> values) {
  const std::size_t size = size_of(type);
  const std::size_t last = values.size() / size - kStretchValues;
  std::vector<std::byte> sample;
  for (std::size_t i = 0; i < kStretches; ++i) {
    const std::size_t first = last / (kStretches - 1) * i;
    const auto stretch = values.subspan(first * size, kStretchValues * size);
    sample.insert(sample.end(), stretch.begin(), stretch.end());
  }
  return sample;
}

/// The candidates that the sample does not rule out.
Candidates finalists(ValueType type, std::span<const std::byte> values,
                     std::span<const Codec* const> candidates) {
  const std::vector<std::byte> sample = sample_of(type, values);
  std::vector<std::size_t> sizes;
  std::vector<std::uint32_t> words;
  for (const Codec* codec : candidates) {
    throw_if_stopped();
    words.clear();
    codec->encode(type, sample, Parameters(), words);
    sizes.push_back(words.size());
  }
  const std::size_t smallest = *std::min_element(sizes.begin(), sizes.end());
  Candidates kept;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (sizes[i] <= smallest + smallest / 8) kept.push_back(candidates[i]);
  }
  return kept;
}

}  // namespace

Candidates auto_candidates(ValueType type) {
  Candidates candidates;
  for (const Codec& codec : all_codecs()) {
    if (codec.takes(type)) candidates.push_back(&codec);
  }
  return candidates;
}

Candidates candidates_named(std::span<const std::string> names, ValueType type) {
  Candidates candidates;
  for (const std::string& name : names) candidates.push_back(&codec_named(name, type));
  return candidates;
}

EncodedColumn encode_smallest(ValueType type, std::span<const std::byte> values,
                              std::span<const Codec* const> candidates,
                              const std::stop_token& stop) {
  if (candidates.empty()) {
    throw UsageError("auto has no codec to choose from for values of type " +
                     std::string(name_of(type)));
  }
  check_encodable(kAuto, values.size() / size_of(type));
  const StopScope scope(stop);
  Candidates kept(candidates.begin(), candidates.end());
  if (kept.size() > 1 && values.size() / size_of(type) > kAutoExact) {
    kept = finalists(type, values, candidates);
  }
  EncodedColumn best{nullptr, {}};
  std::vector<std::uint32_t> words;
  for (const Codec* codec : kept) {
    throw_if_stopped();
    words.clear();
    codec->encode(type, values, Parameters(), words);
    if (best.codec != nullptr && words.size() >= best.words.size()) continue;
    best.codec = codec;
    best.words.swap(words);
  }
  return best;
}

const ListCodec& smallest_list_codec(Content content, std::span<const std::uint32_t> list) {
  const ListCodec* best = &all_list_codecs().front();
  std::size_t smallest = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint32_t> words;
  for (const ListCodec& codec : all_list_codecs()) {
    words.clear();
    (content == Content::kDocids ? codec.encode_docids : codec.encode)(list, words);
    if (words.size() >= smallest) continue;
    best = &codec;
    smallest = words.size();
  }
  return *best;
}

}  // namespace gannet::codecs
