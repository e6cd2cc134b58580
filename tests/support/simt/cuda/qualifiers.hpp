// The words that CUDA adds to C++.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline __attribute__((always_inline))

// In a kernel's body a thread_local variable is static, and one declared `extern` is defined
// elsewhere: as with __shared__.
#define __shared__ thread_local
