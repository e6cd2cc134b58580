// Where the tree under test and its command lie.
#pragma once

namespace gannet::test {

/// The root of the source tree, without a slash at its end.
extern const char* const kSourceFolder;
/// The built `gannet` command.
extern const char* const kCommand;

}  // namespace gannet::test
