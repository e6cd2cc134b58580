// Stands in for CUDA's header of this name: the vector types, aligned as CUDA aligns them.
#pragma once

#define GANNET_SIMT_VECTORS(name, T, align2, align4) \
  struct name##1 {                                   \
    T x;                                             \
  };                                                 \
  struct alignas(align2) name##2 {                   \
    T x, y;                                          \
  };                                                 \
  struct name##3 {                                   \
    T x, y, z;                                       \
  };                                                 \
  struct alignas(align4) name##4 {                   \
    T x, y, z, w;                                    \
  };

GANNET_SIMT_VECTORS(char, signed char, 2, 4)
GANNET_SIMT_VECTORS(uchar, unsigned char, 2, 4)
GANNET_SIMT_VECTORS(short, short, 4, 8)
GANNET_SIMT_VECTORS(ushort, unsigned short, 4, 8)
GANNET_SIMT_VECTORS(int, int, 8, 16)
GANNET_SIMT_VECTORS(uint, unsigned int, 8, 16)
GANNET_SIMT_VECTORS(long, long, 16, 16)
GANNET_SIMT_VECTORS(ulong, unsigned long, 16, 16)
GANNET_SIMT_VECTORS(longlong, long long, 16, 16)
GANNET_SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
GANNET_SIMT_VECTORS(float, float, 8, 16)
GANNET_SIMT_VECTORS(double, double, 16, 16)
#undef GANNET_SIMT_VECTORS

struct dim3 {
  unsigned int x = 1, y = 1, z = 1;
  constexpr dim3(unsigned int x_count = 1, unsigned int y_count = 1, unsigned int z_count = 1)
      : x(x_count), y(y_count), z(z_count) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
