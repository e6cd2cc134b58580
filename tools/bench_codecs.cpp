#include "gannet/tools/bench_codecs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gannet/codecs/choose.hpp"
#include "gannet/codecs/cuda/columns.hpp"
#include "gannet/codecs/cuda/measure_column.hpp"
#include "gannet/codecs/error.hpp"
#include "gannet/tools/bench_stats.hpp"

namespace gannet::tools {
namespace {

using codecs::ColumnCodec;
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
        longer_(repeated(column.values, plan.values * size_,
                         std::uint64_t{codecs::kMaxListLength} * size_)) {}

  CodecResult run(const std::string& name) {
    CodecResult result{column_.name, name, name, column_.values.size() / size_, 0, 0, {}, {}, {}};
    const ColumnCodec& codec = chosen(name);
    result.chosen = codec.name;
    result.words = encoded(codec, column_.values).size();
    result.measured_values = longer_.size() / size_;
    if (result.measured_values == 0) return result;
    const Words words = encoded(codec, longer_);
    result.encode = rate(time_calls(plan_.repeats, [&] { encoded(codec, longer_); }));
    result.decode = rate(decode_seconds(codec, words));
    if (plan_.gpu && codecs::cuda::decodes_on_device(codec.id, plan_.type)) {
      result.gpu_decode = rate(gpu_seconds(codec, words));
    }
    return result;
  }

 private:
  const ColumnCodec& chosen(const std::string& name) const {
    if (name != codecs::kAuto) return codecs::column_codec_named(name, plan_.type);
    return *codecs::encode_smallest(plan_.type, column_.values, codecs::auto_candidates(plan_.type))
                .codec;
  }

  Words encoded(const ColumnCodec& codec, const Bytes& values) const {
    Words words;
    codec.encode(plan_.type, values, plan_.parameters, words);
    return words;
  }

  double rate(double seconds) const { return static_cast<double>(longer_.size()) / seconds; }

  double decode_seconds(const ColumnCodec& codec, const Words& words) const {
    const auto count = static_cast<std::uint32_t>(longer_.size() / size_);
    codec.validate(plan_.type, words, count);
    Bytes out(longer_.size(), std::byte{0xa5});
    const double seconds = time_calls(
        plan_.repeats, [&] { codec.decode(plan_.type, words, count, 0, count, out.data()); });
    if (out != longer_) fail(codec, "CPU");
    return seconds;
  }

  double gpu_seconds(const ColumnCodec& codec, const Words& words) const {
    const auto timing =
        codecs::cuda::time_column_decode(codec.id, plan_.type, words, longer_, plan_.repeats);
    if (!timing.verified) fail(codec, "GPU");
    return timing.seconds;
  }

  [[noreturn]] void fail(const ColumnCodec& codec, const char* where) const {
    throw Error(
        fmt::format("{}: {} decodes wrong values on the {}; please report it with the command line",
                    column_.name, codec.name, where));
  }

  const CodecsPlan& plan_;
  const BenchColumn& column_;
  std::size_t size_;
  Bytes longer_;
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
