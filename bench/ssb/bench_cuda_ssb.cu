// The Star Schema Benchmark on compressed columns: figures 9, 10 and 12 of the SIGMOD 2022 paper
// and query flight 1, inline over compressed columns against plain ones and against decoding first.
#include <array>
#include <cmath>
#include <cstring>
#include <future>
#include <iostream>
#include <map>
#include <vector>

#include "bench/frame/report.hpp"
#include "bench/ssb/ssb_device.cuh"
#include "bench/ssb/ssb_flight1.hpp"
#include "bench/ssb/ssb_query.cuh"
#include "codecs/base/cuda/device.hpp"
#include "codecs/columns/gpu_for.hpp"
#include "codecs/gpu_rfor/gpu_rfor.hpp"
#include "codecs/lists/gpu_bp.hpp"
#include "codecs/lists/gpu_dfor.hpp"
#include "codecs/lists/raw_tiles.hpp"
#include "tools/measure/device/ceilings.hpp"

namespace gannet::bench {
namespace {

namespace po = boost::program_options;
using codecs::ValueType;

struct Options {
  double scale = 20;
  int repeats = 25;
  bool columns = true;
  bool queries = true;
};

/// The columns of the flight, in the order of Flight1Lists.
constexpr SsbColumn kFlightColumns[] = {SsbColumn::kOrderdate, SsbColumn::kQuantity,
                                        SsbColumn::kDiscount, SsbColumn::kExtendedprice};

std::vector<SsbColumn> all_columns() {
  std::vector<SsbColumn> columns;
  for (std::uint32_t c = 0; c < kSsbColumns; ++c) {
    columns.push_back(static_cast<SsbColumn>(c));
  }
  return columns;
}

double geometric_mean(const std::vector<double>& values) {
  double logs = 0;
  for (const double value : values) logs += std::log(value);
  return values.empty() ? 0 : std::exp(logs / static_cast<double>(values.size()));
}

/// Figures 9 and 10: sizes and decompression times, a column at a time.
class ColumnFigures {
 public:
  ColumnFigures(Report& report, int repeats) : names_(ssb_codecs()), repeats_(repeats) {
    std::vector<std::string> heads{"column"};
    heads.insert(heads.end(), names_.begin(), names_.end());
    std::vector<std::string> sizes = heads;
    sizes.insert(sizes.end(), {"planner", "GPU-*", "GPU-* is"});
    std::vector<std::string> times = heads;
    times.insert(times.end(), {"GPU-*"});
    sizes_ = &report.table(
        {"sigmod22-fig9", "Figure 9: bits per value of lineorder's columns", std::move(sizes), {}});
    times_ = &report.table({"sigmod22-fig10",
                            "Figure 10: milliseconds to decompress a column and write it out",
                            std::move(times),
                            {}});
  }

  const std::vector<std::string>& names() const { return names_; }

  void add(SsbColumn column, const Words& values, const Encodings& encodings) {
    const std::string star = smallest(encodings, is_gpu_star);
    std::vector<Cell> bits{std::string(name_of(column))};
    const auto bits_of = [&](const std::string& name) {
      return encodings.contains(name) ? 32.0 * static_cast<double>(encodings.at(name).size()) /
                                            static_cast<double>(values.size())
                                      : 0;
    };
    const auto note = [&](const std::string& as, const std::string& name) {
      bits.emplace_back(bits_of(name));
      total_bits_[as] += bits_of(name);
    };
    for (const std::string& name : names_) note(name, name);
    note("planner", smallest(encodings, is_planner));
    note("GPU-*", star);
    bits.emplace_back(star);
    sizes_->add(std::move(bits));
    add_times(column, values, encodings, star);
  }

  void finish() {
    std::vector<Cell> bits{std::string("all columns")};
    for (const std::string& name : names_) bits.emplace_back(total_bits_[name]);
    bits.insert(bits.end(), {total_bits_["planner"], total_bits_["GPU-*"], std::string()});
    sizes_->add(std::move(bits));
    std::vector<Cell> mean{std::string("mean")};
    std::vector<Cell> geometric{std::string("geometric mean")};
    std::vector<std::string> all = names_;
    all.emplace_back("GPU-*");
    for (const std::string& name : all) {
      const std::vector<double>& each = milliseconds_[name];
      double sum = 0;
      for (const double one : each) sum += one;
      mean.emplace_back(each.empty() ? 0 : sum / static_cast<double>(each.size()));
      geometric.emplace_back(geometric_mean(each));
    }
    times_->add(std::move(mean));
    times_->add(std::move(geometric));
  }

 private:
  void add_times(SsbColumn column, const Words& values, const Encodings& encodings,
                 const std::string& star) {
    const auto count = static_cast<std::uint32_t>(values.size());
    const auto expected = cuda::upload(std::span(values));
    cuda::DeviceArray<std::uint32_t> out(count);
    const cuda::OwnedStream stream;
    std::vector<Cell> row{std::string(name_of(column))};
    double star_time = 0;
    for (const std::string& name : names_) {
      const codecs::Codec& codec = ssb_codec(name);
      if (!cuda::decodes_on_device(codec.id, ValueType::kU32)) {
        row.emplace_back(std::string("-"));
        continue;
      }
      const cuda::DeviceColumn device(codec.id, ValueType::kU32, encodings.at(name), count);
      const double time = 1e3 * time_column(device, expected.data(), out.data(), repeats_,
                                            name + " of " + std::string(name_of(column)), stream);
      milliseconds_[name].push_back(time);
      row.emplace_back(time);
      if (name == star) star_time = time;
    }
    if (star_time > 0) milliseconds_["GPU-*"].push_back(star_time);
    row.emplace_back(star_time);
    times_->add(std::move(row));
  }

  std::vector<std::string> names_;
  int repeats_;
  Table* sizes_;
  Table* times_;
  std::map<std::string, double> total_bits_;
  std::map<std::string, std::vector<double>> milliseconds_;
};

/// The flight's columns, as values and as they are compressed by one codec each.
struct Encoded {
  std::string name;
  std::vector<Words> words;
  std::vector<cuda::DeviceColumn> columns;

  /// Column i by codec i.
  template <class... Codec>
  static Encoded with(std::string name, const std::vector<const Words*>& values) {
    Encoded encoded{std::move(name), encode_each(values, {std::string(Codec::name)...}), {}};
    const codecs::CodecId ids[] = {Codec::id...};
    for (std::size_t i = 0; i < values.size(); ++i) {
      encoded.columns.emplace_back(ids[i], ValueType::kU32, encoded.words[i],
                                   static_cast<std::uint32_t>(values[i]->size()));
    }
    return encoded;
  }

  std::uint32_t count() const { return columns.front().plan().count; }

  double bytes() const {
    double total = 0;
    for (const Words& each : words) total += 4.0 * static_cast<double>(each.size());
    return total;
  }
};

/// Times one way to answer the flight's queries, with the answers checked.
class Flight {
 public:
  Flight(Report& report, const std::vector<const Words*>& values, int repeats)
      : values_(values), repeats_(repeats), sums_(kMaxQueryBlocks), answer_(1) {
    for (const Flight1& query : flight1()) {
      const Flight1Columns columns{*values[0], *values[1], *values[2], *values[3]};
      answers_.push_back(answer_on_host(query.ranges, columns));
    }
    inline_ = &report.table(
        {"ssb-flight1",
         "Query flight 1, milliseconds, by the columns that are read whole: all; those filtered by "
         "(price by row); the order date (all others by row)",
         {"columns", "MB", "q1.1", "q1.2", "q1.3", "q1.1 filters", "q1.2 filters", "q1.3 filters",
          "q1.1 date", "q1.2 date", "q1.3 date", "q1.1 of the read ceiling"},
         {}});
    decoded_ = &report.table({"ssb-flight1-decoded",
                              "Query flight 1 after decoding its columns to device memory, ms",
                              {"columns", "q1.1", "q1.2", "q1.3"},
                              {}});
    shipped_ = &report.table({"sigmod22-fig12",
                              "Figure 12: q1.1 with its columns in page-locked host memory, sent "
                              "to the device every time, ms",
                              {"columns", "MB", "send", "q1.1", "GB/s"},
                              {}});
  }

  template <class... Codec>
  void add(const std::string& name, double read_ceiling) {
    using Query = Flight1Query<Codec...>;
    const Encoded encoded = Encoded::with<Codec...>(name, values_);
    const auto& device = encoded.columns;
    const Flight1Lists lists = lists_of<Query>(
        encoded, {device[0].words(), device[1].words(), device[2].words(), device[3].words()});
    std::vector<Cell> row{name, encoded.bytes() * 1e-6};
    double first = 0;
    for (const Whole whole : {Whole::kAll, Whole::kFilters, Whole::kDate}) {
      for (std::size_t q = 0; q < answers_.size(); ++q) {
        const double seconds = time(q, name, [&] {
          Query::launch(lists, flight1()[q].ranges, whole, sums_.data(), answer_.data(), stream_);
        });
        if (first == 0) first = seconds;
        row.emplace_back(seconds * 1e3);
      }
    }
    row.emplace_back(encoded.bytes() / first / read_ceiling);
    inline_->add(std::move(row));
    add_decoded(encoded);
    add_shipped<Query>(encoded);
  }

 private:
  /// The columns, with their words at these places in device memory.
  template <class Query>
  static Flight1Lists lists_of(const Encoded& encoded,
                               const std::array<const std::uint32_t*, 4>& places) {
    std::array<ListView, 4> device{};
    std::array<ListView, 4> host{};
    for (std::size_t i = 0; i < device.size(); ++i) {
      device[i] = {places[i], encoded.count()};
      host[i] = {encoded.words[i].data(), encoded.count()};
    }
    return Query::lists(device, host);
  }

  template <class Work>
  double time(std::size_t q, const std::string& name, Work work) {
    answer_[0] = 0;
    const double seconds = measure::time_each(stream_, repeats_, [&](int) { work(); });
    stream_.wait();
    if (answer_[0] != answers_[q]) {
      throw std::runtime_error(flight1()[q].name + " over " + name + ": " +
                               std::to_string(answer_[0]) + " instead of " +
                               std::to_string(answers_[q]));
    }
    return seconds;
  }

  void add_decoded(const Encoded& encoded) {
    using Plain =
        Flight1Query<codecs::RawTiles, codecs::RawTiles, codecs::RawTiles, codecs::RawTiles>;
    std::vector<cuda::DeviceArray<std::uint32_t>> out;
    std::array<ListView, 4> lists{};
    for (std::size_t i = 0; i < values_.size(); ++i) {
      out.emplace_back(values_[i]->size() + 4);
      lists[i] = {out[i].data(), encoded.count()};
    }
    const Flight1Lists plain = Plain::lists(lists, lists);
    std::vector<Cell> row{encoded.name};
    for (std::size_t q = 0; q < answers_.size(); ++q) {
      const double seconds = time(q, encoded.name + ", decoded", [&] {
        for (std::size_t i = 0; i < out.size(); ++i) {
          encoded.columns[i].decode_async(out[i].data(), stream_);
        }
        Plain::launch(plain, flight1()[q].ranges, Whole::kAll, sums_.data(), answer_.data(),
                      stream_);
      });
      row.emplace_back(seconds * 1e3);
    }
    decoded_->add(std::move(row));
  }

  template <class Query>
  void add_shipped(const Encoded& encoded) {
    std::vector<cuda::PinnedArray<std::uint32_t>> host;
    std::vector<cuda::DeviceArray<std::uint32_t>> device;
    for (std::size_t i = 0; i < encoded.words.size(); ++i) {
      host.emplace_back(encoded.words[i].size());
      std::memcpy(host.back().data(), encoded.words[i].data(), host.back().bytes());
      device.emplace_back(encoded.words[i].size() + 4);
    }
    const Flight1Lists lists = lists_of<Query>(
        encoded, {device[0].data(), device[1].data(), device[2].data(), device[3].data()});
    const auto send = [&] {
      for (std::size_t i = 0; i < host.size(); ++i) {
        cuda::check(cudaMemcpyAsync(device[i].data(), host[i].data(), host[i].bytes(),
                                    cudaMemcpyHostToDevice, stream_),
                    "cudaMemcpyAsync");
      }
    };
    const double sent = measure::time_each(stream_, kShipments, [&](int) { send(); });
    std::vector<Cell> row{encoded.name, encoded.bytes() * 1e-6, sent * 1e3};
    const double seconds = time(0, encoded.name + ", sent", [&] {
      send();
      Query::launch(lists, flight1()[0].ranges, Whole::kAll, sums_.data(), answer_.data(), stream_);
    });
    row.emplace_back(seconds * 1e3);
    row.emplace_back(encoded.bytes() / sent * 1e-9);
    shipped_->add(std::move(row));
  }

  static constexpr int kShipments = 20;
  std::vector<const Words*> values_;
  int repeats_;
  std::vector<std::uint64_t> answers_;
  cuda::DeviceArray<std::uint64_t> sums_;
  cuda::PinnedArray<std::uint64_t> answer_;
  cuda::OwnedStream stream_;
  Table* inline_;
  Table* decoded_;
  Table* shipped_;
};

void measure_columns(Report& report, const std::vector<Words>& table, const Options& options) {
  ColumnFigures figures(report, options.repeats);
  std::vector<std::future<Encodings>> encodings;
  for (const Words& column : table) {
    encodings.push_back(
        std::async(std::launch::async, [&] { return encode_all(column, figures.names()); }));
  }
  for (std::size_t c = 0; c < table.size(); ++c) {
    figures.add(all_columns()[c], table[c], encodings[c].get());
  }
  figures.finish();
}

void measure_queries(Report& report, const std::vector<const Words*>& values,
                     const measure::MemoryCeilings& ceilings, const Options& options) {
  using codecs::GpuBp;
  using codecs::GpuDfor;
  using codecs::GpuFor;
  using codecs::GpuRfor;
  using codecs::RawTiles;
  Flight flight(report, values, options.repeats);
  const double ceiling = ceilings.read_bytes_per_second;
  flight.add<RawTiles, RawTiles, RawTiles, RawTiles>("none", ceiling);
  flight.add<GpuFor, GpuFor, GpuFor, GpuFor>("gpu-for", ceiling);
  flight.add<GpuDfor, GpuDfor, GpuDfor, GpuDfor>("gpu-dfor", ceiling);
  flight.add<GpuBp<128>, GpuBp<128>, GpuBp<128>, GpuBp<128>>("gpu-bp128", ceiling);
  flight.add<GpuRfor, GpuFor, GpuFor, GpuFor>("GPU-*", ceiling);
}

void measure(Report& report, const Options& options) {
  const SsbLineorder lineorder(options.scale);
  const measure::MemoryCeilings ceilings = measure::measure_ceilings();
  report.fact("device", cuda::device_name());
  report.fact("scale", options.scale);
  report.fact("rows", static_cast<double>(lineorder.rows()));
  report.fact("copy ceiling, GB/s", ceilings.copy_bytes_per_second * 1e-9);
  report.fact("read ceiling, GB/s", ceilings.read_bytes_per_second * 1e-9);
  if (lineorder.rows() > codecs::kMaxListLength) throw UsageError("a column is too long");
  std::vector<const Words*> flight;
  if (options.columns) {
    const std::vector<SsbColumn> all = all_columns();
    const std::vector<Words> table = lineorder.columns({all.data(), all.size()});
    measure_columns(report, table, options);
  }
  if (options.queries) {
    const std::vector<Words> table = lineorder.columns(kFlightColumns);
    for (const Words& column : table) flight.push_back(&column);
    measure_queries(report, flight, ceilings, options);
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  gannet::bench::Options options;
  gannet::bench::Report report("bench_cuda_ssb",
                               "Sizes, decompression and queries of the Star Schema Benchmark's "
                               "lineorder, every output verified.");
  report.options().add_options()("scale", po::value(&options.scale)->default_value(options.scale),
                                 "scale factor: 6 million rows for each 1")(
      "repeats", po::value(&options.repeats)->default_value(options.repeats), "timed runs")(
      "columns", po::value(&options.columns)->default_value(options.columns), "figures 9 and 10")(
      "queries", po::value(&options.queries)->default_value(options.queries),
      "query flight 1 and figure 12");
  if (!report.parse(argc, argv)) return report.status();
  try {
    gannet::bench::measure(report, options);
  } catch (const std::exception& error) {
    std::cerr << "bench_cuda_ssb: " << error.what() << '\n';
    return 1;
  }
  return report.finish();
}
