// What the program's own symbol table says about kernels. A stripped program has none; then kernels
// have no names and their __shared__ variables are not found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gannet::simt {

/// As it is written in the source, with template arguments; the address if it is not known.
std::string kernel_name(const void* kernel);

/// The __shared__ variables (not extern ones) that are declared in the kernel's body, as this host
/// thread has them.
std::vector<std::span<std::byte>> shared_variables(const void* kernel);

/// Where the program was loaded.
std::uintptr_t program_base();

/// All thread_local variables of the program, as this host thread has them: those that are shared
/// memory are among them.
std::span<std::byte> thread_variables();

}  // namespace gannet::simt
