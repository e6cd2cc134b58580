// Stands in for CUDA's header of this name: who the running thread is.
#pragma once

#include <vector_types.h>

// Of the host thread's running kernel thread: set whenever another one goes on.
extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local dim3 blockDim;
extern constinit thread_local dim3 gridDim;
inline constexpr int warpSize = 32;
