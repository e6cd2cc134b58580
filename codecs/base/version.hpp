// The version of Gannet. CMake reads the version from this file.
#pragma once

#include <string_view>

#define GANNET_VERSION_MAJOR 0
#define GANNET_VERSION_MINOR 1
#define GANNET_VERSION_PATCH 0
#define GANNET_VERSION_STRING "0.1.0"

namespace gannet {

/// The version of the headers. gannet::index::library_version() returns the version of the linked
/// library.
inline constexpr int kVersionMajor = GANNET_VERSION_MAJOR;
inline constexpr int kVersionMinor = GANNET_VERSION_MINOR;
inline constexpr int kVersionPatch = GANNET_VERSION_PATCH;
inline constexpr std::string_view kVersion = GANNET_VERSION_STRING;

}  // namespace gannet
