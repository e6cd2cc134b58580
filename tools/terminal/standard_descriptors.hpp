// The descriptors that every program is given.
#pragma once

namespace gannet::tools {

/// Opens those of stdin, stdout and stderr that whoever started the program has closed (`<&-`), so
/// that no file that is opened later gets one of their numbers, to be read as the input or written
/// to by a summary. What is read from them or written to them fails. Called once, before anything
/// else is opened.
void hold_standard_descriptors() noexcept;

}  // namespace gannet::tools
