// Encoding on the device against the host's encoder on one core, every list verified word by word.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/frame/data.hpp"
#include "bench/frame/program.hpp"
#include "bench/frame/timing.hpp"
#include "codecs/columns.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/device/encode.hpp"
#include "codecs/docids.hpp"
#include "corpora/synthetic/random.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace cuda = codecs::cuda;
using codecs::Content;
using Words = std::vector<std::uint32_t>;

/// What is encoded.
struct Data {
  std::string name;
  Content content;
  Words values;
};

std::vector<Data> all_data(std::uint64_t count) {
  std::vector<Data> all;
  for (const std::uint32_t bits : {1u, 4u, 8u, 12u, 16u, 24u, 32u}) {
    all.push_back(
        {fmt::format("uniform, {} bits", bits), Content::kValues, uniform_values(count, bits)});
  }
  all.push_back({"sorted ids, mean gap 4", Content::kDocids, generated(count, [](std::uint64_t i) {
                   return static_cast<std::uint32_t>(4 * i + corpora::mix64(i) % 4);
                 })});
  all.push_back({"runs of 8", Content::kValues, generated(count, [](std::uint64_t i) {
                   return static_cast<std::uint32_t>(corpora::mix64(i / 8) >> 44);
                 })});
  return all;
}

/// The host's words, and its seconds on one core.
std::pair<Words, double> on_host(const codecs::Codec& codec, const Data& data) {
  Words words;
  const double seconds = seconds_of([&] {
    const bool gaps = codec.gaps && data.content == Content::kDocids;
    const Words coded = gaps ? codecs::gaps_of(data.values) : Words{};
    codec.encode(codecs::ValueType::kU32, std::as_bytes(std::span(gaps ? coded : data.values)), {},
                 words);
  });
  return {std::move(words), seconds};
}

/// Seconds of one encoding; throws unless the device's words are `expected`.
double on_device(const codecs::Codec& codec, const Data& data, const Words& expected, int repeats) {
  const std::size_t count = data.values.size();
  cuda::DeviceEncoder encoder(codec.id, data.content, count);
  const auto source = cuda::upload(std::span(data.values));
  cuda::DeviceArray<std::uint32_t> words(cuda::max_encoded_words(codec.id, count));
  cuda::PinnedArray<std::uint32_t> written(1);
  const cuda::OwnedStream stream;
  const double seconds = measure::time_each(stream, repeats, [&](int) {
    encoder.encode_async(source.data(), count, words.data(), written.data(), stream);
  });
  Words result(written[0]);
  cuda::check(cudaMemcpy(result.data(), words.data(), result.size() * 4, cudaMemcpyDeviceToHost),
              "cudaMemcpy from the device");
  if (result != expected) {
    throw std::runtime_error(
        fmt::format("{}: the device's words for '{}' are not the host's", codec.name, data.name));
  }
  return seconds;
}

void run(Program& program, std::uint64_t count) {
  Report& report = program.report();
  const measure::MemoryCeilings& ceilings = program.device();
  report.fact("values", static_cast<double>(count));
  Table& table = report.table(
      {"encode",
       "Encoding; GB/s are of the values (4 bytes each); the ceiling is that of a kernel which "
       "reads the values and writes the words. The host has one core for each codec, all busy at "
       "once",
       {"codec", "data", "bits/int", "host GB/s", "device ms", "device GB/s", "speed-up",
        "of the ceiling"},
       {}});
  std::vector<const codecs::Codec*> encoders;
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    const bool encodes = cuda::encodes_on_device(codec.id);
    if (encodes && codec.takes(codecs::ValueType::kU32)) encoders.push_back(&codec);
  }
  for (const Data& data : all_data(count)) {
    std::vector<std::future<std::pair<Words, double>>> hosts;
    for (const codecs::Codec* codec : encoders) {
      hosts.push_back(std::async(std::launch::async, on_host, std::cref(*codec), std::cref(data)));
    }
    for (std::size_t c = 0; c < encoders.size(); ++c) {
      const auto [words, host] = hosts[c].get();
      const double device = on_device(*encoders[c], data, words, program.repeats());
      const double read = 4.0 * static_cast<double>(count);
      const double write = 4.0 * static_cast<double>(words.size());
      table.add({std::string(encoders[c]->name), data.name, 8 * write / static_cast<double>(count),
                 read / host * 1e-9, device * 1e3, read / device * 1e-9, host / device,
                 (read + write) / device / ceilings.mixed(read, write)});
    }
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  std::uint32_t log = 27;
  gannet::bench::Program program(
      "bench_cuda_encode",
      "Encodes lists on the device and on the host, compares the words, and reports the speeds.");
  program.repeats(25).option("log", log, "encode 2^log values (at most 2^29)");
  return program.main(argc, argv,
                      [&] { gannet::bench::run(program, std::uint64_t{1} << std::min(log, 29u)); });
}
