// CUDA's vector types, which stand in structs that the host fills for kernels. Builds on machines
// without CUDA's headers have them from here.
#pragma once

#if __has_include(<vector_types.h>)
#include <vector_types.h>
#else
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
#endif
