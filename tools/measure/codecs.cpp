#include "tools/measure/codecs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codecs/base/error.hpp"
#include "codecs/choose.hpp"
#include "codecs/device/columns.hpp"
#include "tools/measure/device/column_timing.hpp"
#include "tools/measure/stats.hpp"

namespace gannet::tools {
namespace {

using codecs::Codec;
using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

/// The column, over and over until it has `wanted` bytes, in whole repetitions of at most `most`.
Bytes repeated(const Bytes& values, std::uint64_t wanted, std::uint64_t most) {
  Bytes longer = values;
  while (!values.empty() && longer.size() < wanted && longer.size() + values.size() <= most) {
    longer.insert(longer.end(), values.begin(), values.end());
  }
  return longer;
}

class Measurement {
 public:
  Measurement(const CodecsPlan& plan, const BenchColumn& column)
      : plan_(plan),
        column_(column),
        size_(codecs::size_of(plan.type)),
        for_cpu_(longer(plan.cpu_values)),
        for_gpu_(plan.gpu ? longer(plan.gpu_values) : Bytes()) {}

  CodecResult run(const std::string& name) {
    CodecResult result;
    result.column = column_.name;
    result.codec = name;
    result.values = column_.values.size() / size_;
    const Codec& codec = chosen(name);
    result.chosen = codec.name;
    result.words = encoded(codec, column_.values).size();
    if (result.values == 0) return result;
    measure_cpu(codec, result);
    if (plan_.gpu && codecs::cuda::decodes_on_device(codec.id, plan_.type)) {
      measure_gpu(codec, result);
    }
    return result;
  }

 private:
  const Codec& chosen(const std::string& name) const {
    if (name != codecs::kAuto) return codecs::codec_named(name, plan_.type);
    return *codecs::encode_smallest(plan_.type, column_.values, codecs::auto_candidates(plan_.type))
                .codec;
  }

  Words encoded(const Codec& codec, const Bytes& values) const {
    Words words;
    codec.encode(plan_.type, values, plan_.parameters, words);
    return words;
  }

  Bytes longer(std::uint64_t values) const {
    return repeated(column_.values, values * size_, std::uint64_t{codecs::kMaxListLength} * size_);
  }

  void measure_cpu(const Codec& codec, CodecResult& result) const {
    const auto bytes = static_cast<double>(for_cpu_.size());
    const auto count = static_cast<std::uint32_t>(for_cpu_.size() / size_);
    result.cpu_values = count;
    result.encode = bytes / time_calls(plan_.repeats, [&] { encoded(codec, for_cpu_); });
    const Words words = encoded(codec, for_cpu_);
    codec.validate(plan_.type, words, count);
    Bytes out(for_cpu_.size(), std::byte{0xa5});
    result.decode = bytes / time_calls(plan_.repeats, [&] {
                      codec.decode(plan_.type, words, count, 0, count, out.data());
                    });
    if (out != for_cpu_) fail(codec, "CPU");
  }

  void measure_gpu(const Codec& codec, CodecResult& result) const {
    const Words words = encoded(codec, for_gpu_);
    const auto count = static_cast<std::uint32_t>(for_gpu_.size() / size_);
    codec.validate(plan_.type, words, count);
    const auto timing =
        measure::time_column_decode(codec.id, plan_.type, words, for_gpu_, plan_.repeats);
    if (!timing.verified) fail(codec, "GPU");
    result.gpu_values = count;
    result.gpu_decode = static_cast<double>(for_gpu_.size()) / timing.seconds;
  }

  [[noreturn]] void fail(const Codec& codec, const char* where) const {
    throw Error(
        fmt::format("{}: {} decodes wrong values on the {}; please report it with the command line",
                    column_.name, codec.name, where));
  }

  const CodecsPlan& plan_;
  const BenchColumn& column_;
  std::size_t size_;
  Bytes for_cpu_;
  Bytes for_gpu_;
};

}  // namespace

std::vector<CodecResult> measure_codecs(
    const CodecsPlan& plan, const BenchColumn& column,
    const std::function<void(std::string_view codec)>& progress) {
  Measurement measurement(plan, column);
  std::vector<CodecResult> results;
  for (const std::string& name : plan.codecs) {
    progress(name);
    results.push_back(measurement.run(name));
  }
  return results;
}

}  // namespace gannet::tools
