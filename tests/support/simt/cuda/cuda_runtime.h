// Stands in for CUDA's header of this name, so that g++ and clang compile kernels for the emulator.
// The programs that use it define __CUDACC__ and __CUDA_ARCH__, and include it before all else.
#pragma once

#include <device_launch_parameters.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cmath>

#include "tests/support/simt/cuda/atomics.hpp"
#include "tests/support/simt/cuda/collectives.hpp"
#include "tests/support/simt/cuda/intrinsics.hpp"
#include "tests/support/simt/cuda/memory.hpp"
#include "tests/support/simt/cuda/min_max.hpp"
#include "tests/support/simt/cuda/qualifiers.hpp"
#include "tests/support/simt/cuda/rounding.hpp"
#include "tests/support/simt/cuda/simd.hpp"
