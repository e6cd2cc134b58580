// What every program is given: descriptors, signals.
#pragma once

namespace gannet::tools {

/// Opens those of stdin, stdout and stderr that whoever started the program has closed (`<&-`), so
/// that no file that is opened later gets one of their numbers, to be read as the input or written
/// to by a summary. What is read from them or written to them fails. Called once, before anything
/// else is opened.
void hold_standard_descriptors() noexcept;

/// Has write() fail with EFBIG where a file grows beyond the limit that a user has set (`ulimit
/// -f`, batch systems), instead of the end of the program, so that it says why and cleans up.
void ignore_file_size_signal() noexcept;

}  // namespace gannet::tools
