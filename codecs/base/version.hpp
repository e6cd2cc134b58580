// The version of Gannet. CMake reads it from here too.
#pragma once

#include <string_view>

#define GANNET_VERSION_MAJOR 0
#define GANNET_VERSION_MINOR 1
#define GANNET_VERSION_PATCH 0
#define GANNET_VERSION_STRING "0.1.0"

namespace gannet {

/// That of the headers; gannet::index::library_version() is that of the library which is linked.
inline constexpr int kVersionMajor = GANNET_VERSION_MAJOR;
inline constexpr int kVersionMinor = GANNET_VERSION_MINOR;
inline constexpr int kVersionPatch = GANNET_VERSION_PATCH;
inline constexpr std::string_view kVersion = GANNET_VERSION_STRING;

}  // namespace gannet
