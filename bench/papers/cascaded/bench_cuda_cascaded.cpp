// Codec `cascaded`: bits per value and speed on the data sets and at the plans on which nvCOMP's
// cascaded compression was measured; decoding in one kernel against a kernel a layer; compression
// on the device and on one core of the host. With --nvcomp LIBRARY, nvCOMP on the same data.
#include <cuda_runtime.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/program.hpp"
#include "bench/frame/timing.hpp"
#include "bench/frame/verify.hpp"
#include "bench/papers/cascaded/cascaded_data.hpp"
#include "bench/papers/cascaded/cascaded_layers.hpp"
#include "bench/papers/cascaded/cascaded_nvcomp.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "codecs/device/cascaded_encode.hpp"
#include "codecs/device/columns.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

using codecs::Cascaded;
using codecs::CascadedPlan;
using codecs::ValueType;
using codecs::cuda::DeviceArray;

constexpr auto kType = ValueType::kI32;
/// Values that the host encodes, to compare bytes and for its speed.
constexpr std::size_t kHostValues = std::size_t{1} << 22;

struct Settings {
  std::size_t values = std::size_t{1} << 28;
  std::uint32_t chunk = 1024;
  std::string nvcomp;
  std::size_t piece = std::size_t{1} << 20;
};

/// What we measured of one case.
struct Ours {
  double bits = 0;
  double decode_seconds = 0;
  double layers_seconds = 0;
  double encode_seconds = 0;
  double host_encode_seconds = 0;  ///< for as many values, on one core
};

/// Encodes on the device, timed, and gives the words back.
std::vector<std::uint32_t> encode_on_device(const DeviceArray<std::int32_t>& values,
                                            const CascadedPlan& plan, int repeats,
                                            double& seconds) {
  const auto count = static_cast<std::uint32_t>(values.size());
  DeviceArray<std::uint8_t> workspace(codecs::cuda::cascaded_workspace_bytes(kType, count, plan));
  DeviceArray<std::uint32_t> words(codecs::cuda::cascaded_max_words(kType, count, plan));
  const codecs::cuda::OwnedStream stream;
  seconds = measure::time_each(stream, repeats, [&](int) {
    codecs::cuda::cascaded_encode_async(kType, values.data(), count, plan, workspace.data(),
                                        workspace.bytes(), words.data(), stream);
  });
  stream.wait();
  std::uint32_t size = 0;
  codecs::cuda::check(
      cudaMemcpy(&size,
                 words.data() + codecs::kCascadedHead + codecs::chunk_count(count, plan.chunk),
                 sizeof size, cudaMemcpyDeviceToHost),
      "cudaMemcpy from the device");
  std::vector<std::uint32_t> copy(size);
  codecs::cuda::check(cudaMemcpy(copy.data(), words.data(), copy.size() * sizeof(std::uint32_t),
                                 cudaMemcpyDeviceToHost),
                      "cudaMemcpy from the device");
  return copy;
}

/// The host encodes the first kHostValues and gets the device's bytes for them; its speed.
bool same_bytes_on_host(const Column& column, const CascadedPlan& plan, double& seconds) {
  const std::span values = std::span(column).first(std::min(column.size(), kHostValues));
  std::vector<std::uint32_t> words;
  seconds = seconds_of([&] { Cascaded::encode_planned<std::int32_t>(values, plan, words); }) *
            static_cast<double>(column.size()) / static_cast<double>(values.size());
  return words == codecs::cuda::cascaded_encode(kType, std::as_bytes(values), plan);
}

/// Seconds of a decode, whose output must be `values`.
template <class Decode>
double time_decode(const DeviceArray<std::int32_t>& values, int repeats, const char* what,
                   const Decode& decode) {
  DeviceArray<std::int32_t> out(values.size());
  poison(out.data(), out.bytes());
  const codecs::cuda::OwnedStream stream;
  const double seconds = measure::time_each(
      stream, repeats, [&](int) { decode(out.data(), static_cast<cudaStream_t>(stream)); });
  expect_equal(out.data(), values.data(), out.bytes(), what);
  return seconds;
}

Ours measure(const Column& column, const DeviceArray<std::int32_t>& values,
             const CascadedPlan& plan, int repeats) {
  const auto count = static_cast<std::uint32_t>(column.size());
  Ours ours;
  const auto words = encode_on_device(values, plan, repeats, ours.encode_seconds);
  Cascaded::validate<std::int32_t>(words, count);
  ours.bits = 32.0 * static_cast<double>(words.size()) / count;
  if (!same_bytes_on_host(column, plan, ours.host_encode_seconds)) {
    throw std::runtime_error("the device does not encode to the host's bytes");
  }
  const codecs::cuda::DeviceColumn encoded(Cascaded::id, kType, words, count);
  ours.decode_seconds =
      time_decode(values, repeats, "cascaded",
                  [&](void* out, cudaStream_t stream) { encoded.decode_async(out, stream); });
  const codecs::papers::CascadedLayers layers(kType, words, count);
  ours.layers_seconds =
      time_decode(values, repeats, "cascaded, layer by layer",
                  [&](void* out, cudaStream_t stream) { layers.decode_async(out, stream); });
  return ours;
}

std::string text_of(const CascadedPlan& plan) {
  return std::to_string(plan.rles) + " " + std::to_string(plan.deltas) + " " +
         std::to_string(plan.bitpack);
}

void run(Program& program, const Settings& settings) {
  Report& report = program.report();
  std::optional<Nvcomp> nvcomp;
  if (settings.nvcomp.empty()) {
    report.fact("nvCOMP", std::string("not measured: no --nvcomp LIBRARY"));
  } else {
    nvcomp.emplace(settings.nvcomp);
    report.fact("nvCOMP", nvcomp->version());
  }
  report.fact("values", static_cast<double>(settings.values));
  report.fact("values a chunk", static_cast<double>(settings.chunk));
  const measure::MemoryCeilings& ceilings = program.device();
  Table& table =
      report.table({"cascaded",
                    "Output GB/s (plan: run-length layers, delta layers, bit-packing)",
                    {"data", "plan", "bits/int", "nvCOMP 2.2 bits", "decode", "of mixed ceiling",
                     "x nvCOMP 2.2", "layer by layer", "encode, device", "encode, host core"},
                    {}});
  Table& peers =
      report.table({"nvcomp",
                    "nvCOMP in this run (GB/s of output)",
                    {"data", "piece bytes", "bits/int", "decode", "ours x", "encode", "verified"},
                    {}});
  for (const CascadedCase& the_case : cascaded_cases()) {
    const Column column = the_case.make(settings.values);
    const auto values = codecs::cuda::upload(std::span<const std::int32_t>(column));
    const double bytes = 4.0 * static_cast<double>(column.size());
    CascadedPlan plan = the_case.plan;
    plan.chunk = settings.chunk;
    const Ours ours = measure(column, values, plan, program.repeats());
    const double read = ours.bits / 8 * static_cast<double>(column.size());
    const double speed = bytes / ours.decode_seconds;
    table.add({the_case.name, text_of(plan), ours.bits, the_case.peer_bits, speed * 1e-9,
               (read + bytes) / ours.decode_seconds / ceilings.mixed(read, bytes),
               speed * 1e-9 / the_case.peer_speed, bytes / ours.layers_seconds * 1e-9,
               bytes / ours.encode_seconds * 1e-9, bytes / ours.host_encode_seconds * 1e-9});
    if (!nvcomp) continue;
    const NvcompResult peer =
        nvcomp->measure(values.data(), column.size(), plan, settings.piece, program.repeats());
    peers.add({the_case.name, static_cast<double>(settings.piece),
               8 * peer.compressed_bytes / static_cast<double>(column.size()),
               bytes / peer.decompress_seconds * 1e-9,
               peer.decompress_seconds / ours.decode_seconds, bytes / peer.compress_seconds * 1e-9,
               peer.verified});
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Settings settings;
  Program program("bench_cuda_cascaded",
                  "Codec cascaded against nvCOMP's: bits, decoding, encoding.");
  program.repeats(25)
      .option("values", settings.values, "values a column")
      .option("chunk", settings.chunk, "values a chunk")
      .option("nvcomp", settings.nvcomp, "libnvcomp.so.5, to measure it too")
      .option("nvcomp-piece", settings.piece, "bytes that nvCOMP is given at a time");
  return program.main(argc, argv, [&] { run(program, settings); });
}
