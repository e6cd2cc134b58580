// The first bytes of a pipe, which stay to be read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace gannet::tools {

/// The descriptor of this process that a name of an input stands for: "-" is stdin, and
/// "/dev/fd/63" what a shell gives for <(command). Nothing for other names.
std::optional<int> descriptor_named(const std::string& name);

/// A path by which up to `size` bytes of the beginning of an open descriptor can be read, fewer
/// only at its end; all of it is still to be read afterwards, under its own name. Waits for the
/// bytes. Where the descriptor is no file, it becomes a pipe, which a thread fills until
/// the process ends; where reading fails, corpora::read_bytes() fails at the end of the pipe.
/// `name`: what messages call it. Throws IoError.
std::filesystem::path pipe_begin(int descriptor, const std::string& name, std::size_t size);

}  // namespace gannet::tools
