// An input as a file, for what reads files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::fuzz {

inline std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes a file of the process's own folder, which lies in memory where that is possible.
inline std::filesystem::path file_with(std::string_view name, std::string_view bytes) {
  static const test::TemporaryDirectory folder;
  const std::filesystem::path path = folder / name;
  test::write_file(path, bytes);
  return path;
}

}  // namespace gannet::fuzz
