// stdout: where data goes. print.hpp is what commands use; this is what it writes to, and bytes
// that are no text.
#pragma once

#include <string_view>

namespace gannet::tools {

/// Appends to stdout's buffer of 64 KiB, and writes it when it is full. Not thread-safe. Throws
/// IoError. While an InterruptGuard lives, CancelledError after a signal, also where nobody reads
/// the pipe that stdout is.
void write_stdout(std::string_view bytes);

/// Writes what is in the buffer; the same errors. Commands need not call it at their end: main()
/// does, and what an error leaves in the buffer is written when the process ends.
void flush_stdout();

/// Forgets what is in the buffer: after an interrupt nobody may be there to take it.
void discard_stdout() noexcept;

}  // namespace gannet::tools
