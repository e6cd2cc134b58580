// What GPU there is. Includes no CUDA header; works in builds without CUDA too.
#pragma once

#include <string>

namespace gannet::codecs::cuda {

/// Whether a GPU can be used; if not, `why` says what is missing.
bool available(std::string* why = nullptr);

/// "NVIDIA H200", and so on. Throws NoDeviceError.
std::string device_name();

}  // namespace gannet::codecs::cuda
