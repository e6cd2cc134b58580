// What functions are marked with that both processors run.
#pragma once

#if defined(__CUDACC__)
#define GANNET_HD __host__ __device__ __forceinline__
#else
#define GANNET_HD inline
#endif
