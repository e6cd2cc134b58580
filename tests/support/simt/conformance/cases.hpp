// CUDA's intrinsics and what lanes do together, each beside a formula for what it gives. Two
// programs run them: one with the emulator, one on a GPU. So the emulator does what the hardware
// does, and not only what somebody took the manual to say.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "codecs/core/lanes.hpp"
#include "tests/support/random.hpp"

namespace gannet::test::conformance {

inline constexpr std::uint32_t kLanes = 32;

/// What a lane is given.
struct Input {
  std::uint32_t a, b, c, d;
  float f, g;

  __device__ __host__ std::uint64_t ab() const { return std::uint64_t{b} << 32 | a; }
  __device__ __host__ std::uint64_t cd() const { return std::uint64_t{d} << 32 | c; }
};

/// What lanes of a warp are given; a formula is told who it is for.
struct Warp {
  const Input* inputs;
  std::uint32_t lane;

  const Input& mine() const { return inputs[lane]; }
};

/// A case `Name`: device(in) is what the device computes of a lane's input, with all 32 lanes
/// there; host(warp) is what must come out.
#define GANNET_CASE(Name, on_device, ...)                                         \
  struct Name {                                                                   \
    static constexpr const char* name = #Name;                                    \
    __device__ static std::uint64_t device(const Input& in) { return on_device; } \
    static std::uint64_t host(const Warp& warp) {                                 \
      [[maybe_unused]] const Input& in = warp.mine();                             \
      __VA_ARGS__                                                                 \
    }                                                                             \
  };

inline std::uint32_t random_word(Random& random) {
  switch (random() % 4) {
    case 0:
      return random() % 40;  // counts of bits, small numbers
    case 1:
      return ~(random() % 40);
    case 2:
      return 1u << random() % 32;
    default:
      return random();
  }
}

inline float random_float(Random& random) {
  const std::uint32_t bits = random();
  float value = 0;
  switch (random() % 4) {
    case 0:
      return static_cast<float>(static_cast<int>(bits % 2000) - 1000) / 4;  // ties of rounding
    case 1:
      return static_cast<float>(bits);
    default:
      std::memcpy(&value, &bits, sizeof value);
      // NaNs are told apart by nothing that kernels may rely on.
      return value == value ? value : 1.0f;
  }
}

/// Inputs for `warps` warps.
inline std::vector<Input> random_inputs(std::uint32_t warps) {
  Random random(11);
  std::vector<Input> inputs(std::size_t{warps} * kLanes);
  for (Input& in : inputs) {
    in = {random_word(random), random_word(random),  random_word(random),
          random_word(random), random_float(random), random_float(random)};
  }
  return inputs;
}

template <class Case>
__global__ void run_case(const Input* inputs, std::uint64_t* results) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = Case::device(inputs[i]);
}

/// The results of a case for inputs of whole warps, by its formula.
template <class Case>
std::vector<std::uint64_t> expected_of(const std::vector<Input>& inputs) {
  std::vector<std::uint64_t> results;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    results.push_back(Case::host({inputs.data() + i / kLanes * kLanes, i % kLanes}));
  }
  return results;
}

}  // namespace gannet::test::conformance
