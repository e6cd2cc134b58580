// Where code stands in the source, for messages.
#pragma once

#include <cstdint>
#include <string>

namespace gannet::simt {

/// An address in the program's code, from where the program was loaded.
std::uint32_t code_offset(const void* code);

/// "FILE:12", and by whom it was inlined; asks addr2line (of binutils, which g++ needs too). An
/// address if the program has no debugging information.
std::string source_line(std::uint32_t code);

}  // namespace gannet::simt
