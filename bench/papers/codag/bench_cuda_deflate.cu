// Inflating on the GPU: our form and CODAG's, against zlib and our host decoder on all cores. For
// CODAG's Figures 7 and 8 (deflate) and its single-lane ablation. Every output is compared with
// what was encoded.
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <thread>

#include "bench/frame/program.hpp"
#include "bench/frame/verify.hpp"
#include "bench/papers/codag/deflate_codag.hpp"
#include "codecs/deflate/deflate.hpp"
#include "codecs/device/detail/inflate_kernel.cuh"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

using codecs::Deflate;
using codecs::kLanes;
using codecs::ListView;
using codecs::WarpLanes;
using codecs::cuda::DeviceArray;
using codecs::deflate::Shape;
using codecs::papers::Buffer;
using codecs::papers::DecodeBy;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

// --- Forms -------------------------------------------------------------------------------------

template <Shape shape>
struct Parallel {
  using Space = codecs::deflate::Space<shape>;
  static __device__ void inflate(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                                 std::uint32_t size, Space& space) {
    codecs::deflate::ParallelInflate<WarpLanes, shape>(WarpLanes{}, words, count, out, size, space)
        .run();
  }
};

template <DecodeBy by, Buffer buffer>
struct Codag {
  using Space = codecs::papers::CodagSpace;
  static __device__ void inflate(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                                 std::uint32_t size, Space& space) {
    codecs::papers::codag_inflate<by, buffer>(WarpLanes{}, words, count, out, size, space);
  }
};

/// Warps of a block: as many as static shared memory allows.
template <class Form>
constexpr std::uint32_t kWarps = sizeof(typename Form::Space) * 4 <= 48 << 10 ? 4 : 2;

template <class Form>
__global__ void __launch_bounds__(kWarps<Form>* kLanes)
    form_kernel(ListView column, std::uint8_t* out) {
  __shared__ uint4 space[kWarps<Form>][(sizeof(typename Form::Space) + 15) / 16];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kWarps<Form> + warp;
  const std::uint32_t chunk_bytes = column.words[0];
  if (chunk >= codecs::chunk_count(column.count, chunk_bytes)) return;
  const std::uint32_t start = column.words[1 + chunk];
  Form::inflate(column.words + start, column.words[2 + chunk] - start,
                out + std::uint64_t{chunk} * chunk_bytes,
                codecs::chunk_size(column.count, chunk_bytes, chunk),
                *reinterpret_cast<typename Form::Space*>(space[warp]));
}

struct Form {
  std::string name;
  void (*launch)(ListView column, std::uint32_t chunk_bytes, std::uint8_t* out, cudaStream_t);
};

template <class F>
Form form_of(std::string name) {
  return {std::move(name),
          [](ListView column, std::uint32_t chunk_bytes, std::uint8_t* out, cudaStream_t stream) {
            const std::uint32_t chunks = codecs::chunk_count(column.count, chunk_bytes);
            form_kernel<F><<<codecs::ceil_div(chunks, kWarps<F>), kWarps<F> * kLanes, 0, stream>>>(
                column, out);
          }};
}

std::vector<Form> forms() {
  return {
      {"deflate",
       [](ListView column, std::uint32_t chunk_bytes, std::uint8_t* out, cudaStream_t stream) {
         codecs::deflate::launch_inflate(column, chunk_bytes, out, nullptr, stream);
       }},
      form_of<Codag<DecodeBy::kAllLanes, Buffer::kShared>>("codag all lanes, shared"),
      form_of<Codag<DecodeBy::kAllLanes, Buffer::kRegisters>>("codag all lanes, registers"),
      form_of<Codag<DecodeBy::kLane0, Buffer::kShared>>("codag lane 0, shared"),
  };
}

template <Shape shape>
Form shape_form() {
  return form_of<Parallel<shape>>(std::to_string(shape.segment_words) + " words, list " +
                                  std::to_string(shape.list) + ", " + std::to_string(shape.enough) +
                                  " lanes or " + std::to_string(shape.rounds) + " rounds");
}

/// Other ways to cut windows, for tuning.
std::vector<Form> shapes() {
  return {
      shape_form<Shape{7, 1024, 28, 4}>(),  shape_form<Shape{11, 1024, 28, 4}>(),
      shape_form<Shape{15, 1152, 28, 3}>(), shape_form<Shape{15, 1408, 31, 4}>(),
      shape_form<Shape{19, 1408, 28, 3}>(), shape_form<Shape{23, 1536, 28, 3}>(),
  };
}

// --- Data --------------------------------------------------------------------------------------

/// Words of a vocabulary of 20,000 with Zipf's frequencies, with punctuation.
Bytes text(std::size_t size) {
  std::mt19937 random(1);
  std::vector<std::string> words(20000);
  for (auto& word : words) {
    const std::size_t letters = 2 + random() % 4 + random() % 6;
    for (std::size_t i = 0; i < letters; ++i) {
      word += "etaoinshrdlucmfwypvbgkjqxz"[std::min(random() % 26, random() % 26)];
    }
  }
  std::uniform_real_distribution<double> unit(0, std::log(20000.0));
  Bytes bytes;
  bytes.reserve(size + 64);
  while (bytes.size() < size) {
    const auto rank = static_cast<std::size_t>(std::exp(unit(random))) - 1;
    const std::string& word = words[std::min<std::size_t>(rank, words.size() - 1)];
    bytes.insert(bytes.end(), word.begin(), word.end());
    const std::uint32_t sign = random() % 64;
    if (sign < 6) bytes.push_back(sign == 0 ? '\n' : sign < 3 ? '.' : ',');
    bytes.push_back(' ');
  }
  bytes.resize(size);
  return bytes;
}

template <class Next>
Bytes column(std::size_t size, Next next) {
  std::mt19937 random(2);
  Bytes bytes(size);
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    const std::uint32_t value = next(random);
    std::memcpy(&bytes[i], &value, 4);
  }
  return bytes;
}

/// Runs of 1 .. longest equal 32-bit values below 1,000.
Bytes runs(std::size_t size, std::uint32_t longest) {
  std::uint32_t left = 0;
  std::uint32_t value = 0;
  return column(size, [&](std::mt19937& random) {
    if (left == 0) {
      left = 1 + random() % longest;
      value = random() % 1000;
    }
    --left;
    return value;
  });
}

Bytes sorted_ids(std::size_t size) {
  std::uint32_t value = 0;
  return column(size, [&](std::mt19937& random) { return value += 1 + random() % 7; });
}

Bytes small_ints(std::size_t size) {
  return column(size, [](std::mt19937& random) { return random() % 1024; });
}

/// The file's bytes, again and again up to `size`.
Bytes file(const std::string& path, std::size_t size) {
  std::ifstream input(path, std::ios::binary);
  Bytes bytes((std::istreambuf_iterator<char>(input)), {});
  if (bytes.empty()) throw std::runtime_error("cannot read " + path);
  bytes.reserve(size);
  const std::size_t once = bytes.size();
  while (bytes.size() < size) bytes.push_back(bytes[bytes.size() - once]);
  bytes.resize(size);
  return bytes;
}

// --- Host --------------------------------------------------------------------------------------

/// Runs work(i) for i in [0, count) on `threads` threads.
void on_threads(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t) {
    team.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  }
  for (auto& thread : team) thread.join();
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Encodes as Deflate::encode does, a part of the chunks a thread.
Words encode(const Bytes& bytes, const std::string& parameters, unsigned threads) {
  constexpr std::size_t kPart = 1 << 20;  // a multiple of every chunk size that divides it
  const std::size_t parts = (bytes.size() + kPart - 1) / kPart;
  std::vector<Words> encoded(parts);
  on_threads(threads, parts, [&](std::size_t i) {
    const std::size_t size = std::min(kPart, bytes.size() - i * kPart);
    Deflate::encode<std::uint8_t>(std::span(bytes).subspan(i * kPart, size),
                                  codecs::Parameters(parameters), encoded[i]);
  });
  // Headers first, with the starts moved, then the chunks.
  Words words{encoded[0][0]};
  std::size_t chunks = 0;
  for (const Words& part : encoded) chunks += part[1] - 2;
  std::size_t at = 2 + chunks;
  for (const Words& part : encoded) {
    for (std::uint32_t i = 0; i < part[1] - 2; ++i) {
      words.push_back(static_cast<std::uint32_t>(at + part[1 + i] - part[1]));
    }
    at += part.size() - part[1];
  }
  words.push_back(static_cast<std::uint32_t>(at));
  for (const Words& part : encoded) words.insert(words.end(), part.begin() + part[1], part.end());
  return words;
}

using ChunkDecoder = std::function<void(const Words&, std::uint32_t, std::uint8_t*, std::uint32_t)>;

void zlib_chunk(const Words& words, std::uint32_t chunk, std::uint8_t* out, std::uint32_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) throw std::bad_alloc();
  const std::uint32_t start = words[1 + chunk];
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::uint32_t*>(words.data() + start));
  stream.avail_in = 4 * (words[2 + chunk] - start);
  stream.next_out = out;
  stream.avail_out = size;
  if (inflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("zlib refuses a chunk");
  inflateEnd(&stream);
}

void our_chunk(const Words& words, std::uint32_t chunk, std::uint8_t* out, std::uint32_t size) {
  thread_local Words scratch(Deflate::scratch_words<std::uint8_t>);
  const ListView column{words.data(), chunk * words[0] + size};
  Deflate::decode_chunk<std::uint8_t>(codecs::SerialLanes{}, column, chunk, scratch.data(), out);
}

/// GB/s of output, which must be `bytes`.
double host_speed(const Bytes& bytes, const Words& words, unsigned threads,
                  const ChunkDecoder& decode) {
  Bytes out(bytes.size());
  const std::size_t chunk_bytes = words[0];
  const std::size_t chunks = (bytes.size() + chunk_bytes - 1) / chunk_bytes;
  double best = 1e30;
  for (int repeat = 0; repeat < 2; ++repeat) {
    best = std::min(best, seconds([&] {
                      on_threads(threads, chunks, [&](std::size_t i) {
                        const std::size_t size =
                            std::min(chunk_bytes, bytes.size() - i * chunk_bytes);
                        decode(words, static_cast<std::uint32_t>(i), out.data() + i * chunk_bytes,
                               static_cast<std::uint32_t>(size));
                      });
                    }));
  }
  if (out != bytes) throw std::runtime_error("a host decoder gave other bytes");
  return static_cast<double>(bytes.size()) / best * 1e-9;
}

// --- Device ------------------------------------------------------------------------------------

double device_speed(const Form& form, const DeviceArray<std::uint8_t>& bytes, const Words& words,
                    int repeats) {
  const auto device_words = codecs::cuda::upload(std::span<const std::uint32_t>(words), 4);
  DeviceArray<std::uint8_t> out(bytes.size());
  poison(out.data(), out.bytes());
  const codecs::cuda::OwnedStream stream;
  const auto count = static_cast<std::uint32_t>(bytes.size());
  const double time = measure::time_each(stream, repeats, [&](int) {
    form.launch(ListView{device_words.data(), count}, words[0], out.data(), stream);
    codecs::cuda::check_launch("form_kernel");
  });
  expect_equal(out.data(), bytes.data(), out.bytes(), form.name);
  return static_cast<double>(bytes.size()) / time * 1e-9;
}

struct Options {
  std::size_t bytes = 1u << 28;
  std::uint32_t level = 9;
  std::uint32_t chunk = 128;
  int repeats = 0;
  std::string input;
  bool tune = false;
};

void measure(const std::string& name, const Bytes& bytes, const Options& options, Table& table) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  const std::string parameters =
      "level=" + std::to_string(options.level) + ",chunk=" + std::to_string(options.chunk);
  Words words;
  const double encoding = seconds([&] { words = encode(bytes, parameters, threads); });
  const double ratio = 4.0 * static_cast<double>(words.size()) / static_cast<double>(bytes.size());
  const auto add = [&](const std::string& form, double speed) {
    table.add({name, 8 * ratio, form, speed});
  };
  const auto expected = codecs::cuda::upload(std::span<const std::uint8_t>(bytes));
  std::fprintf(stderr, "%s: encoded in %.1f s\n", name.c_str(), encoding);
  for (const Form& form : forms())
    add(form.name, device_speed(form, expected, words, options.repeats));
  if (options.tune) {
    for (const Form& form : shapes()) {
      add(form.name, device_speed(form, expected, words, options.repeats));
    }
  }
  const std::string cores = ", " + std::to_string(threads) + " host threads";
  add("zlib" + cores, host_speed(bytes, words, threads, zlib_chunk));
  add("our host decoder" + cores, host_speed(bytes, words, threads, our_chunk));
}

void run(Program& program, const Options& options) {
  program.device();
  Report& report = program.report();
  report.fact("bytes", static_cast<double>(options.bytes));
  report.fact("chunk KiB", options.chunk);
  report.fact("level", options.level);
  Table& table = report.table({"codag-deflate",
                               "Deflate: bits a byte, the same for all forms; GB/s of output",
                               {"data", "bits/byte", "form", "GB/s"},
                               {}});
  const std::pair<std::string, std::function<Bytes()>> sets[] = {
      {"file", [&] { return file(options.input, options.bytes); }},
      {"text", [&] { return text(options.bytes); }},
      {"runs-7", [&] { return runs(options.bytes, 7); }},
      {"runs-256", [&] { return runs(options.bytes, 256); }},
      {"sorted-ids", [&] { return sorted_ids(options.bytes); }},
      {"small-ints", [&] { return small_ints(options.bytes); }},
  };
  for (const auto& [name, make] : sets) {
    if (!program.wants(name) || (name == "file" && options.input.empty())) continue;
    measure(name, make(), options, table);
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Options options;
  Program program("bench_cuda_deflate",
                  "Inflates text and columns in chunks on the GPU: our decoder, CODAG's forms, and "
                  "zlib on the host's cores (CODAG, Figures 7 and 8).");
  program.repeats(7)
      .parts({"file", "text", "runs-7", "runs-256", "sorted-ids", "small-ints"})
      .option("bytes", options.bytes, "bytes of each data set")
      .option("level", options.level, "zlib's level")
      .option("chunk", options.chunk, "KiB a chunk (divides 1,024)")
      .option("input", options.input, "a file of text, as a further data set");
  program.options()("tune", boost::program_options::bool_switch(&options.tune),
                    "other shapes of the parallel form too");
  return program.main(argc, argv, [&] {
    options.repeats = program.repeats();
    run(program, options);
  });
}
