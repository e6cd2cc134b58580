// The first bytes of stdin, which stay to be read.
#pragma once

#include <cstddef>
#include <filesystem>

namespace gannet::tools {

/// A path by which up to `size` bytes of the beginning of stdin can be read, fewer only at its end;
/// all of stdin is still to be read afterwards, under its own name. Waits for the bytes. Where
/// stdin is no file, it becomes a pipe, which a thread fills until the process ends. Throws
/// IoError.
std::filesystem::path stdin_begin(std::size_t size);

}  // namespace gannet::tools
