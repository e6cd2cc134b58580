// Stands in for CUDA's header of this name: make_uint4() and the like.
#pragma once

#include <vector_types.h>

#define GANNET_SIMT_MAKE(name, T)                                       \
  constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

GANNET_SIMT_MAKE(char, signed char)
GANNET_SIMT_MAKE(uchar, unsigned char)
GANNET_SIMT_MAKE(short, short)
GANNET_SIMT_MAKE(ushort, unsigned short)
GANNET_SIMT_MAKE(int, int)
GANNET_SIMT_MAKE(uint, unsigned int)
GANNET_SIMT_MAKE(long, long)
GANNET_SIMT_MAKE(ulong, unsigned long)
GANNET_SIMT_MAKE(longlong, long long)
GANNET_SIMT_MAKE(ulonglong, unsigned long long)
GANNET_SIMT_MAKE(float, float)
GANNET_SIMT_MAKE(double, double)
#undef GANNET_SIMT_MAKE
