// GANNET_HD marks functions that run on the host and on the device. nvcc compiles them for both;
// for other compilers they are inline.
#pragma once

#if defined(__CUDACC__)
#define GANNET_HD __host__ __device__ __forceinline__
#else
#define GANNET_HD inline
#endif
